"""No text makes a dialect fail, and no output contains private marks or unsafe HTML."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.inputs.dialect_pages import OTHER_SYNTAXES, SYNTAXES, dialect_file

from kinfolk.content.markdown.processes.jobs import InProcessJobs
from kinfolk.runtime.budget import OverBudget

PIECES = st.sampled_from(
    """::: tip|:::|:::: details x|```js{1} [a]|```|~~~|<Tabs>|</Tabs>|<TabItem value="a">|</TabItem>|<A b={|}>|
    <Card title="x" href="javascript:a">|<Steps>|<Folder name="|{/*|*/}|
    !!! note|??? tip "x"|=== "a"|    x|/// tip|///|## A {#b}|{ #c .d }|{{ x }}|<!--@include: ./page.md-->|
    <<< ./page.md|::card{title="x" to="javascript:a"}|::|#title|:u-button[x]{to="javascript:a"}|[a]{.b #c}|
    ::tabs|:::tabs-item{label="|:items='[{"title":"<script>"}]'|
    --8<-- "page.md"|`|``|<script>|</script>|<!--|-->|import a from 'b'|export const a = {|- |> |1. |*[a]: b|[a][b]|
    {{#include page.md}}|\\{{#x}}|```admonish tip "x"|<div class="warning">|</div>|# x {.a}|\\\\(|
    <Listing caption="<img src=x onerror=a>" number="1">|</Listing>|[a](javascript:a)|
    :::{note}|:::{card} <img src=x onerror=a>|```{list-table}|* - a|```{include} page.md|{ref}`a <b>`|{abbr}`a (b)`|
    (a/b)=|[](#a)|[x]{#a}|```{figure} javascript:a|:name: x|:::{raw} html|% a|```{glossary}|
    [^1]|[^1]: x|++a+b++|:tada:|
    \ue000tabs||x|\ue001|\ue0100\ue011|\ue002|<img src=x onerror=a>|---|title: x|a|
    \t""".replace("\n    ", "").split("|")
)
TEXTS = st.lists(st.tuples(PIECES, st.sampled_from([" ", "\n", "\n\n", "\n    "])), max_size=30).map(
    lambda parts: "".join(piece + end for piece, end in parts)
)


@pytest.mark.fuzz
@pytest.mark.parametrize("dialect", [*SYNTAXES, *OTHER_SYNTAXES])
@given(text=TEXTS)
def test_any_text_becomes_a_safe_page(dialect: str, text: str) -> None:
    file = dialect_file(dialect, text, {"docs/guide/page.md": text, "page.md": text})
    with suppress(OverBudget):
        html = InProcessJobs().page(file).html()
        assert not any("\ue000" <= letter <= "\ue0ff" for letter in html)
        assert "<script" not in html
        assert "onerror=" not in html.replace("&lt;img src=x onerror=", "")
        InProcessJobs().export(file)
