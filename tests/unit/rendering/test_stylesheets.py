"""Stylesheets as text in the head of a page."""

from __future__ import annotations

import json
from pathlib import Path

from kinfolk.config.base_path import BasePath
from kinfolk.rendering.stylesheets import Stylesheets

SITE = '<link rel="stylesheet" href="/assets/site.css" data-precedence="site"/>'
OTHER = '<link rel="stylesheet" href="/assets/other.css" data-precedence="area"/>'


def test_texts_replace_links_at_the_end_of_the_head() -> None:
    sheets = Stylesheets({"/assets/site.css": ".a{color:red}"})
    page = sheets.inline(f"<html><head>{SITE}<script>a()</script></head><body>{SITE}</body></html>")
    assert page == (
        "<html><head><script>a()</script>"
        '<style data-href="/assets/site.css" data-precedence="site">.a{color:red}</style>'
        f"</head><body>{SITE}</body></html>"
    )


def test_link_without_a_text_stays() -> None:
    assert Stylesheets({}).inline(f"<head>{OTHER}<meta/></head>") == f"<head><meta/>{OTHER}</head>"


def test_page_without_a_head_is_unchanged() -> None:
    assert Stylesheets({"/assets/site.css": ""}).inline(SITE) == SITE


def test_addresses_of_the_build_get_the_base_path(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    texts = {"/assets/site.css": ".a{background:url(/assets/a.svg)}"}
    manifest.write_text(json.dumps({"inlined": texts}), encoding="utf-8")
    sheets = Stylesheets.of_build(manifest, BasePath.of("https://example.com/docs"))
    page = sheets.inline(f"<head>{SITE.replace('/assets', '/docs/assets')}</head>")
    assert "url(/docs/assets/a.svg)" in page
