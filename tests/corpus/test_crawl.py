"""A server on the corpus returns every page of every version."""

from __future__ import annotations

import asyncio
import html
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import yaml
from tests.docs_pages import render_page
from tests.serving import LEAN, Server, serving

from kinfolk.catalog import Catalog
from kinfolk.docs import ContentReader, DocsRelease
from kinfolk.docs.location import version_segment
from kinfolk.docs_address import Ref
from kinfolk.markdown.front_matter import split_front_matter
from kinfolk.redirects import Redirects
from kinfolk.sources.directory import DirectorySource

CONCURRENCY = 4
MISSING_TARGET = "/start/latest/docs/framework/solid/guide/reading-writing-file"
PAGES = 1705

TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL)
HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")


@pytest.fixture(scope="module")
def docs(corpus: Path, catalog: Catalog, redirects: Redirects) -> DocsRelease:
    return DocsRelease(catalog, redirects, DirectorySource(corpus, catalog.refs, "corpus").open())


@pytest.fixture(scope="module")
def server(corpus: Path, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Does not highlight or index the corpus, which test_highlighting.py and test_search.py do."""
    assert built
    with serving(tmp_path_factory.mktemp("server"), "--content", str(corpus), environment=LEAN) as server:
        yield server


def addresses(docs: DocsRelease) -> dict[str, tuple[Ref, str]]:
    """The address of every Markdown file of the registry, with its branch and path."""
    found = {}
    for library in docs.catalog.libraries:
        for version in library.versions:
            ref = Ref(library.repo, version.branch)
            base = f"/{library.id}/{version_segment(library, version)}/docs"
            for path in ContentReader(docs).pages(ref):
                if ContentReader(docs).home(ref, path)[0] is library:
                    inside = path.removeprefix(f"{library.docs_root}/").removesuffix(".md")
                    found[f"{base}/{inside}"] = (ref, path)
    return found


def written_title(docs: DocsRelease, ref: Ref, path: str) -> str | None:
    """The title in the front matter of the file, read by a YAML parser alone."""
    front = yaml.safe_load(split_front_matter(ContentReader(docs).branch(ref).read(path).decode())[0] or "{}")
    title = front.get("title") if isinstance(front, dict) else None
    return str(title).strip() if title is not None else None


async def crawl(url: str, paths: list[str]) -> dict[str, tuple[int, str]]:
    """Status and HTML of each path, without following redirects."""
    responses = {}
    queue = list(reversed(paths))

    async def work(client: httpx.AsyncClient) -> None:
        while queue:
            path = queue.pop()
            response = await client.get(path)
            responses[path] = (response.status_code, response.text)

    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        await asyncio.gather(*(work(client) for _ in range(CONCURRENCY)))
    return responses


def menu_addresses(docs: DocsRelease) -> set[str]:
    """The address of every menu entry whose page exists."""
    found = set()
    for library in docs.catalog.libraries:
        for version in library.versions:
            ref = Ref(library.repo, version.branch)
            base = f"/{library.id}/{version_segment(library, version)}/docs"
            for link in ContentReader(docs).config(ref, library.docs_root).links():
                to = link.to.partition("#")[0]
                if ContentReader(docs).branch(ref).page_file(f"{library.docs_root}/{to}") is not None:
                    found.add(f"{base}/{to}")
    return found


@pytest.fixture(scope="module")
def responses(docs: DocsRelease, server: Server) -> dict[str, tuple[int, str]]:
    """The responses of a server with empty caches to every page and every menu entry."""
    paths = addresses(docs).keys() | menu_addresses(docs)
    started = time.perf_counter()
    responses = asyncio.run(crawl(server.url, sorted(paths)))
    print(f"\n{len(paths)} pages from an empty cache in {time.perf_counter() - started:.1f} s")
    return responses


def addresses_in(text: str) -> list[str]:
    return re.findall(r"<loc>https?://[^/]+(/[^<]*)</loc>", text)


def test_all_addresses_of_the_sitemaps_are_pages(server: Server, responses: dict[str, tuple[int, str]]) -> None:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        sitemaps = addresses_in(client.get("/sitemap.xml").text)
        paths = {path for sitemap in sitemaps for path in addresses_in(client.get(sitemap).text)}
    assert len(paths) > 1000
    found = responses | asyncio.run(crawl(server.url, sorted(paths - responses.keys())))
    assert {path: found[path][0] for path in paths if found[path][0] != 200} == {}


def text_of(markup: str) -> str:
    return " ".join(html.unescape(TAG.sub("", markup)).split())


def test_every_page_of_every_version_has_its_title(
    docs: DocsRelease, server: Server, responses: dict[str, tuple[int, str]]
) -> None:
    pages = addresses(docs)
    assert len(pages) == PAGES
    wrong = []
    for path, (ref, file) in pages.items():
        status, text = responses[path]
        if path == MISSING_TARGET:
            assert status == 404
            continue
        title = written_title(docs, ref, file) or render_page(docs, ref, file).title
        title = " ".join(title.split())
        in_head, in_body = TITLE.search(text), HEADING.search(text)
        if (
            status != 200
            or in_head is None
            or in_body is None
            or not text_of(in_head[1]).startswith(f"{title} | ")
            or text_of(in_body[1]) != title
        ):
            wrong.append((path, status, title, in_head and in_head[1], in_body and in_body[1]))
    assert wrong == []
    assert "error" not in {line.partition('"level": "')[2].partition('"')[0] for line in server.log.splitlines()}


def test_menu_entries_lead_to_pages(docs: DocsRelease, responses: dict[str, tuple[int, str]]) -> None:
    known, paths = addresses(docs).keys(), menu_addresses(docs)
    assert len(paths) > 1200
    assert {path: responses[path][0] for path in paths if responses[path][0] != 200} == {}
    assert paths - known <= {path for path in paths if f"{path}/index" in known}
