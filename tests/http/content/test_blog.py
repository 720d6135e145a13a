"""Tests of the blog over HTTP: feeds, Markdown, lists, and purging after changes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import feedparser
import httpx
import pytest
from click.testing import CliRunner
from lxml import etree
from tests.http.conftest import Fetch
from tests.sites.sample_site import complete_site

from kinfolk.cli.main import main
from kinfolk.config.routes import match_route
from kinfolk.config.settings import ROOT, Settings
from kinfolk.content.dependencies import BLOG, cdn_tag
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.rendering.page_key import page_key
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

pytestmark = pytest.mark.anyio

SAMPLES = ROOT / "tests/samples"
ATOM, JSON = "/blog/feed.xml", "/blog/feed.json"
POST = "/blog/from-query-4-to-5"
MARKDOWN = "text/markdown; charset=utf-8"
FRONT = """---
title: {title}
description: What it is about.
published: 2026-11-21
authors: [Kinfolk]
draft: {draft}
---

Some words, and [docs](/query/latest).

```ts
const tide = 1
```
"""
RELATIVE = re.compile(r"""(?:href|src)=["'](?!https?://|mailto:)[^"']*""")


@pytest.fixture
def schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(str(SAMPLES / "atom.rng")))


@pytest.fixture
def validator() -> Draft202012Validator:
    with pytest.MonkeyPatch.context() as patch:
        # Without grammars of IRIs, which take 3 s to compile. The schema has other formats.
        patch.setitem(sys.modules, "rfc3987_syntax", None)
        from jsonschema import Draft202012Validator
    text = (SAMPLES / "json-feed.schema.json").read_text()
    checker = Draft202012Validator.FORMAT_CHECKER
    assert set(re.findall(r'"format": "([^"]+)"', text)) <= checker.checkers.keys()
    return Draft202012Validator(json.loads(text), format_checker=checker)


@pytest.fixture
def own(settings: Settings, tmp_path: Path) -> Callable[..., Site]:
    """A site with a blog of one post and one draft."""

    def make(**changes: bool) -> Site:
        folder = tmp_path / "blog"
        folder.mkdir(exist_ok=True)
        (folder / "done.md").write_text(FRONT.format(title="Done & dusted <b>", draft="false"))
        (folder / "draft.md").write_text(FRONT.format(title="A secret", draft="true"))
        return open_site(replace(settings, site=complete_site(tmp_path), **changes))  # type: ignore[arg-type]

    return make


def open_client(site: Site) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(SiteApp(site)), base_url="http://kinfolk.test")


# Feeds


async def test_atom_feed_is_valid(client: httpx.AsyncClient, schema: etree.RelaxNG) -> None:
    answer = await client.get(ATOM)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/atom+xml; charset=utf-8")
    assert schema.validate(etree.fromstring(answer.content)), schema.error_log


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ("<published>2026", "<published>26"),
        ("<id>http", "<id> "),
        ("<updated>", "<modified/><updated>"),
        ("</author>", "<age>9</age></author>"),
        (' rel="self" type="application/atom+xml" href=', ' rel="self" type="application/atom+xml" src='),
    ],
)
async def test_schema_rejects_an_invalid_feed(
    client: httpx.AsyncClient, schema: etree.RelaxNG, written: str, wrong: str
) -> None:
    text = (await client.get(ATOM)).text
    assert written in text
    assert not schema.validate(etree.fromstring(text.replace(written, wrong, 1).encode()))


async def test_feedparser_reads_the_atom_feed_without_errors(client: httpx.AsyncClient, site: Site) -> None:
    answer = await client.get(ATOM)
    feed = feedparser.parse(answer.content, response_headers=dict(answer.headers))
    assert (feed.bozo, feed.version) == (False, "atom10"), feed.get("bozo_exception")
    read = [(entry.title, entry.link.rpartition("/")[2], entry.published[:10]) for entry in feed.entries]
    assert read == [(post.title, post.slug, post.front.published) for post in site.content.blog.posts]
    assert all(entry.content[0].type == "text/html" for entry in feed.entries)


async def test_feedparser_reports_a_broken_feed(client: httpx.AsyncClient) -> None:
    text = (await client.get(ATOM)).text
    assert feedparser.parse(text.replace("</entry>", "", 1)).bozo


