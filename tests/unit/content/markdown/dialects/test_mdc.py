"""The syntax of Nuxt Content: block components, slots, components within lines, spans, attributes and bindings."""

from __future__ import annotations

import lxml.html
import pytest
from tests.inputs.dialect_pages import dialect_page, exported_text

ALL_TITLES = '<p class="callout-title">'


def html(text: str) -> str:
    page = dialect_page("nuxt-content", text)
    assert [one.message for one in page.problems] == []
    return " ".join(page.html().split())


def problems(text: str) -> list[str]:
    return [f"{one.line}: {one.message}" for one in dialect_page("nuxt-content", text).problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("::note\nText\n::\n", 'data-callout="note"'),
        ("::prose-warning\nText\n::\n", 'data-callout="warning"'),
        ('::callout{color="error"}\nText\n::\n', 'data-callout="caution"'),
        ('::tip{title="A *b*"}\nText\n::\n', f"{ALL_TITLES}A *b*</p>"),
        ('::note{to="/x"}\nText\n::\n', '<p>Text</p> <p><a href="/x">Learn more</a></p>'),
        ('::note{to="/x"}\n[T](/x)\n::\n', '<p><a href="/x">T</a></p> </div>'),
        ("::card\n---\ntitle: T\nto: /x\n---\nText\n::\n", '<strong><a href="/x">T</a></strong></p> <p>Text</p>'),
        ("::card\n```yaml [props]\ntitle: T\n```\nText\n::\n", "<p><strong>T</strong></p> <p>Text</p>"),
        ("::card\n#title\nA `b`\n#footer\nEnd\n::\n", "<p><strong>A <code>b</code></strong></p> <p>End</p>"),
        ("::card-group\n  :::card{title=T}\n  a\n  :::\n::\n", '<div class="md-cards"> <div class="md-card">'),
        ("::code-group\n```ts [a/[id\\\\].ts]\n1\n```\n```py\n2\n```\n::\n", ">a/[id].ts</label>"),
        ("::code-group\n```ts [a]\n1\n```\n  :::code-preview{label=See}\n  **x**\n  :::\n::\n", ">See</label>"),
        ("::code-tree{defaultValue=b}\n```ts [src/a.ts]\n1\n```\n::\n", ">src/a.ts</label>"),
        ("::tabs\n  :::tabs-item{label=One icon=i}\n  a\n  :::\n::\n", ">One</label>"),
        ("::accordion\n  :::accordion-item{label=Q}\n  A\n  :::\n::\n", "<summary>Q</summary> <p>A</p>"),
        ("::code-collapse\n```js\n1\n```\n::\n", "<summary>Show the code</summary>"),
        ("::field{name=a type=string required}\nD\n::\n", "<p><code>a</code> · <code>string</code> · required</p>"),
        ("::steps\n### A\n\nb\n::\n", '<div class="md-steps"> <h3 id="a">'),
        ('::u-button{to="/x"}\nGo *on*\n::\n', '<p><a href="/x">Go <em>on</em></a></p>'),
        (':read-more{to="/docs/server-entry"}\n', '<p>Read more in <a href="/docs/server-entry">Server entry</a>.</p>'),
        (':read-more{title="T" to="https://a.b"}\n', 'Read more in <a href="https://a.b" rel="noopener">T</a>.'),
        (":pm-x{command='nuxi init'}\n", ">pnpm dlx nuxi init<"),
        ("a :badge[New]{color=info} b\n", '<sup data-badge="info">New</sup> b'),
        ("a :kbd{value=meta} :icon{name=x} b\n", "<p>a <kbd>Meta</kbd> b</p>"),
        (
            "[a *b*]{.c} **d**{.e} `f`{lang=ts} [g](/h){target=_blank}\n",
            "<p>a <em>b</em> <strong>d</strong> <code>f</code>",
        ),
        ("[a]{#own} b\n", '<a id="own"></a>a b'),
        ("## T {#own}\n", 'id="own"'),
        ("## 1. A -- b\n", 'id="_1-a-b"'),
        ("---\ntitle: T\n---\n{{ $doc.title }} {{ $doc.no || 'x' }}\n", "<p>T x</p>"),
        ("---\ntitle: T\n---\n::card{:title='title'}\na\n::\n", "<strong>T</strong>"),
        ("---\nlinks:\n  - label: L\n    to: /x\n---\nA\n", '<p><a href="/x">L</a></p> <p>A</p>'),
        ("1. a\n\n   ::tip\n   b\n   ::\n", '<li> <p>a</p> <div class="callout"'),
        ("::tip\n```mdc\n::card\n::\n```\n::\n", "::card ::</code>"),
    ],
)  # fmt: skip
def test_component_becomes_html(text: str, expected: str) -> None:
    assert expected in html(text)


