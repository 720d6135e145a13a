"""Links of names in highlighted code: the text stays the same, and elements stay nested."""

from __future__ import annotations

from html import unescape

import pytest
from lxml.html import fromstring
from tests.inputs.dialect_pages import dialect_page

from kinfolk.content.markdown.code.name_links import NameLink, with_name_links
from kinfolk.content.markdown.code.wrapped_spans import with_wrapped_spans

A, B = '<a class="symbol" href="/a">', '<a class="symbol" href="/b">'


@pytest.mark.parametrize(
    ("html", "links", "expected"),
    [
        ("use()", [(0, 3, "/a")], f"{A}use</a>()"),
        ('<span class="f">use</span>()', [(0, 3, "/a")], f'<span class="f">{A}use</a></span>()'),
        ("a&lt;b&gt;", [(2, 1, "/a")], f"a&lt;{A}b</a>&gt;"),
        ("a&amp;&amp;b", [(0, 1, "/a"), (3, 1, "/b")], f"{A}a</a>&amp;&amp;{B}b</a>"),
        ("ab", [(0, 1, "/a"), (1, 1, "/b")], f"{A}a</a>{B}b</a>"),
        ("a\n<i>b</i>", [(2, 1, "/b")], f"a\n<i>{B}b</a></i>"),
        ("a", [(0, 1, '/a?"<&')], '<a class="symbol" href="/a?&quot;&lt;&amp;">a</a>'),
        ("\U0001f389 use", [(2, 3, "/a")], f"\U0001f389 {A}use</a>"),
        ("short", [(9, 3, "/a")], "short"),
    ],
)
def test_names_are_links_within_the_elements_of_tokens(
    html: str, links: list[tuple[int, int, str]], expected: str
) -> None:
    assert with_name_links(html, [NameLink(*link) for link in links]) == expected


def test_only_the_first_link_to_an_address_is_a_tab_stop() -> None:
    links = [NameLink(0, 1, "/a"), NameLink(2, 1, "/b"), NameLink(4, 1, "/a")]
    found = fromstring(f"<p>{with_name_links('a b a', links)}</p>").findall("a")
    assert [(link.get("href"), link.get("tabindex")) for link in found] == [("/a", None), ("/b", None), ("/a", "-1")]


def test_span_of_several_elements_has_an_element_in_each() -> None:
    html = '<b>u<i>s</i></b>e &lt;<mark class="word">x</mark>'
    wrapped = with_wrapped_spans(html, [(0, 3), (4, 6)], lambda number: f"<u{number}>", "</u>")
    assert wrapped == '<b><u0>u</u><i><u0>s</u></i></b><u0>e</u> <u1>&lt;</u><mark class="word"><u1>x</u></mark>'
    assert unescape(fromstring(f"<p>{wrapped}</p>").text_content()) == "use <x"


def test_blocks_with_known_names_have_their_number() -> None:
    page = dialect_page("github", "# A\n\n```ts\na\n```\n\n```ts\nb() // [!code word:b]\n```\n")
    html = page.html(None, {1: [NameLink(0, 1, "/b")]})
    plain, named = fromstring(html).findall(".//code")
    assert (plain.get("data-names"), named.get("data-names")) == (None, "1")
    assert named.text_content() == "b()"
    assert named.xpath("string(.//a[@href='/b'])") == "b"
    assert page.html(None, {1: []}).replace(' data-names="1"', "") == page.html()