async def test_json_feed_is_valid(client: httpx.AsyncClient, validator: Draft202012Validator) -> None:
    answer = await client.get(JSON)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/feed+json; charset=utf-8")
    assert [error.message for error in validator.iter_errors(answer.json())] == []


async def test_both_feeds_contain_every_post_with_full_text_and_absolute_links(
    client: httpx.AsyncClient, site: Site
) -> None:
    atom, items = ET.fromstring((await client.get(ATOM)).text), (await client.get(JSON)).json()["items"]  # noqa: S314
    contents = [content.text or "" for content in atom.iter("{http://www.w3.org/2005/Atom}content")]
    assert contents == [item["content_html"] for item in items]
    assert [item["url"].rpartition("/")[2] for item in items] == [post.slug for post in site.content.blog.posts]
    for post, html in zip(site.content.blog.posts, contents, strict=True):
        assert html.count("<h2>") == sum(heading.level == 2 for heading in post.page.headings)
        assert html.count("<pre>") == len(post.page.code_blocks)
        assert RELATIVE.findall(html) == []


@pytest.mark.parametrize("path", [ATOM, JSON])
async def test_site_without_posts_has_no_feeds(settings: Settings, tmp_path: Path, path: str) -> None:
    async with open_client(open_site(replace(settings, site=complete_site(tmp_path)))) as client:
        assert (await client.get(path)).status_code == 404


async def test_title_is_escaped_in_feeds(own: Callable[..., Site], schema: etree.RelaxNG) -> None:
    async with open_client(own()) as client:
        feed = etree.fromstring((await client.get(ATOM)).content)
        assert schema.validate(feed), schema.error_log
        assert feed.findtext("{*}entry/{*}title") == "Done & dusted <b>"
        assert (await client.get(JSON)).json()["items"][0]["title"] == "Done & dusted <b>"


@pytest.mark.parametrize("path", [ATOM, JSON, f"{POST}.md"])
async def test_feeds_answer_conditional_requests_with_304(client: httpx.AsyncClient, path: str) -> None:
    first = await client.get(path)
    assert first.headers["cache-tag"] == cdn_tag("blog")
    again = await client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


# Markdown


@pytest.mark.parametrize("path", [f"{POST}.md", f"/api/md{POST}"])
async def test_post_is_available_as_markdown(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, MARKDOWN)
    assert answer.text.startswith("# From Query 4 to 5")
    assert answer.headers["link"] == f'<http://127.0.0.1:8000{POST}>; rel="canonical"'


async def test_post_is_markdown_for_clients_that_accept_markdown(client: httpx.AsyncClient) -> None:
    answer = await client.get(POST, headers={"accept": "text/markdown"})
    assert (answer.headers["content-type"], answer.headers["content-location"]) == (MARKDOWN, f"/api/md{POST}")
    assert answer.headers["vary"] == "accept-encoding, accept"
    assert match_route(POST).route.vary == answer.headers["vary"]
    assert answer.headers["x-robots-tag"] == "noindex"


@pytest.mark.parametrize("path", ["/blog/nope.md", "/api/md/blog/nope"])
async def test_missing_post_as_markdown_is_404(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, MARKDOWN)
    assert "Post not found." in answer.text


# Listings


async def test_tags_are_in_the_data_of_lists_and_posts_that_have_some(own: Callable[..., Site], tmp_path: Path) -> None:
    site = own()
    front = FRONT.format(title="Tagged", draft="false").replace("draft:", "tags: [Sea, '</script>', sea]\ndraft:")
    (tmp_path / "blog/tagged.md").write_text(front)
    site.content.publisher.refresh()
    tags = [{"name": "Sea", "slug": "sea"}, {"name": "</script>", "slug": "</script>"}]
    async with open_client(site) as client:
        payload = {"createServerFn": "", "payload": '{"data":null,"context":{}}'}
        posts = (await client.get("/_server/blog.list", params=payload)).json()["data"]
        assert {post["slug"]: post.get("tags") for post in posts} == {"tagged": tags, "done": None}
        assert (await client.get(ATOM)).text.count('<category term="') == 2
        assert "tag=" not in (await client.get("/sitemap-site.xml")).text


