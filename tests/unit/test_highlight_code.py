"""What the bundle makes of code: the same text, in colours that everybody can read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from kinfolk.highlight import Coloured, Engine
from kinfolk.markdown.page import Snippet
from kinfolk.settings import ROOT

STYLES = ROOT / "frontend/src/styles"
MARKUP = re.compile(r"(?:[^<>]|<span class=\"(?:line(?: add| del)?|[a-z])\">|</span>)*")
AA = 4.5
"""WCAG 2.2, 1.4.3: the contrast of text against what it stands on."""


@pytest.fixture(scope="module")
def engine(built: Path) -> Iterator[Engine]:
    bundle = (built / "ssr" / "highlight.js").read_text()
    engine = Engine(bundle, timeout_s=60.0, memory_mb=512)
    yield engine
    engine.close()


def coloured(engine: Engine, language: str, code: str) -> str:
    (made,) = engine.highlight([Snippet(language, code)])
    assert made.fault is None
    return made.html


def text(html: str) -> str:
    return unescape(re.sub(r"</?span[^>]*>", "", html))


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
def test_code_is_coloured_by_what_it_means(engine: Engine, language: str, code: str, html: str) -> None:
    assert html in coloured(engine, language, code)


def test_marked_lines_say_so(engine: Engine) -> None:
    (made,) = engine.highlight([Snippet("text", "a\nb\nc", added=(2,), removed=(0,))])
    assert made == Coloured(
        '<span class="line del">a</span>\n<span class="line">b</span>\n<span class="line add">c</span>'
    )


@pytest.mark.parametrize("language", ["klingon", "text", "constructor", "__proto__", ""])
def test_a_language_that_nobody_knows_is_plain_text(engine: Engine, language: str) -> None:
    assert coloured(engine, language, "if (a < b) 'c'") == "<span class=\"line\">if (a &lt; b) 'c'</span>"


def test_every_language_has_a_colour_for_something(engine: Engine) -> None:
    words, plain = engine.languages()
    telling = "<a b='c'>d</a>\n# a\na: 1\na = \"b\"\n-- a\n/* a */ { a: b; }\n+ a\nFROM a\n{{a}}\ngraph TD\nlet a = 1"
    assert [word for word in sorted(words) if text(coloured(engine, word, telling)) != telling] == []
    assert [word for word in sorted(words) if '<span class="line">' not in coloured(engine, word, telling)] == []
    assert [word for word in sorted(words) if not re.search('class="[a-z]"', coloured(engine, word, telling))] == []
    assert not words & plain.keys()


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
def test_the_text_of_the_markup_is_the_code(engine: Engine, language: str, code: str, added: set[int]) -> None:
    (made,) = engine.highlight([Snippet(language, code, added=tuple(sorted(added)))])
    assert text(made.html) == code.replace("\0", "\ufffd")
    assert MARKUP.fullmatch(made.html)


# Colours


def palette() -> dict[str, tuple[str, str]]:
    """Each colour in light and in dark."""
    css = (STYLES / "code.css").read_text() + (STYLES / "tokens.css").read_text()
    return {name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", css)}


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    channels = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_every_colour_can_be_read_on_everything_it_stands_on(mode: int) -> None:
    colours = palette()
    grounds = ["code-bg", "code-added", "code-removed"]
    words = [name for name in colours if name.startswith("code-") and name not in grounds] + ["ink", "muted"]
    assert len(words) == 17
    found = {(word, on): contrast(colours[word][mode], colours[on][mode]) for word in words for on in grounds}
    assert {pair: ratio for pair, ratio in found.items() if ratio < AA} == {}


def test_every_kind_has_a_colour() -> None:
    kinds = set(re.findall(r"^    (?:\[)?'([a-z])',", (STYLES / "../highlight/kinds.ts").read_text(), re.MULTILINE))
    kinds |= set(re.findall(r"^  \['([a-z])',", (STYLES / "../highlight/kinds.ts").read_text(), re.MULTILINE))
    coloured = dict(re.findall(r"\.code \.([a-z]) \{ color: var\(--([\w-]+)\)", (STYLES / "code.css").read_text()))
    assert kinds == coloured.keys()
    assert len(kinds) == 15
    assert set(coloured.values()) <= palette().keys()
