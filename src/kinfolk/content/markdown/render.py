"""Composed Markdown -> MarkdownPage."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kinfolk.content.markdown.api_reference.api_layout import LAYOUT, ReferenceLayout
from kinfolk.content.markdown.api_reference.api_pages import parse_api_reference
from kinfolk.content.markdown.api_reference.api_type_links import type_links
from kinfolk.content.markdown.callouts import with_callouts
from kinfolk.content.markdown.code.code_blocks import code_figure, language_of
from kinfolk.content.markdown.directives import Container, FrameworkBlock, Node, Panel, TabGroup, parse_directives
from kinfolk.content.markdown.extensions.footnotes import take_notes
from kinfolk.content.markdown.extensions.math import BLOCK, FENCE, block_html
from kinfolk.content.markdown.front_matter import FrontMatter
from kinfolk.content.markdown.html.inline import finish_inline, has_emoji_codes, plain_text, raw_html_of, slug_text
from kinfolk.content.markdown.html.raw_html import rewrite_raw_html, unmatched_ends
from kinfolk.content.markdown.html.sanitize import sanitize
from kinfolk.content.markdown.html.text_direction import has_right_to_left, set_directions
from kinfolk.content.markdown.links.link_resolver import LinkResolver
from kinfolk.content.markdown.links.slugs import Anchors, Slugs
from kinfolk.content.markdown.markdown_page import Heading, MarkdownPage
from kinfolk.content.markdown.page_parser import page_parser
from kinfolk.content.markdown.render_context import OpenTags, RenderContext, correct_fragments, format_attributes
from kinfolk.content.markdown.source.compose import ComposedMarkdown
from kinfolk.content.markdown.source.description import describe
from kinfolk.content.markdown.source.title import claim_title, with_html_title
from kinfolk.runtime.budget import check_size

_LEGENDS = {
    "files": "File",
    "bundler": "Bundler",
    "package-manager": "Package manager",
    "plain": "Alternatives",
}


def render(
    composed: ComposedMarkdown,
    *,
    resolve: LinkResolver,
    framework: str | None = None,
    first_framework: str | None = None,
    api_layout: bool = True,
    link_schemes: Collection[str] = (),
) -> MarkdownPage:
    """The page. `framework` is that of its path, `first_framework` has the default panel of framework blocks.

    `link_schemes` are schemes of links besides those that each site has. With `api_layout` pages of TypeDoc get the
    layout of an API reference.

    A first-level heading that repeats the title is left out, because the page template shows the title; other
    first-level headings become second-level. Raises OverBudget for a text with more HTML, headings, links or code
    blocks than a page may have.
    """
    dialect, made = composed.dialect, composed.translated
    slugs = Slugs(dialect.slug) if dialect else Slugs()
    context = RenderContext(
        composed.text, resolve=resolve, line_number=composed.line_number, slugs=slugs, link_schemes=link_schemes
    )
    parser = page_parser(composed.text, dialect)
    env: dict[str, object] = {}
    tokens = with_html_title(parser.parse(composed.text, env), composed.front.title, _children)
    with_ids(tokens, made.heading_ids if made else {})
    with_marks = with_callouts(tokens) if "[!" in composed.text else tokens
    if has_right_to_left(composed.text):
        set_directions(with_marks)
    without_notes, notes = take_notes(with_marks, env)
    nodes = parse_directives(without_notes, nested=dialect is not None, framework=framework)
    title = claim_title(nodes, composed.front.title)
    description = composed.front.description or describe(nodes, _children, title)
    writer = _HtmlWriter(context, first_framework, parser)
    reference = parse_api_reference(nodes) if api_layout and "\nDefined in: " in composed.text else None
    if reference is not None:
        reference.mark_headings()
    notes.number(nodes)
    writer.name_headings([*nodes, *notes.shown])
    end = notes.tokens(context)
    hrefs, srcs, raw = _addresses([*nodes, *end], composed.front)
    context.unmatched_ends = frozenset().union(*map(unmatched_ends, raw))
    types = type_links(reference) if reference is not None else None
    context.prefetch([*hrefs, *(types.addresses() if types else ())], srcs)
    if reference is not None and types is not None:
        nodes = ReferenceLayout(reference, context, types.resolved(context)).nodes()
    html = writer.write([*nodes, *end]) + context.leave(OpenTags()) + _resources(composed.front, context)
    check_size("markdown", len(html))
    anchors = Anchors(context.anchors)
    chunks, code_blocks = context.fill(sanitize(correct_fragments(html, anchors), context.link_schemes))
    return MarkdownPage(
        title=title,
        description=description,
        front=composed.front,
        headings=tuple(context.headings),
        links=context.checked_links(anchors),
        code_blocks=code_blocks,
        chunks=chunks,
        text=composed.text,
        anchors=frozenset(context.anchors),
        ref_path=composed.ref_path,
        is_api_reference=reference is not None,
        problems=(*(made.problems if made else ()), *context.problems),
    )


def _children(inline: Token) -> list[Token]:
    return inline.children or []


def with_ids(tokens: Sequence[Token], ids: Mapping[int, str]) -> None:
    """Give headings the ids of their lines."""
    for token in tokens if ids else ():
        if token.type == "heading_open" and token.map and token.map[0] in ids:
            token.meta["own_id"] = ids[token.map[0]]


def _addresses(nodes: Sequence[Node], front: FrontMatter) -> tuple[list[str], list[str], list[str]]:
    """Addresses of the page's links and images, except those in raw HTML, and the raw HTML of each block."""
    hrefs: list[str] = []
    srcs: list[str] = []
    raw: list[str] = []
    left = deque(nodes)
    while left:
        node = left.popleft()
        if not isinstance(node, Token):
            left.extendleft(inner for panel in reversed(node.panels) for inner in reversed(panel.nodes))
            continue
        if node.type == "html_block":
            raw.append(node.content)
        elif "</" in node.content:
            raw.append(raw_html_of(node))
        for child in (node.children or ()) if node.type == "inline" else ():
            if child.type == "link_open":
                hrefs.append(str(child.attrs.get("href", "")))
            elif child.type == "image":
                srcs.append(str(child.attrs.get("src", "")))
    hrefs += [one.url for _, listed in front.resources for one in listed]
    return hrefs, srcs, raw


