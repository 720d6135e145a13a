"""Components of a site work in each dialect, as tags and in its own syntax of blocks."""

from __future__ import annotations

from contextlib import suppress

import pytest
from tests.inputs.dialect_pages import dialect_file
from tests.inputs.script_vectors import dangers
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.config.component import Component
from kinfolk.content.markdown.dialects.dialect_table import DIALECTS
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import InProcessJobs
from kinfolk.content.markdown.source.compose import compose
from kinfolk.runtime.budget import OverBudget

COMPONENTS = {
    "Stackblitz": Component("embed", address="https://stackblitz.com/edit/{id}"),
    "Hint": Component("callout", kind="tip", label="A hint"),
    "Kbd": Component("key"),
}
FRAME = 'src="https://stackblitz.com/edit/x"'
BLOCKS = {
    "docusaurus": ":::hint\n\n**In**side\n\n:::\n",
    "mkdocs": "/// hint\n\n**In**side\n\n///\n",
    "myst": ":::{hint}\n**In**side\n:::\n",
    "nuxt-content": "::hint\n**In**side\n::\n",
    "vitepress": "::: hint\n**In**side\n:::\n",
}
FRAMES = {
    "mkdocs": "/// stackblitz\n    id: x\n///\n",
    "myst": "```{stackblitz}\n:id: x\n```\n",
    "nuxt-content": '::stackblitz{id="x"}\n::\n',
}


def page(dialect: str, text: str) -> MarkdownPage:
    result = InProcessJobs().page(dialect_file(dialect, text, components=COMPONENTS))
    assert [one.message for one in result.problems] == []
    return result


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_attributes_of_a_component_of_the_site_are_no_active_content(dialect: str) -> None:
    evil = "x&quot;>&lt;script>alert(1)&lt;/script>"
    texts = (
        f'<Stackblitz id="{evil}" />\n\n<Hint title="<img src=x onerror=alert(1)>">a</Hint>\n',
        "/// stackblitz\n    id: '\"><script>alert(1)</script>'\n///\n",
        "/// hint | <img src=x onerror=alert(1)>\na\n///\n",
        '```{stackblitz}\n:id: "><script>alert(1)</script>\n```\n',
        "::stackblitz{id='\"><script>alert(1)</script>'}\n::\n",
    )
    pages = (InProcessJobs().page(dialect_file(dialect, text, components=COMPONENTS)) for text in texts)
    assert [danger for one in pages for danger in dangers(one)] == []


@pytest.mark.parametrize(
    ("dialect", "part"),
    [("mkdocs", "<Hint>"), ("mkdocs", "/// hint\n    a: b\n"), ("mkdocs", "    a: b\n"), ("myst", "<Hint>\n")],
)
def test_components_of_the_site_take_linear_time(dialect: str, part: str) -> None:
    def translate(length: int) -> None:
        text = "/// hint\n" + part * (length // len(part))
        file = dialect_file(dialect, text, components=COMPONENTS)
        with suppress(OverBudget):
            compose(file.text, file.read_target, file.place)

    assert cpu_time_growth(translate, 8_000) < MAX_LINEAR_GROWTH


def test_all_tables_are_tested() -> None:
    assert len(DIALECTS) == 11


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_tag_of_a_component_of_the_site_is_that_component(dialect: str) -> None:
    result = page(dialect, 'Text\n\n<Stackblitz id="x" />\n\n<Hint>\n\n**In**side\n\n</Hint>\n\n- <Kbd>k</Kbd>\n')
    assert FRAME in result.html()
    assert '<div class="callout" data-callout="tip"' in result.html()
    assert "A hint</p>\n<p><strong>In</strong>side</p>" in result.html()
    assert "<kbd>k</kbd>" in result.html()


@pytest.mark.parametrize(("dialect", "text"), BLOCKS.items())
def test_block_of_a_component_of_the_site_is_that_component(dialect: str, text: str) -> None:
    assert "A hint</p>\n<p><strong>In</strong>side</p>" in page(dialect, text).html()


@pytest.mark.parametrize(("dialect", "text"), FRAMES.items())
def test_block_gives_its_options_to_the_component(dialect: str, text: str) -> None:
    assert FRAME in page(dialect, text).html()


def test_admonition_of_a_component_of_the_site_has_its_title() -> None:
    assert "A hint</p>" in page("mkdocs", "!!! hint\n    Inside\n").html()
    assert "Own</p>" in page("mkdocs", '!!! hint "Own"\n    Inside\n').html()


@pytest.mark.parametrize("dialect", ["mkdocs", "myst"])
def test_other_tags_are_html_where_the_syntax_has_no_components(dialect: str) -> None:
    text = "a <> b and `<Stackblitz id='x' />`\n\n<details>\n<summary>S</summary>\n</details>\n"
    result = page(dialect, text).html()
    assert "a &lt;&gt; b" in result
    assert "iframe" not in result
    assert "<summary>S</summary>" in result


def test_fold_of_mkdocs_can_be_open() -> None:
    assert '<details open="">' in page("mkdocs", "/// details | More\n    open: true\n\nInside\n\n///\n").html()


@pytest.mark.parametrize(
    ("dialect", "text", "written"),
    [
        ("docusaurus", "<Fancy>\nInside\n</Fancy>\n", "component <Fancy>"),
        ("docusaurus", ":::fancy\nInside\n:::\n", "container fancy"),
        ("vitepress", "::: fancy\nInside\n:::\n", "container fancy"),
        ("nuxt-content", "::fancy\nInside\n::\n", "component fancy"),
        ("mkdocs", "/// fancy\nInside\n///\n", "block fancy"),
        ("myst", ":::{fancy}\nInside\n:::\n", "directive fancy"),
    ],
)
def test_unknown_component_shows_its_content_and_is_reported(dialect: str, text: str, written: str) -> None:
    result = InProcessJobs().page(dialect_file(dialect, text))
    assert result.html() == "<p>Inside</p>\n"
    assert [one.message for one in result.problems] == [f"the {written} is unknown; only its content is shown"]


def test_unknown_component_of_a_line_with_an_address_is_a_link() -> None:
    html = InProcessJobs().page(dialect_file("nuxt-content", 'See :fancy[this]{to="/x"} now\n')).html()
    assert '<a href="/x">this</a>' in html
