"""Tests of comment directives: framework blocks and tab groups, which work without JavaScript."""

from __future__ import annotations

import re

import pytest

from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.markdown_page import Heading, MarkdownPage
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose
from kinfolk.runtime.errors import NotFound


def page(text: str, framework: str | None = None) -> MarkdownPage:
    def read(path: str) -> str:
        raise NotFound(path)

    return render(compose(text, read), resolve=UnchangedLinks(), framework=framework, first_framework="react")


def block(name: str, content: str, attributes: str = "") -> str:
    return f"<!-- ::start:{name} {attributes} -->\n\n{content}\n\n<!-- ::end:{name} -->\n"


def panels(html: str) -> list[tuple[str, bool]]:
    """The framework of each panel, and whether it is the default."""
    return [(name, "data-default" in rest) for name, rest in re.findall(r'data-framework="([^"]+)"([^>]*)', html)]


def labels(html: str) -> list[str]:
    return re.findall(r"<label[^>]*>([^<]*)</label>", html)


FRAMEWORKS = block(
    "framework", "# Vue\n\n## Install\n\nvue text\n\n# React\n\n## Install\n\nreact text\n\n# Solid\n\nsolid\n"
)


def test_each_first_level_heading_starts_a_framework_panel() -> None:
    result = page(f"before\n\n{FRAMEWORKS}\n## After\n")
    assert '<section class="framework-panel" role="group" data-framework="vue" aria-label="Vue">' in result.html()
    assert result.headings == (
        Heading("install", "Install", 2, "vue"),
        Heading("install-1", "Install", 2, "react"),
        Heading("after", "After", 2),
    )
    assert "::" not in result.html()


@pytest.mark.parametrize("framework", [None, "svelte"])
def test_default_panel_is_that_of_the_first_framework(framework: str | None) -> None:
    assert [name for name, default in panels(page(FRAMEWORKS, framework).html()) if default] == ["react"]


def test_page_of_a_framework_has_no_panels_of_others() -> None:
    result = page(f"before\n\n{FRAMEWORKS}\n## After\n", "vue")
    assert panels(result.html()) == []
    assert result.headings == (Heading("install", "Install", 2), Heading("after", "After", 2))


def test_default_panel_without_react_is_the_first() -> None:
    assert panels(page(block("framework", "# Lit\n\na\n\n# Ember\n\nb")).html()) == [("lit", True), ("ember", False)]


def test_repeated_framework_has_one_panel() -> None:
    assert panels(page(block("framework", "# React\n\na\n\n# Vue\n\nb\n\n# React\n\nc")).html()) == [
        ("react", True),
        ("vue", False),
    ]


def test_text_before_the_first_framework_is_outside_the_panels() -> None:
    html = page(block("framework", "all\n\n# React\n\none")).html()
    assert html.index("<p>all</p>") < html.index("framework-block")


def test_file_tabs_are_labeled_with_their_titles() -> None:
    content = '```tsx title="App.tsx"\na\n```\n\ndropped\n\n```ts file="b.ts"\nb\n```\n\n```css\nc\n```\n\n```\nd\n```'
    result = page(block("tabs", content, 'variant="files"'))
    assert labels(result.html()) == ["App.tsx", "b.ts", "css", "Untitled"]
    assert "<figcaption>" not in result.html()
    assert [snippet.code for snippet in result.code_blocks] == ["a", "b", "c", "d"]


def test_radio_button_and_label_of_a_tab_precede_its_panel() -> None:
    html = page(block("tabs", "```a\n1\n```\n\n```b\n2\n```", 'variant="files"')).html()
    assert '<fieldset class="tabs" data-tabs="files"><legend class="sr-only">File</legend>' in html
    assert '<input type="radio" name="tabs-0" id="tabs-0-0" data-tab="0" checked="">' in html
    order = [html.index(f'for="tabs-0-{tab}"') for tab in (0, 1)]
    order += [html.index(f'<div class="tab-panel" data-tab="{tab}">') for tab in (0, 1)]
    assert sorted(order) == [order[0], order[2], order[1], order[3]]


