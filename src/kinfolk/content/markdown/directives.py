"""Comment directives -> framework blocks, tab groups and containers such as cards.

    <!-- ::start:tabs variant="files" --> … <!-- ::end:tabs -->

The parser returns each comment as an HTML block. Unknown, unclosed or empty directives leave their content unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from itertools import chain
from typing import Literal

from markdown_it.token import Token

from kinfolk.config.package_registries import NPM, REGISTRIES, commands
from kinfolk.content.markdown.code.code_blocks import language_of, title_of
from kinfolk.content.markdown.html.inline import plain_text

TabGroupKind = Literal["files", "bundler", "package-manager", "plain"]

# Real pages nest at most three levels (framework, tabs, one more). The limits bound the cost of hostile texts.
DEEPEST = 6
LONGEST = 300

MANAGERS = ("npm", "pnpm", "yarn", "bun")
COMMANDS = {
    "install": ("npm i", "pnpm add", "yarn add", "bun add"),
    "dev-install": ("npm i -D", "pnpm add -D", "yarn add -D", "bun add -d"),
    "local-install": ("npx", "pnpx", "yarn dlx", "bunx"),
    "create": ("npm create", "pnpm create", "yarn create", "bun create"),
    "custom": MANAGERS,
}
BUNDLERS = ("vite", "rsbuild")

_DIRECTIVE = re.compile(r" {0,3}<!--\s*::(?:(start|end):)?([\w-]+)(\s[^>]*?)?\s*-->\s*")
_ATTRIBUTE = re.compile(r"""([\w-]+)(?:=(?:"([^"]*)"|'([^']*)'|(\S+)))?""")
_PACKAGES = re.compile(r"([A-Za-z][\w-]*):\s+(\S.*)")


@dataclass(frozen=True)
class Panel:
    """One of several alternatives. The reader's choice is stored as `key`."""

    key: str
    label: str
    nodes: list[Node]


@dataclass(frozen=True)
class FrameworkBlock:
    panels: list[Panel]


@dataclass(frozen=True)
class TabGroup:
    kind: TabGroupKind
    panels: list[Panel]


@dataclass(frozen=True)
class Container:
    """Content in a layout of its own: a list of steps, cards, one card, a file tree, or a field of an API."""

    kind: str
    panels: list[Panel]
    """One."""


Node = Token | FrameworkBlock | TabGroup | Container
CONTAINERS = ("card", "cards", "field", "file-tree", "steps")
CONTAINER_CLASSES = tuple(f"md-{name}" for name in CONTAINERS)


@dataclass
class _Directive:
    name: str
    attributes: dict[str, str]
    children: list[Token | _Directive] = field(default_factory=list)
    level: int = 0


def parse_directives(tokens: Sequence[Token], *, nested: bool = False, framework: str | None = None) -> list[Node]:
    """The tokens, with the content of each directive grouped into one node. With `nested`, also in lists and quotes.

    A page of a `framework` has only that panel of blocks that have it.
    """
    return _nodes(_nested_tree(tokens) if nested else _tree(tokens), framework)


def _nested_tree(tokens: Sequence[Token]) -> list[Token | _Directive]:
    """Like `_tree` for directives at any level. Each ends at the level where it starts, or is left out."""
    stack = [_Directive("", {}, level=-1)]
    for token in tokens:
        while len(stack) > 1 and token.level < stack[-1].level:  # its list or quote ends before it does
            unclosed = stack.pop()
            stack[-1].children += unclosed.children
        found = _directive(token)
        if not found:
            stack[-1].children.append(token)
            continue
        edge, name = found[1], found[2].lower()
        if edge == "start" and len(stack) <= 2 * DEEPEST:
            stack.append(_Directive(name, _attributes(found[3] or ""), level=token.level))
        elif edge == "end" and stack[-1].name == name and stack[-1].level == token.level:
            closed = stack.pop()
            stack[-1].children.append(closed)
    while len(stack) > 1:
        unclosed = stack.pop()
        stack[-1].children += unclosed.children
    return stack[0].children


