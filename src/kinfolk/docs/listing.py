"""llms.txt and llms-full.txt: what there is to read, and all of it, in the order of the navigation.

The form is that of llmstxt.org: a title, a summary as a quote, then lists of links under headings of the second
level. Under "Optional" stands what a short context may leave out: pages that the navigation does not name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

import structlog

from kinfolk.catalog import LATEST, Library, Version
from kinfolk.docs.config import DocsConfig, DocsLink
from kinfolk.docs.library import Docs, segment_of
from kinfolk.docs.plain import PlainPage, about_page, inside_of, plain_page
from kinfolk.errors import NotFound, SiteError, Unavailable
from kinfolk.sources.snapshot import Ref

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

OPTIONAL = "Optional"
_EXAMPLE = re.compile(r"framework/([^/]+)/examples/([^/]+)")


@dataclass(frozen=True)
class Volume:
    """One library's docs in one version."""

    docs: Docs
    library: Library
    version: Version

    @property
    def ref(self) -> Ref:
        return Ref(self.library.repo, self.version.branch)

    @property
    def segment(self) -> str:
        """How addresses name the version."""
        return segment_of(self.library, self.version)

    @property
    def base(self) -> str:
        return f"/{self.library.id}/{self.segment}/docs"

    def pages(self) -> Mapping[str, str]:
        """Each page's address below the docs, and its file."""
        shelf = self.docs.shelf(self.ref)
        found = {}
        for path in self.docs.pages(self.ref):
            if self.docs.home(self.ref, path)[0] is self.library:
                inside = inside_of(self.library, path)
                folder = inside.removesuffix("/index")
                answers = folder != inside and shelf.page_file(f"{self.library.docs_root}/{folder}") == path
                found[folder if answers else inside] = path
        return found

    def examples(self) -> tuple[str, ...]:
        """The addresses below the docs of the examples that the navigation names."""
        shelf = self.docs.shelf(self.ref)
        places = dict.fromkeys(link.to for link in self.config().links())
        found = ((place, _EXAMPLE.fullmatch(place)) for place in places)
        return tuple(place for place, example in found if example and shelf.has_example(example[1], example[2]))

    def config(self) -> DocsConfig:
        """The navigation; an empty one where it is missing, because its pages can be read all the same."""
        try:
            return self.docs.config(self.ref, self.library.docs_root, set())
        except (NotFound, Unavailable):
            return DocsConfig(())

    def read(self, path: str, origin: str) -> PlainPage | None:
        """The page in a file, or None for one that borrows from a file that is gone."""
        try:
            return plain_page(self.docs, self.ref, path, self.segment, origin=origin)
        except SiteError as wrong:
            log.info("page left out", ref=str(self.ref), path=path, reason=wrong.message)
            return None

    def about(self, path: str) -> tuple[str, str] | None:
        """The title and the description of the page in a file, where `read` finds one."""
        try:
            return about_page(self.docs, self.ref, path)
        except SiteError:
            return None


def volume(docs: Docs, library: Library, version: str) -> Volume:
    """A version's docs. Raises NotFound for an unknown version, Unavailable where there is no copy."""
    wanted = library.latest_version if version == LATEST else version
    for known in library.versions:
        if known.name == wanted:
            docs.shelf(Ref(library.repo, known.branch))
            return Volume(docs, library, known)
    raise NotFound(f"{library.name} has no version {version}")


def volumes(docs: Docs) -> Iterator[Volume]:
    """Everything there is a copy of, library by library, newest version first."""
    for library in docs.catalog.libraries:
        for version in library.versions:
            if Ref(library.repo, version.branch) in docs.shelves:
                yield Volume(docs, library, version)


def family_index(docs: Docs, origin: str, *, beside: Iterable[tuple[str, str]] = ()) -> str:
    """`/llms.txt`. `beside` are headings, and the lists below them, of what there is to read besides the docs."""
    catalog = docs.catalog
    read = {(one.library.id, one.segment): one for one in volumes(docs)}
    how = "Every page of the docs is Markdown too: ask for its address with `Accept: text/markdown`, or begin its path "
    parts = [f"# {catalog.family}", f"> {catalog.description}", f"{how}with `/api/md`. {_whole(origin, '')}"]
    for group in catalog.groups:
        latest = [read[id, LATEST] for id in group.libraries if (id, LATEST) in read]
        if latest:
            parts += (f"## {group.label}", "\n".join(_introduced(one, origin) for one in latest))
    for label, items in beside:
        parts += (f"## {label}", items)
    older = [one for one in read.values() if one.segment != LATEST]
    if older:
        parts += (f"## {OPTIONAL}", "\n".join(_introduced(one, origin) for one in older))
    return "\n\n".join(parts) + "\n"


