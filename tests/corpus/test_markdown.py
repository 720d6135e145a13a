"""All pages of the corpus render completely, with known tags only, and with the structure that GitHub gives them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urldefrag

import pytest
from cmarkgfm.cmark import Options, markdown_to_html_with_extensions
from lxml.html import HtmlElement, document_fromstring
from tests.sites.corpus_data import RenderedFile, rendered_files

from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.render import render

RESOLVABLE = 3_014
DIRECTIVE = re.compile(r"^ {0,3}<!--\s*::.*-->[ \t]*$", re.MULTILINE)
CALLOUT = re.compile(r"\s*\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]-?[ \t]*", re.IGNORECASE)
CODE_MARK = re.compile(r"[ \t]*(?://|/\*)[ \t]*\[!code (?:\+\+|--)\](?:[ \t]*\*/)?")
KNOWN_TAGS = frozenset(
    """a b blockquote br caption code dd del details div dl dt em fieldset figcaption figure h2 h3 h4 h5 h6 hr
    i iframe img input kbd label legend li ol p picture pre s section small source span strong sub summary sup
    table tbody td tfoot th thead tr u ul""".split()
)


@pytest.fixture(scope="module")
def rendered(corpus: Path) -> list[RenderedFile]:
    assert corpus
    return rendered_files()


def test_all_pages_render_except_one_with_a_missing_ref_target(
    documents: list[tuple[Path, str]], rendered: list[RenderedFile]
) -> None:
    assert len(rendered) == RESOLVABLE == len(documents) - 1


def test_render_times_are_reported_for_all_pages(rendered: list[RenderedFile]) -> None:
    times = sorted(one.seconds for one in rendered)
    p50, p99 = (times[int(len(times) * share)] * 1000 for share in (0.5, 0.99))
    print(
        f"\n{len(times)} pages in {sum(times):.2f} s of CPU;"
        f" p50 {p50:.2f} ms, p99 {p99:.1f} ms, max {times[-1] * 1000:.0f} ms"
    )
    assert len(times) == 3014


def test_rendered_pages_contain_no_directives(rendered: list[RenderedFile]) -> None:
    prose = {one.path: "".join(one.page.chunks) for one in rendered}
    left = [path for path, html in prose.items() if "::start:" in html or "::end:" in html or "[//]: #" in html]
    assert left == []


def test_ids_of_each_page_are_unique(rendered: list[RenderedFile]) -> None:
    found = {one.path: Counter(re.findall(r' id="([^"]+)"', "".join(one.page.chunks))) for one in rendered}
    assert {path: most for path, counts in found.items() for most in counts.most_common(1) if most[1] > 1} == {}


def test_rendered_pages_contain_known_tags_only(rendered: list[RenderedFile]) -> None:
    tags = Counter(tag for one in rendered for tag in re.findall(r"<([a-z][a-z0-9-]*)", "".join(one.page.chunks)))
    assert set(tags) <= KNOWN_TAGS


def test_fragment_links_match_anchors(rendered: list[RenderedFile]) -> None:
    """Of 966 fragment links 17 match no anchor, one of them only by case. With GitHub's slugs alone it would be 95."""
    pages = {(one.branch, one.path): one.page for one in rendered}
    arrived = [unquote(fragment) in page.anchors for one in rendered for page, fragment in _fragments(one, pages)]
    print(f"\n{sum(arrived)} of {len(arrived)} fragments arrive")
    assert len(arrived) > 900
    assert sum(arrived) / len(arrived) >= 0.982


def _fragments(one: RenderedFile, pages: dict[tuple[str, str], MarkdownPage]) -> Iterator[tuple[MarkdownPage, str]]:
    for link in one.page.links:
        path, fragment = urldefrag(link.href)
        if not fragment or "://" in path or path.startswith("/"):
            continue
        target = _normalized(PurePosixPath(one.path).parent, path) if path else one.path
        page = next(
            (pages[at] for end in ("", ".md", "/index.md") if (at := (one.branch, target + end)) in pages), None
        )
        if page:
            yield page, fragment


def _normalized(directory: PurePosixPath, path: str) -> str:
    parts: list[str] = []
    for part in (directory / path).parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


