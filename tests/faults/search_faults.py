"""Attacks on search: numbers, regular expressions, amplification, client writes and damaged files."""

from __future__ import annotations

import contextlib
import gzip
import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
from tests.faults.site import KEYS, PLAIN, Server, Site, expect, fault, outage, probe, resident_mb

INDEX = "tanstack"
ADMIN_KEY = "only for tests"
ADMIN = KEYS | {"x-algolia-api-key": ADMIN_KEY}
QUERIES = "/1/indexes/*/queries"
PATIENCE_S = 40.0
UNLIMITED = PLAIN | {"KINFOLK_SEARCH_RATE": "0", "KINFOLK_SEARCH_ADMIN_KEY": ADMIN_KEY}
"""Without the rate limit: the cost of a single call has its own limit."""
LIMITED = PLAIN | {"KINFOLK_SEARCH_RATE": "20"}
"""With the default rate limit."""
MB = 1e6


@contextlib.contextmanager
def searchable(site: Site, environment: Mapping[str, str] = UNLIMITED) -> Iterator[Server]:
    """Run a server until its index is ready."""
    with site.serving(environment=environment) as server:
        until = time.monotonic() + 90
        while call(server, [{"query": "a"}])[0] != 200:
            if time.monotonic() > until:
                raise RuntimeError(f"no index:\n{server.log[-2000:]}")
            time.sleep(0.2)
        yield server


def call(
    server: Server, requests: list[dict[str, object]], *, path: str = QUERIES, timeout_s: float = PATIENCE_S
) -> tuple[int, int, float]:
    """Status (0 without a response), uncompressed bytes of the response, and seconds."""
    body = {"requests": [{"indexName": INDEX, **one} for one in requests]}
    return send(server, "POST", path, body, timeout_s=timeout_s)


def send(
    server: Server, method: str, path: str, body: object = None, *, timeout_s: float = PATIENCE_S
) -> tuple[int, int, float]:
    began, size = time.perf_counter(), 0
    status = 0
    try:
        headers = KEYS | {"accept-encoding": "identity"}
        with httpx.stream(method, server.url + path, json=body, headers=headers, timeout=timeout_s) as answer:
            status = answer.status_code
            for part in answer.iter_raw():
                size += len(part)
                if size > 2000 * MB or time.perf_counter() - began > timeout_s:
                    break
    except httpx.HTTPError:
        status = 0
    return status, size, time.perf_counter() - began


def stall(server: Server, attack: Any, *, within_s: float = 30.0) -> float:
    """The longest wait of a small request during the attack, in seconds."""
    thread = threading.Thread(target=attack, daemon=True)
    thread.start()
    worst, until = 0.0, time.monotonic() + within_s
    while thread.is_alive() and time.monotonic() < until:
        worst = max(worst, probe(server, timeout_s=within_s))
        time.sleep(0.05)
    return max(worst, probe(server, timeout_s=within_s))


@fault("D1", "A page number aborts the worker")
def page_number(site: Site) -> str:
    with searchable(site) as server:
        workers = server.workers()
        parameters = (
            "page=2147483647",
            "offset=2000000000&length=1",
            "page=2147483647&hitsPerPage=1000&distinct=false",
            "offset=2147483647&length=1000",
        )
        keys = "&".join(f"{name}={value}" for name, value in KEYS.items())
        statuses = [send(server, "GET", f"/1/indexes/{INDEX}?{keys}&query=a&{one}")[0] for one in parameters]
        down_s = outage(server)
        lost = set(workers) - set(server.workers())
        return expect(
            statuses == [200] * 4 and not lost, f"answers {statuses}, workers lost {len(lost)}, outage {down_s:.1f} s"
        )


@fault("D2a", "A list element blocks all requests (POST)")
def regular_expression(site: Site) -> str:
    with searchable(site) as server:
        worst_s = stall(server, lambda: call(server, [{"numericFilters": [" " * 2000]}]))
        return expect(worst_s < 1, f"a reader waits {worst_s:.1f} s for 2,000 spaces")


