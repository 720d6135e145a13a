"""Fetches every address of a running site and stores the responses in an SQLite file."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import time
import tomllib
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote, urldefrag

import httpx

from kinfolk.content.dependencies import PENDING_CODE, cdn_tag

ORIGIN = "https://kinfolk.example"
CONCURRENCY = 4
HIGHLIGHT_WAIT_S = 600.0
CARD_SAMPLE = 40
"""One of so many share pictures is fetched: drawing one takes 0.3 s."""

PLAIN_CODE_TAG = cdn_tag(PENDING_CODE)
"""The cache tag of a page that contains code whose highlighting is not finished."""

VOLATILE_HEADERS = frozenset({"date", "etag", "content-length", "last-modified", "server", "correlation-id"})
"""Headers that depend on the moment or follow from the bytes of the body."""

SITE_ADDRESSES = """
/ /blog /dedicated-support /design /ethos /learn /privacy /search /search?q=query /sponsors-embed /support /terms
/robots.txt /sitemap.xml /llms.txt /llms-full.txt /site.webmanifest /opensearch.xml /favicon.svg /_logos.svg
/_icons/query.svg /_patterns/query.svg
/blog/feed.xml /blog/feed.json
/nope /query/nope /query/latest/docs/nope /blog/nope /_files/TanStack/query/main/nope.png /assets/nope.js
/QUERY /Query/latest /query/LATEST /%20blog /Blog /docs /query/docs /query/v9 /query/v9/docs/overview
/query/latest/docs /query/latest/docs/overview /query/latest/docs/ /query/latest/ //query /query/latest/docs/%00
/query/latest/docs/../../x /query/v1 /form /form/v0/docs/overview /react-query /react-table /quick-start
/query/latest/docs/react/overview /query/latest/docs/framework/react/overview.md /query/v5/docs/framework/react/overview
/query/latest/docs/framework/react/examples /query/latest/docs/framework/react/examples/basic
/query/latest/docs/examples
/query/latest/docs/framework/react/examples/nope /query/latest/docs/framework/nope /table/v8/docs/introduction
/blog?library=query /blog?author=nope /blog?library=nope /api/md/query/latest/docs/nope /api/md/nope/latest/docs/x
/query/latest/docs/framework/react/nope.md /og/query/latest/docs/nope.jpg /sitemap-nope.xml /nope/llms.txt
/query/v3/llms.txt /query/nope/llms.txt /_server/nope /_server/docs.page /_examples/query/main/examples/react/basic.zip
""".split()

LIBRARY_ADDRESSES = """
/{id} /{id}/{version} /{id}/{version}/docs /{id}/{version}/docs/framework /{id}/{version}/docs/examples
/{id}/{version}/llms.txt /{id}/{version}/llms-full.txt /{id}/llms.txt /{id}/llms-full.txt
""".split()

QUERY_MAIN = {"repo": "TanStack/query", "branch": "main"}
BASIC = {"library": "query", "version": "latest", "framework": "react", "name": "basic"}
FUNCTION_CALLS: tuple[tuple[str, object], ...] = (
    ("site.shell", None),
    ("catalog.library", {"id": "query"}),
    ("catalog.library", {"id": "nope"}),
    ("docs.config", QUERY_MAIN | {"docsRoot": "docs"}),
    ("docs.page", QUERY_MAIN | {"filePath": "docs/framework/react/overview.md"}),
    ("docs.page", QUERY_MAIN | {"filePath": "docs/framework/vue/guides/queries.md"}),
    ("docs.page", QUERY_MAIN | {"filePath": "docs/nope.md"}),
    ("docs.page", {"repo": "TanStack/query", "filePath": "docs/x.md"}),
    ("docs.page", {"repo": "TanStack/nope", "branch": "main", "filePath": "docs/x.md"}),
    ("docs.page", QUERY_MAIN | {"filePath": "../x.md"}),
    ("docs.page", QUERY_MAIN),
    ("docs.framework", {"library": "query", "framework": "react"}),
    ("docs.framework", {"library": "table"}),
    ("docs.nearest", QUERY_MAIN | {"docsRoot": "docs", "path": "framework/react/overveiw"}),
    ("repo.file", QUERY_MAIN | {"filePath": "docs/config.json"}),
    ("repo.file", QUERY_MAIN | {"filePath": "docs/nope.json"}),
    ("repo.directory", QUERY_MAIN | {"startingPath": "docs"}),
    ("example.files", BASIC),
    ("example.file", BASIC),
    ("example.list", {"library": "query", "version": "latest", "framework": "react"}),
    ("page.read", {"name": "ethos"}),
    ("page.read", {"name": "dedicated-support"}),
    ("blog.list", None),
    ("blog.post", {"path": "react-in-python"}),
    ("blog.post", {"path": "nope"}),
    ("home.page", None),
    ("sponsors.pack", None),
    ("dashboard.load", None),
    ("search.config", None),
    ("search.results", {"text": "useQuery"}),
    ("search.results", {"text": "column", "library": "table", "framework": "react", "page": 1}),
    ("search.results", {}),
    ("theme.get", None),
)

SEARCH_KEYS = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "kinfolk-search"}
SEARCH_TEXTS = ("usequery", "invalidate", "optimistc updates", "column sizing", "x", "", "virtualizer scroll", "zzzzqq")
SEARCH_BODIES = (
    {"hitsPerPage": 5, "attributesToSnippet": ["content:10"]},
    {"facets": ["library", "framework"], "facetFilters": ["version:latest"], "hitsPerPage": 20},
    {"filters": "library:query AND version:latest", "page": 1},
    {"filters": "library:"},
    {"hitsPerPage": "many"},
)

_LINK = re.compile(r'(?:href|src|action)="(/[^"]*)"')
_LOCATION = re.compile(r"<loc>([^<]*)</loc>")
_SHARED = re.compile(r'data-shared="([^"]*)"')
_SHARED_DIGEST = re.compile(r"^/_shared/[^/]+/")


@dataclass(frozen=True)
class SiteRequest:
    """One request. `name` identifies it in both of two dumps."""

    name: str
    path: str
    accept: str = "*/*"
    body: str | None = None


def open_dump(file: Path, *, new: bool = False) -> sqlite3.Connection:
    if new:
        file.unlink(missing_ok=True)
    database = sqlite3.connect(file)
    database.execute("CREATE TABLE IF NOT EXISTS response (name TEXT PRIMARY KEY, status INT, headers TEXT, body BLOB)")
    return database


def seed_requests(source: Path, content: Path) -> Iterator[SiteRequest]:
    """The requests that do not follow from links: fixed addresses, every Markdown file, functions, searches."""
    yield from map(_get, SITE_ADDRESSES)
    for path in _docs_addresses(source / "sites/tanstack/libraries", content):
        yield _get(path)
    for post in sorted((source / "sites/tanstack/blog").glob("*.md")):
        yield from map(_get, (f"/blog/{post.stem}", f"/blog/{post.stem}.md"))
    negotiated = "/query/latest/docs/framework/react/overview", "/blog/react-in-python", "/query/latest", "/nope"
    for path in negotiated:
        yield SiteRequest(f"GET {path} (text/markdown)", path, "text/markdown")
    for id, data in FUNCTION_CALLS:
        payload = json.dumps({"data": data, "context": {}})
        yield _get(f"/_server/{id}?createServerFn=&payload={quote(payload)}")
    yield SiteRequest(
        "POST theme.set", "/_server/theme.set", body=json.dumps({"data": {"mode": "dark"}, "context": {}})
    )
    yield from _searches()


def _get(path: str) -> SiteRequest:
    return SiteRequest(f"GET {path}", path)


def _docs_addresses(facts: Path, content: Path) -> Iterator[str]:
    for file in sorted(facts.glob("*.toml")):
        library = tomllib.loads(file.read_text())
        if "repo" not in library:
            continue
        root = library.get("docs_root", "docs")
        latest = library["latest_branch"]
        for version in library["versions"]:
            name = "latest" if version["branch"] == latest else version["name"]
            yield from (path.format(id=library["id"], version=name) for path in LIBRARY_ADDRESSES)
            folder = content / library["repo"] / version["branch"] / root
            for page in sorted(folder.rglob("*.md")):
                inside = quote(str(page.relative_to(folder)).removesuffix(".md"))
                yield f"/{library['id']}/{name}/docs/{inside}"


def _searches() -> Iterator[SiteRequest]:
    indexes = "/1/indexes/tanstack/query", "/1/indexes/nope/query"
    for index in indexes:
        for text in SEARCH_TEXTS:
            for more in SEARCH_BODIES:
                body = json.dumps({"query": text, **more})
                yield SiteRequest(f"POST {index} {body}", index, body=body)
    several = [{"indexName": "tanstack", "query": text, "hitsPerPage": 3} for text in SEARCH_TEXTS]
    body = json.dumps({"requests": several})
    yield SiteRequest(f"POST /1/indexes/*/queries {body}", "/1/indexes/*/queries", body=body)


class Crawl:
    """Fetches requests and what their pages link to, until no address is new."""

    def __init__(self, url: str, database: sqlite3.Connection, report: Callable[[str], None]) -> None:
        self._url = url
        self._database = database
        self._report = report
        self._queue: list[SiteRequest] = []
        self._names: set[str] = set()
        self._unfinished: list[SiteRequest] = []

    async def run(self, requests: Iterable[SiteRequest]) -> int:
        """Store every response. Returns how many there are."""
        for request in requests:
            self._add(request)
        self._queue.reverse()
        async with httpx.AsyncClient(base_url=self._url, timeout=60) as client:
            await self._drain(client)
            deadline = time.monotonic() + HIGHLIGHT_WAIT_S
            while self._unfinished:
                if time.monotonic() > deadline:
                    raise RuntimeError(f"code is still plain on {[one.name for one in self._unfinished][:5]}")
                self._report(f"{len(self._unfinished)} pages wait for highlighted code")
                await asyncio.sleep(2)
                self._queue, self._unfinished = self._unfinished, []
                await self._drain(client)
        self._database.commit()
        return len(self._names)

    def _add(self, request: SiteRequest) -> None:
        if request.name not in self._names:
            self._names.add(request.name)
            self._queue.append(request)

    async def _drain(self, client: httpx.AsyncClient) -> None:
        async def work() -> None:
            while self._queue:
                await self._fetch(client, self._queue.pop())

        while self._queue:
            await asyncio.gather(*(work() for _ in range(CONCURRENCY)))

    async def _fetch(self, client: httpx.AsyncClient, request: SiteRequest) -> None:
        headers = {"accept": request.accept, "accept-encoding": "identity"}
        if request.path.startswith("/1/"):
            headers |= SEARCH_KEYS
        url = httpx.URL(self._url).copy_with(raw_path=request.path.encode())
        method = "GET" if request.body is None else "POST"
        if request.body is not None:
            headers["content-type"] = "application/json"
        response = await client.request(method, url, headers=headers, content=request.body)
        if PLAIN_CODE_TAG in response.headers.get("cache-tag", ""):
            self._unfinished.append(request)
            return
        self._store(request.name, response)
        if request.body is None:
            for found in _linked(response):
                self._follow(found)

    def _store(self, name: str, response: httpx.Response) -> None:
        headers = {key: value for key, value in response.headers.items() if key not in VOLATILE_HEADERS}
        row = name, response.status_code, json.dumps(headers), zlib.compress(response.content, 1)
        self._database.execute("INSERT OR REPLACE INTO response VALUES (?, ?, ?, ?)", row)

    def _follow(self, path: str) -> None:
        if path.startswith("/og/") and zlib.crc32(path.encode()) % CARD_SAMPLE:
            return
        self._add(SiteRequest("GET " + _SHARED_DIGEST.sub("/_shared/*/", path), path))


def _linked(response: httpx.Response) -> Iterator[str]:
    """Same-origin addresses that a response names: links, the location of a redirect, shared data of the app."""
    location = response.headers.get("location", "")
    text = (
        response.text if response.headers.get("content-type", "").startswith(("text/html", "application/xml")) else ""
    )
    shared = [path for found in _SHARED.findall(text) for path in unescape(found).split()]
    for found in (*map(unescape, _LINK.findall(text)), *_LOCATION.findall(text), *shared, location):
        path = urldefrag(found.removeprefix(ORIGIN))[0]
        if path.startswith("/") and not path.startswith(("//", "/assets/")) and unquote(path).isprintable():
            yield path
