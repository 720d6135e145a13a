"""Tests of exported Markdown: the author's text without syntax that only this site's renderer supports."""

from __future__ import annotations

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.code.code_spans import rewrite_outside_code
from kinfolk.content.markdown.export import ExportedMarkdown, export_markdown
from kinfolk.content.markdown.source.compose import compose
from kinfolk.runtime.errors import NotFound


class MarkedLinks:
    """Marks resolved links and images."""

    def link(self, href: str) -> tuple[str, bool]:
        return f"LINK({href})" if not href.startswith("#") else href, False

    def image(self, src: str) -> str:
        return f"IMAGE({src})"


def nothing(path: str) -> str:
    raise NotFound(path)


def exported(text: str, framework: str | None = None) -> ExportedMarkdown:
    return export_markdown(compose(text, nothing), framework=framework)


def body(text: str, framework: str | None = None) -> str:
    return exported(text, framework).with_links(MarkedLinks())


def tabs(variant: str, inside: str) -> str:
    return f'<!-- ::start:tabs variant="{variant}" -->\n\n{inside}\n\n<!-- ::end:tabs -->'


FRAMEWORKS = """Before.

<!-- ::start:framework -->

# React

Hooks.

# Vue

Composables.

<!-- ::end:framework -->

After."""


@pytest.mark.parametrize(
    "text",
    [
        "A paragraph\nof two lines.",
        "> [!NOTE] Mind this\n> It matters.",
        "1. one\n\n   ```ts\n   const x = `<!-- ${y} -->`\n   ```\n\n2. two",
        "| a | b |\n| - | - |\n| 1 | 2 |",
        "    indented [code](./x.md)",
        "```md\n<!-- ::start:framework -->\n[a](b.md)\n```",
        "Say `[a](b.md)` and ``<!-- ` -->``.",
        "- [ ] to do\n- [x] done",
        "Escaped \\` and [no link] (here).",
    ],
)
def test_standard_markdown_is_exported_unchanged(text: str) -> None:
    assert body(text) == text


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("[a](./b.md)", "[a](LINK(./b.md))"),
        ("[a](./b.md 'title')", "[a](LINK(./b.md) 'title')"),
        ("[`a`](b(c).md)", "[`a`](LINK(b(c).md))"),
        ("[a](<b c.md>)", "[a](<LINK(b c.md)>)"),
        ("[a](#b)", "[a](#b)"),
        ("![a](b.png)", "![a](IMAGE(b.png))"),
        ("[![a](b.png)](c.md)", "[![a](IMAGE(b.png))](LINK(c.md))"),
        ('<a href="b.md">x</a>', '<a href="LINK(b.md)">x</a>'),
        ("<img src='b.png'>", "<img src='IMAGE(b.png)'>"),
        ("| [a](b.md) |\n| --- |", "| [a](LINK(b.md)) |\n| --- |"),
        ("> - [a](b.md)", "> - [a](LINK(b.md))"),
        ("## On [a](b.md)", "## On [a](LINK(b.md))"),
    ],
)
def test_links_and_images_are_resolved(written: str, sent: str) -> None:
    assert body(written) == sent


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("```ts\ncode\n", "```ts\ncode\n```"),
        ("~~~~\n~~~\n\n", "~~~~\n~~~\n~~~~"),
        ("Text\n\n```", "Text\n\n```\n```"),
        ("```\ncode\n`````", "```\ncode\n`````"),
    ],
)
def test_code_without_an_end_is_closed(written: str, sent: str) -> None:
    assert body(written) == sent


def test_link_definitions_are_exported_last() -> None:
    assert body("See [a].\n\n[a]: b.md 'title'\n\nMore.") == "See [a].\n\nMore.\n\n[a]: LINK(b.md) 'title'"


def test_framework_block_becomes_labeled_sections() -> None:
    assert body(FRAMEWORKS) == "Before.\n\n**React**\n\nHooks.\n\n**Vue**\n\nComposables.\n\nAfter."


def test_page_about_one_framework_keeps_only_its_panel() -> None:
    assert body(FRAMEWORKS, "vue") == "Before.\n\nComposables.\n\nAfter."


def test_package_manager_tabs_become_commands() -> None:
    assert body(tabs("package-manager", "react: a b")) == (
        "```bash\n# with npm\nnpm i a b\n# or with pnpm\npnpm add a b\n"
        "# or with yarn\nyarn add a b\n# or with bun\nbun add a b\n```"
    )


def test_tabs_become_labeled_sections() -> None:
    assert body(tabs("bundler", "# Rsbuild\n\nR\n\n# Vite\n\nV")) == "**Vite**\n\nV\n\n**Rsbuild**\n\nR"


def test_file_tabs_are_exported_without_labels() -> None:
    fence = '```ts title="a.ts"\n1\n```'
    assert body(tabs("files", fence)) == fence


@pytest.mark.parametrize(
    "text",
    [
        "<!-- ::start:framework -->\n\nnever ended",
        "- in a list\n\n  <!-- ::start:tabs -->\n  x",
        "> <!-- ::start:framework -->\n> x",
        "text <!-- ::start:framework --> text",
        tabs("unheard-of", "x"),
        "<!-- ::start:a -->" * 9,
    ],
)
def test_no_directive_is_exported(text: str) -> None:
    assert "::start" not in body(text)


def test_comments_are_not_exported() -> None:
    assert body("<!-- prettier-ignore -->\n\na <!-- b --> c") == "a  c"


@pytest.mark.parametrize(
    ("text", "title", "rest"),
    [
        ("---\ntitle: T\n---\n# T\n\nx", "T", "x"),
        ("# T\n\nx", "T", "x"),
        ("---\ntitle: T\n---\nx", "T", "x"),
        ("---\ntitle: T\n---\n# Other\n\nx", "T", "## Other\n\nx"),
        ("---\ntitle: Options\n---\n# Interface: Options\\<T\\>\n\nx", "Options", "x"),
        ("x", None, "x"),
    ],
)
def test_title_is_exported_once(text: str, title: str | None, rest: str) -> None:
    page = exported(text)
    assert (page.title, page.with_links(MarkedLinks())) == (title, rest)


def test_link_lists_of_the_front_matter_are_exported() -> None:
    front = "---\ntitle: T\narticles:\n  - title: A\n    url: https://a.example\n    description: About A\n---\n"
    listed = "## Articles\n\n- [A](https://a.example): About A"
    assert body(front) == listed
    assert body(f"{front}See [b].\n\n[b]: ./x") == f"See [b].\n\n[b]: LINK(./x)\n\n{listed}"


@pytest.mark.parametrize(
    ("start", "piece"),
    [("```", " ``"), ("", "<!-- "), ("", "--> <!--"), ("", "["), ("", "!["), ("", "](a(")],
)
def test_hostile_text_takes_linear_time(start: str, piece: str) -> None:
    assert cpu_time_growth(lambda size: rewrite_outside_code(start + piece * size, str), 8_000) < MAX_LINEAR_GROWTH


@pytest.mark.parametrize("piece", ["[a](b", "![", "href='", "[a]: <", "](x(y"])
def test_hostile_links_take_linear_time(piece: str) -> None:
    assert (
        cpu_time_growth(lambda size: body(piece * size), 600) < MAX_LINEAR_GROWTH
    )  # 4,800 links: a page may have 5,000
