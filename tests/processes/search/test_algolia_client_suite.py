"""The official test suite of Algolia's clients, unmodified. ALGOLIA_SUITE is the path of a checkout.

The suite is github.com/algolia/api-clients-automation. Its end-to-end tests need existing indexes:
their records are derived from the responses that the suite expects.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from tests.servers.serving import PLAIN, Server, serving

pytestmark = pytest.mark.skipif(
    not os.environ.get("ALGOLIA_SUITE"), reason="ALGOLIA_SUITE names no checkout of the official suite"
)

APP, KEY = "kinfolk", "a key for tests"
AUTH = {"x-algolia-application-id": APP, "x-algolia-api-key": KEY}
FILLED = 33_191
"""Records that the suite expects in its largest index."""
OUT_OF_SCOPE = {
    "test_search_dictionary_entries_": "the provider's own dictionaries of stop words",
    "test_get_recommendations_1": "the scores of a model that was trained on the provider's records",
}
PLUGIN = """
import asyncio, inspect, os, sys, types
from urllib.parse import urlsplit

import pytest
from algoliasearch.http.hosts import Host, HostsCollection
from algoliasearch.insights.config import InsightsConfig
from algoliasearch.recommend.config import RecommendConfig
from algoliasearch.search.config import SearchConfig

sys.modules["dotenv"] = types.SimpleNamespace(load_dotenv=lambda _: None)
HERE = urlsplit(os.environ["SEARCH_HERE"])


def hosts(config):
    if config.hosts is None:
        config.hosts = HostsCollection([Host(HERE.hostname, scheme="http", port=HERE.port) for _ in range(2)])


for config in (SearchConfig, RecommendConfig, InsightsConfig):
    config.set_default_hosts = hosts


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        asyncio.run(pyfuncitem.obj())
        return True
