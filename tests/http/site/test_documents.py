"""README.md and docs/: each address, header, parameter and request in them, on a site with the names of their examples.

A test names what it shows with `shows`. What a document names and no test shows is reported with its line.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from starlette.types import Message
from tests.servers.chat_server import answer_reply, raw_reply, serve_chat
from tests.sites.documented_site import ADMIN_KEY, ORIGIN, WEBHOOK_SECRET, curl_requests, write_site
from tests.suite.documents import Mention, addresses, code_blocks, documents, headers, parameters

from kinfolk.config.settings import ROOT
from kinfolk.live.topics import KINDS, MOST_TOPICS, encode_topics
from kinfolk.search.answers.open_answers import open_answers
from kinfolk.search.docs_index.generations import index_folder
from kinfolk.search.docs_index.index_build import build, only_builder
from kinfolk.search.open_search import open_searchable_content
from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp, create_app
from kinfolk.web.endpoints.live.live_stream import HEARTBEAT_S, PER_BROWSER

Test = TypeVar("Test", bound=Callable[..., object])
Fetch = Callable[..., httpx.Response]
HTML = "text/html; charset=utf-8"
ALGOLIA = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "kinfolk-search"}
CALL_S = 30
_SHOWN: set[str] = set()

PAGES = (
    "/query/v5/docs",
    "/query/v5/docs/framework/react/guides/caching",
    "/query/latest/docs/overview",
    "/query/latest/docs/guides",
    "/query/latest/docs/framework/react/quick-start",
    "/query/latest/docs/framework/react/examples/basic",
    "/widgets/latest/docs",
    "/acme/latest/docs/intro",
    "/acme/latest/docs/setup/colors",
    "/acme/latest/docs/guide/features",
    "/terms",
    "/guides",
    "/guides/first-steps",
    "/privacy",
    "/stats/npm",
    "/upgrade",
    "/upgrade?packages=@acme/query@^5.28.0",
    "/dashboard/promotions",
    "/dashboard/code",
    "/dashboard/deliveries",
)
"""Pages that the documents name. A redirect may lead to a page."""
SHOWN_BY_OTHERS = {
    "/metrics": ("tests/processes/web/test_workers.py", "/metrics"),
    "/blog/tags/…": ("tests/unit/cli/import_site/posts/test_tag_import.py", "/blog/tags/"),
    "/blog?tag=release-notes": ("tests/unit/content/blog/test_posts.py", '"release-notes"'),
    "/query/5.28.4/docs": ("tests/http/content/test_releases.py", "/tiles/1.0.0/docs/overview"),
    "/query/svelte@6.1.39/docs": ("tests/http/content/test_releases.py", "/tiles/solid@3.1.0/docs/overview"),
    "/query/5.28/docs": ("tests/http/content/test_releases.py", "/tiles/1.0/docs/overview"),
    "/query/v5.28/docs": ("tests/unit/config/catalog/test_releases.py", '("v5.1", "5.1.2")'),
    "/query/v5.28.4/docs": ("tests/http/content/test_releases.py", "/tiles/v1.0.0/docs/overview"),
    "/query/changes/5.28.4...5.30.0": ("tests/http/content/test_releases.py", "/tiles/changes/1.0.0...2.0.0"),
    "/query/changes/5.28.4...5.30.0/framework/react/overview": (
        "tests/http/content/test_differences.py",
        "{CHANGES}/framework/solid/guide",
    ),
    "/{library}/release-changes.atom": ("tests/http/content/test_differences.py", "/tiles/release-changes.atom"),
    "/query/release-changes.atom": ("tests/http/content/test_differences.py", "/tiles/release-changes.atom"),
    "/query/changes/5.28.4...latest": ("tests/http/content/test_releases.py", "/tiles/changes/2.0.0...latest"),
    "/query/releases": ("tests/http/content/test_releases.py", "/tiles/releases"),
    "/query/releases/5.28.4": ("tests/http/content/test_release_pages.py", "/tiles/releases/2.0.0"),
    "/query/code-checks.atom": ("tests/http/maintenance/test_code_checks.py", "/query/code-checks.atom"),
    "/{library}/code-checks.atom": ("tests/http/maintenance/test_code_checks.py", "/query/code-checks.atom"),
    "/query/releases.atom": ("tests/http/content/test_release_pages.py", "/tiles/releases.atom"),
    "/{library}/releases.atom": ("tests/http/content/test_release_pages.py", "/tiles/releases.atom"),
    "/pr/query/12": ("tests/http/content/test_previews.py", '"/pr/tiles/7"'),
    "/pr/query/12/docs/overview": ("tests/http/content/test_previews.py", "/pr/tiles/7/docs/guide"),
    "/logo.svg": ("tests/unit/content/docs/pages/test_links.py", '("/logo.svg", "/_files/TanStack/query/main/logo.svg'),
    "/docs/intro": ("tests/unit/cli/import_site/test_project_import.py", "/docs/intro"),
    "/setup/colors/": ("tests/unit/cli/import_site/test_project_import.py", "docs/setup/colors"),
    "/guide/features": ("tests/unit/cli/import_site/test_project_import.py", "docs/guide/{page}"),
    "CDN-Cache-Control": ("tests/unit/rendering/test_edge_headers.py", "cdn-cache-control"),
    "CDN-Tag": ("tests/unit/rendering/test_edge_headers.py", "cdn-tag"),
    "Cache-Control": ("tests/unit/rendering/test_edge_headers.py", "cache-control"),
    "Surrogate-Control": ("tests/unit/rendering/test_edge_headers.py", "surrogate-control"),
    "Surrogate-Key": ("tests/unit/rendering/test_edge_headers.py", "surrogate-key"),
    "X-Forwarded-Proto": ("tests/unit/cli/doctor/test_origin_checks.py", "x-forwarded-proto"),
    "X-Kinfolk-Signature": ("tests/servers/cdn_apis.py", "x-kinfolk-signature"),
    "User-Agent": ("tests/unit/web/protocol/test_fair_queue.py", "user-agent"),
    "X-Request-Id": ("tests/http/web/test_request_ids.py", '"x-request-id"'),
    "X-Forwarded-For": ("tests/processes/live/test_live_events.py", "x-forwarded-for"),
}
"""What other tests show: their files, and what is in them."""
NOT_OF_THE_SITE = {
    "/1/": "the addresses of the search",
    "/assets/": "the addresses of the files of a build",
    "/path": "stands for any path in `kinfolk get /path`",
    "/a%20b": "an old path with a space, percent-encoded",
    "/docs": "a path of a site of Docusaurus, the end of the address of docs, and the path of an export",
    "/docs/next": "the path of the unreleased docs on a site of Docusaurus",
    "/project": "the path of an export",
    "/widgets/": "the path of a site of MkDocs",
    "/widgets/…": "old addresses of that site",
}


def shows(*names: str) -> Callable[[Test], Test]:
    """Mark what the test shows."""

    def mark(test: Test) -> Test:
        _SHOWN.update(names)
        return test

    return mark


_SHOWN.update(PAGES)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def app(runner: asyncio.Runner, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteApp]:
    """The site of the documents with its renderer and its search index."""
    assert built
    settings = write_site(tmp_path_factory.mktemp("documented"))
    with only_builder(index_folder(settings.var)):
        build(index_folder(settings.var), open_searchable_content(settings))
    app, stack = create_app(settings), AsyncExitStack()
    runner.run(stack.enter_async_context(app.running()))
    yield app
    runner.run(stack.aclose())


def fetch_of(runner: asyncio.Runner, app: SiteApp, origin: str) -> Fetch:
    async def send(method: str, url: str, **options: Any) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=origin) as client:
            return await client.request(method, url, **options)

    def fetch(url: str, *, method: str = "GET", **options: Any) -> httpx.Response:
        return runner.run(send(method, url, **options))

    return fetch


@pytest.fixture(scope="module")
def fetch(runner: asyncio.Runner, app: SiteApp) -> Fetch:
    return fetch_of(runner, app, ORIGIN)


@pytest.mark.parametrize("mentions", [addresses, headers, parameters], ids=["addresses", "headers", "parameters"])
def test_each_mention_is_shown_by_a_test(mentions: Callable[[], Iterator[Mention]]) -> None:
    known = _SHOWN | SHOWN_BY_OTHERS.keys() | NOT_OF_THE_SITE.keys()
    assert [str(mention) for mention in mentions() if mention.text not in known] == []


def test_lists_of_mentions_name_nothing_that_no_document_has() -> None:
    named = {mention.text for mentions in (addresses, headers, parameters) for mention in mentions()}
    assert (_SHOWN | SHOWN_BY_OTHERS.keys() | NOT_OF_THE_SITE.keys()) - named == set()


@pytest.mark.parametrize("name", SHOWN_BY_OTHERS)
def test_other_tests_name_what_they_show(name: str) -> None:
    file, text = SHOWN_BY_OTHERS[name]
    assert text in (ROOT / file).read_text(encoding="utf-8")


# Pages


@pytest.mark.parametrize("path", PAGES)
def test_page_answers(fetch: Fetch, path: str) -> None:
    answer = fetch(path, follow_redirects=True)
    assert (answer.status_code, answer.headers["content-type"]) == (200, HTML)


@shows("/docs/1.0/intro")
def test_redirect_of_an_example_is_followed(fetch: Fetch) -> None:
    answer = fetch("/docs/1.0/intro")
    assert (answer.status_code, answer.headers["location"]) == (301, "/acme/1-0/docs/intro")
    assert fetch("/acme/1-0/docs/intro").status_code == 200


@shows("/design#search-states")
def test_states_of_the_search_have_an_anchor(fetch: Fetch) -> None:
    assert 'id="search-states"' in fetch("/design").text


@shows("Cache-Tag")
def test_page_names_the_tags_by_which_it_can_be_purged(fetch: Fetch) -> None:
    answer = fetch("/query/latest/docs/overview")
    assert answer.headers["cache-tag"]
    # "A CDN may cache pages for five minutes."
    assert "300" in answer.headers.get("cdn-cache-control", "") + answer.headers["cache-control"]


@shows("Accept")
@pytest.mark.parametrize("kind", ["text/markdown", "TEXT/MARKDOWN"])
def test_docs_page_is_markdown_for_those_who_accept_it(fetch: Fetch, kind: str) -> None:
    answer = fetch("/query/latest/docs/overview", headers={"accept": kind})
    assert answer.headers["content-type"].startswith("text/markdown")
    assert answer.text.startswith(("---", "#"))


@shows("from")
def test_parameter_of_old_addresses_is_a_notice(fetch: Fetch) -> None:
    assert fetch("/query/latest/docs/overview?from=reactQueryV3").status_code == 200


# Texts and feeds


@pytest.mark.parametrize(
    ("documented", "path", "kind"),
    [
        ("/llms.txt", "/llms.txt", "text/markdown"),
        ("/llms-full.txt", "/llms-full.txt", "text/markdown"),
        ("/{library}/{version}/llms.txt", "/widgets/latest/llms.txt", "text/markdown"),
        ("/{library}/{version}/docs.zip", "/widgets/latest/docs.zip", "application/zip"),
        ("/{library}/{version}/llms-full.txt", "/widgets/latest/llms-full.txt", "text/markdown"),
        ("/{library}/{version}/docs/{page}.md", "/widgets/latest/docs/overview.md", "text/markdown"),
        ("/api/md/…", "/api/md/widgets/latest/docs/overview", "text/markdown"),
        ("/sitemap.xml", "/sitemap.xml", "application/xml"),
        ("/robots.txt", "/robots.txt", "text/plain"),
        ("/blog/feed.xml", "/blog/feed.xml", "application/atom+xml"),
        ("/blog/feed.json", "/blog/feed.json", "application/feed+json"),
        ("/{library}/changes.atom", "/widgets/changes.atom", "application/atom+xml"),
        ("/{library}/{version}/docs/{page}.atom", "/widgets/latest/docs/overview.atom", "application/atom+xml"),
        ("/favicon.ico", "/favicon.ico", "image/"),
        ("/apple-touch-icon.png", "/apple-touch-icon.png", "image/png"),
        ("/.well-known/security.txt", "/.well-known/security.txt", "text/plain"),
    ],
)
def test_resource_has_the_type_of_its_description(fetch: Fetch, documented: str, path: str, kind: str) -> None:
    assert documented in {mention.text for mention in addresses()}
    answer = fetch(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(kind)


(RESOURCES,) = (mark.args[1] for mark in test_resource_has_the_type_of_its_description.pytestmark)  # type: ignore[attr-defined]
_SHOWN.update(row[0] for row in RESOURCES)


def test_public_file_has_an_etag_and_is_cached_for_a_day(fetch: Fetch) -> None:
    answer = fetch("/.well-known/security.txt")
    assert answer.headers["etag"]
    assert "max-age=86400" in answer.headers["cache-control"]


# Requests with curl

CURL = [block for block in code_blocks() if block.language == "" and re.search(r"^curl ", block.text, re.MULTILINE)]


@shows(
    "/1/indexes/acme/query",
    "/_server/home.page",
    "/_server/docs.config",
    "X-Algolia-Application-Id",
    "X-Algolia-API-Key",
    "payload",
    "data",
    "q",
)
@pytest.mark.parametrize("block", CURL, ids=lambda block: f"{block.file}:{block.line}")
def test_request_of_an_example_is_answered(fetch: Fetch, block: Any) -> None:
    requests = curl_requests(block)
    assert len(requests) == block.text.count("curl ")
    for request in requests:
        assert request.url.startswith(ORIGIN)
        answer = fetch(
            request.url, method=request.method, params=request.parameters, headers=request.headers, content=request.body
        )
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("application/json")


def test_arguments_of_a_function_have_an_effect(fetch: Fetch) -> None:
    answered = fetch(
        "/_server/docs.config", params={"payload": '{"data":{"repo":"acme/nope","branch":"x","docsRoot":"y"}}'}
    )
    assert "acme/nope" in answered.json()["message"]
    assert fetch("/_server/docs.config").json()["kind"] == "error"


# Search


@shows("/1/…")
def test_search_finds_pages_and_needs_a_key(fetch: Fetch) -> None:
    body = {"query": "cache", "hitsPerPage": 5}
    found = fetch("/1/indexes/acme/query", method="POST", json=body, headers=ALGOLIA).json()
    assert 0 < len(found["hits"]) <= found["hitsPerPage"] == 5
    assert fetch("/1/indexes/acme/query", method="POST", json=body).status_code == 403


def test_first_hit_has_an_answer_on_request(fetch: Fetch) -> None:
    body = {"query": "cache", "hitsPerPage": 2, "attributesToSnippet": ["answer:60"]}
    first, second = fetch("/1/indexes/acme/query", method="POST", json=body, headers=ALGOLIA).json()["hits"]
    assert set(first["_snippetResult"]["answer"]) <= {"text", "code"}
    assert "_snippetResult" not in second


def test_admin_key_pushes_an_index(fetch: Fetch) -> None:
    body = {"requests": [{"action": "addObject", "body": {"objectID": "1", "name": "One"}}]}
    path = "/1/indexes/things/batch"
    assert fetch(path, method="POST", json=body, headers=ALGOLIA).status_code == 403
    assert fetch(path, method="POST", json=body, headers=ALGOLIA | {"x-algolia-api-key": ADMIN_KEY}).status_code == 200


@shows("Retry-After")
def test_searches_above_the_rate_get_status_429(runner: asyncio.Runner, app: SiteApp) -> None:
    slow = SiteApp(replace(app.site, settings=replace(app.site.settings, search_rate=1)))
    fetch = fetch_of(runner, slow, ORIGIN)
    answers = [fetch("/1/indexes/acme/query", method="POST", json={"query": "x"}, headers=ALGOLIA) for _ in range(30)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert all(int(answer.headers["retry-after"]) > 0 for answer in refused)


# Answers


@shows("/api/ask")
def test_answer_has_the_documented_events(runner: asyncio.Runner, app: SiteApp) -> None:
    site = app.site
    with serve_chat() as chat:
        settings = replace(site.settings, ask_url=chat.url, ask_rate=0)
        answers = open_answers(settings, site.catalog, site.database, site.search)
        fetch = fetch_of(runner, SiteApp(replace(site, answers=answers, settings=settings)), ORIGIN)
        body = {"question": "How long is the cache kept?", "share": False}
        chat.reply = answer_reply("The cache is in this section. [1]")
        complete = fetch("/api/ask", method="POST", json=body, headers={"origin": ORIGIN})
        chat.reply = raw_reply("", status=500)
        failed = fetch("/api/ask", method="POST", json=body, headers={"origin": ORIGIN})
        assert fetch("/api/ask", method="POST", json=body).status_code == 403
    events = [json.loads(line) for answer in (complete, failed) for line in answer.text.splitlines()]
    section = documents()["docs/protocol.md"].split("## Answers")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE))
    assert {event["kind"] for event in events} == rows.keys() - {"kind"} == {"sources", "sentence", "ended", "failed"}
    for event in events:
        fields = {*event, *(event["sections"][0] if event["kind"] == "sources" else ())} - {"kind"}
        assert fields <= set(re.findall(r"`(\w+)`", rows[event["kind"]]))


# MCP

MCP = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}


@shows("/mcp", "Host")
def test_mcp_lists_the_documented_tools_for_the_host_of_the_site(fetch: Fetch) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = fetch("/mcp", method="POST", json=message, headers=MCP)
    listed = {tool["name"] for tool in answer.json()["result"]["tools"]}
    table = re.findall(r"^  \| (`.*?) \|", documents()["docs/operations.md"], re.MULTILINE)
    sentence = documents()["docs/protocol.md"].split("Its tools only read:")[1].split(".")[0]
    assert listed == set(re.findall(r"`(\w+)`", "".join(table))) == set(re.findall(r"`(\w+)`", sentence))
    assert fetch("/mcp", method="POST", json=message, headers=MCP | {"host": "other.example"}).status_code == 421
    assert fetch("/mcp", method="POST", content=b"x" * 65_537, headers=MCP).status_code == 413


# Server functions


@shows("/_server/{function}")
def test_function_answers_one_of_four_kinds(fetch: Fetch) -> None:
    def kind(id: str, data: object = None) -> object:
        return fetch(f"/_server/{id}", params={"payload": json.dumps({"data": data})}).json()["kind"]

    page = {"repo": "acme/query", "branch": "main", "filePath": "docs/nope.md", "version": "latest"}
    assert kind("theme.get") == "ok"
    assert kind("docs.page", page) == "redirect"
    assert kind("blog.post", {"path": "nope"}) == "not_found"
    assert kind("docs.page") == "error"


def test_function_that_changes_something_needs_a_post_from_the_site(fetch: Fetch) -> None:
    body = {"data": {"mode": "dark"}}
    other = fetch("/_server/theme.set", method="POST", json=body, headers={"origin": "https://other.example"})
    assert other.status_code == 403
    assert fetch("/_server/theme.set").status_code == 405
    assert fetch("/_server/theme.set", method="POST", json=body, headers={"origin": ORIGIN}).status_code == 200


# Live events

PAGE_TOPIC = ("docs.page", {"library": "widgets", "version": "latest", "path": "overview"})
FAMILY = ("figures.family", dict[str, str]())


class OpenStream:
    """A stream that its client leaves after the first states."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.has_body = asyncio.Event()
        self.leaves = asyncio.Event()

    async def receive(self) -> Message:
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message["body"]
            self.has_body.set()

    def of(self, event: str) -> list[Any]:
        return [
            json.loads(text) for text in re.findall(rf"^event: {event}\ndata: (.*)$", self.body.decode(), re.MULTILINE)
        ]


