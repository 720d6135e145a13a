"""Every page of every version, asked of a real server that serves the real corpus."""

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
from tests.serving import Server, serving

from kinfolk.catalog import Catalog
from kinfolk.docs import Docs
from kinfolk.docs.library import segment_of
from kinfolk.markdown.front import split_front
from kinfolk.redirects import Redirects
from kinfolk.site import family_refs
from kinfolk.sources.directory import DirectorySource
from kinfolk.sources.snapshot import Ref

AT_ONCE = 4
MISSING_TARGET = "/start/latest/docs/framework/solid/guide/reading-writing-file"
PAGES = 1705

TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL)
HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")


@pytest.fixture(scope="module")
def docs(corpus: Path, catalog: Catalog, redirects: Redirects) -> Docs:
    return Docs(catalog, redirects, DirectorySource(corpus, family_refs(catalog), "corpus").open())


@pytest.fixture(scope="module")
def server(corpus: Path, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    with serving(tmp_path_factory.mktemp("server"), "--content", str(corpus)) as server:
        yield server


def addresses(docs: Docs) -> dict[str, tuple[Ref, str]]:
    """The address of every Markdown file that the registry names, with where it lies."""
    found = {}
    for library in docs.catalog.libraries:
        for version in library.versions:
            ref = Ref(library.repo, version.branch)
            base = f"/{library.id}/{segment_of(library, version)}/docs"
            for path in docs.pages(ref):
                if docs.home(ref, path)[0] is library:
                    inside = path.removeprefix(f"{library.docs_root}/").removesuffix(".md")
                    found[f"{base}/{inside}"] = (ref, path)
    return found


def written_title(docs: Docs, ref: Ref, path: str) -> str | None:
    """The title in the file's own front matter, read without any of our own rules."""
    front = yaml.safe_load(split_front(docs.shelf(ref).tree.read(path).decode())[0] or "{}")
    title = front.get("title") if isinstance(front, dict) else None
    return str(title).strip() if title is not None else None


async def crawl(url: str, paths: list[str]) -> dict[str, tuple[int, str]]:
    """Status and HTML of each path, a few at a time, redirects not followed."""
    answers = {}
    queue = list(reversed(paths))

    async def work(client: httpx.AsyncClient) -> None:
        while queue:
            path = queue.pop()
            response = await client.get(path)
            answers[path] = (response.status_code, response.text)

    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        await asyncio.gather(*(work(client) for _ in range(AT_ONCE)))
    return answers


def entries(docs: Docs) -> set[str]:
    """The address of every entry of a menu whose page exists."""
    found = set()
    for library in docs.catalog.libraries:
        for version in library.versions:
            ref = Ref(library.repo, version.branch)
            base = f"/{library.id}/{segment_of(library, version)}/docs"
            for link in docs.config(ref, library.docs_root, set()).links():
                to = link.to.partition("#")[0]
                if docs.shelf(ref).page_file(f"{library.docs_root}/{to}") is not None:
                    found.add(f"{base}/{to}")
    return found


@pytest.fixture(scope="module")
def answers(docs: Docs, server: Server) -> dict[str, tuple[int, str]]:
    """What a server that has no page yet says to every page and every entry of a menu."""
    paths = addresses(docs).keys() | entries(docs)
    started = time.perf_counter()
    answers = asyncio.run(crawl(server.url, sorted(paths)))
    print(f"\n{len(paths)} pages from an empty cache in {time.perf_counter() - started:.1f} s")
    return answers


def words(markup: str) -> str:
    return " ".join(html.unescape(TAG.sub("", markup)).split())


def test_every_page_of_every_version_answers_with_its_title(
    docs: Docs, server: Server, answers: dict[str, tuple[int, str]]
) -> None:
    pages = addresses(docs)
    assert len(pages) == PAGES
    wrong = []
    for path, (ref, file) in pages.items():
        status, text = answers[path]
        if path == MISSING_TARGET:
            assert status == 404
            continue
        title = written_title(docs, ref, file) or docs.page(ref, file, None, set()).title
        title = " ".join(title.split())
        in_head, in_body = TITLE.search(text), HEADING.search(text)
        if (
            status != 200
            or in_head is None
            or in_body is None
            or not words(in_head[1]).startswith(f"{title} | ")
            or words(in_body[1]) != title
        ):
            wrong.append((path, status, title, in_head and in_head[1], in_body and in_body[1]))
    assert wrong == []
    assert "error" not in {line.partition('"level": "')[2].partition('"')[0] for line in server.log.splitlines()}


def test_every_navigation_entry_that_exists_is_a_page(docs: Docs, answers: dict[str, tuple[int, str]]) -> None:
    known, paths = addresses(docs).keys(), entries(docs)
    assert len(paths) > 1200
    assert {path: answers[path][0] for path in paths if answers[path][0] != 200} == {}
    assert paths - known <= {path for path in paths if f"{path}/index" in known}
