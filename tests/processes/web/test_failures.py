"""Failures of upstream: other pages are still served, and the log contains the branch and the reason."""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx
import pytest
from tests.processes.family import (
    RANGER,
    STORE,
    TIMEOUT_S,
    Family,
    eventually,
    html_of,
    logged,
    revision_of,
    revisions,
    showing,
    upstream_family,
    warned,
)
from tests.servers.serving import Server
from tests.unit.content.sources.git.sources_upstream import git

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref

QUERY_V3 = Ref("TanStack/query", "v3")
QUERY_V4 = Ref("TanStack/query", "v4")
PACER = Ref("TanStack/pacer", "main")
UNAFFECTED = ("/", "/query/latest", "/query/latest/docs/framework/react/overview", "/table/latest/docs/introduction")
"""Pages that do not depend on the branches that these tests break."""


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory, built: object) -> Family:
    """A family whose upstream lacks a branch, mirrored at revision 1."""
    family = upstream_family(tmp_path_factory.mktemp("failures") / "family", without=[QUERY_V3])
    synced = family.sync()
    assert synced.returncode == 1
    assert "TanStack/query: v3: fatal: couldn't find remote ref refs/heads/v3" in synced.stderr
    return family


@pytest.fixture(scope="module")
def server(family: Family) -> Iterator[Server]:
    with family.serving() as server:
        yield server


def statuses(server: Server, *paths: str) -> dict[str, int]:
    return {path: httpx.get(server.url + path, timeout=TIMEOUT_S).status_code for path in paths}


def assert_unaffected_pages_are_served(server: Server) -> None:
    assert statuses(server, *UNAFFECTED) == dict.fromkeys(UNAFFECTED, 200)


def test_unreachable_upstream_keeps_the_published_pages(server: Server, family: Family) -> None:
    before = revisions(server)
    upstream = family.upstreams.folder
    moved = upstream.rename(upstream.with_name("moved"))
    try:
        eventually(
            warned(server, RANGER.repo, RANGER.branch, "does not appear to be a git repository"),
            "the log names the branch",
        )
        eventually(
            warned(server, "TanStack/table", "v8", "does not appear to be a git repository"),
            "the log names each branch",
        )
        assert_unaffected_pages_are_served(server)
        assert revisions(server) == before
    finally:
        moved.rename(upstream)
    family.push(2)
    eventually(showing(server, 2), "the next refresh after upstream is back")


def test_missing_branch_is_logged_and_only_its_pages_are_unavailable(server: Server) -> None:
    eventually(warned(server, QUERY_V3.repo, QUERY_V3.branch, "couldn't find remote ref"), "the log names it")
    answer = httpx.get(f"{server.url}/query/v3/docs/framework/react/overview", timeout=TIMEOUT_S)

    assert answer.status_code == 503
    assert answer.headers["cache-control"] == "private, no-store"
    assert f"There is no copy of {QUERY_V3} on this site yet" in answer.text
    assert_unaffected_pages_are_served(server)


def test_branch_deleted_upstream_is_still_served(server: Server, family: Family) -> None:
    page = "/query/v4/docs/overview"
    assert statuses(server, page) == {page: 200}
    git(f"--git-dir={family.upstreams.path(QUERY_V4)}", "update-ref", "-d", f"refs/heads/{QUERY_V4.branch}")

    eventually(warned(server, QUERY_V4.repo, QUERY_V4.branch, "couldn't find remote ref"), "the log names it")
    assert statuses(server, page) == {page: 200}
    assert_unaffected_pages_are_served(server)


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ('{"sections": [', "docs/config.json: is not valid JSON"),
        ('{"sections": [{"label": 7}]}', "docs/config.json: sections.0.label: Input should be a valid string"),
    ],
)
def test_commit_with_an_invalid_navigation_is_not_published(
    server: Server, family: Family, config: str, reason: str
) -> None:
    path = "/store/latest/docs/overview"
    before = revision_of(html_of(server, path))
    commit = family.upstreams.commit(
        STORE, {"docs/config.json": config, "docs/overview.md": f"This is Revision {before + 1}"}
    )

    eventually(warned(server, STORE.repo, STORE.branch, commit[:10], reason), "the log names commit and reason")
    assert revision_of(html_of(server, path)) == before
    assert_unaffected_pages_are_served(server)
    family.push(before + 1)
    eventually(showing(server, before + 1), "the valid navigation")


def test_page_with_an_invalid_ref_is_missing_until_it_is_fixed(server: Server, family: Family) -> None:
    bad = "---\nref: docs/nowhere.md\n---\n"
    core, framework = "docs/bad.md", "docs/framework/react/bad.md"
    family.upstreams.commit(PACER, {core: bad, framework: bad})
    addresses = [f"/pacer/latest/{file.removesuffix('.md')}" for file in (core, framework)]
    eventually(lambda: changed(server, PACER), "the new pages")

    assert list(statuses(server, *addresses).values()) == [307, 404]
    for file in (core, framework):
        reason = "This page shows the text of docs/nowhere.md, which does not exist"
        assert any(entry.get("path") == file and entry["reason"] == reason for entry in logged(server))
    assert_unaffected_pages_are_served(server)
    family.upstreams.commit(PACER, {core: "Fixed.\n", framework: "Fixed.\n"})
    eventually(lambda: set(statuses(server, *addresses).values()) == {200}, "the fixed pages")


def changed(server: Server, ref: Ref) -> bool:
    return any(entry["event"] == "docs changed" and entry["ref"] == str(ref) for entry in logged(server))


@pytest.mark.parametrize("path", ["/ranger/latest/docs/framework/react/nowhere", "/nowhere", "/blog/nowhere"])
def test_missing_page_is_a_rendered_404(server: Server, path: str) -> None:
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_S) as client:
        for origin in ("rendered", "cached"):
            began = time.monotonic()
            answer = client.get(path)
            print(f"{path}: {answer.status_code}, {origin}, in {(time.monotonic() - began) * 1000:.1f} ms")
            assert answer.status_code == 404
            assert "Not Found</h1>" in answer.text
            assert ' id="Site-answers">' in answer.text  # rendered by React, not the fallback page


def test_refused_connection_is_reported_for_every_branch(family: Family, catalog: Catalog) -> None:
    synced = family.sync("--from", "http://127.0.0.1:1/{owner}/{repo}.git")

    assert synced.returncode == 1
    for ref in catalog.refs:
        assert any(
            ref.repo in line and ref.branch in line and "Failed to connect" in line
            for line in synced.stderr.splitlines()
        )
    assert "Their last good version is still served" in synced.stderr