def family_heading(docs: Docs) -> str:
    """How `/llms-full.txt` begins, before the latest docs of every library."""
    return f"# {docs.catalog.family}\n\n> {docs.catalog.description}\n"


def library_index(volume: Volume, origin: str) -> str:
    """`/{library}/{version}/llms.txt`."""
    library = volume.library
    how = "Each link leads to a page as Markdown; without `/api/md` in its address it is the page for people."
    parts = [_heading(volume), f"{how} {_whole(origin, f'/{library.id}/{volume.segment}')}"]
    pages = volume.pages()
    shown: set[str] = set()
    for label, links in _sections(volume):
        lines = [line for link in links if (line := _line(volume, link, pages, shown, origin))]
        if lines:
            parts += (f"## {label}", "\n".join(lines))
    rest = [
        _item(about[0], _markdown(volume, inside, origin), about[1])
        for inside, path in pages.items()
        if inside not in shown and (about := volume.about(path))
    ]
    if rest:
        parts += (f"## {OPTIONAL}", "\n".join(rest))
    return "\n\n".join(parts) + "\n"


def library_texts(volume: Volume, origin: str) -> Iterator[str]:
    """`/{library}/{version}/llms-full.txt`, page by page."""
    yield _heading(volume) + "\n"
    pages = volume.pages()
    named = (_place(link) for _, links in _sections(volume) for link in links)
    for inside in dict.fromkeys([*(place for place in named if place in pages), *pages]):
        page = volume.read(pages[inside], origin)
        if page is not None:
            address = f"{origin}{volume.base}/{quote(inside)}"
            yield f"\n---\n\n# {page.title}\n\nSource: {address}\n\n{page.body}\n"


def _heading(volume: Volume) -> str:
    library = volume.library
    version = "" if volume.segment == LATEST else f" {volume.version.name}"
    return f"# {library.name}{version}\n\n> {library.description}"


def _whole(origin: str, base: str) -> str:
    return f"The whole text in one file: {origin}{base}/llms-full.txt"


def _introduced(one: Volume, origin: str) -> str:
    name = one.library.name if one.segment == LATEST else f"{one.library.name} {one.version.name}"
    return _item(name, f"{origin}/{one.library.id}/{one.segment}/llms.txt", one.library.tagline)


def _sections(volume: Volume) -> Iterator[tuple[str, tuple[DocsLink, ...]]]:
    for section in volume.config().sections:
        yield section.label, section.children
        for group in section.frameworks:
            yield f"{section.label} ({volume.docs.catalog.framework(group.label).label})", group.children


def _line(volume: Volume, link: DocsLink, pages: Mapping[str, str], shown: set[str], origin: str) -> str | None:
    """The item for a link of the navigation; None for a second one to the same place and for one that leads nowhere."""
    place = _place(link)
    if place in shown:
        return None
    shown.add(place)
    if place in pages:
        about = volume.about(pages[place])
        return _item(link.label, _markdown(volume, place, origin), about[1]) if about else None
    if place.startswith(("https://", "http://")):
        return _item(link.label, place, "")
    example = _EXAMPLE.fullmatch(place)
    if example and volume.docs.shelf(volume.ref).has_example(example[1], example[2]):
        return _item(link.label, f"{origin}{volume.base}/{quote(place)}", "")
    return None


def _place(link: DocsLink) -> str:
    return link.to if link.to.startswith(("https://", "http://")) else re.split("[?#]", link.to)[0].rstrip("/")


def _markdown(volume: Volume, inside: str, origin: str) -> str:
    return f"{origin}/api/md{volume.base}/{quote(inside)}"


def _item(label: str, address: str, description: str) -> str:
    name = re.sub(r"([\[\]\\])", r"\\\1", " ".join(label.split()))
    return f"- [{name}]({address}): {description}".removesuffix(": ")
