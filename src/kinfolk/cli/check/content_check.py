"""Checks a directory of docs: navigation, links, anchors and images. Reports each fault with its file and line."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml

from kinfolk.config.catalog import LATEST, Catalog, Library, Version, open_catalog
from kinfolk.config.docs_address import DocsAddress, Ref
from kinfolk.config.routes import OPTIONAL_PARTS, SERVER_RESOURCE, RouteMatch
from kinfolk.config.settings import Settings
from kinfolk.config.site_folder import SITE_FILE
from kinfolk.content.blog import BlogPost, read_posts
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.branch_docs import BranchDocs
from kinfolk.content.docs.docs_source import checkouts, default_source, missing_copies
from kinfolk.content.docs.other_pages.nearest_page import framework_in, version_alternative
from kinfolk.content.docs.pages.location import path_in_docs, version_segment
from kinfolk.content.docs.snapshots.version_docs import VersionDocs
from kinfolk.content.markdown.front_matter import UnsupportedYaml, parse_yaml_block, split_front_matter, yaml_tags
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.open_content import open_pages
from kinfolk.content.pages.prose_pages import ProsePages
from kinfolk.content.redirects import load_redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.content.sources.paths import quoted_path
from kinfolk.content.sources.snapshot import Snapshot
from kinfolk.runtime.budget import BUDGETS, MB, Limit
from kinfolk.runtime.errors import InvalidFile, SiteError, Unavailable
from kinfolk.statistics.open_statistics import npm_config
from kinfolk.web.endpoints.pages.page_addresses import PageAddresses

Pages = dict[str, tuple[str, MarkdownPage]]
"""File and page by the URL that shows them."""


_LIMITS = BUDGETS["markdown"]
_TOO_COMPLEX: Mapping[Limit, str] = {
    "time": f"it takes more than {_LIMITS.cpu_s:g} s of CPU time",
    "memory": f"it takes more than {_LIMITS.memory_bytes // MB} MB of memory",
    "size": f"its text has more than {_LIMITS.input_bytes // MB} MB, or its HTML {_LIMITS.answer_bytes // MB} MB",
    "depth": "it is nested too deeply",
    "items": f"it has more than {_LIMITS.input_items} headings, links, images or code blocks",
}


@dataclass(frozen=True)
class ContentReport:
    """All faults, and the numbers of checked pages and links."""

    faults: tuple[InvalidFile, ...]
    pages: int
    links: int
    warnings: tuple[InvalidFile, ...] = ()


OnPage = Callable[[int, int], None]
"""Receives the number of pages that are read, and that of all pages."""


def check_content(settings: Settings, content: Path, on_page: OnPage | None = None) -> ContentReport:
    """Render each page below `content`, a directory of {owner}/{repo}/{branch}/…, and check it."""
    catalog = open_catalog(settings)
    snapshot = snapshot_of(settings, catalog, content)
    # Posts and prose pages link to the docs of `settings.content`; another directory need not contain these.
    is_served = content.resolve() == settings.content.resolve()
    return check_snapshot(settings, catalog, snapshot, with_other_pages=is_served, on_page=on_page)


def check_served_content(settings: Settings, on_page: OnPage | None = None) -> ContentReport:
    """Render and check each page that the site serves: the mirrored branches, and the bundled docs for all others."""
    catalog = open_catalog(settings)
    snapshot = snapshot_of(settings, catalog)
    report = check_snapshot(settings, catalog, snapshot, with_other_pages=True, on_page=on_page)
    return replace(report, faults=(*faults_of_copies(settings, catalog, snapshot), *report.faults))


def snapshot_of(settings: Settings, catalog: Catalog, content: Path | None = None) -> Snapshot:
    """The docs in a directory of {owner}/{repo}/{branch}/…, by default those that are served. Raises Unavailable."""
    if content is not None:
        return DirectorySource(content, catalog.refs, str(content), checkouts=checkouts(settings, catalog)).open()
    try:
        return default_source(settings, catalog).open()
    except Unavailable:
        if settings.mirror is None:
            raise
        return Snapshot({})


def with_local_paths(fault: InvalidFile, settings: Settings, catalog: Catalog) -> InvalidFile:
    """The fault with the file as it is named from the folder of the site, if it is in a folder of this machine."""
    folders = {ref: settings.content / ref.repo / ref.branch for ref in catalog.refs} | dict(
        checkouts(settings, catalog)
    )
    for ref, folder in folders.items():
        name = f"{ref.repo}/{ref.branch}"
        if f"{fault.file}/".startswith(f"{name}/") and (folder / fault.file[len(name) + 1 :]).exists():
            local = os.path.relpath(folder, settings.site)
            prefix = "" if local == "." else f"{local}/"
            file = f"{prefix}{fault.file[len(name) + 1 :]}".rstrip("/") or "."
            return InvalidFile(file, fault.key, fault.reason.replace(f" {name}/", f" {prefix}"))
    return fault


def faults_of_copies(settings: Settings, catalog: Catalog, snapshot: Snapshot) -> tuple[InvalidFile, ...]:
    """Libraries whose docs are not on this machine, so that they cannot be checked."""
    return tuple(
        InvalidFile(
            f"libraries/{id}.toml",
            "",
            f"there is no copy of {' and '.join(map(str, refs))}: run `kinfolk sync {id}`",
        )
        for id, refs in missing_copies(settings, catalog, snapshot.trees).items()
    )


def check_snapshot(
    settings: Settings,
    catalog: Catalog,
    snapshot: Snapshot,
    *,
    with_other_pages: bool = False,
    on_page: OnPage | None = None,
) -> ContentReport:
    """The report of a snapshot and, with other pages, of posts and prose pages."""
    pool = MarkdownProcessPool()
    pool.first_framework, pool.link_schemes = catalog.default_framework, catalog.link_schemes
    try:
        markdown = MarkdownRenderer(pool)
        docs_snapshot = DocsSnapshot(catalog, load_redirects(settings.site), snapshot, markdown=markdown)
        if not with_other_pages:
            check = ContentCheck(docs_snapshot, posts=None, on_page=on_page)
            faults = list(check.faults())
        else:
            libraries = [library.id for library in catalog.libraries]
            posts, invalid_posts = read_posts(settings.site / "blog", libraries, markdown)
            prose = open_pages(settings, catalog, markdown=markdown)
            has_statistics = bool(npm_config(settings, catalog).categories)
            check = ContentCheck(
                docs_snapshot, posts=posts, prose=prose, has_statistics=has_statistics, on_page=on_page
            )
            faults = [*check.faults(), *invalid_posts, *check.faults_of_blog()]
            faults += [*check.faults_of_prose(prose), *check.faults_of_menus()]
    finally:
        pool.close()
    pages = len({id(page) for _, page in check.pages.values()})
    return ContentReport(tuple(faults), pages, check.links, tuple(check.warnings))


@dataclass
class ContentCheck:
    """One pass over all versions of all libraries: renders all pages, then checks all links."""

    docs_snapshot: DocsSnapshot
    posts: Collection[BlogPost] | None
    """None where the posts are not part of the checked directory, so that links to them cannot be checked."""
    pages: Pages = field(default_factory=dict)
    links: int = 0
    prose: ProsePages | None = None
    """None where the site's own pages are not part of the checked directory."""
    has_statistics: bool = True
    warnings: list[InvalidFile] = field(default_factory=list)
    on_page: OnPage | None = None

    def __post_init__(self) -> None:
        self._read = 0
        self.docs = ContentReader(self.docs_snapshot)
        self.addresses = PageAddresses(
            self.docs.catalog,
            lambda: self.posts or (),
            has_page=lambda name: self.prose is None or self.prose.has(name),
            has_statistics=self.has_statistics,
            has_upgrades=bool(self.docs.catalog.npm_names),
        )

    def faults(self) -> Iterator[InvalidFile]:
        for ref, branch_docs in sorted(self.docs_snapshot.branches.items()):
            yield from self.faults_of_names(ref, branch_docs)
        for library, version, branch_docs in self.versions():
            yield from self.faults_of_navigation(library, version, branch_docs)
            yield from self._read_pages(library, version, branch_docs)
            self.warnings += self._links_to_latest(library, version, branch_docs)
        # A page of a folder has two addresses.
        for file, page in {id(page): (file, page) for file, page in self.pages.values()}.values():
            yield from self.faults_of_links(file, page, self.pages)

    def faults_of_blog(self) -> Iterator[InvalidFile]:
        """The faults of all posts. Call it after `faults`, which reads the pages that posts link to."""
        routes = _routes_of(self.posts or ())
        for file, page in routes.values():
            yield from self.faults_of_links(file, page, self.pages | routes)

    def faults_of_prose(self, prose: ProsePages) -> Iterator[InvalidFile]:
        """The faults of the site's own pages. Call it after `faults`, which reads the pages that they link to."""
        own: Pages = {}
        for path in prose.files:
            try:
                read = prose.read_file(path)
            except InvalidFile as invalid:
                yield invalid
                continue
            file = f"pages/{prose.path_in_folder(path)}"
            own[read.address] = (file, read.page)
            for link in read.links:
                if link.to.startswith("/") and not self._exists(unquote(urlsplit(link.to).path)):
                    yield InvalidFile(file, "links", f"the link {link.to} leads nowhere")
        pages = self.pages | _routes_of(self.posts or ()) | own
        for route, (file, page) in own.items():
            yield from self.faults_of_links(file, page, pages, here=route)

    def faults_of_menus(self) -> Iterator[InvalidFile]:
        """Links of the configuration that lead nowhere."""
        catalog = self.docs.catalog
        own = [(f"menu[{at}]", link.to) for at, link in enumerate(catalog.menu)]
        own += [(f"footer[{at}]", link.to) for at, link in enumerate(catalog.footer)]
        if catalog.announcement and catalog.announcement.href:
            own.append(("announcement.href", catalog.announcement.href))
        own += [(f"links.{key}", to) for key, to in vars(catalog.links).items() if to is not None]
        # Menus show a link to an optional part only while the site has that part.
        links = [(SITE_FILE, key, to) for key, to in own if to not in OPTIONAL_PARTS]
        for library in catalog.libraries:
            file = f"libraries/{library.id}.toml"
            links += [(file, f"menu[{at}]", entry.to) for at, entry in enumerate(library.menu)]
            if library.call_to_action is not None:
                docs = f"{library.to}/{LATEST}/docs/{library.call_to_action.to}"
                links.append((file, "call_to_action", docs))
        for file, key, to in links:
            if to.startswith("/") and not self._exists(unquote(urlsplit(to).path)):
                yield InvalidFile(file, key, f"{to} leads nowhere")

    def faults_of_links(self, file: str, page: MarkdownPage, pages: Pages, *, here: str = "") -> Iterator[InvalidFile]:
        """`pages` are those whose anchors are known; `here` is the address of the page."""
        if page.limit is not None:
            reason = _TOO_COMPLEX[page.limit]
            yield InvalidFile(file, "", f"the page is too complex to format, and shown as plain text: {reason}")
        for link in page.links:
            self.links += 1
            line = f"line {link.line}"
            parts = urlsplit(link.href)
            is_internal = not parts.scheme and not parts.netloc
            path = unquote(parts.path) or here
            target = pages.get(path) if is_internal else None
            is_broken = link.broken and not (is_internal and self.docs.redirects.match(path))
            if is_broken or (is_internal and path and target is None and not self._exists(path)):
                yield InvalidFile(file, line, f"the link {link.written} leads nowhere")
            elif parts.fragment and target and unquote(parts.fragment) not in target[1].anchors:
                yield InvalidFile(file, line, f"{link.written} names an anchor that {target[0]} does not have")

    def _exists(self, path: str) -> bool:
        """Whether the path has a response. True for paths in docs that are not part of the checked directory."""
        path = path.rstrip("/") or "/"
        if SERVER_RESOURCE.fullmatch(path) or self.docs.redirects.match(path):
            return True
        match = self.addresses.route(path)
        if match.route.exists == "post" and self.docs.redirects.match(path, missing=True):
            return True
        if match.route.exists in ("post", "blog") and self.posts is None:
            return True
        return self.addresses.exists(match, self.docs) or self._is_missing_branch(match)

    def _is_missing_branch(self, match: RouteMatch) -> bool:
        library = next((each for each in self.docs.catalog.libraries if each.id == match.params.get("library")), None)
        version = match.params.get("version", "")
        return (
            library is not None
            and library.is_known_version(version)
            and self.docs.find_branch(library.ref(version)) is None
        )

    def versions(self) -> Iterator[tuple[Library, Version, BranchDocs]]:
        for library in self.docs.catalog.libraries:
            for version in library.versions:
                branch = self.docs_snapshot.branches.get(library.ref(version.name))
                if branch is not None:
                    yield library, version, branch

    def faults_of_names(self, ref: Ref, branch_docs: BranchDocs) -> Iterator[InvalidFile]:
        """Files that the site does not list because of their names."""
        for path, reason in branch_docs.tree.left_out.items():
            yield InvalidFile(f"{ref.repo}/{ref.branch}", path, f"is left out, because {reason}")
        for path, reason in branch_docs.tree.broken_links.items():
            if self.docs.catalog.docs_home(ref, path):
                yield InvalidFile(f"{ref.repo}/{ref.branch}", quoted_path(path), f"is left out, because {reason}")
        for path, reason in self.docs.files_without_url(ref).items():
            yield InvalidFile(f"{ref.repo}/{ref.branch}", quoted_path(path), f"is no page, because {reason}")

    def faults_of_navigation(
        self, library: Library, version: Version, branch_docs: BranchDocs
    ) -> Iterator[InvalidFile]:
        docs_root = library.docs_facts(version.name).docs_root
        path = branch_docs.config_file(docs_root)
        file = _name(branch_docs, path)
        try:
            config = branch_docs.config(docs_root)
        except InvalidFile as wrong:
            yield InvalidFile(file, wrong.key, wrong.reason)
            return
        except SiteError as wrong:
            yield InvalidFile(file, "", wrong.message)
            return
        if path not in branch_docs.files:
            for link in config.links():
                if not branch_docs.has_entry(docs_root, link.path):
                    yield InvalidFile(f"libraries/{library.id}.toml", "docs_menu", f"{link.to} leads nowhere")
            return
        text = _text(branch_docs, path)
        for section in config.sections:
            if not section.children and not any(framework.children for framework in section.frameworks):
                yield InvalidFile(
                    file, _line_of(text, f'"{section.label}"'), f"the section {section.label} has no entries"
                )
        for link in config.links():
            if not branch_docs.has_entry(docs_root, link.path):
                # As written, or after a corrected mistake: a leading slash, an extension.
                line = _line_of(text, f'"{link.to}"') or _line_of(text, link.to)
                yield InvalidFile(file, line, f"{link.label}: {link.to} leads nowhere")

    def _links_to_latest(self, library: Library, version: Version, branch_docs: BranchDocs) -> Iterator[InvalidFile]:
        """Folders of an older version whose link to the latest version leads to another framework or nowhere."""
        if version.name == library.latest_version:
            return
        folder = f"{branch_docs.ref.repo}/{branch_docs.ref.branch}/{library.docs_facts(version.name).docs_root}"
        lost: dict[tuple[str, str], int] = {}
        for path in VersionDocs(self.docs, library, version).pages():
            latest = version_alternative(self.docs, DocsAddress(library.id, version.name, path), LATEST)
            if latest is None:
                yield InvalidFile(folder, "", "the link to the latest version is missing: its branch has no copy")
                return
            own, target = framework_in(path), framework_in(latest.to.removeprefix(f"{library.to}/{LATEST}/docs/"))
            if own and target and own != target:
                lost[own, target] = lost.get((own, target), 0) + 1
        for (own, target), pages in sorted(lost.items()):
            of_pages = "1 page" if pages == 1 else f"{pages} pages"
            reason = f"the latest version has no docs for {own}: links to it from {of_pages} lead to {target}"
            yield InvalidFile(f"{folder}/framework/{own}", "", reason)

    def _read_pages(self, library: Library, version: Version, branch_docs: BranchDocs) -> Iterator[InvalidFile]:
        for path in self.docs.pages(branch_docs.ref, library.docs_facts(version.name).docs_root):
            read = read_page(self.docs, library, version, branch_docs, path)
            self._read += 1
            if self.on_page is not None:
                self.on_page(self._read, sum(len(self.docs.pages(ref)) for ref in self.docs_snapshot.branches))
            yield from read.faults
            self.warnings += read.warnings
            self.add_page(read)

    def add_page(self, read: ReportedPage) -> None:
        """Links can lead to the page, and to its anchors."""
        if read.page is not None:
            self.pages[read.address] = (read.file, read.page)
            self.pages.setdefault(read.address.removesuffix("/index"), (read.file, read.page))