def _tree(tokens: Sequence[Token]) -> list[Token | _Directive]:
    stack = [_Directive("", {})]
    for token in tokens:
        found = _directive(token)
        if not found or token.level:
            stack[-1].children.append(token)
            continue
        edge, name = found[1], found[2].lower()
        if edge == "start" and len(stack) <= DEEPEST:
            stack.append(_Directive(name, _attributes(found[3] or "")))
        elif edge == "end" and any(one.name == name for one in stack[1:]):
            while (closed := stack.pop()).name != name:
                stack[-1].children += closed.children
            stack[-1].children.append(closed)
    return list(chain.from_iterable(one.children for one in stack))


def _directive(token: Token) -> re.Match[str] | None:
    short = token.type == "html_block" and len(token.content) <= LONGEST
    return _DIRECTIVE.fullmatch(token.content) if short and "::" in token.content else None


def _attributes(source: str) -> dict[str, str]:
    return {name.lower(): double or single or bare for name, double, single, bare in _ATTRIBUTE.findall(source)}


def _nodes(children: Iterable[Token | _Directive], framework: str | None) -> list[Node]:
    nodes: list[Node] = []
    for child in children:
        if isinstance(child, Token):
            nodes.append(child)
        elif child.name == "framework":
            nodes += _frameworks(child, framework)
        elif child.name == "tabs":
            nodes += _tabs(child, framework)
        elif child.name in CONTAINERS:
            nodes.append(Container(child.name, [Panel("", "", _nodes(child.children, framework))]))
        else:
            nodes += _nodes(child.children, framework)
    return nodes


def _frameworks(block: _Directive, framework: str | None) -> list[Node]:
    before, parts = _split(block.children, "h1")
    panels: dict[str, Panel] = {}
    for label, children in parts:
        key = panel_key(label)
        panel = panels.setdefault(key, Panel(key, label, []))
        panel.nodes.extend(_nodes(children, key))
    nodes = _nodes(before, framework)
    if framework in panels:
        return [*nodes, *panels[framework].nodes]
    return [*nodes, FrameworkBlock(list(panels.values()))] if panels else nodes


def _tabs(block: _Directive, framework: str | None) -> list[Node]:
    variant = block.attributes.get("variant", "")
    if variant in ("package-manager", "package-managers"):
        return _package_managers(block, framework)
    if variant == "files":
        fences = [child for child in block.children if isinstance(child, Token) and child.type == "fence"]
        panels = [_file(fence, number) for number, fence in enumerate(fences)]
        return [TabGroup("files", panels)] if panels else _nodes(block.children, framework)

    labeled = [child for child in block.children if isinstance(child, _Directive) and child.name == "tab"]
    if labeled:
        panels = [
            Panel(panel_key(label), label, _nodes(one.children, framework))
            for number, one in enumerate(labeled, 1)
            for label in [unescape(one.attributes.get("label") or f"Tab {number}")]
        ]
        return [TabGroup("plain", _with_own_keys(panels))]
    tags = [child.tag for child in block.children if isinstance(child, Token) and _is_heading(child)]
    before, parts = _split(block.children, min(tags, default=""))
    if not parts:
        return _nodes(block.children, framework)
    panels = [Panel(panel_key(label), label, _nodes(children, framework)) for label, children in parts]
    if variant == "bundler":
        order = {key: place for place, key in enumerate(BUNDLERS)}
        panels.sort(key=lambda panel: order.get(panel.key, len(order)))
    return [*_nodes(before, framework), TabGroup("bundler" if variant == "bundler" else "plain", panels)]


