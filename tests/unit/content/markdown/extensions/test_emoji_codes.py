"""Emoji codes: known ones become emoji, other text with colons stays as it is."""

from __future__ import annotations

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.docs.file_layouts.page_layout import page_facts
from kinfolk.content.markdown.extensions.emoji_codes import with_emoji
from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose


def page(text: str) -> MarkdownPage:
    return render(compose(text, str), resolve=UnchangedLinks())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Done :tada: and :+1:", "Done 🎉 and 👍"),
        (":tada::rocket:", "🎉🚀"),
        (":stuck_out_tongue:", "😛"),
        ("(:warning:)", "(⚠️)"),
        (":heart:,:star:", "❤️,⭐"),
        (":egg: :beetle:", "🥚 🪲"),
        (":1st_place_medal:", "🥇"),
        (":-1:", "👎"),
        ("**:fire:**", "**🔥**"),
        (":e-mail:", "📧"),
        (":jp:.", "🇯🇵."),
        (":family_man_woman_girl:", "👨‍👩‍👧"),
    ],
)
def test_codes_of_githubs_list_become_emoji(text: str, shown: str) -> None:
    assert with_emoji(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "10:30:45",
        ":no_such_name:",
        ":octocat:",
        "a:b:c",
        "std::tada::x",
        "::tada::",
        ": tada :",
        ":Tada:",
        "http://x.example:80:tada:x",
        ":red_apple:",
        "key:100:value",
        ":tada",
    ],
)
def test_unknown_codes_and_times_stay_text(text: str) -> None:
    assert with_emoji(text) == text


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("`:tada:` :tada:", "<p><code>:tada:</code> 🎉</p>\n"),
        ("[:tada:](x.md)", '<p><a href="x.md">🎉</a></p>\n'),
        ("[a](/:tada:)", '<p><a href="/:tada:">a</a></p>\n'),
        ("![:tada:](x.png)", '<p><img src="x.png" loading="lazy" decoding="async" alt="🎉"></p>\n'),
        ("| :tada: |\n|---|", '<th scope="col">🎉</th>'),
        ("> [!NOTE] :tada: Title\n> x", '<p class="callout-title">🎉 Title</p>'),
        ("*:tada:*", "<em>🎉</em>"),
        ("<b title=':tada:'>:tada:</b>", "<b>🎉</b>"),
    ],
)
def test_codes_are_replaced_in_text_only(text: str, html: str) -> None:
    assert html in page(text).html()


def test_codes_of_a_code_block_stay() -> None:
    assert page("```\n:tada:\n```").code_blocks[0].code == ":tada:"


def test_id_of_a_heading_has_the_name_of_the_code_and_the_outline_its_emoji() -> None:
    heading = page("## :rocket: Getting started").headings[0]
    assert (heading.id, heading.text) == ("rocket-getting-started", "🚀 Getting started")


def test_title_of_the_front_matter_and_its_heading_are_one_title() -> None:
    result = page("---\ntitle: 'Emoji :rocket:'\n---\n# Emoji :rocket:\n")
    assert (result.title, result.headings) == ("Emoji :rocket:", ())


def test_label_in_the_menu_has_emoji() -> None:
    assert page_facts("# Emoji :rocket:\n").title == "Emoji 🚀"


def test_description_has_emoji() -> None:
    assert page("Done :tada:").description == "Done 🎉"


@pytest.mark.parametrize("part", [":", ":a", ":a:", ":tada:", ":a_", "::a:"])
def test_codes_are_found_in_linear_time(part: str) -> None:
    assert cpu_time_growth(lambda size: with_emoji(part * size), 16_000) < MAX_LINEAR_GROWTH
