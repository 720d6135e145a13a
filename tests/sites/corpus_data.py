"""The docs of the real libraries, which are stored outside of the project, and what tests make of them."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import re
import subprocess
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from http.client import HTTPConnection
from itertools import chain
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import pytest
from tests.servers.serving import LEAN, serving
from tests.sites.sample_site import SITE, read_settings
from tests.suite.prepared import SOURCE, Prepared

from kinfolk.config.catalog import load_catalog
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import ROOT
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.pages.location import version_segment
from kinfolk.content.docs.snapshots.docs_snippets import docs_snippets
from kinfolk.content.highlight import Highlighter
from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.markdown_page import CodeBlock, MarkdownPage
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile, ResolverFactory
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import ComposedMarkdown, compose
from kinfolk.content.open_content import open_blog, open_pages
from kinfolk.content.redirects import load_redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.runtime.errors import NotFound
from kinfolk.search.docs_index.generations import index_folder
from kinfolk.search.docs_index.index_build import SearchableContent, build
from kinfolk.search.docs_index.meanings import Meanings
from kinfolk.search.ranking_config import load_ranking_config

ARCHIVE = ROOT.parent / "shared" / "corpus" / "docs.tar.zst"
HIGHLIGHTING_LIMIT_S = 360.0
"""Limit of the first pass. On two idle cores it takes 5 s."""
CONCURRENCY = 4
_NO_OTHER_PAGES = LEAN | {"KINFOLK_PRERENDER": "off", "KINFOLK_LINK_CHECK": "off"}
"""Settings of the crawled server. tests/conftest.py has the same, but `prepare.py` runs without it."""
_FRAMEWORK_BLOCK = '<div class="framework-block">'
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL)
_HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)


def corpus_source() -> Path | None:
    """The archive or the folder of the corpus: KINFOLK_CORPUS, or the archive beside the project. None without one."""
    path = Path(os.environ.get("KINFOLK_CORPUS") or ARCHIVE)
    return path if path.exists() else None


def corpus_folder() -> Path:
    """The directory with `TanStack/{repo}/{branch}/docs`. Skips the test without a corpus."""
    source = corpus_source()
    if source is None:
        pytest.skip(f"no corpus: set KINFOLK_CORPUS, or put one at {ARCHIVE.parent.name}/{ARCHIVE.name}")
    folder = source if source.is_dir() else CORPUS.folder()
    if not any(folder.glob("*/*/*/docs")):
        pytest.skip(f"no corpus: {source} has no owner/repository/branch/docs")
    return folder


def corpus_docs(markdown: MarkdownRenderer | None = None) -> DocsSnapshot:
    catalog = load_catalog(SITE)
    snapshot = DirectorySource(corpus_folder(), catalog.refs, "the corpus").open()
    return DocsSnapshot(catalog, load_redirects(SITE), snapshot, markdown=markdown)


def _unpack(folder: Path) -> None:
    try:
        subprocess.run(["tar", "--zstd", "-xf", str(_INPUT), "-C", folder], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        # A tar without zstd: Python 3.14 supports it.
        try:
            with tarfile.open(_INPUT, "r:*") as tar:
                tar.extractall(folder, filter="data")
        except tarfile.ReadError:
            pytest.skip("no corpus: neither tar nor this Python supports zstd")


@dataclass(frozen=True)
class RenderedFile:
    """A Markdown file of the corpus, with the CPU seconds from its text to the page."""

    branch: str
    """The root of its branch, below the corpus."""
    path: str
    composed: ComposedMarkdown
    page: MarkdownPage
    plain: MarkdownPage
    """The page without the layout of an API reference."""
    seconds: float


def rendered_files() -> list[RenderedFile]:
    """Every Markdown file whose `ref` exists."""
    with (CORPUS_MARKDOWN.folder() / "pages.pickle").open("rb") as file:
        pages: list[RenderedFile] = pickle.load(file)  # noqa: S301 - this module wrote it
    return pages


def _render(folder: Path) -> None:
    rendered = []
    corpus = corpus_folder()
    for branch in sorted(corpus.glob("*/*/*")):
        for file in sorted(branch.rglob("*.md")):
            began = time.thread_time()
            try:
                composed = compose(file.read_text(), partial(_read, branch))
            except NotFound:
                continue
            page = render(composed, resolve=UnchangedLinks())
            seconds = time.thread_time() - began
            plain = render(composed, resolve=UnchangedLinks(), api_layout=False) if page.is_api_reference else page
            path = file.relative_to(branch).as_posix()
            rendered.append(RenderedFile(branch.relative_to(corpus).as_posix(), path, composed, page, plain, seconds))
    with (folder / "pages.pickle").open("wb") as target:
        pickle.dump(rendered, target)


def _read(root: Path, path: str) -> str:
    try:
        return (root / path).read_text()
    except FileNotFoundError:
        raise NotFound(path) from None


class RenderedCorpus(InProcessJobs):
    """Takes pages from CORPUS_MARKDOWN. The highlighter and the search index would render each of them again, in 5 ms.

    A page with framework blocks is rendered, because the framework in its address selects their panels.
    """

    def __init__(self) -> None:
        super().__init__()
        self._pages = {
            file.composed: file.page for file in rendered_files() if _FRAMEWORK_BLOCK not in "".join(file.page.chunks)
        }

    def page(
        self, source: MarkdownFile, *, links: ResolverFactory | None = None, framework: str | None = None
    ) -> MarkdownPage:
        page = None
        if links is None:
            page = self._pages.get(compose(source.text, source.read_target, source.place))
        return page or super().page(source, links=links, framework=framework)


@dataclass(frozen=True)
class FirstPass:
    """What the first pass of the highlighter over the corpus did."""

    made: int
    faults: dict[str, int]
    seconds: float
    cpu_seconds: float


def read_fences() -> Counter[CodeBlock]:
    """All code blocks of the corpus, with how often each occurs."""
    fences: Counter[CodeBlock] = pickle.loads((CORPUS_INDEX.folder() / "fences.pickle").read_bytes())  # noqa: S301
    return fences


def _highlight_and_index(folder: Path) -> None:
    docs = corpus_docs(MarkdownRenderer(RenderedCorpus()))
    bundle = (ROOT / "frontend/dist/ssr/highlight.js").read_text()
    highlighter = Highlighter(bundle, folder / "highlight.sqlite")
    wall, cpu = time.perf_counter(), time.process_time()
    fences = Counter[CodeBlock]()

    def sections() -> Iterator[tuple[str, Iterator[CodeBlock]]]:
        for section, snippets in docs_snippets(docs):
            found = list(snippets)
            fences.update(found)
            yield section, iter(found)

    highlighter.start()
    highlighter.warm(sections())
    assert highlighter.wait_until_idle(HIGHLIGHTING_LIMIT_S)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    first = FirstPass(highlighter.highlighted_count, highlighter.faults(), wall, cpu)
    highlighter.close()
    (folder / "first-pass.json").write_text(json.dumps(asdict(first)))
    (folder / "fences.pickle").write_bytes(pickle.dumps(fences))
    settings = read_settings({"KINFOLK_MIRROR": "off"})
    posts, pages = open_blog(settings, docs.catalog).published, tuple(open_pages(settings, docs.catalog).valid_pages)
    index_folder(folder).mkdir(parents=True)
    build(index_folder(folder), SearchableContent(docs, posts, load_ranking_config(SITE), pages, Meanings(SITE)))


@dataclass(frozen=True)
class CrawledPage:
    """A response of a server with empty caches: its status, and the markup of its title and of its first heading."""

    status: int
    title: str | None
    heading: str | None


@dataclass(frozen=True)
class Crawl:
    pages: dict[str, CrawledPage]
    sitemap: list[str]
    """All addresses of all sitemaps."""
    log_levels: list[str]


def read_crawl(folder: Path) -> Crawl:
    stored = json.loads((folder / "crawl.json").read_text())
    pages = {path: CrawledPage(*page) for path, page in stored["pages"].items()}
    return Crawl(pages, stored["sitemap"], stored["log_levels"])


def doc_addresses(docs: DocsSnapshot) -> dict[str, tuple[Ref, str]]:
    """The address of every Markdown file of the registry, with its branch and path."""
    found = {}
    for library in docs.catalog.libraries:
        for version in library.versions:
            ref = library.ref(version.name)
            base = f"/{library.id}/{version_segment(library, version)}/docs"
            for path in ContentReader(docs).pages(ref):
                if ContentReader(docs).home(ref, path)[0] is library:
                    inside = path.removeprefix(f"{library.docs_root}/").removesuffix(".md")
                    found[f"{base}/{inside}"] = (ref, path)
    return found


def menu_addresses(docs: DocsSnapshot) -> set[str]:
    """The address of every menu entry whose page exists."""
    found = set()
    for library in docs.catalog.libraries:
        for version in library.versions:
            ref = library.ref(version.name)
            base = f"/{library.id}/{version_segment(library, version)}/docs"
            for link in ContentReader(docs).config(ref, library.docs_root).links():
                to = link.to.partition("#")[0]
                if ContentReader(docs).branch(ref).page_file(f"{library.docs_root}/{to}") is not None:
                    found.add(f"{base}/{to}")
    return found


def _crawl(folder: Path) -> None:
    """Request every page, every menu entry and every address of the sitemaps from a server on the corpus.

    The server does not highlight or index the corpus, which CORPUS_INDEX does, and reads no page on its own.
    """
    docs = corpus_docs()
    with (
        tempfile.TemporaryDirectory() as temporary,
        serving(Path(temporary), "--content", str(corpus_folder()), environment=_NO_OTHER_PAGES) as server,
    ):
        pages = _responses(server.url, sorted(doc_addresses(docs).keys() | menu_addresses(docs)))
        with httpx.Client(base_url=server.url, timeout=60) as client:
            sitemaps = _locations(client.get("/sitemap.xml").text)
            listed = sorted({path for sitemap in sitemaps for path in _locations(client.get(sitemap).text)})
        pages |= _responses(server.url, [path for path in listed if path not in pages])
        levels = {line.partition('"level": "')[2].partition('"')[0] for line in server.log.splitlines()}
    stored = {"pages": pages, "sitemap": listed, "log_levels": sorted(levels)}
    (folder / "crawl.json").write_text(json.dumps(stored))


def _responses(url: str, paths: list[str]) -> dict[str, tuple[int, str | None, str | None]]:
    """The fields of CrawledPage for each path, without following redirects."""

    def work(own_paths: list[str]) -> list[tuple[str, tuple[int, str | None, str | None]]]:
        found = []
        # Not httpx: its client took a tenth of the CPU time of the crawl.
        with contextlib.closing(HTTPConnection(urlsplit(url).netloc, timeout=30)) as connection:
            for path in own_paths:
                connection.request("GET", quote(path, safe="/%"))
                response = connection.getresponse()
                text = response.read().decode()
                title, heading = _TITLE.search(text), _HEADING.search(text)
                found.append((path, (response.status, title and title[1], heading and heading[1])))
        return found

    with ThreadPoolExecutor(CONCURRENCY) as pool:
        return dict(chain.from_iterable(pool.map(work, (paths[start::CONCURRENCY] for start in range(CONCURRENCY)))))


def _locations(sitemap: str) -> list[str]:
    return re.findall(r"<loc>https?://[^/]+(/[^<]*)</loc>", sitemap)


_INPUT = corpus_source() or ARCHIVE
CORPUS = Prepared("corpus", (_INPUT, Path(__file__)), _unpack)
CORPUS_MARKDOWN = Prepared("corpus-markdown", (ROOT / "src/kinfolk", _INPUT, Path(__file__)), _render)
CORPUS_INDEX = Prepared("corpus-index", (*SOURCE, _INPUT, Path(__file__)), _highlight_and_index, (CORPUS_MARKDOWN,))
"""All code of the corpus highlighted, and its search index in `search`."""
CORPUS_CRAWL = Prepared("corpus-crawl", (*SOURCE, _INPUT, Path(__file__)), _crawl)
