"""Patterns of redirects of other programs and hosts in the syntax of this site."""

from __future__ import annotations

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.cli.import_site.old_addresses.address_patterns import filled_target, read_old_address
from kinfolk.content.redirects import PARAMETER


@pytest.mark.parametrize(
    ("old", "path"),
    [
        ("/docs/old", "/docs/old"),
        ("/docs/old/", "/docs/old"),
        ("/docs/*", "/docs/{splat...}"),
        ("/start*", "/start{splat}"),
        ("/:lang/old", "/{lang}/old"),
        ("/docs/:path*", "/docs/{path...}"),
        ("/docs/:path+", "/docs/{path...}"),
        ("/docs/:path(.*)", "/docs/{path...}"),
        ("/docs/:lang(en|fr)/x", "/docs/{lang:en|fr}/x"),
        ("/v:major/docs", "/v{major}/docs"),
        ("/:Page_2/:page3", "/{page}/{pagex}"),
        ("/a b/ü", "/a%20b/%C3%BC"),
        ("/a%20b", "/a%20b"),
        ("/docs/:path*/x", None),
        ("/docs/*/x", None),
        ("/docs/:path?", None),
        ("/docs/:id(\\d+)", None),
        ("/a/(.*)", None),
        ("/a/../b", None),
        ("/a/%2e%2e/b", None),
        ("/a/%2F/b", None),
        ("/a?x=:x", None),
        ("https://old.example/*", None),
        ("//old.example/x", None),
        ("/", None),
        ("", None),
        ("/\n/x", None),
        ("/" + "a/" * 100, None),
    ],
)
def test_old_address(old: str, path: str | None) -> None:
    found = read_old_address(old)
    assert (found.path if found else None) == path


@pytest.mark.parametrize(
    ("old", "new", "target"),
    [
        ("/docs/*", "/guide/:splat", "/guide/{splat}"),
        ("/docs/:path*", "/guide/:path*", "/guide/{path}"),
        ("/:Lang/x", "/docs/:Lang", "/docs/{lang}"),
        ("/docs/:a", "/guide/:b", None),
        ("/docs", "/guide", "/guide"),
    ],
)
def test_target_has_the_parameters_of_the_old_address(old: str, new: str, target: str | None) -> None:
    found = read_old_address(old)
    assert found is not None
    assert filled_target(new, found.names) == target


def test_parameters_are_those_that_redirects_read() -> None:
    found = read_old_address("/docs/:lang(en|fr)/:page*")
    assert found is not None
    assert [PARAMETER.fullmatch(part) is not None for part in found.path.split("/")[2:]] == [True, True]


@pytest.mark.parametrize("part", [":", ":a", "/:", "*", "(", ":a(", "%", "a"])
def test_hostile_address_takes_linear_time(part: str) -> None:
    assert cpu_time_growth(lambda length: read_old_address("/" + part * length), 4_000) < MAX_LINEAR_GROWTH
