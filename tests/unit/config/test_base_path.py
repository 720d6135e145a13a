from __future__ import annotations

import pytest

from kinfolk.config.base_path import BasePath
from kinfolk.runtime.errors import Invalid

BASE = BasePath("/docs")


@pytest.mark.parametrize(
    ("target", "stripped"),
    [
        (b"/docs/query?a=1", b"/query?a=1"),
        (b"/docs", b"/"),
        (b"/docs?a=1", b"/?a=1"),
        (b"/docs/", b"/"),
        (b"/docsearch", None),
        (b"/", None),
        (b"/query/docs/", None),
        (b"/docs/docs/x", b"/docs/x"),
    ],
)
def test_targets_are_stripped_of_the_base_path_once(target: bytes, stripped: bytes | None) -> None:
    assert BASE.strip(target) == stripped


def test_only_paths_get_the_base_path() -> None:
    addresses = ("/query", "#top", "https://example.com/", "//example.com/x", "guide", "/docs/x")
    assert [BASE.add(address) for address in addresses] == [
        "/docs/query",
        "#top",
        "https://example.com/",
        "//example.com/x",
        "guide",
        "/docs/docs/x",
    ]


def test_addresses_in_html_get_the_base_path_and_text_does_not() -> None:
    html = (
        '<p title="a > href=&quot;/x&quot;">See href="/x" <a href="/query">a</a> <img alt="" src="/_files/a.png">'
        '<source srcset="/a.png 1x, /b.png 2x"><a href="//other.test/">b</a><a href="#c">c</a></p>'
    )
    assert BASE.add_to_html(html) == (
        '<p title="a > href=&quot;/x&quot;">See href="/x" <a href="/docs/query">a</a>'
        ' <img alt="" src="/docs/_files/a.png"><source srcset="/docs/a.png 1x, /docs/b.png 2x">'
        '<a href="//other.test/">b</a><a href="#c">c</a></p>'
    )


def test_html_of_a_site_at_the_root_is_unchanged() -> None:
    assert BasePath.of("https://example.com").add_to_html('<a href="/x">x</a>') == '<a href="/x">x</a>'


@pytest.mark.parametrize("path", ["/a b", "/%20", "/a//b", "/..", "/ä"])
def test_base_paths_that_need_encoding_are_refused(path: str) -> None:
    with pytest.raises(Invalid):
        BasePath.of(f"https://example.com{path}")