"""


@pytest.fixture(scope="module")
def suite() -> Path:
    return Path(os.environ["ALGOLIA_SUITE"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, suite: Path) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("suite"), environment=PLAIN | {"KINFOLK_SEARCH_ADMIN_KEY": KEY}) as server:
        fill(server, suite)
        yield server


def entries(suite: Path, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((suite / f"tests/CTS/requests/{kind}.json").read_text())
    return found


def expected(suite: Path, kind: str, name: str) -> Any:
    entry = next(each for each in entries(suite, kind) if each.get("testName", name) == name and "response" in each)
    return entry["response"]["body"]


def fill(server: Server, suite: Path) -> None:
    """Create the indexes that the end-to-end tests need."""
    with httpx.Client(base_url=server.url, headers=AUTH, timeout=60) as client:
        tasks: list[int] = []

        def add_task(answer: httpx.Response) -> None:
            answer.raise_for_status()
            tasks.append(answer.json()["taskID"])

        def settings(index: str, given: dict[str, Any]) -> None:
            add_task(client.put(f"/1/indexes/{quote(index)}/settings", json=given))

        def put(index: str, records: list[dict[str, Any]]) -> None:
            for start in range(0, len(records), 1000):
                batch = [{"action": "addObject", "body": one} for one in records[start : start + 1000]]
                add_task(client.post(f"/1/indexes/{quote(index)}/batch", json={"requests": batch}))

        for name in ("cts_e2e_search_empty_index", "cts_e2e_space in index", "cts_e2e_query_categorization"):
            settings(name, {"hitsPerPage": 20})
        settings("cts_e2e_settings", expected(suite, "search/getSettings", "getSettings"))
        (record,) = expected(suite, "search/search", "search with highlight and snippet results")["results"][0]["hits"]
        put("cts_e2e_highlight_snippet_results", [{n: v for n, v in record.items() if not n.startswith("_")}])
        settings("cts_e2e_search_facet", {"attributesForFaceting": ["searchable(editor)"]})
        facets = expected(suite, "search/search", "search for a single facet request with minimal parameters")
        ordered = expected(suite, "search/search", "search filters end to end")["results"][0]["hits"]
        first = [hit["editor"] for hit in ordered]
        others = [hit["value"] for hit in facets["results"][0]["facetHits"] if hit["value"] not in first]
        put("cts_e2e_search_facet", [{"objectID": str(at), "editor": v} for at, v in enumerate([*first, *others])])
        film = expected(suite, "search/getObject", "search with a real object")
        (hit,) = expected(suite, "search/searchSingleIndex", "single search retrieve snippets")["hits"]
        highlights = hit["_highlightResult"]
        searched = next(
            each["parameters"]["searchParams"]["query"]
            for each in entries(suite, "search/searchSingleIndex")
            if each.get("testName") == "single search retrieve snippets"
        )
        other = {
            "objectID": searched,
            "title": searched,
            "genres": [genre["value"] for genre in highlights["genres"]],
            "year": int(highlights["year"]["value"]),
        }
        fillers = [{"objectID": f"film {at}", "title": f"Film number {at}"} for at in range(FILLED - 2)]
        put("cts_e2e_browse", [film, other, *fillers])
        rule = expected(suite, "search/getRule", "getRule")
        add_task(client.put(f"/1/indexes/cts_e2e_browse/rules/{rule['objectID']}", json=rule))
        for task in tasks:
            while client.get(f"/1/task/{task}").json()["status"] != "published":
                pass


@pytest.mark.parametrize("kind", ["search", "recommend", "insights"])
def test_official_python_client_tests_in_scope_pass(server: Server, suite: Path, kind: str, tmp_path: Path) -> None:
    (tmp_path / "local_hosts.py").write_text(PLUGIN)
    folder = suite / "tests/output/python"
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "SEARCH_HERE": server.url,
        "ALGOLIA_APPLICATION_ID": APP,
        "ALGOLIA_ADMIN_KEY": KEY,
    }
    command = [sys.executable, "-m", "pytest", "-p", "local_hosts", "-p", "no:cacheprovider", "-q", "-rA", "--tb=short"]
    ran = subprocess.run(
        [*command, f"tests/e2e/{kind}_test.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    passed = re.findall(r"^PASSED tests/e2e/\S+::\w+::(\w+)", ran.stdout, re.MULTILINE)
    failed = re.findall(r"^FAILED tests/e2e/\S+::\w+::(\w+)", ran.stdout, re.MULTILINE)
    print(f"{kind}: {len(passed)} passed, {len(failed)} failed: {', '.join(sorted(set(failed)))}")
    assert passed or kind == "recommend", ran.stdout[-3000:] + ran.stderr[-2000:]
    assert set(failed) <= set(OUT_OF_SCOPE), ran.stdout[-6000:]


def test_common_suite_requests_get_expected_responses(server: Server, suite: Path) -> None:
    compared, wrong = 0, []
    with httpx.Client(base_url=server.url, headers=AUTH, timeout=60) as client:
        for kind in ("search", "recommend", "insights"):
            for file in sorted((suite / "tests/CTS/requests" / kind).glob("*.json")):
                for entry in json.loads(file.read_text()):
                    if "response" not in entry:
                        continue
                    compared += 1
                    answer = send(client, entry["request"])
                    body = entry["response"].get("body")
                    if body is not None and compared_part(body, answer.json()) != body:
                        wrong.append(f"{file.stem}: {entry.get('testName', '')}")
    print(f"{compared} compared, {len(wrong)} differ: {wrong}")
    assert compared > 10
    assert len(wrong) <= len(OUT_OF_SCOPE)


def test_common_suite_requests_cause_no_server_error(server: Server, suite: Path) -> None:
    statuses: dict[int, int] = {}
    with httpx.Client(base_url=server.url, headers=AUTH, timeout=60) as client:
        for kind in ("search", "recommend", "insights"):
            for file in sorted((suite / "tests/CTS/requests" / kind).glob("*.json")):
                for entry in json.loads(file.read_text()):
                    if entry["request"]["path"].startswith("/1/indexes/cts_e2e_browse"):
                        continue
                    status = send(client, entry["request"]).status_code
                    statuses[status] = statuses.get(status, 0) + 1
    print(dict(sorted(statuses.items())))
    assert all(status < 500 for status in statuses)
    assert statuses[200] > sum(count for status, count in statuses.items() if status >= 400)


def send(client: httpx.Client, request: dict[str, Any]) -> httpx.Response:
    body = request.get("body")
    return client.request(
        request["method"],
        request["path"],
        params=request.get("queryParameters"),
        content=json.dumps(body).encode() if body is not None else None,
        headers={name: value for name, value in (request.get("headers") or {}).items() if "algolia-api" not in name},
    )


def compared_part(expected: Any, received: Any) -> Any:
    """The response without the keys that the suite does not compare."""
    if isinstance(expected, list):
        return (
            [compared_part(one, other) for one, other in zip(expected, received, strict=False)]
            if received
            else received
        )
    if isinstance(expected, dict):
        return {k: compared_part(v, received[k]) for k, v in expected.items() if received.get(k) is not None}
    return received
