"""Rules in place of `style` attributes, which the Content-Security-Policy of pages forbids."""

from __future__ import annotations

import pytest

from kinfolk.rendering.styles.page_rules import PageRules


def test_equal_attributes_have_one_rule() -> None:
    rules = PageRules()
    html = rules.take_attributes('<i style="top:0"></i><b style="--from:#f00;--to:#0f0"></b><u style="top:0"></u>')
    assert html == '<i data-style="top 0"></i><b data-style="--from 1"></b><u data-style="top 0"></u>'
    assert rules.text == '[data-style="top 0"]:not(#_){top:0}[data-style="--from 1"]:not(#_){--from:#f00;--to:#0f0}'


@pytest.mark.parametrize(
    "style",
    [
        "background-image:url(&quot;https://example.com/a.png?b=1&amp;c=(d)&quot;)",
        "--hue:light-dark(#c9232b, #ff6467);width:calc(1px + (2 * var(--a, max(1px, 2px))))",
        "offset-path:path(&#x27;M0 0L1,1&#x27;)",
    ],
)
def test_declarations_are_kept_as_they_are(style: str) -> None:
    rules = PageRules()
    assert "data-style" in rules.take_attributes(f'<i style="{style}">')
    assert rules.text.count("{") == 1
    assert "&" not in rules.text.replace("&c=", "")


@pytest.mark.parametrize(
    "style",
    [
        "top:0}body{display:none",
        "top:0}/*",
        "top:0/*",
        "background:url(",
        "background:url(a))",
        "content:&quot;",
        "content:&#x27;a",
        "top:\\7d",
        "top:[",
        "top:0;&lt;/style&gt;&lt;script&gt;a()&lt;/script&gt;",
        "@import &quot;a.css&quot;",
        "top:0\n}",
        "",
    ],
)
def test_attribute_that_could_change_other_rules_is_dropped(style: str) -> None:
    rules = PageRules()
    assert rules.take_attributes(f'<i style="{style}">') == "<i>"
    assert rules.text == ""


def test_styles_of_a_picture_become_rules_of_the_page() -> None:
    rules = PageRules()
    picture = (
        '<svg><style>@media print{.a{top:0}}</style><style type="text/css"><![CDATA[.a>b{top:0}]]></style><g/></svg>'
    )
    assert rules.take_styles(picture) == "<svg><g/></svg>"
    assert rules.text == "@media print{.a{top:0}}.a>b{top:0}"


def test_style_element_that_would_end_the_one_of_the_page_is_dropped() -> None:
    rules = PageRules()
    assert rules.take_styles("<svg><style>.a{}&lt;/style&gt;</style></svg>") == "<svg></svg>"
    assert rules.text == ""
