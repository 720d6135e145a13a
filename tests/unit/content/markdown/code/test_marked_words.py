"""Words that `[!code word:x]` marks: style only, with Shiki's meaning, in every dialect."""

from __future__ import annotations

import pytest
from tests.inputs.dialect_pages import dialect_page
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.code.marked_words import spans_of, with_marked_words
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.content.markdown.processes.messages import decode_page, encode_page


def marked(code: str, dialect: str = "github") -> tuple[str, list[str]]:
    (block,) = dialect_page(dialect, f"# A\n\n```ts\n{code}\n```\n").code_blocks
    return block.code, [block.code[start:stop] + f"@{block.code[:start].count(chr(10))}" for start, stop in block.words]


@pytest.mark.parametrize("dialect", ["github", "vitepress", "starlight", "fumadocs", "nuxt-content"])
@pytest.mark.parametrize(
    ("code", "shown", "words"),
    [
        ("// [!code word:Hello]\nHello Hello\nHello", "Hello Hello\nHello", ["Hello@0", "Hello@0", "Hello@1"]),
        ("Hello\n// [!code word:Hello:1]\nHello\nHello", "Hello\nHello\nHello", ["Hello@1"]),
        ("a b // [!code word:b]\nb", "a b\nb", ["b@0", "b@1"]),
        ("# [!code word:a b]\na b", "a b", ["a b@0"]),
        ("<!-- [!code word:<b>] -->\n<b>", "<b>", ["<b>@0"]),
        ("// [!code word:a\\:b]\na:b a", "a:b a", ["a:b@0"]),
        ("// [!code word:x\\[0\\]]\nx[0]", "x[0]", ["x[0]@0"]),
        ("// [!code word:o.a:2]\no.a\no.a\no.a", "o.a\no.a\no.a", ["o.a@0", "o.a@1"]),
        ("// [!code word:aa]\naaa", "aaa", ["aa@0"]),
        ("// [!code word:a]\n// [!code word:ab]\nab", "ab", ["a@0"]),
        ("// [!code word:설정_~`]\n설정_~`", "설정_~`", ["설정_~`@0"]),
        ("// [!code word:no]\nx", "x", []),
        ("x // [!code word:]\nx", "x\nx", []),
    ],
)  # fmt: skip
def test_each_occurrence_of_a_word_is_marked(dialect: str, code: str, shown: str, words: list[str]) -> None:
    assert marked(code, dialect) == (shown, words)


@pytest.mark.parametrize(
    ("html", "words", "result"),
    [
        ("a b", "a", '<mark class="word">a</mark> b'),
        ("&lt;b&gt;", "<b>", '<mark class="word">&lt;b&gt;</mark>'),
        (
            '<span class="line"><span class="v">a</span>.b</span>',
            "a.b",
            '<span class="line"><span class="v"><mark class="word">a</mark></span><mark class="word">.b</mark></span>',
        ),
        ("aa", "a", '<mark class="word">a</mark><mark class="word">a</mark>'),
    ],
)
def test_marks_are_within_the_elements_of_tokens(html: str, words: str, result: str) -> None:
    text = "<b>" if "&lt;" in html else "a.b" if "span" in html else html
    spans = tuple((at, at + len(words)) for at in range(len(text)) if text.startswith(words, at))
    assert with_marked_words(html, spans) == result


def test_marked_words_pass_between_processes() -> None:
    page = dialect_page("github", "# A\n\n```ts\n// [!code word:a]\na\n```\n")
    assert page.code_blocks == (CodeBlock("ts", "a", words=((0, 1),)),)
    assert decode_page([*encode_page(page)]).code_blocks == page.code_blocks
    assert '<mark class="word">a</mark></code>' in page.html()


def test_words_are_marked_in_linear_time() -> None:
    def work(length: int) -> None:
        code = "// [!code word:a]\n" * 20 + "a " * (length // 2)
        (block,) = dialect_page("github", f"# A\n\n```ts\n{code}```\n").code_blocks
        with_marked_words(block.code, spans_of([], block.code) or block.words)

    assert cpu_time_growth(work, 8_000) < MAX_LINEAR_GROWTH
