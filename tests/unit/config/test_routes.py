"""The table of routes: its rows are the routes of the frontend, and each path has one row."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kinfolk.config.routes import (
    MISSING,
    ROUTES,
    SERVER_RESOURCE,
    SITE_PAGE,
    literal_segments,
    match_route,
    match_site_route,
    reserved_segments,
)

FRONTEND = Path(__file__).parents[3] / "frontend/src"
DOCS = "/$library/$version/docs"


def test_rows_are_the_routes_of_the_frontend() -> None:
    generated = (FRONTEND / "routeTree.gen.ts").read_text(encoding="utf-8")
    routes = re.search(r"interface FileRoutesByTo \{(.*?)\n\}", generated, re.DOTALL)
    assert routes is not None
    assert {route.pattern for route in ROUTES} == set(re.findall(r"'([^']+)': typeof", routes[1]))


def test_route_tree_of_the_frontend_contains_all_route_files() -> None:
    files = (path.relative_to(FRONTEND / "routes") for path in (FRONTEND / "routes").rglob("*.tsx"))
    ids = {re.sub(r"(\.lazy)?\.tsx$", "", file.as_posix()) for file in files}
    imported = set(
        re.findall(r"'\./routes/([^']+?)(?:\.lazy)?'", (FRONTEND / "routeTree.gen.ts").read_text(encoding="utf-8"))
    )
    assert ids == imported


def test_no_pattern_occurs_twice() -> None:
    assert len({route.pattern for route in ROUTES}) == len(ROUTES)


@pytest.mark.parametrize(
    ("path", "pattern", "params"),
    [
        ("/", "/", {}),
        ("/blog", "/blog", {}),
        ("/blog/a-post", "/blog/$", {"_splat": "a-post"}),
        ("/stats/npm", "/stats/npm", {}),
        ("/stats/npm/embed", "/stats/npm/embed", {}),
        ("/stats/npm/@tanstack/form-vs-swr", "/stats/npm/$", {"_splat": "@tanstack/form-vs-swr"}),
        ("/query", "/$library", {"library": "query"}),
        ("/pr/query/12", "/pr/$library/$number", {"library": "query", "number": "12"}),
        ("/pr/query/12/docs", DOCS, {"library": "query", "version": "pr-12"}),
        ("/pr/query/12/docs/a/b", f"{DOCS}/$", {"library": "query", "version": "pr-12", "_splat": "a/b"}),
        ("/query/latest", "/$library/$version", {"library": "query", "version": "latest"}),
        ("/query/v4/docs", DOCS, {"library": "query", "version": "v4"}),
        ("/query/v4/docs/examples", f"{DOCS}/examples", {"library": "query", "version": "v4"}),
        ("/query/v4/docs/a/b", f"{DOCS}/$", {"library": "query", "version": "v4", "_splat": "a/b"}),
        (
            "/query/v4/docs/framework/react/a/b",
            f"{DOCS}/framework/$framework/$",
            {"library": "query", "version": "v4", "framework": "react", "_splat": "a/b"},
        ),
        (
            "/query/v4/docs/framework/react/examples/basic",
            f"{DOCS}/framework/$framework/examples/$name",
            {"library": "query", "version": "v4", "framework": "react", "name": "basic"},
        ),
        (
            "/query/v4/docs/framework//examples/basic",
            f"{DOCS}/$",
            {"library": "query", "version": "v4", "_splat": "framework//examples/basic"},
        ),
        ("/query/latest/x", "/$library/$version/$", {"library": "query", "version": "latest", "_splat": "x"}),
    ],
)
def test_path_matches_its_most_specific_row(path: str, pattern: str, params: dict[str, str]) -> None:
    match = match_route(path)
    assert (match.route.pattern, match.params) == (pattern, params)


@pytest.mark.parametrize("path", ["", "query"])
def test_path_without_a_row_is_missing(path: str) -> None:
    assert match_route(path).route is MISSING


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("/query", "/$library"),
        ("/query/latest", "/$library/$version"),
        ("/blog", "/blog"),
        ("/support", SITE_PAGE.pattern),
        ("/guides/start", SITE_PAGE.pattern),
        ("/guides/latest/docs/start", SITE_PAGE.pattern),
        ("//", SITE_PAGE.pattern),
    ],
)
def test_addresses_outside_of_libraries_are_pages_of_the_site(path: str, pattern: str) -> None:
    assert match_site_route(path, {"query"}).route.pattern == pattern


def test_first_segments_of_routes_and_libraries_are_reserved() -> None:
    reserved = reserved_segments(["query"])
    assert {"blog", "search", "api", "og"} <= set(reserved)
    assert reserved["query"] == "the library query"
    assert "support" not in reserved


def test_only_embeds_may_be_framed() -> None:
    framed = [route.pattern for route in ROUTES if route.frame_ancestors != "'none'"]
    assert framed == ["/sponsors-embed", "/stats/npm/embed"]


def test_literal_segments_by_position() -> None:
    segments = literal_segments()
    assert {"", "blog", "search"} <= segments[0]
    assert {at: set(words) for at, words in segments.items() if at} == {
        1: {
            "account",
            "activity",
            "changes",
            "code",
            "confirm",
            "content",
            "deliveries",
            "feedback",
            "links",
            "npm",
            "promotions",
            "releases",
            "searches",
            "statistics",
        },
        2: {"docs", "embed"},
        3: {"examples", "framework"},
        5: {"examples"},
    }


@pytest.mark.parametrize(
    ("path", "is_resource"),
    [
        ("/llms.txt", True),
        ("/query/latest/llms-full.txt", True),
        ("/query/latest/docs.zip", True),
        ("/query/docs.zip", True),
        ("/api/md/query/latest/docs/overview", True),
        ("/query/latest/docs/overview.md", True),
        ("/query/latest/docs/overview.atom", True),
        ("/query/changes.atom", True),
        ("/query/release-changes.atom", True),
        ("/query/code-checks.atom", True),
        ("/query/latest/changes.atom", False),
        ("/query/releases.atom", True),
        ("/query/releases/5.28.4", False),
        ("/blog/a-post.md", True),
        ("/_files/TanStack/query/main/docs/a.png", True),
        ("/blog/a-post", False),
        ("/stats/npm.svg", True),
        ("/stats/npm.exe", False),
        ("/query/latest/docs/framework/react/examples/basic.md", False),
        ("/login", False),
    ],
)
def test_server_resources(path: str, is_resource: bool) -> None:
    assert (SERVER_RESOURCE.fullmatch(path) is not None) is is_resource