@pytest.mark.parametrize(
    ("path", "holds"),
    [
        ("query/main/docs/framework/angular/guides/queries.md", ["injectQuery(() =&gt;", "unique key"]),
        ("query/main/docs/framework/solid/guides/invalidations-from-mutations.md", ["onSuccess"]),
        ("query/main/docs/framework/react/reference/queryOptions.md", ["queryOptions"]),
        ("query/main/docs/community-resources.md", ['<h2 id="media">', '<ul class="resources">']),
        ("query/v4/docs/framework/react/videos.md", ['<iframe src="https://www.youtube-nocookie.com/embed/']),
        ("router/main/docs/router/quick-start.md", ["npx @tanstack/cli create --router-only --framework solid"]),
        ("router/main/docs/router/guide/type-safety.md", ["Promise&lt;void&gt;"]),
        ("router/main/docs/start/framework/react/build-from-scratch.md", ['data-tab="vite"', 'data-tab="rsbuild"']),
        ("router/main/docs/start/framework/react/guide/middleware.md", ['<figure class="code mermaid"']),
        ("router/main/docs/start/framework/solid/guide/environment-variables.md", ["    viteSolid({ ssr: true }),"]),
        (
            "router/main/docs/start/framework/react/guide/authentication-overview.md",
            ['<picture data-theme-only="light">', '<picture data-theme-only="dark">'],
        ),
        ("form/main/docs/overview.md", ['data-framework="react"', 'data-tabs="files"', ">FieldInfo.tsx</label>"]),
        ("form/main/docs/installation.md", ['<summary class="callout-title">Polyfill requirements</summary>']),
        ("pacer/main/docs/guides/async-retrying.md", ['<p class="callout-title">Note</p>\n<p>The AsyncRetryer API']),
        ("table/v8/docs/framework/vanilla/table-core.md", []),
    ],
)
def test_unusual_pages_render_as_intended(rendered: list[RenderedFile], path: str, holds: list[str]) -> None:
    html = next(one.page.html() for one in rendered if f"{one.branch}/{one.path}".endswith(path))
    assert [part for part in holds if part not in html] == []


# API references

REPLACED = frozenset(("defined", "in", "extends", "optional", "returns"))


@pytest.fixture(scope="module")
def references(rendered: list[RenderedFile]) -> list[tuple[RenderedFile, MarkdownPage]]:
    """Every generated page, with its page without the layout of a reference."""
    return [(one, one.plain) for one in rendered if re.search(r"^Defined in: ", one.composed.text, re.MULTILINE)]


def test_generated_pages_are_recognized(references: list[tuple[RenderedFile, MarkdownPage]]) -> None:
    recognized = sum(one.page.is_api_reference for one, _ in references)
    print(f"\n{recognized} of {len(references)} generated pages are API references")
    assert len(references) > 1_600
    assert recognized / len(references) >= 0.99


def test_api_references_have_all_words_and_anchors(references: list[tuple[RenderedFile, MarkdownPage]]) -> None:
    lost = {one.path: words for one, plain in references if (words := _words(plain) - _words(one.page) - _sources(one))}
    missing = [one.path for one, plain in references if not _ids(plain) <= _ids(one.page)]
    assert {path: words - REPLACED for path, words in lost.items() if words - REPLACED} == {}
    assert missing == []


def test_api_references_have_short_outlines(references: list[tuple[RenderedFile, MarkdownPage]]) -> None:
    """Without the layout the longest outline has 441 entries."""
    outlines = [sum(heading.outlined for heading in one.page.headings) for one, _ in references]
    print(f"\nat most {max(outlines)} entries")
    assert max(outlines) <= 30


def _words(page: MarkdownPage) -> set[str]:
    return set(re.findall(r"\w+", unescape(re.sub(r"<[^>]*>", " ", page.html())).casefold()))


def _ids(page: MarkdownPage) -> set[str]:
    return set(re.findall(r' id="([^"]+)"', page.html()))


def _sources(one: RenderedFile) -> set[str]:
    """Words of the paths to source files, of which only the file name is shown."""
    lines = re.findall(r"^Defined in: .*$", one.composed.text, re.MULTILINE)
    return set(re.findall(r"\w+", "\n".join(lines).replace("\\", "").casefold()))


# Structure: the same tree as GitHub's own parser, except for our own constructs

Tree = tuple[object, ...]

EXTENSIONS = ["table", "autolink", "strikethrough", "tasklist"]
SAME = {"h1": "h2", "del": "s"}