@pytest.mark.parametrize(
    "text",
    [
        "a std::vec b",
        "a :: b",
        "x ::y::z",
        "key :value",
        "12:30",
        ":a1b2:",
        "f(x){y}",
        "a {b} c",
        "::a b",
        "`::a`",
        "#a b",
    ],
)
def test_prose_with_colons_and_braces_stays(text: str) -> None:
    assert f"<p>{text}</p>" in html(f"{text}\n").replace("<code>", "`").replace("</code>", "`")


def test_hero_has_its_title_description_links_and_features() -> None:
    shown = html(
        "::u-page-hero\n---\nlinks:\n  - label: Start\n    to: /start\nui:\n  title: big\n---\n#title\nThe *title*\n"
        '#description\nAbout\n::\n\n::feature-grid{:features=\'[{"title":"F","description":"<b>","to":"/f"}]\'}\n::\n'
    )
    assert 'id="the-title">The <em>title</em>' in shown
    assert '<p>About</p> <ul> <li><a href="/start">Start</a></li> </ul>' in shown
    assert (
        '<div class="md-cards"> <div class="md-card"> <p><strong><a href="/f">F</a></strong></p> <p>&lt;b&gt;</p>'
        in shown
    )


def test_unknown_component_shows_its_content_and_is_reported() -> None:
    page = dialect_page("nuxt-content", "::own-thing{title=T}\nText\n::\n\nA :own-word[word]{b=c}\n")
    assert "T</h2>" in page.html().replace('<a class="anchor" href="#t" aria-hidden="true" tabindex="-1"></a>', "")
    assert "<p>Text</p>" in page.html()
    assert "<p>A word</p>" in page.html()
    assert [one.line for one in page.problems] == [1, 5]


def test_faults_are_reported_with_their_lines() -> None:
    assert problems("a\n\n::\n\n{{ x }}\n\n::card\n---\n- a\n---\n::\n") == [
        "3: :: ends no component",
        "8: the properties of the component are no YAML table, and not read",
        "5: the expression {{ x }} is not shown",
    ]


def test_deep_nesting_shows_the_content_only() -> None:
    opening = "".join(f"{':' * (20 - depth)}card\n" for depth in range(12))
    closing = "".join(f"{':' * (20 - depth)}\n" for depth in reversed(range(12)))
    shown = dialect_page("nuxt-content", f"{opening}deep\n{closing}").html()
    assert "<p>deep</p>" in shown
    assert "|" not in shown


@pytest.mark.parametrize(
    "text",
    [
        '::card{title="<img src=x onerror=a>" to="javascript:a"}\n<script>a</script>\n::\n',
        ':u-button[<img src=x onerror=a>]{to="javascript:a"}\n',
        '::hero{:links=\'[{"label":"<script>","to":"javascript:a"}]\'}\n::\n',
        ':read-more{to="javascript:a" title="<b onclick=a>"}\n',
        ':video{src="javascript:a" title="\\"><script>"}\n',
        '---\ntitle: <script>a</script>\n---\n{{ $doc.title }} :badge{label="<script>"}\n',
        ':kbd{value="<script>"} [<script>]{#"><script>}\n',
        '::code-group\n  :::code-preview{label="<script>"}\n  a\n  :::\n::\n',
        ':pm-install{name="</code><script>"}\n',
    ],
)
def test_hostile_values_stay_text(text: str) -> None:
    tree = lxml.html.fragment_fromstring(dialect_page("nuxt-content", text).html(), create_parent="div")
    assert not list(tree.iter("script"))
    assert not [name for element in tree.iter() for name in element.keys() if name.startswith("on")]  # noqa: SIM118
    assert not [link for _, _, link, _ in tree.iterlinks() if link.startswith("javascript")]


def test_export_has_no_directives_of_this_site() -> None:
    text = exported_text("nuxt-content", "::card{title=T}\nText\n::\n\n::note\nN\n::\n\n:pm-run{script=dev}\n")
    assert "**T**\n\nText" in text
    assert "> [!NOTE]\n>\n> N" in text
    assert "npm run dev" in text
    assert "::" not in text