def _resources(front: FrontMatter, context: RenderContext) -> str:
    """The link lists of a community page, from its front matter."""
    parts = []
    for key, listed in front.resources:
        label = key.title()
        slug = context.slugs.take(label)
        while slug in context.anchors:
            slug = context.slugs.take(label)
        context.heading(Heading(slug, label, 2))
        parts.append(f'<h2 id="{slug}">{label}{_self_link(slug)}</h2>\n<ul class="resources">\n')
        for one in listed:
            description = f"<p>{escape(one.description)}</p>" if one.description else ""
            parts.append(
                f"<li><a{format_attributes(context.link(one.url, 0))}>{escape(one.title)}</a>{description}</li>\n"
            )
        parts.append("</ul>\n")
    return "".join(parts)


def _self_link(slug: str) -> str:
    return f'<a class="anchor" href="#{escape(slug)}" aria-hidden="true" tabindex="-1"></a>'


class _HtmlWriter:
    def __init__(self, context: RenderContext, first_framework: str | None, parser: MarkdownIt) -> None:
        """The panel of `first_framework` is shown by default."""
        self._parser = parser
        self._environment: dict[str, object] = {}
        self._context = context
        self._first_framework = first_framework

    def name_headings(self, nodes: Sequence[Node], framework: str | None = None, *, in_tabs: bool = False) -> None:
        """Give every heading its id before HTML is written: heading ids take precedence over the author's anchors.

        Headings in tabs are not in the outline, since at most one tab of a group is shown.
        """
        for at, node in enumerate(nodes):
            if isinstance(node, FrameworkBlock):
                for panel in node.panels:
                    self.name_headings(panel.nodes, panel.key, in_tabs=in_tabs)
            elif isinstance(node, TabGroup):
                for panel in node.panels:
                    self.name_headings(panel.nodes, framework, in_tabs=True)
            elif isinstance(node, Container):
                self.name_headings(node.panels[0].nodes, framework, in_tabs=in_tabs)
            elif node.type == "heading_open":
                inline = nodes[at + 1]
                text = plain_text(inline) if isinstance(inline, Token) else ""
                written = slug_text(inline) if isinstance(inline, Token) and has_emoji_codes(inline) else text
                slug = self._context.slugs.take(written, node.meta.get("own_id"))
                node.meta |= {"id": slug, "text": text}
                level = max(2, int(node.tag[1]))
                is_section = bool(text) and "is_title" not in node.meta and not node.meta.get("unlisted")
                outlined = node.meta.get("outlined", True) and not in_tabs
                self._context.heading(Heading(slug, text, level, framework, outlined), listed=is_section)

    def write(self, nodes: Sequence[Node]) -> str:
        parts: list[str] = []
        run: list[Token] = []
        for node in nodes:
            if isinstance(node, Token):
                run.append(node)
                continue
            parts += (self._run(run), self._node(node))
            run = []
        return "".join([*parts, self._run(run)])

    def _run(self, tokens: list[Token]) -> str:
        if not tokens:
            return ""
        for at, token in enumerate(tokens):
            if token.type == "inline":
                finish_inline(token, self._context)
            elif token.type == "heading_close":
                self._heading(*tokens[at - 2 : at + 1])
            elif token.type == BLOCK or (token.type == "fence" and language_of(token.info) == FENCE):
                self._formula(token)
            elif token.type in ("fence", "code_block"):
                titled = "untitled" not in token.meta
                # A fence begins with a line of its own.
                line = token.map[0] + (token.type == "fence") if token.map else None
                _replace(token, code_figure(self._context, token.info, token.content, titled=titled, line=line))
            elif token.type == "html_block":
                token.content = rewrite_raw_html(token.content, self._context, token.map[0] if token.map else 0)
            elif token.type in _FINISHED:
                _FINISHED[token.type](token)
        parser = self._parser
        return str(parser.renderer.render(tokens, parser.options, self._environment))

    def _formula(self, token: Token) -> None:
        line = token.map[0] if token.map else 0
        html = block_html(token.content, self._context, line)
        _replace(token, html or code_figure(self._context, "text", token.content, titled=False))

    def _heading(self, opening: Token, inline: Token, closing: Token) -> None:
        slug = opening.meta["id"]
        other = self._context.alias(opening.meta["text"], slug)
        alias = f'<a id="{other}"></a>' if other else ""
        if "is_title" in opening.meta:
            # Links to the heading still lead to the top of the text.
            _replace(opening, f'<a id="{escape(slug)}"></a>{alias}\n')
            _replace(closing, "")
            inline.children = []
            return
        direction = {key: value for key, value in opening.attrs.items() if key == "dir"}
        opening.attrs = {"id": slug, **direction}
        opening.tag = closing.tag = f"h{max(2, int(opening.tag[1]))}"
        before = [Token("html_inline", "", 0, content=alias)] if alias else []
        after = Token("html_inline", "", 0, content=_self_link(slug))
        inline.children = [*before, *(inline.children or []), after]

    def _node(self, node: FrameworkBlock | TabGroup | Container) -> str:
        if isinstance(node, FrameworkBlock):
            return self._frameworks(node)
        if isinstance(node, TabGroup):
            return self._tabs(node)
        return f'<div class="md-{node.kind}">\n{self._panel(node.panels[0])}</div>\n'

    def _frameworks(self, block: FrameworkBlock) -> str:
        keys = [panel.key for panel in block.panels]
        first = self._first_framework if self._first_framework in keys else keys[0]
        panels = "".join(
            # A group, not a landmark: landmarks of the same name must not repeat.
            f'<section class="framework-panel" role="group" data-framework="{panel.key}"'
            f"{format_attributes({'aria-label': panel.label})}"
            f"{' data-default' if panel.key == first else ''}>\n{self._panel(panel)}</section>\n"
            for panel in block.panels
        )
        return f'<div class="framework-block">\n{panels}</div>\n'

    def _tabs(self, tabs: TabGroup) -> str:
        """Each radio button is followed by its label and its panel: in this order tabs work with CSS only."""
        name = f"tabs-{self._context.tab_group()}"
        tab_panels = "".join(
            f'<input type="radio" name="{name}" id="{name}-{at}" data-tab="{panel.key}"'
            f"{'' if at else ' checked'}>"
            f'<label for="{name}-{at}">{escape(panel.label)}</label>\n'
            f'<div class="tab-panel" data-tab="{panel.key}">\n{self._panel(panel)}</div>\n'
            for at, panel in enumerate(tabs.panels)
        )
        legend = f'<legend class="sr-only">{_LEGENDS[tabs.kind]}</legend>'
        return f'<fieldset class="tabs" data-tabs="{tabs.kind}">{legend}\n{tab_panels}</fieldset>\n'

    def _panel(self, panel: Panel) -> str:
        outer = self._context.inside()
        return self.write(panel.nodes) + self._context.leave(outer)