@dataclass(frozen=True)
class ReportedPage:
    """A page of the docs, and what is wrong with its own text. `page` is None where it cannot be rendered."""

    file: str
    address: str
    page: MarkdownPage | None
    faults: tuple[InvalidFile, ...]
    warnings: tuple[InvalidFile, ...] = ()


def read_page(
    docs: ContentReader, library: Library, version: Version, branch_docs: BranchDocs, path: str
) -> ReportedPage:
    """Render a page, and report what is wrong with it, except its links."""
    written = branch_docs.real_file(path)
    file, text = _name(branch_docs, written), _text(branch_docs, written)
    name = path_in_docs(library.docs_facts(version.name).docs_root, path)
    address = f"/{library.id}/{version_segment(library, version)}/docs/{name}"
    faults = [*_faults_of_encoding(file, branch_docs.read(written)), *_faults_of_front_matter(file, text)]
    try:
        doc = docs.page(docs.locate(branch_docs.ref, path))
    except SiteError as wrong:
        return ReportedPage(file, address, None, (*faults, InvalidFile(file, "", wrong.message)))
    problems = [
        (problem.is_warning, InvalidFile(file, f"line {problem.line}", problem.message))
        for problem in doc.page.problems
    ]
    for image, is_shown in doc.pointer_images:
        where = "it is shown from the code host" if is_shown else "it is not shown"
        fault = InvalidFile(file, _line_of(text, image), f"the image {image} is kept in Git LFS: {where}")
        problems.append((is_shown, fault))
    faults += [fault for is_warning, fault in problems if not is_warning]
    faults += [
        InvalidFile(file, _line_of(text, image), f"the image {image} does not exist") for image in doc.missing_images
    ]
    return ReportedPage(
        file, address, doc.page, tuple(faults), tuple(fault for is_warning, fault in problems if is_warning)
    )


