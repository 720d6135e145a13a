"""A server on the corpus returns every page of every version."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
import yaml
from tests.inputs.docs_pages import render_page
from tests.sites.corpus_data import CORPUS_CRAWL, Crawl, corpus_docs, doc_addresses, menu_addresses, read_crawl

from kinfolk.config.docs_address import Ref
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.markdown.front_matter import split_front_matter

MISSING_TARGET = "/start/latest/docs/framework/solid/guide/reading-writing-file"
PAGES = 1705

TAG = re.compile(r"<[^>]+>")


@pytest.fixture(scope="module")
def docs(corpus: Path) -> DocsSnapshot:
    assert corpus
    return corpus_docs()


@pytest.fixture(scope="module")
def crawl(corpus: Path, built: Path) -> Crawl:
    """The responses of a server with empty caches to every page, every menu entry and every address of the sitemaps."""
    assert corpus
    assert built
    return read_crawl(CORPUS_CRAWL.folder())


def written_title(docs: DocsSnapshot, ref: Ref, path: str) -> str | None:
    """The title in the front matter of the file, read by a YAML parser alone."""
    front = yaml.safe_load(split_front_matter(ContentReader(docs).branch(ref).read(path).decode())[0] or "{}")
    title = front.get("title") if isinstance(front, dict) else None
    return str(title).strip() if title is not None else None


def test_all_addresses_of_the_sitemaps_are_pages(crawl: Crawl) -> None:
    assert len(crawl.sitemap) > 1000
    found = {path: crawl.pages[path].status for path in crawl.sitemap}
    assert {path: status for path, status in found.items() if status != 200} == {}


def text_of(markup: str) -> str:
    return " ".join(html.unescape(TAG.sub("", markup)).split())


def test_every_page_of_every_version_has_its_title(docs: DocsSnapshot, crawl: Crawl) -> None:
    pages = doc_addresses(docs)
    assert len(pages) == PAGES
    wrong = []
    for path, (ref, file) in pages.items():
        page = crawl.pages[path]
        if path == MISSING_TARGET:
            assert page.status == 404
            continue
        title = written_title(docs, ref, file) or render_page(docs, ref, file).title
        title = " ".join(title.split())
        if (
            page.status != 200
            or page.title is None
            or page.heading is None
            or not text_of(page.title).startswith(f"{title} | ")
            or text_of(page.heading) != title
        ):
            wrong.append((path, title, page))
    assert wrong == []
    assert "error" not in crawl.log_levels


def test_menu_entries_lead_to_pages(docs: DocsSnapshot, crawl: Crawl) -> None:
    known, paths = doc_addresses(docs).keys(), menu_addresses(docs)
    assert len(paths) > 1200
    assert {path: crawl.pages[path].status for path in paths if crawl.pages[path].status != 200} == {}
    assert paths - known <= {path for path in paths if f"{path}/index" in known}
