"""Components and directives -> blocks, by the table of a dialect and the components of the site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from urllib.parse import quote, urlsplit

from kinfolk.config.component import Component
from kinfolk.content.markdown.dialects.components.marked_elements import Element, MarkedElements
from kinfolk.content.markdown.dialects.components.section_blocks import section_block
from kinfolk.content.markdown.dialects.dialect_rules import DialectRules, component_key
from kinfolk.content.markdown.dialects.page_translation import PageTranslation
from kinfolk.content.markdown.dialects.syntax.blocks import BLOCK_OPEN, Block, code_tabs
from kinfolk.content.markdown.dialects.syntax.code_info import parse_code_info
from kinfolk.content.markdown.dialects.syntax.jsx_text import jsx_markdown
from kinfolk.content.markdown.dialects.syntax.npm_commands import command_tabs
from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine, fence_at
from kinfolk.content.markdown.html.raw_html import is_frame_address
from kinfolk.content.markdown.html.theme_pictures import THEMES
from kinfolk.content.markdown.links.slugs import plain_slug
from kinfolk.content.markdown.literals.config_access import items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import ConfigTable, ConfigText, ConfigValue
from kinfolk.content.markdown.literals.javascript_config import read_javascript_expression

TITLES = ("title", "label", "summary", "header", "heading", "name")
TEXTS = ("description", "text", "content")
LINKS = ("href", "to", "link", "url", "src")
KINDS = ("type", "kind", "variant", "intent", "theme", "color")
FIELD_NAMES = ("name", "path", "query", "body", "header")
"""Usual names of attributes."""
Evaluate = Callable[[str], ConfigValue | None]
MOST_TREE_ROWS = 1_000
DEEPEST_TREE = 12

_PARAMETER = re.compile(r"\{([A-Za-z][A-Za-z0-9_-]{0,39})\}")
_SPECIAL = re.compile(r"([\\*\[\]<])")
_PATH_CALL = re.compile(r"\b(?:useBaseUrl|require)\(([^()]{1,500})\)(?:\.default)?")
_NO_TEXTS = frozenset(("true", "false", "null", "undefined"))
_LABELLED = frozenset(("link", "badge", "key", "mark", "text"))
_PLAIN_KIND = re.compile(r"[^a-z]")


class ComponentBlocks:
    """The blocks of one page. `own` are components of the site, by `component_key`."""

    def __init__(
        self,
        page: PageTranslation,
        rules: DialectRules,
        marks: MarkedElements,
        own: Mapping[str, Component],
        evaluate: Evaluate = read_javascript_expression,
    ) -> None:
        """`evaluate` reads the expression of an attribute."""
        self._page = page
        self._rules = rules
        self._marks = marks
        self._own = own
        self._evaluate = evaluate

    def component(self, name: str) -> Component | None:
        """How a component is shown. None for one that neither the site nor the dialect knows."""
        own = self._own.get(component_key(name))
        if own is not None:
            return own
        key = self._rules.key(name)
        found = self._rules.components.get(key)
        if found is None and key in self._rules.callouts:
            return Component("callout")
        return found

    def shown(self, element: Element, written: str, *, in_line: bool = False, is_warning: bool = False) -> Component:
        """How an element is shown. An unknown or generated one is reported; `written` names it as the page does.

        An unknown one in a line is a link if it has an address, else its content.
        """
        component = self.component(element.name)
        if component is None:
            component = self._unknown(element, in_line=in_line)
            if component.shape != "link":
                message = f"the {written} is unknown; only its content is shown"
                self._page.report(element.number, message, is_warning=is_warning)
        elif component.shape == "generated":
            self._page.report_generated(element.number, f"the content of the {written}")
        return component

    def _unknown(self, element: Element, *, in_line: bool = False) -> Component:
        if in_line:
            return Component("link" if element.value("href", "to") else "content")
        return Component(self._rules.unknown)

    def is_own(self, name: str) -> bool:
        """Whether a component is one of the site."""
        return component_key(name) in self._own

    def block(self, element: Element) -> Block:
        """The block of an element; that of an unknown one is its content."""
        component = self.component(element.name) or self._unknown(element)
        match component.shape:
            case "callout":
                return self._callout(element, component)
            case "tabs" | "code-tabs" | "steps" | "file-tree" | "folder" | "file":
                return self._list_block(element, component.shape)
            case "cards":
                return _block("cards", element)
            case "card":
                return self._card(element, component)
            case "fold":
                is_open = any(element.attributes.get(key, "false") != "false" for key in ("open", "defaultOpen"))
                title = self.title(element, component)
                fold = _block("open-fold" if is_open else "fold", element, title=title)
                return replace(fold, id=self._own_id(element, title))
            case "field":
                return self._field(element, component)
            case "figure":
                return self._figure(element, component)
            case "code":
                return self._code(element, component)
            case _:
                return self._content_block(element, component)

    def _list_block(self, element: Element, shape: str) -> Block:
        match shape:
            case "tabs":
                return self._tabs(element)
            case "code-tabs":
                return self._code_tabs(element)
            case "steps":
                return self._steps(element)
            case "file-tree":
                return self._file_tree(element)
            case _:
                return Block("file-tree", element.end, list(self._tree([element], 0)), indent=element.indent)

    def _content_block(self, element: Element, component: Component) -> Block:
        match component.shape:
            case "embed":
                return _written(element, self.embed(element, component))
            case "step":
                title = self.title(element, component)
                rows = [SourceLine(f"**{title}**", element.number), SourceLine("", element.number)] if title else []
                return Block("plain", element.end, [*rows, *element.body], indent=element.indent)
            case "nothing" | "generated":
                return _written(element, "")
            case "section":
                return section_block(element, self._marks, self._evaluate)
            case "commands":
                return _written_lines(element, self._commands(element, component))
            case "badge" | "image" | "key" | "link" | "mark" | "reference" | "text":
                return self._inline_block(element, component)
            case _ if element.attributes.get("set:html"):
                html = element.attributes["set:html"].split("\n")
                return _written_lines(element, [SourceLine(row, element.number) for row in html])
            case _:
                return _block("plain", element)

    def title(self, element: Element, component: Component) -> str:
        """The title as Markdown."""
        if element.title:
            return element.title
        names = component.title or TITLES
        title = element.value(*names)
        if not title and (elements := next(filter(None, map(jsx_markdown, _expressions(element, names))), None)):
            return elements
        title = title or self._text(element, *names) or component.label or ""
        return " ".join(title.split()) if component.has_markdown else escaped(title)

    def _text(self, element: Element, *names: str) -> str:
        """The text of the first of these attributes that has one, also as a constant. A computed one is reported."""
        if (found := element.value(*names)) or not element.expressions:
            return found
        for name in names:
            expression = element.expressions.get(name, "").strip()
            if not expression or expression in _NO_TEXTS:
                continue
            value = self._evaluate(expression)
            if isinstance(value, ConfigText):
                return value.text
            self._page.report(element.number, f"the attribute {name} of <{element.name}> is computed, and not shown")
        return ""

    def _callout(self, element: Element, component: Component) -> Block:
        callouts = self._rules.callouts
        key = self._rules.key(element.name)
        kind, default = callouts.get(element.value(*KINDS).lower()) or callouts.get(key) or ("note", "")
        title = self.title(element, component) or escaped(default)
        body = element.body
        text = escaped(self._text(element, *component.text)) if component.text else ""
        if text and not body:
            body = [SourceLine(text, element.number)]
        if (address := _address(element.value("to"))) and f"]({address}" not in "\n".join(row.text for row in body):
            link = SourceLine(f"[Learn more](<{address}>)", element.number)
            body = [*body, *([SourceLine("", element.number)] if body else []), link]
        return Block("callout", element.end, body, title, component.kind or kind, element.indent)

    def _field(self, element: Element, component: Component) -> Block:
        name = element.value(*(component.title or FIELD_NAMES))
        title = _field_title(element, component)
        own = self._own_id(element, f"param {component_key(name)}" if name else "")
        return _block("field", element, title=f'<a id="{escape(own)}"></a>{title}' if own and title else title)

    def _own_id(self, element: Element, title: str) -> str:
        """The id that a link to an element names. None in a copy as Markdown."""
        named = element.value("id") or (plain_slug(title) if self._rules.has_title_ids else "")
        return "" if self._page.source.for_export else named

    def _tab_label(self, fence: Fence, number: int) -> str:
        info = parse_code_info(fence.info, self._rules.code)
        return info.tab or info.title or info.language or f"Tab {number + 1}"

    def _tabs(self, element: Element) -> Block:
        labels = self._labels(element.expressions)
        panels: list[tuple[str, list[SourceLine]]] = []
        for inner in self._marks.inside(element.body):
            component = self.component(inner.name) if isinstance(inner, Element) else None
            if isinstance(inner, SourceLine) or component is None or component.shape != "tab":
                continue
            value = inner.value("value", "id")
            names = component.title or ("label", "title", "name")
            label = inner.title or inner.value(*names) or labels.get(value) or labels.get(str(len(panels)))
            label = label or self._text(inner, *names) or value
            own = self._own_id(inner, label)
            # Within the panel: a link to it selects the tab.
            rows = [f'<div id="{escape(own)}"></div>', ""] if own else []
            body = [*(SourceLine(row, inner.number) for row in rows), *inner.body]
            panels.append((escaped(label) or f"Tab {len(panels) + 1}", body))
        if panels:
            return Block("tabs", element.end, indent=element.indent, panels=panels)
        return code_tabs(element.body, self._tab_label, element.end, element.indent)

    def _code_tabs(self, element: Element) -> Block:
        """Fences as tabs, and elements with a label beside them."""
        if not any(isinstance(inner, Element) for inner in self._marks.inside(element.body)):
            return code_tabs(element.body, self._tab_label, element.end, element.indent)
        panels: list[tuple[str, list[SourceLine]]] = []
        code: list[SourceLine] = []
        for inner in (*self._marks.inside(element.body), None):
            if isinstance(inner, SourceLine):
                code.append(inner)
                continue
            panels += code_tabs(code, self._tab_label, 0, 0).panels
            code = []
            if inner is not None:
                label = escaped(self._text(inner, "label", "title", "name")) or f"Tab {len(panels) + 1}"
                panels.append((label, inner.body))
        return Block("tabs", element.end, indent=element.indent, panels=panels)

    def _commands(self, element: Element, component: Component) -> list[SourceLine]:
        command, missing = self._filled(component.command or "", element)
        if missing or not command:
            self._page.report(element.number, f"<{element.name}> lacks the attribute {missing}, and is not shown")
            return []
        rows = ["```bash", " ".join(command.split()), "```"]
        fence = fence_at([SourceLine(row, element.number) for row in rows], 0)
        return command_tabs(fence, for_export=self._page.source.for_export) if fence else []

    def _reference(self, element: Element, component: Component) -> str:
        """A sentence that leads to another page; without a title, its name is that of the address."""
        address = self.address(element, component)
        title = self.title(element, Component("reference", component.title)) or escaped(_name_of(address))
        return f"{component.label or 'Read more in'} [{title}](<{address}>)." if address else title

    def _inline_block(self, element: Element, component: Component) -> Block:
        """A component of lines that has lines for itself."""
        opening, content, closing = self.inline(element, component)
        text = " ".join(row.text.strip() for row in element.body if not row.is_blank)
        if BLOCK_OPEN in text:
            return _block("plain", element)
        return _written(element, f"{opening}{text or content}{closing}")

    def _labels(self, expressions: Mapping[str, str]) -> dict[str, str]:
        """Labels of tabs that their group lists, by the value of a tab and by its position."""
        found: dict[str, str] = {}
        for key in ("items", "values", "labels"):
            value = self._evaluate(expressions[key]) if key in expressions else None
            for position, item in enumerate(items_of(value)):
                entries = item.entries if isinstance(item, ConfigTable) else {}
                label = text_of(entries.get("label")) if entries else text_of(item)
                found[str(position)] = label
                if (name := text_of(entries.get("value"))) and label:
                    found[name] = label
        return found

    def _steps(self, element: Element) -> Block:
        panels = []
        for inner in self._marks.inside(element.body):
            component = self.component(inner.name) if isinstance(inner, Element) else None
            if isinstance(inner, Element) and component is not None and component.shape == "step":
                panels.append((self.title(inner, component), inner.body))
        if panels:
            return Block("steps", element.end, indent=element.indent, panels=panels)
        return _block("steps", element)

    def _file_tree(self, element: Element) -> Block:
        inner = [one for one in self._marks.inside(element.body) if isinstance(one, Element)]
        rows = list(self._tree(inner, 0)) if inner else element.body
        return Block("file-tree", element.end, rows, indent=element.indent)

    def _tree(self, elements: Sequence[Element], depth: int) -> Iterator[SourceLine]:
        for element in elements[:MOST_TREE_ROWS]:
            component = self.component(element.name)
            is_folder = component is not None and component.shape == "folder"
            name = escaped(self._text(element, "name", "title"))
            if not name:
                continue
            yield SourceLine(f"{'  ' * depth}- {name}{'/' if is_folder else ''}", element.number)
            if is_folder and depth < DEEPEST_TREE:
                inner = [one for one in self._marks.inside(element.body) if isinstance(one, Element)]
                yield from self._tree(inner, depth + 1)

    def _card(self, element: Element, component: Component) -> Block:
        title = self.title(element, component)
        address = self.address(element, component)
        text = "" if element.body else escaped(self._text(element, *(component.text or TEXTS)))
        if address:
            title = f"[{title or escaped(address)}](<{address}>)"
        body = element.body or ([SourceLine(text, element.number)] if text else [])
        return Block("card", element.end, body, f"**{title}**" if title else "", indent=element.indent)

    def _figure(self, element: Element, component: Component) -> Block:
        caption = self.title(element, replace(component, title=component.title or ("caption", "title")))
        prefix = component.prefix or ""
        if prefix and all(element.value(name) for name in _PARAMETER.findall(prefix)):
            words = escaped(_PARAMETER.sub(lambda name: element.value(name[1]), prefix))
            caption = f"{words}: {caption}" if caption else words
        image = self.image(element, component) if not element.body else ""
        body = [SourceLine(image, element.number)] if image else element.body
        if component.file and (name := element.value(*component.file)):
            body = _with_file_name(body, name)
        return Block("figure", element.end, body, caption, indent=element.indent)

    def _constant(self, element: Element, names: tuple[str, ...]) -> str:
        """The text of the first of these attributes that is one, also as a constant of the page or of a module."""
        if found := element.value(*names):
            return found
        values = (self._evaluate(element.expressions[name]) for name in names if name in element.expressions)
        return next((value.text for value in values if isinstance(value, ConfigText)), "")

    def _code(self, element: Element, component: Component) -> Block:
        code = self._constant(element, component.text or ("code", "content"))
        if not code:
            if not element.body:
                self._page.report(element.number, f"the code of <{element.name}> is an expression, and not shown")
            return _block("plain", element)
        language = re.sub(r"[^\w+#-]", "", element.value("lang", "language")) or "text"
        title = self._constant(element, component.title or ("title", "filename")).replace('"', "'")
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", code)), default=0))
        info = f'{language} title="{title}"' if title else language
        for kind in ("ins", "del", "mark"):
            ranges = "".join(element.expressions.get(kind, "").split()).strip("[]")
            info += f" {kind}={{{ranges}}}" if re.fullmatch(r"[\d,-]+", ranges) else ""
        rows = [f"{fence}{info}", *code.strip("\n").split("\n"), fence]
        return Block("plain", element.end, [SourceLine(row, element.number) for row in rows], indent=element.indent)

    # Inline

    def address(self, element: Element, component: Component) -> str:
        """The address that an element leads to: the template with the attributes, else an attribute."""
        if component.address is None:
            return _address(self._text(element, *(component.link or LINKS)))
        address, missing = self._filled(component.address, element, quote_address)
        if missing:
            self._page.report(element.number, f"<{element.name}> lacks the attribute {missing}, and is not shown")
        return address

    def _filled(self, template: str, element: Element, write: Callable[[str], str] = str) -> tuple[str, str]:
        """The template with attributes, or the first one that is missing."""
        missing = next((name for name in _PARAMETER.findall(template) if not element.value(name)), "")
        return "" if missing else _PARAMETER.sub(lambda name: write(element.value(name[1])), template), missing

    def embed(self, element: Element, component: Component) -> str:
        """A frame, where pages may have one of its host, else a link."""
        address = self.address(element, component)
        if not address:
            return ""
        title = self.title(element, component)
        if is_frame_address(address) and not self._page.source.for_export:
            label = escape(element.value(*(component.title or TITLES)) or component.label or "")
            return f'<iframe src="{escape(address)}"{f" title={chr(34)}{label}{chr(34)}" if label else ""}></iframe>'
        return f"[{title or escaped(address)}](<{address}>)"

    def image(self, element: Element, component: Component) -> str:
        """A picture, or one for each theme: `sources={{light: '/a.png', dark: '/b.png'}}`."""
        sources = _PATH_CALL.sub(r"\1", element.expressions.get("sources", ""))
        themes = table_of(self._evaluate(sources)).entries if sources else {}
        pictures = {theme: _address(text_of(themes.get(theme))) for theme in THEMES}
        if all(pictures.values()):
            alt = escaped(element.value("alt"))
            return " ".join(f"![{alt}](<{path}#gh-{theme}-mode-only>)" for theme, path in pictures.items())
        address = self.address(element, component)
        return f"![{escaped(element.value('alt'))}](<{address}>)" if address else ""

    def inline(self, element: Element, component: Component) -> tuple[str, str, str]:
        """What replaces the start tag, what an element without content has in between, and the end tag."""
        label = self._text(element, *(component.text or ("text", *TITLES))) if component.shape in _LABELLED else ""
        match component.shape:
            case "link" if address := self.address(element, component):
                return f'<a href="{escape(address)}">', escape(label or component.label or address, quote=False), "</a>"
            case "link":
                return "", escape(label, quote=False), ""
            case "badge":
                named = element.value(*KINDS).lower()
                kind = _PLAIN_KIND.sub("", named) or "tip"
                return f'<sup data-badge="{kind}">', escape(label, quote=False), "</sup>"
            case "reference":
                return "", self._reference(element, component), ""
            case "key":
                return "<kbd>", escape(label.capitalize() if label.isalpha() else label, quote=False), "</kbd>"
            case "mark":
                return "<mark>", escape(label, quote=False), "</mark>"
            case "text":
                return "", escape(label, quote=False), ""
            case "image":
                return "", self.image(element, component), ""
            case _:
                return "", "", ""


def escaped(text: str) -> str:
    """A plain text as Markdown, on one line. Code spans stay."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def quote_address(value: str) -> str:
    return quote(value, safe="/@:")