def _faults_of_encoding(file: str, content: bytes) -> Iterator[InvalidFile]:
    """A file whose letters readers do not see."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield InvalidFile(file, "", "is UTF-16: save it as UTF-8")
        return
    try:
        content.decode()
    except UnicodeDecodeError as wrong:
        line = content.count(b"\n", 0, wrong.start) + 1
        reason = f"is not UTF-8: byte 0x{content[wrong.start]:02X} begins no letter, and is shown as U+FFFD"
        yield InvalidFile(file, f"line {line}", reason)


def _faults_of_front_matter(file: str, text: str) -> Iterator[InvalidFile]:
    """Front matter that the site ignores: the page would have no title."""
    for line, tag in yaml_tags(split_front_matter(text)[0]):
        yield InvalidFile(file, f"line {line}", f"the front matter has a tag ({tag}), which is ignored")
    try:
        front = parse_yaml_block(split_front_matter(text)[0])
    except (yaml.YAMLError, UnsupportedYaml) as wrong:
        mark = wrong.problem_mark if isinstance(wrong, yaml.MarkedYAMLError) else None
        reason = getattr(wrong, "problem", None) or str(wrong)
        yield InvalidFile(
            file, f"line {mark.line + 2}" if mark else "", f"the front matter is not supported YAML: {reason}"
        )
        return
    if front and not isinstance(front, dict):
        yield InvalidFile(file, "line 2", "the front matter is not a table of keys")


def _routes_of(posts: Collection[BlogPost]) -> Pages:
    return {f"/blog/{post.slug}": (f"blog/{post.slug}.md", post.page) for post in posts}


def _name(branch_docs: BranchDocs, path: str) -> str:
    return f"{branch_docs.ref.repo}/{branch_docs.ref.branch}/{path}"


def _text(branch_docs: BranchDocs, path: str) -> str:
    return branch_docs.read(path).decode(errors="replace")


def _line_of(text: str, words: str) -> str:
    """The line of the first occurrence of a text; empty without one, as in a page that takes its text from another."""
    before, found, _ = text.partition(words)
    return f"line {before.count(chr(10)) + 1}" if found else ""
