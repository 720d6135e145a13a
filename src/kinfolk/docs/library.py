"""The docs of the whole family in one snapshot: the only way to a config, a page, a file or a folder.

`Shelf`s and rendered pages outlive a snapshot where nothing they were made of has changed, so a refresh renders only
what is new. Every answer adds to `seen` the tags of what it was made of:

    TanStack/query@main:docs/overview.md    this file
    TanStack/query@main#files               which files there are
    TanStack/query@main#fronts              what any page's front matter says
    TanStack/query@main#examples            what any file of the examples says
    code:5d41402abc4b                       some code, which is plain now and will have colours
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import quote

import structlog

from kinfolk.cache import CacheBudget, SharedRecent, Worth
from kinfolk.catalog import LATEST, Catalog, Library, Version
from kinfolk.docs.config import DocsConfig
from kinfolk.docs.links import Links
from kinfolk.docs.shelf import Shelf, title_of
from kinfolk.docs.wordings import Wordings
from kinfolk.errors import BadFact, Invalid, NotFound, Refused, Unavailable
from kinfolk.markdown.colours import Colours, coloured
from kinfolk.markdown.jobs import Source
from kinfolk.markdown.page import Heading, Page
from kinfolk.markdown.renderer import MarkdownRenderer
from kinfolk.redirects import Redirect, Redirects
from kinfolk.sources.paths import is_plain_path, page_fault, path_fault, shown
from kinfolk.sources.snapshot import Change, Ref, Snapshot

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_LOGGED = 10
"""Entries of a navigation that one log line names."""
RENDERED_LIMIT = 48 << 20
"""Bytes of memory that rendered pages may hold, without highlighting."""


@dataclass(frozen=True)
class DocPage:
    """A page as the reader sees it: `html` is the body without the title, `edit_url` leads to where its text is.

    `updated` is the date on which that text last changed, `contributors` who wrote it, the latest first; None and
    nobody where no history is known.
    """

    title: str
    description: str
    keywords: str | None
    html: str
    headings: tuple[Heading, ...]
    toc: bool
    file_path: str
    edit_url: str
    updated: str | None
    contributors: tuple[str, ...]
    missing_images: tuple[str, ...]
    page: Page


@dataclass(frozen=True)
class _Rendered:
    """A page and everything it was made of, to tell whether it is still true."""

    page: Page
    reads: tuple[tuple[Ref, str, str | None], ...]
    structures: tuple[tuple[Ref, str], ...]
    text_path: str
    missing_images: tuple[str, ...]

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return self.page.weight + 200 * (len(self.reads) + len(self.structures)) + sum(map(len, self.missing_images))


class _Place(NamedTuple):
    """Where the text of a page is, and how its links name its library and version."""

    shelf: Shelf
    library: Library
    segment: str
    path: str

    @property
    def key(self) -> tuple[Ref, str, str, str]:
        return self.shelf.ref, self.path, self.library.id, self.segment


class Docs:
    """All docs at one moment. Immutable: a refresh makes a new one with `succeed`."""

    def __init__(
        self,
        catalog: Catalog,
        redirects: Redirects,
        snapshot: Snapshot,
        *,
        colours: Colours | None = None,
        markdown: MarkdownRenderer | None = None,
        caches: CacheBudget | None = None,
        before: Docs | None = None,
    ) -> None:
        """By default Markdown is rendered in the calling thread, without limits of time and memory."""
        budget = caches or CacheBudget(2 * RENDERED_LIMIT)
        self.catalog = catalog
        self.redirects = redirects
        self.snapshot = snapshot
        self.colours = colours
        self.markdown = markdown or MarkdownRenderer()
        old = before.shelves if before else {}
        self.shelves: Mapping[Ref, Shelf] = {
            ref: old[ref] if ref in old and old[ref].tree is tree else Shelf(tree, self.markdown)
            for ref, tree in snapshot.trees.items()
        }
        self.wordings: Wordings = before.wordings if before else Wordings(budget)
        self._navigations: dict[tuple[Ref, str], DocsConfig] = {}
        # Of all editions: a list that a push did not change is not logged again.
        self._dead_logged: dict[tuple[Ref, str], frozenset[str]] = before._dead_logged if before else {}  # noqa: SLF001
        self._rendered: SharedRecent[tuple[Ref, str, str, str], _Rendered] = (
            before._rendered  # noqa: SLF001 our own class
            if before
            else budget.add("rendered docs", Worth.RENDERED, SharedRecent(RENDERED_LIMIT))
        )

    def succeed(self, snapshot: Snapshot) -> Docs:
        """The docs of a newer snapshot, keeping what is still true."""
        return Docs(self.catalog, self.redirects, snapshot, colours=self.colours, markdown=self.markdown, before=self)

    def shelf(self, ref: Ref) -> Shelf:
        """What a branch offers. Refused unless the registry names it; Unavailable while there is no copy."""
        if (ref.repo, ref.branch) not in self.catalog.refs():
            raise Refused(f"{ref} is not a source of this site")
        if ref not in self.shelves:
            raise Unavailable(f"There is no copy of {ref} on this site yet")
        return self.shelves[ref]

    def config(self, ref: Ref, docs_root: str, seen: set[str]) -> DocsConfig:
        """The navigation below one docs root."""
        shelf = self.shelf(ref)
        if all(self._root(library) != (ref.repo, docs_root) for library in self.catalog.libraries):
            raise Refused(f"{docs_root!r} is not a docs root of {ref}")
        seen.add(f"{ref}:{docs_root}/config.json")
        try:
            return shelf.config(docs_root)
        except BadFact as wrong:
            raise Unavailable(wrong.message) from wrong

    def navigation(self, ref: Ref, docs_root: str, seen: set[str]) -> DocsConfig:
        """The config without the entries that lead nowhere. `kinfolk check` shows those to who wrote them."""
        config = self.config(ref, docs_root, seen)
        seen.add(f"{ref}#files")
        key = (ref, docs_root)
        if key not in self._navigations:
            shelf, (library, segment) = self.shelf(ref), self.home(ref, docs_root)
            dead = {
                link.to
                for link in config.links()
                if not shelf.has_entry(docs_root, link.to)
                and not self.redirects.match(f"/{library.id}/{segment}/docs/{link.to}", missing=True)
            }
            self._log_dead(ref, docs_root, frozenset(dead))
            self._navigations[key] = config.only(lambda link: link.to not in dead) if dead else config
        return self._navigations[key]

    def knows_navigation(self, ref: Ref, docs_root: str) -> bool:
        """Whether `navigation` takes no time."""
        return (ref, docs_root) in self._navigations

    def _log_dead(self, ref: Ref, docs_root: str, dead: frozenset[str]) -> None:
        """Log the entries that lead nowhere, unless these were logged last."""
        if dead == self._dead_logged.get((ref, docs_root), frozenset()):
            return
        self._dead_logged[ref, docs_root] = dead
        if dead:
            file, some = f"{docs_root}/config.json", [to[:200] for to in sorted(dead)[:MOST_LOGGED]]
            log.warning("navigation leads nowhere", ref=str(ref), file=file, entries=len(dead), first=some)

    def page(self, ref: Ref, file_path: str, version: str | None, seen: set[str]) -> DocPage:
        """The page in a Markdown file. `version` is how its own links name the version; None lets the branch decide.

        Raises Invalid for a path that names no docs, NotFound where there is no such page, Unavailable when it cannot
        be rendered now. May be called from any
        thread, and takes from a millisecond to half a second unless `is_rendered`.
        """
        place = self._place(ref, file_path, version)
        seen.add(f"{ref}#files")
        if place is None:
            raise NotFound(f"There is no page {file_path} in {ref}")
        rendered = self._known(place) or self._render(place, seen)
        seen.update(f"{each}:{read}" for each, read, _ in rendered.reads)
        seen.update(f"{consulted}#files" for consulted, _ in rendered.structures)
        page = rendered.page
        history = place.shelf.tree.history(rendered.text_path)
        return DocPage(
            title=page.title or title_of(place.path),
            description=page.description,
            keywords=page.front.keywords,
            html=coloured(page, self.colours, seen),
            headings=page.headings,
            toc=page.front.toc,
            file_path=place.path,
            edit_url=f"https://github.com/{ref.repo}/edit/{ref.branch}/{rendered.text_path}",
            updated=history.updated.date().isoformat() if history else None,
            contributors=history.authors if history else (),
            missing_images=rendered.missing_images,
            page=page,
        )

    def is_rendered(self, ref: Ref, file_path: str, version: str | None) -> bool:
        """Whether `page` has the text at hand. Raises what `page` raises for a path that names no docs."""
        place = self._place(ref, file_path, version)
        return place is not None and self._known(place) is not None

    def home(self, ref: Ref, file_path: str) -> tuple[Library, str]:
        """Whose page it is, and how links name the version by default."""
        self.shelf(ref)
        if not is_plain_path(file_path):
            raise Invalid("Invalid docPath")
        home = self.catalog.docs_home(ref.repo, ref.branch, file_path)
        if home is None:
            raise Refused(f"{file_path} lies outside the docs of {ref}")
        library, version = home
        return library, segment_of(library, version)

    def moved(self, library: Library, segment: str, inside: str, seen: set[str]) -> Redirect | None:
        """Where the page is that used to be at `inside`: where another says so by its `redirect_from`, or a rule."""
        ref = Ref(*library.ref(segment))
        base = f"/{library.id}/{segment}/docs"
        seen.add(f"{ref}#fronts")
        now_at = self.shelf(ref).moved(library.docs_root, inside)
        if now_at is not None and now_at != inside:
            return Redirect(f"{base}/{quote(now_at)}", HTTPStatus.MOVED_PERMANENTLY)
        return self.redirects.match(f"{base}/{inside}", missing=True)

    def readable(self, ref: Ref, path: str) -> Shelf:
        """The shelf, when `path` lies in a docs root or among the examples. Refused otherwise."""
        shelf = self.shelf(ref)
        fault = path_fault(path)
        if fault is not None:
            raise Invalid(f"Invalid path {shown(path[:80])}: {fault}")
        inside = path == "examples" or path.startswith("examples/")
        if not inside and self.catalog.docs_home(ref.repo, ref.branch, path) is None:
            raise Refused(f"{path} lies outside the docs and examples of {ref}")
        return shelf

    def pages(self, ref: Ref) -> tuple[str, ...]:
        """Every Markdown file of every docs root of a branch that has an address."""
        return tuple(path for path in self._texts(ref) if page_fault(path) is None)

    def pages_left_out(self, ref: Ref) -> dict[str, str]:
        """Markdown files of the docs roots of a branch that have no address -> why."""
        return {path: fault for path in self._texts(ref) if (fault := page_fault(path)) is not None}

    def _texts(self, ref: Ref) -> list[str]:
        return [
            path
            for path in sorted(self.shelf(ref).files)
            if path.endswith(".md") and self.catalog.docs_home(ref.repo, ref.branch, path)
        ]

    def stale_tags(self, changed: tuple[Change, ...], newer: Docs) -> set[str]:
        """What a change of snapshot makes untrue."""
        tags = set()
        for change in changed:
            tags |= {f"{change.ref}:{path}" for path in change.paths}
            if any(path.endswith(".md") for path in change.paths):
                tags.add(f"{change.ref}#fronts")
            if any(path.startswith("examples/") for path in change.paths):
                tags.add(f"{change.ref}#examples")
            before, after = self.shelves.get(change.ref), newer.shelves.get(change.ref)
            if before is None or after is None or before.structure != after.structure:
                tags.add(f"{change.ref}#files")
        return tags

    @staticmethod
    def _root(library: Library) -> tuple[str, str]:
        return library.repo, library.docs_root

    def _place(self, ref: Ref, file_path: str, version: str | None) -> _Place | None:
        library, default = self.home(ref, file_path)
        shelf = self.shelf(ref)
        path = shelf.page_file(file_path.removesuffix(".md"))
        segment = version if version and library.is_known_version(version) else default
        return _Place(shelf, library, segment, path) if path else None

    def _known(self, place: _Place) -> _Rendered | None:
        known = self._rendered.get(place.key)
        return known if known is not None and self._still_true(known) else None

    def _render(self, place: _Place, seen: set[str]) -> _Rendered:
        shelf, library, segment, path = place
        reads: list[str] = []

        def read(file: str) -> str:
            reads.append(file)
            # Now, not when the page is done: that there is none becomes untrue too when one of these changes.
            seen.add(f"{shelf.ref}:{file}")
            return shelf.tree.read(file).decode(errors="replace")

        links = Links(self.catalog, self.redirects, self.shelves, shelf, library, segment, path)

        def links_of(ref_path: str | None) -> Links:
            links.borrowed = ref_path
            return links

        source = Source(f"{shelf.ref}:{path}", read(path), read)
        try:
            page = self.markdown.page(source, links=links_of, framework=framework_of(library, path))
        except NotFound as missing:
            log.warning(
                "page not shown", repo=shelf.ref.repo, branch=shelf.ref.branch, path=path, reason=missing.message
            )
            raise
        made = _Rendered(
            page,
            tuple(
                (ref, file, self.shelves[ref].files.get(file))
                for ref, file in (*((shelf.ref, file) for file in reads), *sorted(links.shown))
            ),
            tuple((ref, self.shelves[ref].structure) for ref in sorted(links.consulted)),
            page.ref_path or path,
            tuple(dict.fromkeys(links.missing_images)),
        )
        self._rendered.put(place.key, made, weight=made.weight)
        return made

    def _still_true(self, made: _Rendered) -> bool:
        return all(
            ref in self.shelves and self.shelves[ref].files.get(path) == blob for ref, path, blob in made.reads
        ) and all(
            ref in self.shelves and self.shelves[ref].structure == structure for ref, structure in made.structures
        )


def segment_of(library: Library, version: Version) -> str:
    """How URLs name a version: the latest one is `latest`."""
    return LATEST if version.name == library.latest_version else version.name


def framework_of(library: Library, path: str) -> str | None:
    """The framework that a page's path is about: `docs/framework/vue/…` -> vue."""
    match path.removeprefix(library.docs_root + "/").split("/"):
        case ["framework", framework, _, *_]:
            return framework
    return None
