"""What is broken in a directory of docs: navigation, links, anchors and images, each with its file and line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml

from kinfolk.blog import Post, read_posts
from kinfolk.budget import BUDGETS, MB, Limit
from kinfolk.catalog import Library, Version, load_catalog
from kinfolk.docs import Docs
from kinfolk.docs.library import segment_of
from kinfolk.docs.shelf import Shelf
from kinfolk.errors import BadFact, SiteError, Unavailable
from kinfolk.markdown.front import ForeignYaml, read_block, split_front
from kinfolk.markdown.page import Page
from kinfolk.markdown.pool import MarkdownPool
from kinfolk.markdown.renderer import MarkdownRenderer
from kinfolk.pages import WrittenPages
from kinfolk.redirects import load_redirects
from kinfolk.settings import Settings
from kinfolk.site import family_refs, open_pages
from kinfolk.sources.directory import DirectorySource
from kinfolk.sources.paths import shown
from kinfolk.sources.snapshot import Ref

Pages = dict[str, tuple[str, Page]]
"""Files and what they say, by the address that shows them."""


_LIMITS = BUDGETS["markdown"]
_TOO_COMPLEX: Mapping[Limit, str] = {
    "time": f"it takes more than {_LIMITS.cpu_s:g} s of CPU time",
    "memory": f"it takes more than {_LIMITS.memory_bytes // MB} MB of memory",
    "size": f"its text has more than {_LIMITS.input_bytes // MB} MB, or its HTML {_LIMITS.answer_bytes // MB} MB",
    "depth": "it is nested too deeply",
    "items": f"it has more than {_LIMITS.input_items} headings, links, images or code blocks",
}


@dataclass(frozen=True)
class Report:
    """Everything that is wrong, and how much was looked at."""

    faults: tuple[BadFact, ...]
    pages: int
    links: int


def check_docs(settings: Settings, content: Path) -> Report:
    """Read every page below `content`, laid out {owner}/{repo}/{branch}/…, as the site would show it."""
    catalog = load_catalog(settings.data)
    snapshot = DirectorySource(content, family_refs(catalog), str(content)).open()
    pool = MarkdownPool()
    try:
        markdown = MarkdownRenderer(pool)
        docs = Docs(catalog, load_redirects(settings.data), snapshot, markdown=markdown)
        walk = _Walk(docs)
        faults = list(walk.faults())
        if content.resolve() == settings.content.resolve():  # the blog links to our own docs; others need not have them
            libraries = [library.id for library in catalog.libraries]
            posts, wrong = read_posts(settings.words / "blog", libraries, markdown)
            faults += [*wrong, *walk.faults_of_blog(posts)]
            faults += walk.faults_of_written(open_pages(settings, catalog, markdown=markdown), posts)
    finally:
        pool.close()
    return Report(tuple(faults), pages=len(walk.pages), links=walk.links)


@dataclass
class _Walk:
    """One pass over all versions of all libraries: first every page is read, then every link is followed."""

    docs: Docs
    pages: Pages = field(default_factory=dict)
    links: int = 0

    def faults(self) -> Iterator[BadFact]:
        for ref, shelf in sorted(self.docs.shelves.items()):
            yield from self._faults_of_names(ref, shelf)
        for library, version, shelf in self._versions():
            yield from self._faults_of_navigation(library, shelf)
            yield from self._read_pages(library, version, shelf)
        for file, page in list(self.pages.values()):
            # That a link leads to no page was seen when it was resolved.
            yield from self._faults_of_links(file, page, self.pages, lambda _: True)

    def faults_of_blog(self, posts: Collection[Post]) -> Iterator[BadFact]:
        """To be asked after `faults`. Posts link to docs, and to each other, by their addresses on the site."""
        pages = self.pages | _routes_of(posts)
        for file, page in _routes_of(posts).values():
            yield from self._faults_of_links(
                file, page, pages, lambda path: "/docs/" not in path and not path.startswith("/blog/")
            )

    def faults_of_written(self, written: WrittenPages, posts: Collection[Post]) -> Iterator[BadFact]:
        """To be asked after `faults`. The site's own pages may link to any page of the site."""
        own: Pages = {}
        for name in written.names:
            try:
                own[f"/{name}"] = (f"pages/{name}.md", written.read(name).page)
            except BadFact as wrong:
                yield wrong
        pages = self.pages | _routes_of(posts) | own
        for route, (file, page) in own.items():
            yield from self._faults_of_links(file, page, pages, self._is_known, here=route)

    def _faults_of_links(
        self, file: str, page: Page, pages: Pages, is_known: Callable[[str], bool], *, here: str = ""
    ) -> Iterator[BadFact]:
        """`pages` are those whose anchors we know; `is_known` says whether something else of ours may be at a path."""
        if page.limit is not None:
            reason = _TOO_COMPLEX[page.limit]
            yield BadFact(file, "", f"the page is too complex to format, and shown as plain text: {reason}")
        for link in page.links:
            self.links += 1
            where = f"line {link.line}"
            parts = urlsplit(link.href)
            ours = not parts.scheme and not parts.netloc
            path = unquote(parts.path) or here
            target = pages.get(path) if ours else None
            if link.broken or (ours and path and target is None and not is_known(path)):
                yield BadFact(file, where, f"the link {link.written} leads nowhere")
            elif parts.fragment and target and unquote(parts.fragment) not in target[1].anchors:
                yield BadFact(file, where, f"{link.written} names an anchor that {target[0]} does not have")

    def _is_known(self, path: str) -> bool:
        """Whether a page answers here that is made of facts instead of a text."""
        home, _, version = path.strip("/").partition("/")
        library = next((library for library in self.docs.catalog.libraries if library.id == home), None)
        if library is not None:
            return version == "" or library.is_known_version(version)
        return path in ("/", "/blog") or self.docs.redirects.match(path) is not None

    def _versions(self) -> Iterator[tuple[Library, Version, Shelf]]:
        for library in self.docs.catalog.libraries:
            for version in library.versions:
                try:
                    yield library, version, self.docs.shelf(Ref(library.repo, version.branch))
                except Unavailable:
                    continue

    def _faults_of_names(self, ref: Ref, shelf: Shelf) -> Iterator[BadFact]:
        """Files that the site leaves out for how they are called."""
        for path, reason in shelf.tree.left_out.items():
            yield BadFact(f"{ref.repo}/{ref.branch}", path, f"is left out, because {reason}")
        for path, reason in self.docs.pages_left_out(ref).items():
            yield BadFact(f"{ref.repo}/{ref.branch}", shown(path), f"is no page, because {reason}")

    def _faults_of_navigation(self, library: Library, shelf: Shelf) -> Iterator[BadFact]:
        path = f"{library.docs_root}/config.json"
        file = _name(shelf, path)
        try:
            config = shelf.config(library.docs_root)
        except BadFact as wrong:
            yield BadFact(file, wrong.key, wrong.reason)
            return
        except SiteError as wrong:
            yield BadFact(file, "", wrong.message)
            return
        text = _text(shelf, path)
        for section in config.sections:
            if not section.children and not any(framework.children for framework in section.frameworks):
                yield BadFact(file, _line_of(text, f'"{section.label}"'), f"the section {section.label} has no entries")
        for link in config.links():
            if not shelf.has_entry(library.docs_root, link.to):
                # As written, or with a slip that was mended: a leading slash, an extension.
                where = _line_of(text, f'"{link.to}"') or _line_of(text, link.to)
                yield BadFact(file, where, f"{link.label}: {link.to} leads nowhere")

    def _read_pages(self, library: Library, version: Version, shelf: Shelf) -> Iterator[BadFact]:
        root = library.docs_root + "/"
        for path in self.docs.pages(shelf.ref):
            if self.docs.home(shelf.ref, path)[0] is not library:
                continue
            file, text = _name(shelf, path), _text(shelf, path)
            yield from _faults_of_front(file, text)
            try:
                shown = self.docs.page(shelf.ref, path, None, set())
            except SiteError as wrong:
                yield BadFact(file, "", wrong.message)
                continue
            for image in shown.missing_images:
                yield BadFact(file, _line_of(text, image), f"the image {image} does not exist")
            route = f"/{library.id}/{segment_of(library, version)}/docs/{path.removeprefix(root).removesuffix('.md')}"
            self.pages[route] = (file, shown.page)
            self.pages.setdefault(route.removesuffix("/index"), (file, shown.page))