async def test_every_post_is_in_llms_txt_and_the_sitemap(client: httpx.AsyncClient, site: Site) -> None:
    index, sitemap = (await client.get("/llms.txt")).text, (await client.get("/sitemap-site.xml")).text
    section = index.split("## Blog\n")[1].split("\n## ")[0]
    for post in site.content.blog.posts:
        assert f"http://127.0.0.1:8000/blog/{post.slug}.md)" in section
        assert f"/blog/{post.slug}</loc><lastmod>{post.changed}</lastmod>" in sitemap


@pytest.mark.no_cover
@pytest.mark.parametrize("path", [ATOM, JSON, "/llms.txt", "/sitemap-site.xml"])
async def test_drafts_are_not_in_feeds_or_sitemaps(own: Callable[..., Site], path: str) -> None:
    async with open_client(own(drafts=True)) as client:
        text = (await client.get(path)).text
    assert "done" in text
    assert "draft" not in text


@pytest.mark.parametrize("path", ["/blog/draft.md", "/og/blog/draft.jpg"])
async def test_drafts_are_served_only_if_enabled(own: Callable[..., Site], fonts: Path, path: str) -> None:
    async with open_client(own()) as reader, open_client(own(drafts=True)) as author:
        assert [(await reader.get(path)).status_code, (await author.get(path)).status_code] == [404, 200]


# Functions


async def test_post_has_previous_and_next_post(fetch: Fetch, site: Site) -> None:
    newest, second, third = site.content.blog.posts[:3]
    post = (await fetch("blog.post", {"path": second.slug})).json()["data"]
    assert post["previous"] == {"slug": third.slug, "title": third.title}
    assert post["next"] == {"slug": newest.slug, "title": newest.title}
    assert post["minutes"] == second.minutes
    assert post["libraries"] == [*second.front.libraries]


def test_post_list_depends_only_on_its_filters() -> None:
    key, url = page_key("/blog", "utm_source=x&library=query&author=kinfolk&tag=c%2b%2b")
    assert key == "/blog?author=kinfolk&library=query&tag=c%2B%2B"
    assert url == "/blog?library=query&author=kinfolk&tag=c%2B%2B"


async def test_post_that_cannot_be_rendered_now_is_answered_with_503(settings: Settings) -> None:
    pool = MarkdownProcessPool()
    pool.close()
    site = open_site(settings, markdown_pool=pool)
    async with open_client(site) as client:
        answers = [await client.get(path) for path in (ATOM, JSON, f"{POST}.md")]
    assert [(answer.status_code, answer.headers["cache-control"]) for answer in answers] == [(503, "no-store")] * 3


# Changes


async def test_changed_post_updates_all_exports_and_purges_its_tag(own: Callable[..., Site], tmp_path: Path) -> None:
    site = own()
    purged: list[frozenset[str]] = []
    site.content.publisher.on_purge(purged.append)
    paths = (ATOM, JSON, "/blog/done.md", "/llms.txt")
    async with open_client(site) as client:
        before = [(await client.get(path)).text for path in paths]
        (tmp_path / "blog/done.md").write_text(FRONT.format(title="Overhauled", draft="false"))
        assert site.content.publisher.refresh() == {BLOG}
        after = [(await client.get(path)).text for path in paths]
    assert purged == [frozenset({"blog"})]
    assert ["Overhauled" in text for text in before] == [False] * 4
    assert ["Overhauled" in text for text in after] == [True] * 4


# The command line


def test_check_reports_the_file_and_the_reason(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog/one.md").write_text(FRONT.format(title="", draft="false").replace("2026-11-21", "soon"))
    (tmp_path / "blog/two.md").write_text(FRONT.format(title="Two", draft="no").replace("[Kinfolk]", "Kinfolk"))
    environment = {"KINFOLK_SITE": str(complete_site(tmp_path)), "KINFOLK_MIRROR": "off"}
    done = CliRunner().invoke(main, ["check"], env=environment)
    assert done.exit_code == 1
    assert [line for line in done.output.splitlines() if line.startswith("blog/")] == [
        "blog/one.md: title: should be one line of text without space around it",
        "blog/one.md: published: should be a date such as 2026-11-21",
        "blog/two.md: authors: should be a valid array",
        "blog/two.md: draft: should be 'true' or 'false'",
    ]