def test_bundler_tabs_have_a_fixed_order() -> None:
    result = page(block("tabs", "# Webpack\n\nc\n\n# Rsbuild\n\nb\n\n## Inner\n\n# Vite\n\na", 'variant="bundler"'))
    assert labels(result.html()) == ["Vite", "Rsbuild", "Webpack"]
    assert [(heading.text, heading.outlined) for heading in result.headings] == [("Inner", False)]
    assert 'data-tabs="bundler"' in result.html()


def test_plain_tabs_split_at_their_shallowest_heading_and_are_not_in_the_outline() -> None:
    result = page(block("tabs", "## With A & B\n\n### Deep\n\na\n\n## Other\n\nb") + "\n## Listed\n")
    assert labels(result.html()) == ["With A &amp; B", "Other"]
    assert [heading.text for heading in result.headings if heading.outlined] == ["Listed"]
    assert 'data-tab="with-a-b"' in result.html()


def test_tab_groups_are_numbered_by_page() -> None:
    html = page(block("tabs", "## A\n\na") * 2).html()
    assert re.findall(r'name="(tabs-\d+)"', html) == ["tabs-0", "tabs-1"]


@pytest.mark.parametrize(
    ("mode", "commands"),
    [
        ("", ["npm i @x/y", "pnpm add @x/y", "yarn add @x/y", "bun add @x/y"]),
        ('mode="dev-install"', ["npm i -D @x/y", "pnpm add -D @x/y", "yarn add -D @x/y", "bun add -d @x/y"]),
        ('mode="local-install"', ["npx @x/y", "pnpx @x/y", "yarn dlx @x/y", "bunx @x/y"]),
        ("mode=create", ["npm create @x/y", "pnpm create @x/y", "yarn create @x/y", "bun create @x/y"]),
        ("mode='custom'", ["npm @x/y", "pnpm @x/y", "yarn @x/y", "bun @x/y"]),
    ],
)
def test_each_package_manager_has_its_command(mode: str, commands: list[str]) -> None:
    result = page(block("tabs", "react: @x/y", f'variant="package-managers" {mode}'))
    assert [snippet.code for snippet in result.code_blocks] == commands
    assert labels(result.html()) == ["npm", "pnpm", "yarn", "bun"]


def test_several_lines_of_a_framework_are_several_commands() -> None:
    result = page(block("tabs", "react: a_b_c @x/y\nreact: z", 'variant="package-manager"'))
    assert result.code_blocks[0].code == "npm i a_b_c @x/y\nnpm i z"


def test_packages_of_several_frameworks_become_a_framework_block() -> None:
    text = block("tabs", "react: r\nsolid: s", 'variant="package-manager"')
    result = page(text)
    assert panels(result.html()) == [("react", True), ("solid", False)]
    assert len(result.code_blocks) == 8
    own = page(text, "solid")
    assert panels(own.html()) == []
    assert [snippet.code for snippet in own.code_blocks[::4]] == ["npm i s"]


def test_framework_panel_shows_only_its_own_packages() -> None:
    inner = block("tabs", "react: r\nsolid: s", 'variant="package-manager"')
    result = page(block("framework", f"# React\n\n{inner}\n\n# Solid\n\n{inner}"))
    assert [snippet.code for snippet in result.code_blocks[::4]] == ["npm i r", "npm i s"]
    assert panels(result.html()) == [("react", True), ("solid", False)]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- ::start:framework -->\n\nkept\n",
        "kept\n\n<!-- ::end:tabs -->\n",
        block("unknown", "kept"),
        block("framework", "kept"),
        block("tabs", "kept"),
        block("tabs", "kept", 'variant="files"'),
        block("tabs", "kept", 'variant="package-manager"'),
        "<!-- ::start:tabs -->\n\n" * 500 + "kept",
    ],
)
def test_unknown_unclosed_or_empty_directive_keeps_its_content(text: str) -> None:
    assert page(text).html() == "<p>kept</p>\n"


def test_html_left_open_in_a_panel_is_closed_at_its_end() -> None:
    inner = "# React\n\n<table><tr><td>\n\nopen\n\n# Vue\n\n</div></td>\n\nvue"
    html = page(block("framework", inner) + "\nafter\n").html()
    assert html.count("<section") == html.count("</section>") == 2
    assert html.endswith("</section>\n</div>\n<p>after</p>\n")