def test_pages_have_the_structure_of_cmark_gfm(rendered: list[RenderedFile]) -> None:
    different = [one.path for one in rendered if _difference(one)]
    print(
        f"\n{len(rendered) - len(different)} of {len(rendered)} pages have the tree of cmark-gfm; not: {different[:20]}"
    )
    # Its prose contains `Promise<void>`: we escape `<void>`, cmark-gfm passes it through as a tag.
    assert [path.rsplit("/", 1)[-1] for path in different] == ["type-safety.md"]


def _difference(one: RenderedFile) -> tuple[list[Tree], list[Tree]] | None:
    """The tree of cmark-gfm and ours, or None if they are equal."""
    # Directives are comments: without them both sides read the same plain Markdown.
    text = CODE_MARK.sub("", DIRECTIVE.sub("", one.composed.text))
    page = one.plain
    if text != one.composed.text or one.composed.front.resources:
        plain = replace(one.composed, text=text, front=replace(one.composed.front, resources=()))
        page = render(plain, resolve=UnchangedLinks(), api_layout=False)
    github = _body(markdown_to_html_with_extensions(text, Options.CMARK_OPT_UNSAFE, EXTENSIONS))
    ours = _body(page.html())
    left, right = list(_trees(github)), list(_trees(ours))
    if len(left) > len(right):
        title = next((at for at, node in enumerate(left) if node[0] == "h2"), 0)
        del left[title]
    return (left, right) if left != right else None


def _body(html: str) -> HtmlElement:
    body = document_fromstring(f"<body>{html}</body>").body
    assert body is not None
    return body


COMPARED = {"a": "href", "img": "src", "td": "align", "th": "align", "input": "checked", "ol": "start"}
DROPPED = ("iframe", "figcaption", "source")
UNWRAPPED = ("figure", "picture", "span", "tbody")


def _trees(parent: HtmlElement) -> Iterator[Tree]:
    """The children as (tag, compared attribute, children), with joined text and collapsed blanks."""
    merged: list[Tree] = []
    for node in _raw(parent):
        if node[0] == "#" and merged and merged[-1][0] == "#":
            merged[-1] = ("#", f"{merged[-1][1]}{node[1]}")
        else:
            merged.append(node)
    for node in merged:
        text = " ".join(str(node[1]).split()) if node[0] == "#" else "-"
        if text:
            yield ("#", text) if node[0] == "#" else node


def _raw(parent: HtmlElement) -> Iterator[Tree]:
    yield ("#", parent.text or "")
    for child in parent:
        yield from _node(child)
        yield ("#", child.tail or "")


def _node(element: HtmlElement) -> Iterator[Tree]:
    if not isinstance(element.tag, str):
        return
    tag = element.tag
    classes = element.get("class", "").split()
    mailto = tag == "a" and element.get("href", "").startswith("mailto:")
    own_anchor = tag == "a" and not element.get("href")
    # A picture for the dark theme repeats the one for the light theme.
    is_repeated = element.get("data-theme-only") == "dark"
    if tag in DROPPED or is_repeated or "callout-title" in classes or "anchor" in classes:
        return
    if own_anchor or mailto or tag in UNWRAPPED or "table-scroll" in classes:
        yield from _raw(element)
        return
    if tag in ("blockquote", "details", "div") and (marked := _callout(element)):
        yield ("callout", "", marked)
        return
    yield (SAME.get(tag, tag), _compared_attribute(element, tag), tuple(_trees(element)))


def _compared_attribute(element: HtmlElement, tag: str) -> str:
    if tag in ("td", "th"):
        return element.get("align") or (element.get("class") or "").removeprefix("align-")
    if tag == "pre":
        code = element.find("code")
        from_class = code.get("class", "") if code is not None else ""
        return (element.get("lang") or from_class).removeprefix("language-").lower() or "text"
    if tag == "input":
        return "checked" if element.get("checked") is not None else ""
    value = unquote(element.get(COMPARED[tag], "")) if tag in COMPARED else ""
    # Our fragment links take the case of their anchors.
    return value.lower() if tag == "a" and value.startswith("#") else value


def _callout(element: HtmlElement) -> str | None:
    """The text of a callout without its title, which is our title line or the first line of the quote."""
    words = " ".join("".join(element.itertext()).split())
    mark = CALLOUT.match(words)
    if element.tag == "blockquote":
        return words[mark.end() :].strip() if mark else None
    if element.get("class") != "callout":
        return None
    title = "".join(element[0].itertext())
    return words.removeprefix(title).strip() if title == element.get("aria-label") else words