@fault("D2b", "A list element blocks all requests (GET)")
def regular_expression_in_address(site: Site) -> str:
    keys = "&".join(f"{name}={value}" for name, value in KEYS.items())
    with searchable(site) as server:
        address = f"/1/indexes/{INDEX}?{keys}&numericFilters=%5B%22{'+' * 1900}%22%5D"
        worst_s = stall(server, lambda: send(server, "GET", address))
        return expect(worst_s < 1, f"a reader waits {worst_s:.1f} s for 1,900 spaces")


@fault("D3a", "Highlight tags produce a response of a gigabyte")
def tags(site: Site) -> str:
    with searchable(site) as server:
        tag = "<" * 20_000
        heavy: dict[str, object] = {"query": "a the to of", "queryType": "prefixAll", "hitsPerPage": 300}
        heavy |= {"highlightPreTag": tag, "highlightPostTag": tag, "attributesToHighlight": ["*"]}
        before_mb = max(map(resident_mb, server.workers()))
        peak_mb = [before_mb]
        stop = threading.Event()

        def watch() -> None:
            while not stop.wait(0.05):
                with contextlib.suppress(OSError, ValueError):
                    peak_mb.append(max(map(resident_mb, server.workers())))

        watcher = threading.Thread(target=watch)
        watcher.start()
        first = call(server, [heavy], timeout_s=20)
        # The longest allowed tags in the largest allowed number of searches.
        heavy |= {"highlightPreTag": tag[:250], "highlightPostTag": tag[:250], "hitsPerPage": 1000}
        second = call(server, [{**heavy, "page": page} for page in range(50)], timeout_s=20)
        stop.set()
        watcher.join()
        size, more_mb = max(first[1], second[1]), max(peak_mb) - before_mb
        figure = f"answer of {size / MB:.1f} MB, {more_mb:.0f} MB more memory, answers {first[0]} and {second[0]}"
        return expect(size < 10 * MB and more_mb < 250 and 0 < first[0] < 500 and 0 < second[0] < 500, figure)


@fault("D3b", "A thousand snippets of one attribute")
def snippets(site: Site) -> str:
    with searchable(site) as server:
        one: dict[str, object] = {"query": "a the to of", "queryType": "prefixAll", "hitsPerPage": 1000}
        status, _, took_s = call(server, [one | {"attributesToSnippet": ["content:1000"] * 1000}])
        return expect(took_s < 5 and 0 < status < 500, f"{took_s:.1f} s, answer {status}")


@fault("D3c", "Fifty heavy searches in one call")
def heavy_searches(site: Site) -> str:
    with searchable(site) as server:
        filters = ["version:latest"] * 18_000
        several: list[dict[str, object]] = [
            {
                "query": f"the to a of in is and for you with x{at}",
                "queryType": "prefixAll",
                "hitsPerPage": 1000,
                "attributesToHighlight": ["*"],
                "attributesToSnippet": ["*:1000"],
                "facets": ["*"],
            }
            for at in range(50)
        ]
        many = call(server, several)
        filtered = call(server, [{"query": "the", "facetFilters": filters, "hitsPerPage": 1000}])
        worst_s = max(many[2], filtered[2])
        figure = f"50 searches {many[2]:.1f} s (answer {many[0]}), 18,000 filters {filtered[2]:.1f} s ({filtered[0]})"
        return expect(worst_s < 5 and 0 < many[0] < 500 and 0 < filtered[0] < 500, figure)


@fault("D3d", "Nested lists cause a server error")
def nested_lists(site: Site) -> str:
    with searchable(site) as server:
        deep: Any = 1
        for _ in range(300):
            deep = [deep]
        statuses = [
            send(server, "POST", QUERIES, {"requests": [{"indexName": INDEX, "query": "a", name: deep}]})[0]
            for name in ("x", "facetFilters", "userToken", "extensions")
        ]
        return expect(all(400 <= status < 500 for status in statuses), f"answers {statuses}")