def _replace(token: Token, html: str) -> None:
    token.type, token.content = "html_block", html


def _open_table(token: Token) -> None:
    direction = format_attributes({key: str(value) for key, value in token.attrs.items() if key == "dir"})
    _replace(token, f'<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table{direction}>\n')


def _close_table(token: Token) -> None:
    _replace(token, "</table></div>\n")


def _align(cell: Token) -> None:
    """Set a class for the alignment: the Content-Security-Policy forbids `style` attributes."""
    style = str(cell.attrs.get("style", ""))
    cell.attrs = {"scope": "col"} if cell.tag == "th" else {}
    if style:
        cell.attrs["class"] = f"align-{style.removeprefix('text-align:')}"


def _task(item: Token) -> None:
    checked = item.meta.get("checked")
    if checked is not None:
        state = 'aria-label="Done" checked' if checked else 'aria-label="To do"'
        box = f'<input class="task-list-item-checkbox" type="checkbox" disabled {state}>'
        _replace(item, f'<li class="task-list-item">{box} ')


def _layout(token: Token) -> None:
    _replace(token, token.content)


_FINISHED = {
    LAYOUT: _layout,
    "table_open": _open_table,
    "table_close": _close_table,
    "th_open": _align,
    "td_open": _align,
    "list_item_open": _task,
}
