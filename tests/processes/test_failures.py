"""Something upstream is wrong: the rest of the site serves, and the log names what and why."""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx
import pytest
from tests.processes.family import (
    PATIENCE_S,
    RANGER,
    STORE,
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
from tests.serving import Server
from tests.unit.sources_upstream import git

from kinfolk.catalog import Catalog
from kinfolk.settings import Settings
from kinfolk.sources.snapshot import Ref

QUERY_V3 = Ref("TanStack/query", "v3")
QUERY_V4 = Ref("TanStack/query", "v4")
PACER = Ref("TanStack/pacer", "main")
ELSEWHERE = ("/", "/query/latest", "/query/latest/docs/framework/react/overview", "/table/latest/docs/introduction")
"""Pages that have nothing to do with what is broken here."""


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory, settings: Settings, catalog: Catalog, built: object) -> Family:
    """Mirrored at revision 1, but for a branch that upstream does not have."""
    family = upstream_family(tmp_path_factory.mktemp("failures"), settings, catalog, without=[QUERY_V3])
    synced = family.sync()
    assert synced.returncode == 1
    assert "TanStack/query: v3: fatal: couldn't find remote ref refs/heads/v3" in synced.stderr
    return family


@pytest.fixture(scope="module")
def server(family: Family) -> Iterator[Server]:
    with family.serving() as server:
        yield server


def statuses(server: Server, *paths: str) -> dict[str, int]:
    return {path: httpx.get(server.url + path, timeout=PATIENCE_S).status_code for path in paths}


def assert_all_else_serves(server: Server) -> None:
    assert statuses(server, *ELSEWHERE) == dict.fromkeys(ELSEWHERE, 200)


def test_an_upstream_that_is_down_costs_nothing_but_news(server: Server, family: Family) -> None:
    shown = revisions(server)
    upstream = family.upstreams.folder
    away = upstream.rename(upstream.with_name("away"))
    try:
        eventually(
            warned(server, RANGER.repo, RANGER.branch, "does not appear to be a git repository"),
            "the log names the branch",
        )
        eventually(
            warned(server, "TanStack/table", "v8", "does not appear to be a git repository"),
            "the log names each branch",
        )
        assert_all_else_serves(server)
        assert revisions(server) == shown
    finally:
        away.rename(upstream)
    family.push(2)
    eventually(showing(server, 2), "the next refresh after upstream is back")


def test_a_branch_that_upstream_never_had_is_named_and_missed_by_its_own_pages_only(server: Server) -> None:
    eventually(warned(server, QUERY_V3.repo, QUERY_V3.branch, "couldn't find remote ref"), "the log names it")
    answer = httpx.get(f"{server.url}/query/v3/docs/framework/react/overview", timeout=PATIENCE_S)

    assert answer.status_code == 503
    assert answer.headers["cache-control"] == "private, no-store"
    assert f"There is no copy of {QUERY_V3} on this site yet" in answer.text
    assert_all_else_serves(server)


def test_a_branch_that_is_deleted_upstream_stays_readable(server: Server, family: Family) -> None:
    page = "/query/v4/docs/overview"
    assert statuses(server, page) == {page: 200}
    git(f"--git-dir={family.upstreams.path(QUERY_V4)}", "update-ref", "-d", f"refs/heads/{QUERY_V4.branch}")

    eventually(warned(server, QUERY_V4.repo, QUERY_V4.branch, "couldn't find remote ref"), "the log names it")
    assert statuses(server, page) == {page: 200}
    assert_all_else_serves(server)


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ('{"sections": [', "docs/config.json: is not valid JSON"),
        ('{"sections": [{"label": 7}]}', "docs/config.json: sections.0.label: Input should be a valid string"),
    ],
)
def test_a_broken_navigation_is_not_shown(server: Server, family: Family, config: str, reason: str) -> None:
    path = "/store/latest/docs/overview"
    before = revision_of(html_of(server, path))
    commit = family.upstreams.commit(
        STORE, {"docs/config.json": config, "docs/overview.md": f"This is Revision {before + 1}"}
    )

    eventually(warned(server, STORE.repo, STORE.branch, commit[:10], reason), "the log names commit and reason")
    assert revision_of(html_of(server, path)) == before
    assert_all_else_serves(server)
    family.push(before + 1)
    eventually(showing(server, before + 1), "the mended navigation")


def test_a_page_with_a_bad_ref_is_missing_alone_until_it_is_mended(server: Server, family: Family) -> None:
    bad = "---\nref: docs/nowhere.md\n---\n"
    core, framework = "docs/bad.md", "docs/framework/react/bad.md"
    family.upstreams.commit(PACER, {core: bad, framework: bad})
    addresses = [f"/pacer/latest/{file.removesuffix('.md')}" for file in (core, framework)]
    eventually(lambda: changed(server, PACER), "the new pages")

    assert list(statuses(server, *addresses).values()) == [307, 404]
    for file in (core, framework):
        reason = "This page shows the text of docs/nowhere.md, which does not exist"
        assert any(entry.get("path") == file and entry["reason"] == reason for entry in logged(server))
    assert_all_else_serves(server)
    family.upstreams.commit(PACER, {core: "Mended.\n", framework: "Mended.\n"})
    eventually(lambda: set(statuses(server, *addresses).values()) == {200}, "the mended pages")


def changed(server: Server, ref: Ref) -> bool:
    return any(entry["event"] == "docs changed" and entry["ref"] == str(ref) for entry in logged(server))


@pytest.mark.parametrize("path", ["/ranger/latest/docs/framework/react/nowhere", "/nowhere", "/blog/nowhere"])
def test_a_missing_page_is_a_404_of_the_site(server: Server, path: str) -> None:
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        for visit in ("rendered", "kept"):
            began = time.monotonic()
            answer = client.get(path)
            print(f"{path}: {answer.status_code}, {visit}, in {(time.monotonic() - began) * 1000:.1f} ms")
            assert answer.status_code == 404
            assert "Not Found</h1>" in answer.text
            assert 'src="/assets/' in answer.text  # React made it: it is no page of last resort


def test_an_upstream_that_refuses_connections_is_named_for_every_branch(family: Family, catalog: Catalog) -> None:
    synced = family.sync("--from", "http://127.0.0.1:1/{owner}/{repo}.git")

    assert synced.returncode == 1
    for repo, branch in catalog.refs():
        assert any(
            repo in line and branch in line and "Failed to connect" in line for line in synced.stderr.splitlines()
        )
    assert "what was good before is still served" in synced.stderr
