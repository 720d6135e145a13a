from __future__ import annotations

import pytest

from kinfolk.cli.export.answer_files import data_address
from kinfolk.cli.export.file_names import file_of, kind_of
from kinfolk.cli.export.link_form import LinkForm, redirect_page
from kinfolk.config.base_path import BasePath

FORM = LinkForm("https://example.com/docs", BasePath("/docs"))


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("/", "index.html"),
        ("/query/latest/docs/overview", "query/latest/docs/overview/index.html"),
        ("/query/latest/docs/overview.md", "query/latest/docs/overview.md"),
        ("/query/latest/docs/a%20b", "query/latest/docs/a b/index.html"),
        ("/404", "404.html"),
        ("/_shared/0f/site.shell", "_shared/0f/site.shell"),
        ("/og/query/latest/docs/overview.jpg", "og/query/latest/docs/overview.jpg"),
        ("/blog/feed.xml", "blog/feed.xml"),
        ("/stats/npm", "stats/npm/index.html"),
        ("/favicon.svg", "favicon.svg"),
    ],
)
def test_pages_are_indexes_of_folders_and_files_keep_their_names(path: str, file: str) -> None:
    assert file_of(path) == file


@pytest.mark.parametrize("path", ["/login", "/auth/email", "/dashboard/account", "/stats/npm.svg", "/mcp", "/api/live"])
def test_addresses_of_the_server_are_not_exported(path: str) -> None:
    assert kind_of(path) == "server"


def test_links_to_pages_end_with_a_slash() -> None:
    html = (
        '<a class="x" href="/docs/query?from=old#top">a</a><a href="/docs/">b</a><a href="/docs/favicon.svg">c</a>'
        '<form action="/docs/search"></form><a href="https://example.com/docs/query">d</a><a href="#e">e</a>'
    )
    assert FORM.html(html) == (
        '<a class="x" href="/docs/query/#top">a</a><a href="/docs/">b</a><a href="/docs/favicon.svg">c</a>'
        '<form action="/docs/search/"></form><a href="https://example.com/docs/query/">d</a><a href="#e">e</a>'
    )


def test_text_about_a_page_of_the_server_has_no_link() -> None:
    html = (
        '<p>See <a href="/docs/dashboard/account">your <b>account</b></a> or <a href="/docs/support">support</a>.</p>'
    )
    assert FORM.html(html) == '<p>See your <b>account</b> or <a href="/docs/support/">support</a>.</p>'


def test_addresses_in_texts_are_those_of_the_export() -> None:
    text = (
        "See https://example.com/docs/query/latest, or <loc>https://example.com/docs</loc> (https://other.com/docs/x)."
    )
    assert FORM.text(text) == (
        "See https://example.com/docs/query/latest/, or <loc>https://example.com/docs</loc> (https://other.com/docs/x)."
    )


def test_markdown_has_the_address_of_its_file() -> None:
    text = "- [A](https://example.com/docs/api/md/query/latest/docs/a): about a"
    assert FORM.text(text) == "- [A](https://example.com/docs/query/latest/docs/a.md): about a"


def test_targets_are_addresses_of_this_site_from_its_root() -> None:
    html = (
        '<link href="https://example.com/docs/og/site.jpg"><img src="/docs/_files/a.png" srcset="/docs/b.png 2x">'
        '<a href="//other.com/x"></a><i style="--pattern:url(/docs/_patterns/q.svg?v=1)"></i><a href="/elsewhere"></a>'
    )
    found = set(FORM.targets(html))
    assert {"/og/site.jpg", "/_files/a.png", "/b.png", "/_patterns/q.svg?v=1"} <= found
    assert not any("elsewhere" in target or "other" in target for target in found)


def test_without_share_images_pages_name_that_of_the_site() -> None:
    form = LinkForm("https://example.com", BasePath(), share_images=False)
    meta = '<meta property="og:image" content="https://example.com/og/query/latest/docs/x.jpg"/>'
    assert form.html(meta) == '<meta property="og:image" content="https://example.com/og/site.jpg"/>'
    assert list(form.targets(meta)) == []


def test_redirects_are_pages_that_name_their_target() -> None:
    page = redirect_page('/a"b', "https://example.com/a")
    assert 'content="0; url=/a&quot;b"' in page
    assert '<link rel="canonical" href="https://example.com/a">' in page


def test_names_of_data_files_are_those_that_browsers_request() -> None:
    # frontend/src/lib/staticSite.test.ts has the same address.
    data = {"library": "query", "path": None, "name": "ä"}
    assert data_address("example.file", data) == "/_data/example.file/af914ac45e720a7a.json"