def _faults_of_front(file: str, text: str) -> Iterator[BadFact]:
    """What the site leaves out silently: readers would see a page without its title."""
    try:
        front = read_block(split_front(text)[0])
    except (yaml.YAMLError, ForeignYaml) as wrong:
        mark = wrong.problem_mark if isinstance(wrong, yaml.MarkedYAMLError) else None
        reason = getattr(wrong, "problem", None) or str(wrong)
        yield BadFact(
            file, f"line {mark.line + 2}" if mark else "", f"the front matter is not YAML that we read: {reason}"
        )
        return
    if front and not isinstance(front, dict):
        yield BadFact(file, "line 2", "the front matter is not a table of keys")


def _routes_of(posts: Collection[Post]) -> Pages:
    return {f"/blog/{post.slug}": (f"blog/{post.slug}.md", post.page) for post in posts}


def _name(shelf: Shelf, path: str) -> str:
    return f"{shelf.ref.repo}/{shelf.ref.branch}/{path}"


def _text(shelf: Shelf, path: str) -> str:
    return shelf.tree.read(path).decode(errors="replace")


def _line_of(text: str, words: str) -> str:
    """Where these words first stand in a text; empty where they do not, as on a page that borrows its text."""
    before, found, _ = text.partition(words)
    return f"line {before.count(chr(10)) + 1}" if found else ""
