"""The composition root: everything that lives as long as the process is made here and nowhere else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import TypeVar

import structlog

from kinfolk.blog import Blog
from kinfolk.cache import CacheBudget, SharedRecent, Worth
from kinfolk.catalog import Catalog, load_catalog
from kinfolk.docs import Docs, parse_config
from kinfolk.docs.snippets import sections
from kinfolk.errors import Invalid
from kinfolk.examples.ahead import sections as example_sections
from kinfolk.highlight import Highlighter
from kinfolk.highlight.highlighter import Section
from kinfolk.landing import Landing, Logos, load_landings
from kinfolk.landing import section as landing_section
from kinfolk.markdown.pool import MarkdownPool
from kinfolk.markdown.renderer import MarkdownRenderer
from kinfolk.pages import WrittenPages
from kinfolk.palette import Palette, load_palette
from kinfolk.redirects import Redirects, load_redirects
from kinfolk.search.algolia.keys import Keys
from kinfolk.search.apart import BuildApart
from kinfolk.search.build import Words
from kinfolk.search.engine import KEPT_ANSWERS, Answers
from kinfolk.search.indexes import Indexes, Made, Shelf
from kinfolk.search.keeper import BuildHere, SiteSearch
from kinfolk.search.protocol import Protocol
from kinfolk.search.pushed import PushedIndexes
from kinfolk.search.rules import load_rules
from kinfolk.search.searches import Searches
from kinfolk.settings import Settings, environment_of
from kinfolk.sources.directory import DirectorySource
from kinfolk.sources.layered import LayeredSource
from kinfolk.sources.mirror import MirrorSource, Wanted
from kinfolk.sources.progress import SyncEvent
from kinfolk.sources.publication import FILE as PUBLISHED
from kinfolk.sources.reading import FileReader
from kinfolk.sources.snapshot import Ref, Snapshot, Source, changes
from kinfolk.sponsors import GitHubSponsors, SponsorRoll, load_sponsor_facts
from kinfolk.supervision import Supervisor

log = structlog.get_logger()

T = TypeVar("T")

Purge = Callable[[frozenset[str]], None]
"""Told the tags of what is no longer true, after the site has switched to what is."""
Follow = Callable[[Docs], None]
"""Told the docs that have become current."""


class Editions:
    """The docs that are current, and how they come to be replaced. Readers take `docs` once and keep it."""

    def __init__(self, docs: Docs, source: Source) -> None:
        self.docs = docs
        self.source = source
        self._listeners: list[Purge] = []
        self._followers: list[Follow] = []
        self._besides: list[Callable[[], frozenset[str]]] = []
        self._turn = threading.Lock()
        self._besides_turn = threading.Lock()

    def on_purge(self, listener: Purge) -> None:
        """Call `listener` with the stale tags after each change, from the thread that refreshed."""
        self._listeners.append(listener)

    def on_change(self, follower: Follow) -> None:
        """Call `follower` with each new edition, from the thread that refreshed."""
        self._followers.append(follower)

    def beside(self, refresh: Callable[[], frozenset[str]]) -> None:
        """Call `refresh` with each refresh of the docs: it looks at something else, and returns the stale tags."""
        self._besides.append(refresh)

    def purge(self, stale: frozenset[str]) -> None:
        """Tell the listeners that these tags are no longer true. From any thread."""
        _call_each(self._listeners, stale)

    def refresh(self, refs: Collection[Ref] | None = None) -> frozenset[str]:
        """Do all of what follows once, and return the tags that became stale. Blocks.

        Each part is done even if another one fails. Raises what the first that failed has raised.
        """
        parts = self.refresh_besides, partial(self.refresh_content, refs), partial(self.fetch_histories, refs)
        stale: frozenset[str] = frozenset()
        failures: list[Exception] = []
        for part in parts:
            try:
                stale |= part()
            except Exception as failure:  # noqa: BLE001 - it is raised after the others
                failures.append(failure)
        if failures:
            raise failures[0]
        return stale

    def refresh_content(self, refs: Collection[Ref] | None = None) -> frozenset[str]:
        """Ask the source for something newer, switch to it at once, and return the tags that became stale. Blocks."""
        with self._turn:
            return self._switch(self.source.refresh(refs))

    def fetch_histories(self, refs: Collection[Ref] | None = None) -> frozenset[str]:
        """Ask the source when files changed and by whom, which may take its time. Gives the stale tags. Blocks."""
        with self._turn:
            return self._switch(self.source.look_back(refs))

    def refresh_besides(self) -> frozenset[str]:
        """Look at everything that is not the docs, and return the tags that became stale. Blocks.

        What raises does not keep the others from being looked at. Raises what the first of them has raised.
        """
        stale: set[str] = set()
        failures: list[Exception] = []
        with self._besides_turn:
            for refresh in self._besides:
                try:
                    stale |= refresh()
                except Exception as failure:  # noqa: BLE001 - it is raised after the others
                    failures.append(failure)
            if stale:
                self.purge(frozenset(stale))
        if failures:
            raise failures[0]
        return frozenset(stale)

    def _switch(self, snapshot: Snapshot) -> frozenset[str]:
        before = self.docs
        changed = changes(before.snapshot, snapshot)
        if not changed:
            return frozenset()
        after = before.succeed(snapshot)
        stale = frozenset(before.stale_tags(changed, after))
        self.docs = after
        for change in changed:
            tree = snapshot.trees.get(change.ref)
            log.info(
                "docs changed",
                ref=str(change.ref),
                files=len(change.paths),
                revision=tree.revision[:12] if tree else "gone",
            )
        self.purge(stale)
        _call_each(self._followers, after)
        return stale


def _call_each(listeners: Sequence[Callable[[T], None]], value: T) -> None:
    """Call all of them. One that fails does not keep the others from being called."""
    for listener in tuple(listeners):
        try:
            listener(value)
        except Exception:
            log.exception("listener failed", listener=getattr(listener, "__qualname__", repr(listener)))


@dataclass(frozen=True)
class Site:
    """One family's website, ready to answer."""

    settings: Settings
    catalog: Catalog
    palette: Palette
    landings: Mapping[str, Landing]
    logos: Logos
    redirects: Redirects
    editions: Editions
    blog: Blog
    pages: WrittenPages
    sponsors: SponsorRoll
    protocol: Protocol
    markdown: MarkdownPool
    caches: CacheBudget
    """What all caches may hold together."""
    highlighter: Highlighter | None = None
    search: SiteSearch | None = None
    """None where the site's own words are not indexed."""
    reader: FileReader = field(default_factory=FileReader)

    def begin(self, supervisor: Supervisor) -> None:
        """Start the background services, which `supervisor` stops. Blocks for a moment."""
        self.protocol.indexes.begin(supervisor)
        if self.search is not None:
            self.search.begin(supervisor)
        if self.highlighter is not None:
            self.highlighter.start(supervisor)
            self.highlighter.warm(self.sections)

    def sections(self, *, on_page: Callable[[], None] = lambda: None) -> Iterator[Section]:
        """All code of the site, to be highlighted before anybody asks for it."""
        docs = self.editions.docs
        besides: list[Section] = [landing_section(self.landings), self.blog.section()]
        return chain(sections(docs, on_page=on_page), besides, example_sections(self.catalog, docs.shelves))

    def end(self) -> None:
        """Close what is open. To be called after the supervisor has stopped; blocks for some seconds at most."""
        self.reader.close()
        self.markdown.close()
        self.editions.source.stop()
        self.protocol.close()
        if self.search is not None:
            self.search.close()
        if self.highlighter is not None:
            self.highlighter.close()


