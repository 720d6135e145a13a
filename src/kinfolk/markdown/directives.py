"""Comment directives -> framework blocks and tab groups.

    <!-- ::start:tabs variant="files" --> … <!-- ::end:tabs -->

They arrive from the parser as HTML blocks of their own. What is unknown, unclosed or empty keeps its content
as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from markdown_it.token import Token

from kinfolk.markdown.code import language_of, title_of
from kinfolk.markdown.inline import plain_text

TabsKind = Literal["files", "bundler", "package-manager", "plain"]

# Deeper nesting than framework > tabs > one more has no meaning, nor has a longer comment: hostile texts end here.
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
    """One of several alternatives; `key` is what a visitor's choice is remembered by."""

    key: str
    label: str
    nodes: list[Node]


@dataclass(frozen=True)
class Frameworks:
    panels: list[Panel]


@dataclass(frozen=True)
class Tabs:
    kind: TabsKind
    panels: list[Panel]


Node = Token | Frameworks | Tabs


@dataclass
class _Directive:
    name: str
    attributes: dict[str, str]
    children: list[Token | _Directive] = field(default_factory=list)


def structured(tokens: Sequence[Token]) -> list[Node]:
    """The tokens with each directive's part gathered under one node."""
    return _nodes(_tree(tokens), None)


def _tree(tokens: Sequence[Token]) -> list[Token | _Directive]:
    open_ones = [_Directive("", {})]
    for token in tokens:
        found = _directive(token)
        if not found or token.level:
            open_ones[-1].children.append(token)
            continue
        edge, name = found[1], found[2].lower()
        if edge == "start" and len(open_ones) <= DEEPEST:
            open_ones.append(_Directive(name, _attributes(found[3] or "")))
        elif edge == "end" and any(one.name == name for one in open_ones[1:]):
            while (closed := open_ones.pop()).name != name:
                open_ones[-1].children += closed.children
            open_ones[-1].children.append(closed)
    return list(chain.from_iterable(one.children for one in open_ones))


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
            nodes += _frameworks(child)
        elif child.name == "tabs":
            nodes += _tabs(child, framework)
        else:
            nodes += _nodes(child.children, framework)
    return nodes


def _frameworks(block: _Directive) -> list[Node]:
    before, parts = _split(block.children, "h1")
    panels: dict[str, Panel] = {}
    for label, children in parts:
        key = key_of(label)
        panel = panels.setdefault(key, Panel(key, label, []))
        panel.nodes.extend(_nodes(children, key))
    nodes = _nodes(before, None)
    return [*nodes, Frameworks(list(panels.values()))] if panels else nodes


def _tabs(block: _Directive, framework: str | None) -> list[Node]:
    variant = block.attributes.get("variant", "")
    if variant in ("package-manager", "package-managers"):
        return _package_managers(block, framework)
    if variant == "files":
        fences = [child for child in block.children if isinstance(child, Token) and child.type == "fence"]
        panels = [_file(fence, number) for number, fence in enumerate(fences)]
        return [Tabs("files", panels)] if panels else _nodes(block.children, framework)

    tags = [child.tag for child in block.children if isinstance(child, Token) and _is_heading(child)]
    before, parts = _split(block.children, min(tags, default=""))
    if not parts:
        return _nodes(block.children, framework)
    panels = [Panel(key_of(label), label, _nodes(children, framework)) for label, children in parts]
    if variant == "bundler":
        order = {key: place for place, key in enumerate(BUNDLERS)}
        panels.sort(key=lambda panel: order.get(panel.key, len(order)))
    return [*_nodes(before, framework), Tabs("bundler" if variant == "bundler" else "plain", panels)]


def _file(fence: Token, number: int) -> Panel:
    language = language_of(fence.info)
    label = title_of(fence.info) or (language if language != "text" else "Untitled")
    fence.meta["untitled"] = True
    return Panel(f"{number}", label, [fence])


def _package_managers(block: _Directive, framework: str | None) -> list[Node]:
    """Lines of `framework: packages`; several for one framework are several commands.

    The lines are read from the source: as Markdown, a package's name may hold a link or emphasis.
    """
    tokens = [child for child in block.children if isinstance(child, Token)]
    wanted: dict[str, list[str]] = {}
    for line in "\n".join(token.content for token in tokens if token.type == "inline").split("\n"):
        found = _PACKAGES.fullmatch(line.strip())
        if found:
            wanted.setdefault(found[1].lower(), []).append(found[2].strip())
    if not wanted:
        return _nodes(block.children, framework)

    prefixes = COMMANDS.get(block.attributes.get("mode", "install"), COMMANDS["install"])
    groups = {key: _manager_tabs(packages, prefixes) for key, packages in wanted.items()}
    if framework in groups:
        return [groups[framework]]
    if len(groups) == 1:
        return list(groups.values())
    return [Frameworks([Panel(key, key.replace("-", " ").title(), [tabs]) for key, tabs in groups.items()])]


def _manager_tabs(packages: list[str], prefixes: Sequence[str]) -> Tabs:
    panels = []
    for manager, prefix in zip(MANAGERS, prefixes, strict=True):
        commands = "\n".join(f"{prefix} {listed}" for listed in packages)
        panels.append(Panel(manager, manager, [Token("fence", "code", 0, content=commands, info="bash", block=True)]))
    return Tabs("package-manager", panels)


def key_of(label: str) -> str:
    """A label as a key: `React` is `react`."""
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-") or "other"


def _is_heading(token: Token) -> bool:
    return token.type == "heading_open" and token.level == 0


def _split(
    children: Sequence[Token | _Directive], tag: str
) -> tuple[list[Token | _Directive], list[tuple[str, list[Token | _Directive]]]]:
    """What stands before the first heading of that tag, and each heading's text with what follows it."""
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