def _with_own_keys(panels: Sequence[Panel]) -> list[Panel]:
    """The panels, with a number in each repeated key."""
    seen: dict[str, int] = {}
    result = []
    for panel in panels:
        seen[panel.key] = count = seen.get(panel.key, 0) + 1
        result.append(panel if count == 1 else replace(panel, key=f"{panel.key}-{count}"))
    return result


def _file(fence: Token, number: int) -> Panel:
    language = language_of(fence.info)
    label = title_of(fence.info) or (language if language != "text" else "Untitled")
    fence.meta["untitled"] = True
    return Panel(f"{number}", label, [fence])


def _package_managers(block: _Directive, framework: str | None) -> list[Node]:
    """Tabs from lines of `framework: packages`; each line of a framework is one command.

    Reads the source lines, because parsed as Markdown a package name may contain a link or emphasis.
    """
    tokens = [child for child in block.children if isinstance(child, Token)]
    packages_of: dict[str, list[str]] = {}
    for line in "\n".join(token.content for token in tokens if token.type == "inline").split("\n"):
        found = _PACKAGES.fullmatch(line.strip())
        if found:
            packages_of.setdefault(found[1].lower(), []).append(found[2].strip())
    if not packages_of:
        return _nodes(block.children, framework)

    mode, registry = block.attributes.get("mode", "install"), block.attributes.get("registry", NPM)
    groups = {key: _install_tabs(packages, registry, mode) for key, packages in packages_of.items()}
    if framework in groups:
        return [groups[framework]]
    if len(groups) == 1:
        return list(groups.values())
    return [FrameworkBlock([Panel(key, key.replace("-", " ").title(), [tabs]) for key, tabs in groups.items()])]


def _install_tabs(packages: list[str], registry: str, mode: str) -> Token | TabGroup:
    """The commands for packages of a registry: of a single package manager as a code block without tabs.

    An unknown registry is npm. Of other registries, the modes that run or create something have no commands.
    """
    known = next((name for name in REGISTRIES if name == registry), NPM)
    if known == NPM:
        return _manager_tabs(packages, COMMANDS.get(mode, COMMANDS["install"]))
    lines = [tuple(commands(known, listed.split(), dev=mode == "dev-install")) for listed in packages]
    panels = []
    for manager, texts in ((each[0][0], [text for _, text in each]) for each in zip(*lines, strict=True)):
        fence = Token("fence", "code", 0, content="\n".join(texts), info=manager.language, block=True)
        panels.append(Panel(manager.label, manager.label, [fence]))
    only = panels[0].nodes[0]
    return only if len(panels) == 1 and isinstance(only, Token) else TabGroup("package-manager", panels)


def _manager_tabs(packages: list[str], prefixes: Sequence[str]) -> TabGroup:
    panels = []
    for manager, prefix in zip(MANAGERS, prefixes, strict=True):
        commands = "\n".join(f"{prefix} {listed}" for listed in packages)
        panels.append(Panel(manager, manager, [Token("fence", "code", 0, content=commands, info="bash", block=True)]))
    return TabGroup("package-manager", panels)


def panel_key(label: str) -> str:
    """The key of a label: `React` -> `react`."""
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-") or "other"


def _is_heading(token: Token) -> bool:
    return token.type == "heading_open" and token.level == 0


def _split(
    children: Sequence[Token | _Directive], tag: str
) -> tuple[list[Token | _Directive], list[tuple[str, list[Token | _Directive]]]]:
    """The nodes before the first heading of `tag`, and each heading's text with the nodes that follow it."""
    before: list[Token | _Directive] = []
    parts: list[tuple[str, list[Token | _Directive]]] = []
    skip_to = 0
    for at, child in enumerate(children):
        if at < skip_to:
            continue
        if isinstance(child, Token) and _is_heading(child) and child.tag == tag:
            inline = children[at + 1]
            parts.append((plain_text(inline) if isinstance(inline, Token) else "", []))
            skip_to = at + 3
        else:
            (parts[-1][1] if parts else before).append(child)
    return before, parts
