"""The parts of stylesheets that a page contains."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from kinfolk.config.base_path import BasePath
from kinfolk.rendering.content_security_policy import source_hash
from kinfolk.rendering.styles.stylesheets import Stylesheet, Stylesheets, read_pieces

SITE = '<link rel="stylesheet" href="/assets/site.css" data-precedence="site"/>'
OTHER = '<link rel="stylesheet" href="/assets/other.css" data-precedence="area"/>'


def rule(selector: str, *needs: Sequence[str], body: str = "top:0") -> dict[str, object]:
    return {"of": [[list(map(list, needs)), selector]], "body": body}


def stylesheets(*pieces: object, whole: bool = False) -> Stylesheets:
    return Stylesheets({"/assets/site.css": Stylesheet(read_pieces(pieces))}, whole=whole)


def styles(sheets: Stylesheets, body: str) -> str:
    """The text of the stylesheet in a page with this body."""
    page, _ = sheets.inline(f"<html><head>{SITE}</head><body>{body}</body></html>")
    return page.partition(' data-precedence="site">')[2].partition("</style>")[0]


def test_texts_replace_links_at_the_end_of_the_head() -> None:
    head = f"<head>{SITE}<script>a()</script></head>"
    page, hashes = stylesheets(rule(".a")).inline(f"<html>{head}<body>{SITE}</body></html>")
    assert page == (
        "<html><head><script>a()</script>"
        '<style data-href="/assets/site.css" data-precedence="site">.a{top:0}</style>'
        f"</head><body>{SITE}</body></html>"
    )
    assert hashes == (source_hash(".a{top:0}"),)


def test_own_rules_of_a_page_follow_its_stylesheets() -> None:
    page, hashes = stylesheets(rule(".a")).inline(f"<head>{SITE}</head>", "[data-style]{top:1px}")
    assert page.endswith("</style><style data-page-rules>[data-style]{top:1px}</style></head>")
    assert hashes == (source_hash(".a{top:0}"), source_hash("[data-style]{top:1px}"))


def test_link_without_a_text_stays() -> None:
    assert stylesheets().inline(f"<head>{OTHER}<meta/></head>") == (f"<head><meta/>{OTHER}</head>", ())


def test_page_without_a_head_is_unchanged() -> None:
    assert stylesheets("").inline(SITE) == (SITE, ())


@pytest.mark.parametrize(
    ("piece", "body", "text"),
    [
        ("@import url(a.css);", "", "@import url(a.css);"),
        (rule(".a b", [".a"], ["b"]), '<p class="x a"><b>1</b></p>', ".a b{top:0}"),
        (rule(".a b", [".a"], ["b"]), '<p class="x ab"><b>1</b></p>', ""),
        (rule(".a b", [".a"], ["b"]), '<p class="a"><br/></p>', ""),
        (rule("h2", ["h2", "h3"]), "<h3>1</h3>", "h2{top:0}"),
        (rule("[data-callout=tip]", ['data-callout="tip"']), '<p data-callout="tip">', "[data-callout=tip]{top:0}"),
        (rule("[data-callout=tip]", ['data-callout="tip"']), '<p data-callout="note">', ""),
        ({"of": [[[[".a"]], ".a"], [[[".b"]], ".b"]], "body": "x"}, '<p class="b">', ".b{x}"),
        ({"of": [[[[".a"]], ".a"], [[], ":root"]], "body": "x"}, '<p class="a">', ".a,:root{x}"),
        ({"group": "@media print", "pieces": [rule(".a", [".a"]), rule(".b", [".b"])]}, "<p></p>", ""),
        ({"group": "@media print", "pieces": [rule(".a", [".a"]), rule("p")]}, "<p></p>", "@media print{p{top:0}}"),
        ({"group": "@media print", "pieces": [rule(".a", [".a"])]}, '<i class="a">', "@media print{.a{top:0}}"),
        # The first mention of a layer gives it its place.
        ({"group": "@layer print", "pieces": [rule(".a", [".a"])]}, "<p></p>", "@layer print{}"),
    ],
)
def test_page_contains_the_rules_that_can_apply_to_it(piece: object, body: str, text: str) -> None:
    assert styles(stylesheets(piece), body) == text


def test_rules_keep_their_order() -> None:
    sheets = stylesheets(rule("p", ["p"]), rule(".a", [".a"]), rule("b", ["p"]), rule("i", ["p"]), "@x;", rule("u"))
    assert styles(sheets, "<p></p>") == "p{top:0}b{top:0}i{top:0}@x;u{top:0}"
    assert styles(sheets, '<p class="a"></p>') == "p{top:0}.a{top:0}b{top:0}i{top:0}@x;u{top:0}"
    assert styles(sheets, "<p></p>") == "p{top:0}b{top:0}i{top:0}@x;u{top:0}"


def test_whole_stylesheets_have_all_rules() -> None:
    pieces = (rule("p", ["p"]), {"group": "@media print", "pieces": [rule(".a", [".a"])]})
    assert styles(stylesheets(*pieces, whole=True), "") == "p{top:0}@media print{.a{top:0}}"


def test_addresses_of_the_build_get_the_base_path(tmp_path: Path) -> None:
    (tmp_path / "ssr").mkdir()
    pieces = [rule(".a", body="background:url(/assets/a.svg)")]
    (tmp_path / "ssr" / "stylesheets.json").write_text(json.dumps({"/assets/site.css": pieces}), encoding="utf-8")
    sheets = Stylesheets.of_build(tmp_path, BasePath.of("https://example.com/docs"))
    page, _ = sheets.inline(f"<head>{SITE.replace('/assets', '/docs/assets')}</head>")
    assert "url(/docs/assets/a.svg)" in page


def test_build_has_rules_for_what_scripts_add(built: Path) -> None:
    sheets = Stylesheets.of_build(built, BasePath.of("https://example.com"))
    site = next(href for href in json.loads((built / "ssr" / "stylesheets.json").read_text()) if "/site-" in href)
    page, _ = sheets.inline(f'<head>{SITE.replace("/assets/site.css", site)}</head><p class="breadcrumbs"></p>')
    assert [name in page for name in (".spinner", ".search-dialog", ".breadcrumbs", ".docs-menu")] == [True] * 3 + [
        False
    ]
