"""What a reader is told on arrival at another page than the one that a link or a menu named.

The parameter `from` of an address is either the address that the reader came from, such as
`/query/v3/docs/guides/queries`, or the name of a notice in `redirects.toml`. No text of the parameter is shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlencode

from kinfolk.config.catalog import LATEST, Library
from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.content.docs.other_pages.nearest_page import NearPage, framework_in, nearest_pages, version_alternative
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.redirects import RedirectNotice

MOST_LINKS = 3
_ORIGIN = re.compile(r"/([^/]+)/([^/]+)(?:/docs(?:/(.+))?)?")
_VERSION = re.compile(r"v?\d{1,4}(?:\.\d{1,4}){0,2}")
"""A version that a notice repeats. Other words of an address are not shown: anyone may have written them."""


@dataclass(frozen=True)
class ArrivalNotice:
    """`lead` introduces the links; it is empty where they are sentences of their own.

    With `by_framework`, the links are the same page for other frameworks than the one that the address led to.
    """

    text: str
    lead: str = ""
    links: tuple[NearPage, ...] = ()
    by_framework: bool = False


def arrival_notice(docs: ContentReader, here: DocsAddress | None, origin: str) -> ArrivalNotice | None:
    """The notice on the page `here` for a reader who comes from `origin`; None if there is nothing to say.

    The path of `here` is empty on a landing page; None is a page outside of the libraries.
    """
    known = docs.redirects.notice(origin)
    if known is not None:
        return _named(docs, here, known)
    found = _ORIGIN.fullmatch(origin)
    if here is None or found is None or found[1] != here.library:
        return None
    library = docs.catalog.library(here.library)
    source = DocsAddress(library.id, found[2], (found[3] or "").strip("/"))
    if not library.is_known_version(source.version):
        return _unknown_version(docs, library, here, source)
    branch = docs.find_branch(library.ref(source.version))
    arrival = _Arrival(docs, library, branch, source, here)
    if _version(library, source) != _version(library, here):
        return arrival.from_other_version()
    return arrival.from_same_version()


def _named(docs: ContentReader, here: DocsAddress | None, notice: RedirectNotice) -> ArrivalNotice | None:
    """The notice of a named origin."""
    link = NearPage(notice.link_title, notice.link) if notice.link else None
    if notice.library and (here is None or here.library != notice.library):
        return None
    if notice.text or here is None or notice.version is None:
        return ArrivalNotice(notice.text, links=(link,) if link else ()) if notice.text else None
    library = docs.catalog.library(here.library)
    if notice.version == _version(library, here):
        return None
    named = notice.version
    if named in library.version_names:
        link = _page_in_version(docs, here, named) or link
        named = library.version(named).title
    text = f"You followed a link to {named}. This is {_title(library, here)}."
    return ArrivalNotice(text, links=(link,) if link else ())


def _page_in_version(docs: ContentReader, here: DocsAddress, version: str) -> NearPage | None:
    """A link to the same page in another version, or to the nearest one."""
    found = version_alternative(docs, here, version)
    if found is None:
        return None
    name = _title(docs.catalog.library(here.library), here.with_version(version))
    if found.title is None:
        return NearPage(f"Read the {name} page", found.to)
    return NearPage(f"Read “{found.title}” in {name}", found.to.partition("?")[0])


def _unknown_version(docs: ContentReader, library: Library, here: DocsAddress, source: DocsAddress) -> ArrivalNotice:
    """The notice for an address in a version without docs here, with the nearest pages if the page is missing, too."""
    current = _title(library, here)
    notice = docs.redirects.version_notice(library.id, source.version)
    known = (NearPage(notice.link_title, notice.link),) if notice and notice.link else ()
    names_version = _VERSION.fullmatch(source.version)
    link = f"You followed a link to {source.version}, which" if names_version else "Your link names a version that"
    moved = bool(source.path) and source.path != here.path
    near = _nearest(docs, source.with_version(here.version), here) if moved and not known else ()
    return ArrivalNotice(f"{link} has no docs here. This is {current}.", "Nearest:" if near else "", known or near)


def _nearest(docs: ContentReader, missing: DocsAddress, here: DocsAddress) -> tuple[NearPage, ...]:
    """Other pages than `here` that are similar to a missing one."""
    near = nearest_pages(docs, missing, most=MOST_LINKS + 1)
    return tuple(page for page in near if page.to != str(here))[:MOST_LINKS]


def _version(library: Library, address: DocsAddress) -> str:
    """The name of a version, also for `latest`."""
    return library.latest_version if address.version == LATEST else address.version


def _title(library: Library, address: DocsAddress) -> str:
    """What readers know a version as."""
    return library.version(address.version).title


@dataclass(frozen=True)
class _Arrival:
    """The way from `source` to `here`, both in known versions. `branch` is that of the source, if there is a copy."""

    docs: ContentReader
    library: Library
    branch: BranchReader | None
    source: DocsAddress
    here: DocsAddress

    def from_other_version(self) -> ArrivalNotice:
        before, current = _title(self.library, self.source), _title(self.library, self.here)
        title = self._source_title()
        if title is None or self.source.path == self.here.path:
            link = NearPage(f"Read the {before} page", str(self.source)) if title else self._source_docs()
            return ArrivalNotice(f"You followed a link to {before}. This is {current}.", links=(link,))
        own, shown = framework_in(self.source.path), framework_in(self.here.path)
        back = NearPage(f"Back to {before}", str(self.source))
        if own and shown and own != shown:
            text = f"{current} has no docs for {self._label(own)}. This page is for {self._label(shown)}."
            return ArrivalNotice(text, links=(back,))
        text = f"{current} has no “{title}” page{f' for {self._label(own)}' if own else ''}. This is the nearest one."
        return ArrivalNotice(text, links=(back, *self._in_other_frameworks()))

    def from_same_version(self) -> ArrivalNotice | None:
        own, shown = framework_in(self.source.path), framework_in(self.here.path)
        title = self._source_title()
        if title is not None:
            if not (own and shown) or own == shown:
                return None
            back = NearPage(f"Back to {self._label(own)}", str(self.source))
            text = f"There is no “{title}” page for {self._label(shown)}. This is the nearest one."
            return ArrivalNotice(text, links=(back,))
        if not self.source.path:
            return None
        if shown and not own and self.here.path == f"framework/{shown}/{self.source.path}":
            others = self._in_other_frameworks(inside=self.source.path)
            text = f"Your link names no framework. This page is for {self._label(shown)}."
            return ArrivalNotice(text, "Also for:", others, by_framework=True) if others else None
        if own and self.here.path == self.source.path.removeprefix(f"framework/{own}/"):
            return None
        return self._gone()

    def _gone(self) -> ArrivalNotice:
        links = _nearest(self.docs, self.source, self.here)
        if links:
            return ArrivalNotice("That page is gone.", "Nearest:", links)
        words = " ".join(re.split(r"[\W_]+", self.source.path.rpartition("/")[2]))[:80].strip()
        search = f"/search?{urlencode({'q': words, 'library': self.library.id})}"
        return ArrivalNotice("That page is gone.", links=(NearPage("Search the docs", search),))

    def _source_title(self) -> str | None:
        """The title of the page that the reader came from; None for an address without a page."""
        root = self.library.docs_facts(self.source.version).docs_root
        if self.branch is None or not self.source.path:
            return None
        paths = (self.source.path, f"{self.source.path}/index")
        found = next((path for path in paths if self.branch.has_page(root, path)), None)
        return self.branch.titles(root).get(found) if found else None

    def _source_docs(self) -> NearPage:
        return NearPage(f"Read the {_title(self.library, self.source)} docs", self.source.base)

    def _in_other_frameworks(self, inside: str | None = None) -> tuple[NearPage, ...]:
        """The page for other frameworks, in the version that is shown. `inside` is its path below the framework."""
        own = framework_in(self.source.path)
        branch = self.docs.find_branch(self.library.ref(self.here.version))
        if inside is None:
            inside = self.source.path.removeprefix(f"framework/{own}/") if own else None
        if branch is None or inside is None:
            return ()
        root = self.library.docs_facts(self.here.version).docs_root
        shown = framework_in(self.here.path)
        found = []
        for each in self.docs.catalog.frameworks:
            path = f"framework/{each.value}/{inside}"
            if each.value not in (own, shown) and branch.has_page(root, path):
                title = each.label if own is None else f"Read it for {each.label}"
                found.append(NearPage(title, str(DocsAddress(self.library.id, self.here.version, path))))
        return tuple(found)

    def _label(self, framework: str) -> str:
        return self.docs.catalog.framework(framework).label
