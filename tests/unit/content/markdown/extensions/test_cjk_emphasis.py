"""Emphasis beside CJK punctuation: examples of the CJK-friendly amendment, and texts that it leaves as they are."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from kinfolk.content.markdown.extensions.cjk_emphasis import cjk_emphasis

OPTIONS = {"strikethrough_single_tilde": True}
PLAIN = MarkdownIt("commonmark", OPTIONS).enable("strikethrough")
AMENDED = MarkdownIt("commonmark", OPTIONS).enable("strikethrough").use(cjk_emphasis)


def shown(text: str) -> str:
    return str(AMENDED.render(text)).removeprefix("<p>").removesuffix("</p>\n")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**重要：**先に", "<strong>重要：</strong>先に"),
        ("に**「設定」**の", "に<strong>「設定」</strong>の"),
        ("~~古い。~~新しい。", "<s>古い。</s>新しい。"),
        ("~古い。~新しい。", "<s>古い。</s>新しい。"),
        ("설정은 **기본값(권장)**을 쓰세요.", "설정은 <strong>기본값(권장)</strong>을 쓰세요."),
        ("これは**やりたかったこと。**だから", "これは<strong>やりたかったこと。</strong>だから"),
        ("税込**¥10,000**で", "税込<strong>¥10,000</strong>で"),
        ('太郎は**"Hello"**といった', "太郎は<strong>&quot;Hello&quot;</strong>といった"),
        ("**C#**や**F#**は**「.NET」**と", "<strong>C#</strong>や<strong>F#</strong>は<strong>「.NET」</strong>と"),
        ("**真；**她", "<strong>真；</strong>她"),
        ("**`npm publish`**를", "<strong><code>npm publish</code></strong>를"),
        ("**스크립트(script)**라고", "<strong>스크립트(script)</strong>라고"),
        ("a~~a()~~あ", "a~~a()~~あ".replace("~~a()~~", "<s>a()</s>")),
        ("葛\U000e0100~~()a~~a", "葛\U000e0100<s>()a</s>a"),
        ("羽\ufe00~~()a~~a", "羽\ufe00<s>()a</s>a"),
        ("__注意__：注意事項", "<strong>注意</strong>：注意事項"),
        ("正體字。\ufe01__Hong Kong and Taiwan.__", "正體字。\ufe01<strong>Hong Kong and Taiwan.</strong>"),
        ("“\ufe01Git”\ufe01__Hub__", "“\ufe01Git”\ufe01<strong>Hub</strong>"),
        ("a**〽**a", "a<strong>〽</strong>a"),
        ("a**㊗**a", "a<strong>㊗</strong>a"),
        ("**[リンク](https://example.com)**も", '<strong><a href="https://example.com">リンク</a></strong>も'),
        ("*強調。*です", "<em>強調。</em>です"),
        ("***両方。***です", "<em><strong>両方。</strong></em>です"),
    ],
)
def test_marks_beside_cjk_punctuation_are_emphasis(text: str, html: str) -> None:
    assert shown(text) == html


@pytest.mark.parametrize(
    "text",
    [
        "a**a«**b",
        "a**∇a**a",
        "a**a𝜵**a",
        "a**𐬻**a",
        "a~~()a~~a",
        "snake_case_name and 2*3*4",
        "日本語 snake_case_name",
        "** 空白 **です",
        "한국어_단어_입니다",
        "**bold**, *it* and ~~no~~ — “quoted”",
        "`**重要：**先に`",
        "https://example.com/日本_語_",
        "🎉**(a)**🎉",
    ],
)
def test_other_texts_are_those_of_commonmark(text: str) -> None:
    assert AMENDED.render(text) == PLAIN.render(text)