@fault("D3e", "A call of fifty searches counts as one")
def rate_limit(site: Site) -> str:
    with searchable(site, LIMITED) as server:
        began = time.perf_counter()
        made = refused = 0
        while time.perf_counter() - began < 5 and refused < 3:
            status, _, _ = call(server, [{"query": f"a{at}", "hitsPerPage": 1} for at in range(50)])
            made += 50 if status == 200 else 0
            refused += status == 429
        took_s = time.perf_counter() - began
        return expect(refused > 0 and made <= 1000, f"{made} searches in {took_s:.1f} s, {refused} calls refused")


@fault("D9", "Events fill the disk")
def events(site: Site) -> str:
    with searchable(site) as server:
        file = site.folder / "var" / "kinfolk.sqlite"
        found = httpx.post(
            server.url + QUERIES,
            json={"requests": [{"indexName": INDEX, "query": "a", "attributesToRetrieve": ["x"]}]},
            headers=KEYS,
        ).json()["results"][0]["hits"]
        ids = [hit["objectID"] for hit in found][:20]
        began, sent = time.perf_counter(), 0
        # Below the limit of values in a request.
        while sent < 40 and time.perf_counter() - began < 45:
            several = [
                {
                    "eventType": "click",
                    "eventName": "x",
                    "index": INDEX,
                    "objectIDs": ids[:15],
                    "positions": list(range(1, len(ids[:15]) + 1)),
                    "queryID": secrets.token_hex(16),
                }
                for _ in range(500)
            ]
            body = gzip.compress(json.dumps({"events": several}).encode())
            with contextlib.suppress(httpx.HTTPError):
                headers = KEYS | {"content-encoding": "gzip"}
                httpx.post(server.url + "/1/events", content=body, headers=headers, timeout=PATIENCE_S)
            sent += 1
        size = sum(path.stat().st_size for path in file.parent.glob("kinfolk.sqlite*"))
        rows = _rows(file)
        figure = f"{rows:,} rows, {size / MB:.1f} MB in {time.perf_counter() - began:.0f} s of {sent} requests"
        return expect(rows <= 60_000 and size < 16 * MB, figure)


def _rows(file: Path) -> int:
    with contextlib.closing(sqlite3.connect(file, timeout=10)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return sum(db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables)  # noqa: S608


@fault("D14r", "A zeroed records.sqlite is silently empty")
def zeroed_records(site: Site) -> str:
    """The file is truncated, or overwritten with zeros, while the server is down."""
    figures, fine = [], True
    for way in ("truncated", "zeroed"):
        folder = site.folder / way
        environment = UNLIMITED | {"KINFOLK_VAR": str(folder)}
        file = folder / "pushed" / "records.sqlite"
        with site.serving(environment=environment) as server:
            body = {"requests": [{"action": "addObject", "body": {"objectID": "1", "title": "Soup"}}]}
            httpx.post(f"{server.url}/1/indexes/meals/batch", json=body, headers=ADMIN, timeout=20).raise_for_status()
        size = file.stat().st_size
        for end in ("-wal", "-shm"):
            file.with_name(file.name + end).unlink(missing_ok=True)
        file.write_bytes(b"" if way == "truncated" else bytes(size))
        with site.serving(environment=environment) as server:
            answer = httpx.post(f"{server.url}/1/indexes/meals/query", json={"query": "soup"}, headers=KEYS, timeout=20)
            named = "damaged" in server.log
            stored = len(list(folder.glob("pushed/*damaged*")))
        fine = fine and answer.status_code == 503 and named and stored == 1
        figures.append(
            f"{way}: answer {answer.status_code}, {'named' if named else 'not named'} in the log, {stored} stored"
        )
    return expect(fine, "; ".join(figures))
