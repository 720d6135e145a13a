"""Hostile requests: cache poisoning, path traversal, writes without permission."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from tests.servers.serving import PLAIN, Server, serving
from tests.sites.sample_var import SAMPLE_VAR

PAGES = (
    "/",
    "/query/latest",
    "/query/latest/docs/framework/react/overview",
    "/ranger/latest/docs/overview",
    "/ranger/latest/docs/framework/react/examples/basic",
    "/router/latest/docs/guide/search-params",
    "/blog",
    "/blog/react-in-python",
    "/search",
    "/support",
    "/privacy",
    "/sponsors-embed",
    "/llms.txt",
    "/nowhere",
)
EVIL = "evil.example"
POISON: tuple[dict[str, str], ...] = (
    {"x-forwarded-host": EVIL},
    {"x-host": EVIL},
    {"x-forwarded-server": EVIL},
    {"forwarded": f"host={EVIL};proto=http"},
    {"x-forwarded-proto": EVIL, "x-forwarded-port": "1"},
    {"x-original-url": f"/{EVIL}", "x-rewrite-url": f"/{EVIL}"},
    {"x-forwarded-prefix": f"/{EVIL}"},
    {"x-http-method-override": "DELETE", "x-method-override": EVIL},
    {"cookie": f"theme={EVIL}; theme=dark"},
    {"origin": f"https://{EVIL}", "referer": f"https://{EVIL}/"},
    {"accept-language": EVIL, "user-agent": f"<script>{EVIL}</script>"},
    {"range": "bytes=0-1", "if-range": EVIL},
    {"accept-encoding": f"{EVIL};q=1, gzip;q=0", "te": EVIL},
    {"if-none-match": '"evil.example"', "if-modified-since": EVIL},
)
SEGMENTS = (
    "..",
    "../..",
    "..%2f",
    "%2e%2e",
    "%2e%2e%2f",
    "%252e%252e%252f",
    "..%5c",
    "..\\",
    "....//",
    "..;/",
    ".%00./",
    "%c0%ae%c0%ae/",
    "%ef%bc%8e%ef%bc%8e/",
    "%u002e%u002e/",
    "~root",
    "file:///",
    "C:%5c",
    "\u2025/",
)
SECRETS = ("etc/passwd", "pyproject.toml")
PREFIXES = (
    "/{}{}",
    "/query/latest/docs/{}{}",
    "/api/md/query/latest/docs/{}{}",
    "/_files/TanStack/query/main/{}{}",
    "/_files/TanStack/query/main/docs/{}{}",
    "/_examples/query/latest/react/basic/{}{}",
    "/assets/{}{}",
    "/blog/{}{}",
    "/og/query/latest/docs/{}{}.jpg",
)
MARKS = (b"root:x:", b"[project]")
"""Contents of files outside the docs; no page contains them."""
LEADS_AWAY = (
    "//evil.example",
    "//evil.example/..",
    "///evil.example",
    "////evil.example/%2e%2e",
    "/\\evil.example",
    "/%5cevil.example",
    "/%2f%2fevil.example",
    "/%09/evil.example",
    "/.evil.example",
    "/evil.example//",
    "/query/..//evil.example",
    "/docs/react//evil.example",
    "//evil.example/query/v3/docs/overview",
    "/query/v3/docs//evil.example",
    "/query/latest/docs/%0d%0alocation:%20https://evil.example",
    "/query//evil.example/docs/x",
    "/table/v7/docs/%5c%5cevil.example",
    "/merch/%2e%2e//evil.example",
    "/@evil.example",
    "/https://evil.example",
)
WRITES = (
    ("POST", "/1/indexes/*/batch"),
    ("POST", "/1/indexes/new"),
    ("POST", "/1/indexes/new/batch"),
    ("POST", "/1/indexes/new/deleteByQuery"),
    ("POST", "/1/indexes/new/clear"),
    ("POST", "/1/indexes/new/operation"),
    ("PUT", "/1/indexes/new/settings"),
    ("POST", "/1/indexes/new/1/partial"),
    ("PUT", "/1/indexes/new/1"),
    ("DELETE", "/1/indexes/new/1"),
    ("DELETE", "/1/indexes/new"),
    ("POST", "/1/indexes/new/synonyms/batch"),
    ("POST", "/1/indexes/new/synonyms/clear"),
    ("PUT", "/1/indexes/new/rules/1"),
    ("DELETE", "/1/indexes/new/rules/1"),
    ("GET", "/1/indexes"),
    ("GET", "/1/indexes/new/settings"),
    ("POST", "/1/indexes/new/browse"),
)
KEYS = ("kinfolk-search", "", "guess", "a" * 5000, "kinfolk-search\u00e9", "YWRtaW4=")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Server]:
    assert built
    environment = PLAIN | {"KINFOLK_SEARCH_ADMIN_KEY": "only for tests", "KINFOLK_SEARCH_RATE": "0"}
    # With an index, so that the server builds none beside the requests.
    folder = tmp_path_factory.mktemp("hostile")
    with serving(folder, environment=environment, var=SAMPLE_VAR.folder()) as server:
        yield server


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30, headers={"accept-encoding": "identity"}) as client:
        yield client


@pytest.mark.parametrize("path", PAGES)
def test_hostile_headers_do_not_affect_cached_pages(client: httpx.Client, path: str) -> None:
    for at, headers in enumerate(POISON):
        # An irrelevant query: as part of the key each variant would be cached separately.
        poisoned = client.get(f"{path}?utm={at}", headers=headers)
        assert poisoned.status_code in (200, 304, 404), headers
        assert EVIL not in poisoned.text, headers
        assert EVIL not in str(poisoned.headers), headers
    clean = client.get(path)
    assert clean.status_code in (200, 404)
    assert EVIL not in clean.text


@pytest.mark.parametrize("prefix", PREFIXES)
def test_paths_cannot_leave_the_content(client: httpx.Client, prefix: str) -> None:
    for segment, secret in itertools.product(SEGMENTS, SECRETS):
        for times in (1, 8):
            written = quote(prefix.format(f"{segment.rstrip('/')}/" * times, secret), safe="/%:;\\~.")
            answer = client.get(httpx.URL(client.base_url, raw_path=written.encode()))
            assert answer.status_code in (301, 302, 307, 308, 400, 403, 404, 414), written
            assert not any(mark in answer.content for mark in MARKS), written


@pytest.mark.parametrize("path", LEADS_AWAY)
def test_hostile_addresses_do_not_redirect_to_other_sites(client: httpx.Client, path: str) -> None:
    answer = client.get(httpx.URL(client.base_url, raw_path=path.encode()))
    location = answer.headers.get("location", "/")
    assert answer.status_code < 500
    assert location.startswith("/")
    assert not location.startswith(("//", "/\\"))
    assert "\n" not in location


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_only_the_admin_key_writes_and_lists(client: httpx.Client, method: str, path: str) -> None:
    for key, app in itertools.product(KEYS, ("kinfolk", "", "other")):
        headers = [(b"x-algolia-api-key", key.encode()), (b"x-algolia-application-id", app.encode())]
        body = {"requests": [], "body": {"a": 1}}
        for content in (body, {**body, "x-algolia-api-key": "only for tests"}):
            answer = client.request(method, path, headers=headers, json=content)
            assert answer.status_code == 403, (key[:20], app)


def test_nothing_was_written(client: httpx.Client) -> None:
    headers = {"x-algolia-api-key": "only for tests", "x-algolia-application-id": "kinfolk"}
    listed = client.get("/1/indexes", headers=headers).json()["items"]
    assert [each["name"] for each in listed if each["name"] == "new"] == []