async def opened(app: SiteApp, query: Mapping[str, str], *, last_id: str = "") -> tuple[OpenStream, asyncio.Task[None]]:
    """A stream with its first events, and the task that ends when its client has left."""
    stream = OpenStream()
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/api/live",
        "raw_path": b"/api/live",
        "root_path": "",
        "scheme": "https",
        "http_version": "1.1",
        "query_string": str(httpx.QueryParams(query)).encode(),
        "headers": [(b"host", b"docs.example.com"), *([(b"last-event-id", last_id.encode())] if last_id else [])],
        "client": ("203.0.113.7", 5000),
        "server": ("docs.example.com", 443),
        "state": {},
    }
    task = asyncio.create_task(_run(app, scope, stream))
    await asyncio.wait_for(stream.has_body.wait(), CALL_S)
    return stream, task


async def _run(app: SiteApp, scope: dict[str, Any], stream: OpenStream) -> None:
    await app(scope, stream.receive, stream.send)


@shows("/api/live", "b", "last", "Last-Event-ID", "X-Accel-Buffering")
def test_stream_has_the_documented_events_and_parameters(runner: asyncio.Runner, app: SiteApp) -> None:
    async def follow() -> None:
        query = {"q": encode_topics(PAGE_TOPIC), "b": "one browser"}
        streams = [await opened(app, query) for _ in range(PER_BROWSER)]
        first = streams[0][0]
        assert first.status == 200
        assert first.headers["content-type"].startswith("text/event-stream")
        assert first.headers["x-accel-buffering"] == "no"
        assert first.of("hello")[0]["heartbeatS"] == HEARTBEAT_S
        (state,) = first.of("snapshot")
        assert set(state) == {"topic", "v", "data", "asOf"}
        (last,) = re.findall(r"^id: (.*)$", first.body.decode(), re.MULTILINE)
        refused, _ = await opened(app, query)
        assert (refused.status, "retry-after" in refused.headers) == (503, True)
        # A client that has the state gets no snapshot.
        for known in ({"last": last}, {}):
            again, task = await opened(app, {"q": query["q"], **known}, last_id="" if known else last)
            streams.append((again, task))
            assert again.of("snapshot") == []
        for stream, task in streams:
            stream.leaves.set()
            await task

    runner.run(follow())