def open_site(settings: Settings, *, source: Source | None = None) -> Site:
    """Read the facts and open the docs. Raises BadFact for a wrong fact, Unavailable when there are no docs at all.

    `source` is where docs come from; by default the mirror where there is one, else the bundled docs.
    """
    catalog = load_catalog(settings.data)
    redirects = load_redirects(settings.data)
    apart = source is None
    if source is None:
        source = default_source(settings, catalog)
    caches = CacheBudget(settings.memory_mb << 20)
    highlighter = open_highlighter(settings, caches)
    pool = MarkdownPool()
    markdown = MarkdownRenderer(pool)
    docs = Docs(catalog, redirects, source.open(), colours=highlighter, markdown=markdown, caches=caches)
    editions = Editions(docs, source)
    blog = open_blog(settings, catalog, colours=highlighter, markdown=markdown)
    editions.beside(blog.refresh)
    pages = open_pages(settings, catalog, colours=highlighter, markdown=markdown)
    editions.beside(pages.stale)
    answers: Answers = caches.add("search answers", Worth.SEARCH, SharedRecent(KEPT_ANSWERS))
    search = open_search(settings, editions, blog, apart=apart, answers=answers) if settings.search else None
    landings = load_landings(settings.data, catalog)
    site = Site(
        settings=settings,
        catalog=catalog,
        palette=load_palette(settings.data, catalog),
        landings=landings,
        logos=Logos.of(landings),
        redirects=redirects,
        editions=editions,
        blog=blog,
        pages=pages,
        sponsors=open_sponsors(settings, catalog),
        protocol=open_protocol(settings, made_index(catalog, search) if search else {}, answers=answers, caches=caches),
        markdown=pool,
        caches=caches,
        highlighter=highlighter,
        search=search,
    )
    if highlighter is not None:
        highlighter.on_ready(editions.purge)
        editions.on_change(lambda _: highlighter.warm(site.sections))
    return site


def site_words(settings: Settings) -> Words:
    """Everything that can be searched, read by who needs nothing else of the site."""
    catalog = load_catalog(settings.data)
    markdown = MarkdownRenderer(MarkdownPool())
    source = default_source(settings, catalog)
    docs = Docs(catalog, load_redirects(settings.data), source.open(), markdown=markdown)
    return Words(docs, open_blog(settings, catalog, markdown=markdown).published, load_rules(settings.data))


