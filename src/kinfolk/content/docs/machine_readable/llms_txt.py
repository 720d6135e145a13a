"""llms.txt and llms-full.txt: lists of all pages, and the text of all pages, in the order of the navigation.

The format is that of llmstxt.org: a title, a summary as a quote, then lists of links under headings of the second
level. The heading "Optional" lists what a short context may omit: pages outside of the navigation.

The list of the site leads to that of each library's latest version, which has the pages of the sitemap and leads to
the older versions. So each file stays short, and a client that follows links once reads no page in several versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from kinfolk.config.catalog import LATEST
from kinfolk.content.docs.machine_readable.change_feed import library_feed_path
from kinfolk.content.docs.menus.menu_config import DocsLink
from kinfolk.content.docs.pages.location import EXAMPLE
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, list_version_docs

OPTIONAL = "Optional"


def family_llms_txt(docs: ContentReader, origin: str, *, more: Iterable[tuple[str, str]] = ()) -> str:
    """`/llms.txt`. `more` are headings and lists of content outside of the docs."""
    catalog = docs.catalog
    read = {(one.library.id, one.segment): one for one in list_version_docs(docs)}
    how = (
        "Every page of the docs is Markdown too: ask for its address with `Accept: text/markdown`, or add `.md` to it."
    )
    tools = f"MCP clients search and read them at {origin}/mcp."
    parts = [
        f"# {catalog.family}",
        f"> {catalog.description}",
        f"{how} {tools} {_full_text_note(origin, '')}",
    ]
    for group in catalog.groups:
        latest = [read[id, LATEST] for id in group.libraries if (id, LATEST) in read]
        if latest:
            parts += (f"## {group.label}", "\n".join(_introduction(one, origin) for one in latest))
    for label, items in more:
        parts += (f"## {label}", items)
    older = [one for (id, segment), one in read.items() if segment != LATEST and (id, LATEST) not in read]
    if older:  # no list of a latest version leads to them
        parts += (f"## {OPTIONAL}", "\n".join(_introduction(one, origin) for one in older))
    return "\n\n".join(parts) + "\n"


def family_full_heading(docs: ContentReader) -> str:
    """The beginning of `/llms-full.txt`, before the latest docs of each library."""
    return f"# {docs.catalog.family}\n\n> {docs.catalog.description}\n"


def version_llms_txt(version_docs: VersionDocs, origin: str) -> str:
    """`/{library}/{version}/llms.txt`. That of the latest version has all pages of its sitemap."""
    library, is_latest = version_docs.library, version_docs.segment == LATEST
    how = "Each link to a page leads to its Markdown; without `.md` in its address it is the page for people."
    whole = _full_text_note(origin, f"/{library.id}/{version_docs.segment}")
    files = f", as a file for each page: {origin}/{library.id}/{version_docs.segment}/docs.zip"
    feed = f", and an Atom feed of its changes: {origin}{library_feed_path(library.id)}"
    parts = [_heading(version_docs), f"{how} {whole}{files}{feed if is_latest else ''}"]
    pages = _listed_pages(version_docs)
    shown: set[str] = set()
    for label, links in _sections(version_docs):
        lines = [line for link in links if (line := _line(version_docs, link, pages, shown, origin))]
        if lines:
            parts += (f"## {label}", "\n".join(lines))
    rest = [
        _item(summary[0], _markdown(version_docs, inside, origin), summary[1])
        for inside, path in pages.items()
        if inside not in shown and (summary := version_docs.summary(path))
    ]
    if is_latest:
        rest += _other_pages(version_docs, origin)
    if rest:
        parts += (f"## {OPTIONAL}", "\n".join(rest))
    others = [
        _introduction(one, origin) for one in list_version_docs(version_docs.docs) if _is_older(one, version_docs)
    ]
    if is_latest and others:
        parts += ("## Other versions", "\n".join(others))
    return "\n\n".join(parts) + "\n"


def _listed_pages(version_docs: VersionDocs) -> Mapping[str, str]:
    """The path below the docs of each page with text -> its file."""
    return version_docs.listed_pages()


def _other_pages(version_docs: VersionDocs, origin: str) -> Iterator[str]:
    """Pages of the latest version that have no Markdown."""
    library = version_docs.library
    # The landing page of the only library is the home page.
    landing = f"{library.to}/{LATEST}" if len(version_docs.docs.catalog.libraries) > 1 else "/"
    yield _item(f"About {library.name}", f"{origin}{landing}", library.tagline)
    if version_docs.examples():
        yield _item("Examples", f"{origin}{version_docs.address('examples')}", "")


def _is_older(one: VersionDocs, latest: VersionDocs) -> bool:
    return one.library is latest.library and one.segment != latest.segment


def version_full_text(version_docs: VersionDocs, origin: str) -> Iterator[str]:
    """`/{library}/{version}/llms-full.txt`, page by page."""
    yield _heading(version_docs) + "\n"
    pages = version_docs.pages()
    targets = (_target(link) for _, links in _sections(version_docs) for link in links)
    for inside in dict.fromkeys([*(target for target in targets if target in pages), *pages]):
        page = version_docs.export(pages[inside], origin)
        if page is not None:
            address = f"{origin}{version_docs.address(inside)}"
            yield f"\n---\n\n# {page.title}\n\nSource: {address}\n\n{page.body}\n"


def _heading(version_docs: VersionDocs) -> str:
    library = version_docs.library
    version = "" if version_docs.segment == LATEST else f" {version_docs.version.title}"
    return f"# {library.name}{version}\n\n> {library.description}"


def _full_text_note(origin: str, base: str) -> str:
    return f"The whole text in one file: {origin}{base}/llms-full.txt"


def _introduction(version_docs: VersionDocs, origin: str) -> str:
    library, segment = version_docs.library, version_docs.segment
    name = library.name if segment == LATEST else f"{library.name} {version_docs.version.title}"
    return _item(name, f"{origin}/{library.id}/{segment}/llms.txt", library.tagline)


def _sections(version_docs: VersionDocs) -> Iterator[tuple[str, tuple[DocsLink, ...]]]:
    for section in version_docs.config().sections:
        yield section.label, section.children
        for group in section.frameworks:
            yield f"{section.label} ({version_docs.docs.catalog.framework(group.label).label})", group.children


def _line(
    version_docs: VersionDocs, link: DocsLink, pages: Mapping[str, str], shown: set[str], origin: str
) -> str | None:
    """The item for a link of the navigation; None for a repeated target and for a link without a target."""
    target = _target(link)
    if target in shown:
        return None
    shown.add(target)
    if target in pages:
        summary = version_docs.summary(pages[target])
        return _item(link.label, _markdown(version_docs, target, origin), summary[1]) if summary else None
    if target.startswith(("https://", "http://")):
        return _item(link.label, target, "")
    example = EXAMPLE.fullmatch(target)
    if example and version_docs.branch.has_example(example[1], example[2]):
        return _item(link.label, f"{origin}{version_docs.address(target)}", "")
    folder = version_docs.branch.missing_example_folder(example[1], example[2]) if example else None
    host, ref = version_docs.library.code_host, version_docs.branch.ref
    return _item(link.label, host.folder(ref.repo, ref.branch, folder), "") if host and folder else None


def _target(link: DocsLink) -> str:
    return link.path.rstrip("/")


def _markdown(version_docs: VersionDocs, inside: str, origin: str) -> str:
    return f"{origin}{version_docs.address(inside)}.md"


def _item(label: str, address: str, description: str) -> str:
    name = re.sub(r"([\[\]\\])", r"\\\1", " ".join(label.split()))
    return f"- [{name}]({address}): {description}".removesuffix(": ")