@shows("/api/live/snapshot")
def test_snapshot_is_as_documented(fetch: Fetch) -> None:
    answer = fetch("/api/live/snapshot", params={"q": encode_topics(PAGE_TOPIC)})
    (block,) = (each for each in code_blocks() if each.file == "docs/protocol.md" and each.language == "json")
    (documented,), (state,) = json.loads(block.text), answer.json()
    assert documented["topic"] == state["topic"]
    assert shape(documented) == shape(state)


def test_documented_topics_are_those_of_the_server(fetch: Fetch) -> None:
    section = documents()["docs/protocol.md"].split("## Live events")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+\.\w+)` \| (.*?) \|", section, re.MULTILINE)
    public = {kind.name: kind.arguments for kind in KINDS.values() if kind.scope == "public"}
    assert {name: tuple(re.findall(r"`(\w+)`", arguments)) for name, arguments in rows} == public
    assert {name for name in KINDS if f"`{name}`" in section} == set(KINDS)
    statuses = {
        encode_topics(): 400,
        encode_topics(*[FAMILY] * (MOST_TOPICS + 1)): 400,
        encode_topics(("statistics.import", {})): 403,
        encode_topics(("figures.library", {"library": "nope"})): 404,
        encode_topics(FAMILY): 200,
    }
    for query, status in statuses.items():
        assert fetch("/api/live/snapshot", params={"q": query}).status_code == status


# Webhooks


def signature(body: bytes) -> str:
    return hmac.new(WEBHOOK_SECRET.encode(), body, hashlib.sha256).hexdigest()


@shows("X-Hub-Signature-256", "X-Gitlab-Token", "X-Gitea-Signature")
@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/_hooks/github", {"x-github-event": "push", "X-Hub-Signature-256": "sha256={signature}"}),
        ("/_hooks/gitlab", {"x-gitlab-event": "Push Hook", "X-Gitlab-Token": WEBHOOK_SECRET}),
        ("/_hooks/codeberg", {"x-gitea-event": "push", "X-Gitea-Signature": "{signature}"}),
    ],
)
def test_webhook_accepts_a_push_with_the_documented_proof(fetch: Fetch, path: str, headers: dict[str, str]) -> None:
    body = json.dumps({"repository": {"full_name": "acme/widgets"}, "ref": "refs/heads/main"}).encode()
    proof = {name: value.format(signature=signature(body)) for name, value in headers.items()}
    # The library is on GitHub, and this site has no mirror.
    accepted = 503 if path.endswith("github") else 200
    assert fetch(path, method="POST", content=body, headers=proof).status_code == accepted
    refused = proof | {next(reversed(headers)): "wrong"}
    assert fetch(path, method="POST", content=body, headers=refused).status_code == 403


_SHOWN.update(f"/_hooks/{host}" for host in ("github", "gitlab", "codeberg"))


# Health, sign-in, base path


@shows("/healthz", "/readyz")
def test_health_has_the_documented_form(fetch: Fetch) -> None:
    (block,) = (each for each in code_blocks() if each.file == "docs/operations.md" and each.language == "json")
    documented, ready = json.loads(block.text), fetch("/readyz")
    assert '`{"status":"ok"}`' in documents()["docs/operations.md"]
    assert fetch("/healthz").text == '{"status":"ok"}'
    assert ready.status_code == 200
    report = ready.json()
    assert set(documented) == set(report)
    for name in ("docs", "search", "isolates"):
        assert set(documented[name]) == set(report[name]), name
    assert all(set(service) == set(documented["services"][0]) for service in report["services"])


@shows("/auth/github/callback", "/auth/google/callback")
@pytest.mark.parametrize("provider", ["github", "google"])
def test_sign_in_names_the_documented_callback(fetch: Fetch, provider: str) -> None:
    began = fetch(f"/auth/{provider}", method="POST", headers={"origin": ORIGIN})
    assert httpx.URL(began.headers["location"]).params["redirect_uri"] == f"{ORIGIN}/auth/{provider}/callback"
    assert fetch(f"/auth/{provider}/callback").status_code != 404


@shows("/auth/outbox")
def test_outbox_is_shown_on_a_loopback_address_only(runner: asyncio.Runner, fetch: Fetch, site: Site) -> None:
    local = fetch_of(runner, SiteApp(site), site.settings.origin)
    assert local("/auth/outbox").status_code == 200
    assert fetch("/auth/outbox").status_code == 404


@shows("/docs/", "/docs/_hooks/github")
def test_addresses_without_the_base_path_are_missing(runner: asyncio.Runner, app: SiteApp) -> None:
    settings = replace(app.site.settings, origin="https://example.com/docs")
    below = fetch_of(runner, SiteApp(replace(app.site, settings=settings)), "https://example.com")
    assert below("/docs/llms.txt").status_code == 200
    assert below("/docs/_hooks/github", method="POST").status_code == 403
    assert below("/llms.txt").status_code == 404
    assert below("/").headers["location"].endswith("/docs/")
    assert [below(path).status_code != 404 for path in ("/healthz", "/readyz")] == [True, True]


def shape(value: object) -> object:
    """The names and kinds of a value of JSON."""
    match value:
        case dict():
            return {name: shape(each) for name, each in value.items()}
        case list():
            return [shape(each) for each in value]
        case _:
            return type(value).__name__
