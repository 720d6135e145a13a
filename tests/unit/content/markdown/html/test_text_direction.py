"""Tests of the direction of text from right to left."""

from __future__ import annotations

import re

import pytest

from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile


def body(text: str) -> str:
    return InProcessJobs().page(MarkdownFile("page.md", text, str)).html()


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("זהו טקסט.", "p"),
        ("مرحبا بالعالم.", "p"),
        ("سلام دنیا.", "p"),
        ("ܫܠܡܐ", "p"),
        ("## כותרת", "h2"),
        ("text\n\n#### כותרת", "h4"),
        ("1. ראשון\n2. שני", "ol"),
        ("- ראשון\n- שני", "ul"),
        ("| עמודה |\n|---|\n| א |", "table"),
        ("- a\n\n  טקסט", "p"),
        ("עם `code` בפנים", "p"),
        ("English with עברית", "p"),
        ("- a\n  - טקסט", "ul"),
    ],
)
def test_block_has_a_direction(text: str, tag: str) -> None:
    assert re.search(rf'<{tag}(?: id="[^"]*")? dir="auto"', body(text))


@pytest.mark.parametrize(
    ("text", "tag", "direction"),
    [
        ("> ציטוט", "blockquote", "rtl"),
        ("> A, ציטוט", "blockquote", "ltr"),
        ("> > ציטוט", "blockquote", "rtl"),
        ("> [!NOTE]\n> > ציטוט", "blockquote", "rtl"),
        ("- ראשון\n\n- שני", "ul", "rtl"),
        ("1. ראשון\n\n   עוד", "ol", "rtl"),
        ("- [ ] משימה", 'ul class="contains-task-list"', "auto"),
    ],
)
def test_block_of_blocks_has_the_direction_of_its_first_letter(text: str, tag: str, direction: str) -> None:
    name, _, attributes = tag.partition(" ")
    assert re.search(rf'<{name} (?:{attributes} )?dir="{direction}"', body(text))


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("> [!NOTE]\n> הערה", "rtl"),
        ("> [!WARNING] כותרת\n> הערה", "rtl"),
        ("> [!TIP]\n> **هام**: text", "rtl"),
        ("> [!TIP]\n> Text, עברית", "ltr"),
        ("> [!NOTE]\n> 1, 2, הערה", "rtl"),
    ],
)
def test_callout_has_the_direction_of_its_text(text: str, direction: str) -> None:
    assert re.search(rf'<div class="callout"[^>]* dir="{direction}"', body(text))


@pytest.mark.parametrize(
    "text",
    [
        "Text\n\n- a\n- b\n\n| a |\n|---|\n| b |\n",
        "Größe, Café, naïve, Łódź",
        "缓存配置 데이터 検索エンジン",
        "Привет мир, Γειά σου",
        "> [!NOTE]\n> Text",
        "```\ncode\n```",
        "😀 — … “quoted”",
    ],
)
def test_page_without_such_letters_has_no_directions(text: str) -> None:
    assert " dir=" not in body(text)


def test_code_block_has_no_direction() -> None:
    html = body("טקסט\n\n```js\nconst a = 'עברית'\n```\n")
    assert '<figure class="code" data-lang="js"><pre tabindex="0">' in html