def open_search(
    settings: Settings, editions: Editions, blog: Blog, *, apart: bool, answers: Answers | None = None
) -> SiteSearch:
    """The index of the site's own words. `apart` where another process can read them, and so may make it."""
    rules = load_rules(settings.data)
    folder = settings.var / "search"

    def words() -> Words:
        return Words(editions.docs, blog.published, rules)

    builder = BuildApart(environment_of(settings)) if apart else BuildHere(folder, words)
    search = SiteSearch(folder, rules, words, builder, answers)
    editions.on_change(lambda _: search.follow())
    return search


def made_index(catalog: Catalog, search: SiteSearch) -> Mapping[str, Made]:
    """The index of the site's own words as the protocol offers it."""
    name = docs_index(catalog)
    return {name: lambda: Shelf.of_site(name, search.index, search.rules.settings)}


def docs_index(catalog: Catalog) -> str:
    """What the search index of the site's own words is called."""
    return catalog.family.lower().replace(" ", "-")


def open_protocol(
    settings: Settings,
    made: Mapping[str, Made],
    *,
    answers: Answers | None = None,
    caches: CacheBudget | None = None,
) -> Protocol:
    """The search protocol over the indexes that are made of the site, and those that are pushed to it."""
    return Protocol(
        Indexes(made, PushedIndexes(settings.var / "pushed", now=lambda: datetime.now(UTC), answers=answers)),
        Searches(settings.var / "searches.sqlite", today=lambda: datetime.now(UTC).date()),
        Keys(settings.search_app_id, settings.search_key, settings.search_admin_key),
        caches=caches,
    )


def open_blog(
    settings: Settings,
    catalog: Catalog,
    *,
    colours: Highlighter | None = None,
    markdown: MarkdownRenderer | None = None,
) -> Blog:
    """The family's blog, with its drafts where they are wanted."""
    libraries = [library.id for library in catalog.libraries]
    return Blog(settings.words / "blog", libraries, drafts=settings.drafts, colours=colours, markdown=markdown)


def open_pages(
    settings: Settings,
    catalog: Catalog,
    *,
    colours: Highlighter | None = None,
    markdown: MarkdownRenderer | None = None,
) -> WrittenPages:
    """The site's own pages, told what the family is called and who runs the site."""
    facts = {"family": catalog.family, "owner": catalog.owner, "contact": catalog.contact}
    return WrittenPages(settings.words / "pages", facts, colours=colours, markdown=markdown)


def open_sponsors(settings: Settings, catalog: Catalog) -> SponsorRoll:
    """The sponsors that our facts name, and those on GitHub when there is a token to ask with."""
    login = catalog.sponsors_url.rsplit("/", 1)[-1]
    token, api = settings.github_token, settings.github_api
    return SponsorRoll(
        load_sponsor_facts(settings.data),
        catalog.partners,
        github=GitHubSponsors(login, token, api=api) if token else None,
        become_url=catalog.sponsors_url,
        folder=settings.var,
    )


def open_highlighter(settings: Settings, caches: CacheBudget | None = None) -> Highlighter | None:
    """None where code stays plain: highlighting is off, or its bundle is not built."""
    bundle = settings.frontend / "ssr" / "highlight.js"
    if not settings.highlight or not bundle.exists():
        return None
    return Highlighter(bundle.read_text(encoding="utf-8"), settings.var / "highlight.sqlite", caches=caches)


def family_refs(catalog: Catalog) -> tuple[Ref, ...]:
    """Every branch that the registry names."""
    return tuple(Ref(repo, branch) for repo, branch in catalog.refs())


def mirror_source(
    settings: Settings, catalog: Catalog, *, on_progress: Callable[[SyncEvent], None] | None = None
) -> MirrorSource:
    """The git mirrors of everything that the registry names. Raises Invalid when mirrors are turned off."""
    if settings.mirror is None:
        raise Invalid("KINFOLK_MIRROR is off: name a folder for the mirrors")
    roots: dict[Ref, list[str]] = {ref: [] for ref in family_refs(catalog)}
    for library in catalog.libraries:
        for version in library.versions:
            roots[Ref(library.repo, version.branch)].append(library.docs_root)

    def validate(path: str, content: bytes) -> None:
        parse_config(path, content)

    return MirrorSource(
        settings.mirror,
        {ref: Wanted(tuple(dict.fromkeys(docs_roots))) for ref, docs_roots in roots.items()},
        validate,
        url_template=settings.upstream,
        timeout_s=settings.fetch_timeout_s,
        on_progress=on_progress,
    )


def default_source(settings: Settings, catalog: Catalog) -> Source:
    """What `kinfolk sync` has mirrored, and the bundled docs for every branch it has not."""
    bundled = DirectorySource(settings.content, family_refs(catalog), "the bundled docs")
    if settings.mirror is None:
        return bundled
    return LayeredSource(mirror_source(settings, catalog), bundled, (settings.mirror / PUBLISHED).exists)
