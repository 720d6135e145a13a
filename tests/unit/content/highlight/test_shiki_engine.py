"""Tests of the Shiki bundle: token kinds, unchanged text, and contrast of the colors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from kinfolk.config.settings import ROOT
from kinfolk.content.highlight import HighlightedCode, ShikiEngine
from kinfolk.content.markdown.markdown_page import CodeBlock

STYLES = ROOT / "frontend/src/styles"
MARKUP = re.compile(r"(?:[^<>]|<span class=\"(?:line(?: add| del)?|[a-z])\">|</span>)*")
AA = 4.5
"""WCAG 2.2, 1.4.3: the contrast of text with its background."""


@pytest.fixture(scope="module")
def engine(built: Path) -> Iterator[ShikiEngine]:
    bundle = (built / "ssr" / "highlight.js").read_text()
    engine = ShikiEngine(bundle, timeout_s=60.0, memory_mb=512)
    yield engine
    engine.close()


def highlighted(engine: ShikiEngine, language: str, code: str) -> str:
    (made,) = engine.highlight([CodeBlock(language, code)])
    assert made.fault is None
    return made.html


def text(html: str) -> str:
    return unescape(re.sub(r"</?span[^>]*>", "", html))


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("language", "code", "html"),
    [
        ("ts", "f(a as Count)", '<span class="f">f</span>(a <span class="k">as</span> <span class="t">Count</span>)'),
        ("ts", "a.b = 1 // c", 'a.<span class="p">b</span> <span class="o">=</span> <span class="n">1</span>'),
        ("ts", "a.b = 1 // c", ' <span class="c">// c</span></span>'),
        ("ts", "optional size: number;", 'optional <span class="p">size</span>: <span class="t">number</span>;'),
        ("ts", "label: for (;;) {", '<span class="k">for</span> (;;) {'),
        ("ts", "import type X from 'x'", '<span class="k">import type</span> X <span class="k">from</span>'),
        ("ts", "`a ${b} c`", '<span class="s">`a </span>${b} <span class="s">c`</span>'),
        ("js", "x = /a+[b]/g", 'x <span class="o">=</span> <span class="r">/a+[b]/g</span>'),
        ("tsx", '<Foo a="b">It\'s</Foo>', '&lt;<span class="g">Foo</span> <span class="a">a</span>'),
        ("tsx", '<Foo a="b">It\'s</Foo>', '&gt;It\'s&lt;/<span class="g">Foo</span>&gt;'),
        ("bash", "npm i -D x # why", '<span class="f">npm</span> i <span class="n">-D</span> x <span class="c"># why'),
        ("json", '{"a": true}', '{<span class="p">"a"</span>: <span class="n">true</span>}'),
        (
            "diff",
            "+a\n-b",
            '<span class="line"><span class="i">+a</span></span>\n<span class="line"><span class="d">-b',
        ),
        ("vue", '<template><p v-if="a"/></template>', '<span class="a">v-if</span>'),
        ("svelte", "{#if a}<b/>{/if}", '<span class="k">#if</span>'),
        ("angular-ts", "@Component({ template: `<p>{{ a }}</p>` })", '<span class="f">@Component</span>'),
        ("gts", "<template><p>x</p></template>", '<span class="g">p</span>'),
    ],
)
def test_tokens_get_the_class_of_their_kind(engine: ShikiEngine, language: str, code: str, html: str) -> None:
    assert html in highlighted(engine, language, code)


def test_marked_lines_get_the_classes_of_their_kind(engine: ShikiEngine) -> None:
    code_block = CodeBlock(
        "text", "a\nb\nc\nd", focused=(0,), warnings=(1,), errors=(2,), highlighted=(0, 1, 2), removed=(3,)
    )
    (made,) = engine.highlight([code_block])
    classes = re.findall('class="([a-z ]+)"', made.html)
    assert classes == ["line mark focus", "line mark warning", "line mark error", "line del"]


def test_marked_lines_get_a_class(engine: ShikiEngine) -> None:
    (made,) = engine.highlight([CodeBlock("text", "a\nb\nc", added=(2,), removed=(0,), highlighted=(1,))])
    assert made == HighlightedCode(
        '<span class="line del">a</span>\n<span class="line mark">b</span>\n<span class="line add">c</span>'
    )


@pytest.mark.parametrize("language", ["klingon", "text", "constructor", "__proto__", ""])
def test_unknown_language_is_plain(engine: ShikiEngine, language: str) -> None:
    assert highlighted(engine, language, "if (a < b) 'c'") == "<span class=\"line\">if (a &lt; b) 'c'</span>"


@pytest.mark.no_cover
def test_every_language_has_at_least_one_colored_token(engine: ShikiEngine) -> None:
    words, plain = engine.languages()
    telling = "<a b='c'>d</a>\n# a\na: 1\na = \"b\"\n-- a\n/* a */ { a: b; }\n+ a\nFROM a\n{{a}}\ngraph TD\nlet a = 1"
    assert [word for word in sorted(words) if text(highlighted(engine, word, telling)) != telling] == []
    assert [word for word in sorted(words) if '<span class="line">' not in highlighted(engine, word, telling)] == []
    assert [word for word in sorted(words) if not re.search('class="[a-z]"', highlighted(engine, word, telling))] == []
    assert not words & plain.keys()


@pytest.mark.no_cover
@given(
    language=st.sampled_from(
        """ts tsx js bash json html css vue svelte angular-ts gts hbs marko diff yaml toml markdown dotenv nginx xml
        dockerfile apache mermaid python scss astro sql text""".split()
    ),
    code=st.one_of(
        st.text(),
        st.text(alphabet="<>&\"'`${}()/\\[]=;:#@!-+*. \t\r\nab1\x00\x02\u2028\u00e9\U0001f600"),
        st.lists(
            st.sampled_from(
                [
                    "const",
                    "<div",
                    "/>",
                    "</",
                    "`",
                    "${",
                    "}",
                    "'",
                    '"',
                    "//",
                    "/*",
                    "*/",
                    "{{",
                    "\n",
                    " ",
                    "=>",
                    "#",
                    "@",
                ]
            )
        ).map("".join),
    ),
    added=st.sets(st.integers(0, 5)),
)
@hypothesis_settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_text_of_the_markup_equals_the_code(engine: ShikiEngine, language: str, code: str, added: set[int]) -> None:
    (made,) = engine.highlight([CodeBlock(language, code, added=tuple(sorted(added)))])
    assert text(made.html) == code.replace("\0", "\ufffd")
    assert MARKUP.fullmatch(made.html)


# Colors


def palette() -> dict[str, tuple[str, str]]:
    """Each color in light and in dark."""
    css = (STYLES / "markdown/code.css").read_text() + (STYLES / "tokens.css").read_text()
    return {name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", css)}


def luminance(color: str) -> float:
    digits = color[1:] if len(color) == 7 else "".join(digit * 2 for digit in color[1:])
    channels = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_every_color_has_enough_contrast_on_its_backgrounds(mode: int) -> None:
    colors = palette()
    grounds = ["code-bg", "code-added", "code-removed", "code-marked", "code-warning"]
    words = [name for name in colors if name.startswith("code-") and name not in grounds] + ["ink", "muted"]
    assert len(words) == 17
    found = {(word, on): contrast(colors[word][mode], colors[on][mode]) for word in words for on in grounds}
    assert {pair: ratio for pair, ratio in found.items() if ratio < AA} == {}


def test_every_token_kind_has_a_color() -> None:
    kinds = set(
        re.findall(r"^    (?:\[)?'([a-z])',", (STYLES / "../highlight/tokenKinds.ts").read_text(), re.MULTILINE)
    )
    kinds |= set(re.findall(r"^  \['([a-z])',", (STYLES / "../highlight/tokenKinds.ts").read_text(), re.MULTILINE))
    highlighted = dict(
        re.findall(r"\.code \.([a-z]) \{ color: var\(--([\w-]+)\)", (STYLES / "markdown/code.css").read_text())
    )
    assert kinds == highlighted.keys()
    assert len(kinds) == 15
    assert set(highlighted.values()) <= palette().keys()