def _expressions(element: Element, names: Sequence[str]) -> Iterator[str]:
    return (element.expressions[name] for name in names if name in element.expressions)


def _address(written: str) -> str:
    return re.sub(r"[\s<>]", lambda one: quote(one[0]), written)


def _name_of(address: str) -> str:
    """`/docs/server-entry#a` -> `Server entry`; for a page of another site, its host and path."""
    parts = urlsplit(address)
    if parts.netloc:
        return f"{parts.netloc.removeprefix('www.')}{parts.path}".rstrip("/")
    name = (parts.path.rstrip("/").rpartition("/")[2] or parts.fragment).replace("-", " ")
    return name[:1].upper() + name[1:]


def _written_lines(element: Element, lines: list[SourceLine]) -> Block:
    return Block("written", element.end, lines, indent=element.indent)


def _block(kind: str, element: Element, *, title: str = "", name: str = "note") -> Block:
    return Block(kind, element.end, element.body, title, name, element.indent)  # type: ignore[arg-type]


def _with_file_name(body: list[SourceLine], name: str) -> list[SourceLine]:
    """The lines with the name of a file as the title of the first fence that has none."""
    for at in range(len(body)):
        fence = fence_at(body, at)
        if fence is not None:
            title = "" if "title=" in fence.info else f' title="{name.replace(chr(34), chr(39))}"'
            return [*body[:at], body[at]._replace(text=body[at].text.rstrip() + title), *body[at + 1 :]]
    return (
        [SourceLine(f"`{name.replace('`', '')}`", body[0].number), SourceLine("", body[0].number), *body]
        if body
        else body
    )


def _written(element: Element, text: str) -> Block:
    body = [SourceLine(text, element.number)] if text else []
    return Block("written", element.end, body, indent=element.indent)


def _field_title(element: Element, component: Component) -> str:
    name = element.title or element.value(*(component.title or FIELD_NAMES))
    parts = [f"`{name.replace('`', '')}`"] if name else []
    kind = element.value("type")
    parts += [f"`{kind.replace('`', '')}`"] if kind else []
    value = element.value("value")
    parts += [f"`{value.replace('`', '')}`"] if value and value != name else []
    flags = {key: element.attributes.get(key) for key in ("required", "deprecated")}
    parts += [key for key, value in flags.items() if value is not None and value != "false"]
    default = element.value("default")
    parts += [f"default: `{default.replace('`', '')}`"] if default else []
    return " · ".join(parts)
