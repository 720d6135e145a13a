"""Code blocks of docs pages: highlighted if available, else plain and tagged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from tests.inputs.docs_pages import render_page

from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import PendingHighlight
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.snapshots.docs_snippets import docs_snippets
from kinfolk.content.markdown.markdown_page import CodeBlock

QUERY = Ref("TanStack/query", "main")
DocsFromFiles = Callable[[dict[str, str]], DocsSnapshot]
TEXT = "# X\n\n```ts\na\n```\n\n```js\nb\n```\n\n```ts\na\n```\n"


class FakeHighlighter:
    """Highlights some languages, and records the watched code blocks."""

    def __init__(self, *languages: str) -> None:
        self.languages = languages
        self.tagged: list[CodeBlock] = []

    def get_or_enqueue(self, snippet: CodeBlock) -> str | None:
        return f"<b>{snippet.code}</b>" if snippet.language in self.languages else None

    def watch(self, snippets: Sequence[CodeBlock]) -> PendingHighlight:
        self.tagged += snippets
        return PendingHighlight("0123456789ab")


@pytest.mark.parametrize(
    ("languages", "tagged"),
    [(("ts", "js"), []), (("ts",), [CodeBlock("js", "b")]), ((), [CodeBlock("ts", "a"), CodeBlock("js", "b")])],
)
def test_page_has_a_tag_for_code_that_is_not_highlighted(
    docs_from_files: DocsFromFiles, languages: tuple[str, ...], tagged: list[CodeBlock]
) -> None:
    plain = docs_from_files({"TanStack/query/main/docs/x.md": TEXT})
    highlighter = FakeHighlighter(*languages)
    docs = DocsSnapshot(plain.catalog, plain.redirects, plain.snapshot, highlighter=highlighter)
    seen: set[str] = set()
    html = render_page(docs, QUERY, "docs/x.md", tags=seen).html
    assert html.count("<b>") == sum({"ts": 2, "js": 1}[language] for language in languages)
    assert highlighter.tagged == tagged
    assert ("code:0123456789ab" in seen) == bool(tagged)


def test_next_snapshot_keeps_highlighted_code(docs_from_files: DocsFromFiles) -> None:
    plain = docs_from_files({"TanStack/query/main/docs/x.md": TEXT})
    docs = DocsSnapshot(
        plain.catalog, plain.redirects, plain.snapshot, highlighter=FakeHighlighter("ts")
    ).with_snapshot(plain.snapshot)
    assert "<b>a</b>" in render_page(docs, QUERY, "docs/x.md").html


def test_code_is_listed_by_branch_latest_versions_first(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
        {
            "TanStack/query/v4/docs/x.md": "```ts\nold\n```\n",
            "TanStack/query/main/docs/x.md": TEXT,
            "TanStack/query/main/docs/y.md": "---\nref: docs/x.md\n---\n",
            "TanStack/query/main/docs/broken.md": "---\nref: docs/gone.md\n---\n",
            "TanStack/query/main/examples/react/basic/README.md": "```ts\nnot a page\n```\n",
        }
    )
    listed = [(name.split(" ")[0], {snippet.code for snippet in code}) for name, code in docs_snippets(docs)]
    assert listed == [("TanStack/query@main", {"a", "b"}), ("TanStack/query@v4", {"old"})]


def test_name_of_branch_snippets_changes_with_its_files(docs_from_files: DocsFromFiles) -> None:
    names = [
        next(docs_snippets(docs_from_files({"TanStack/query/main/docs/x.md": text})))[0] for text in ("a", "b", "a")
    ]
    assert names[0] == names[2] != names[1]


def test_callback_is_called_for_each_page(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files({"TanStack/query/main/docs/x.md": TEXT, "TanStack/query/main/docs/y.md": "no code"})
    counted: list[None] = []
    for _, code in docs_snippets(docs, on_page=lambda: counted.append(None)):
        list(code)
    assert len(counted) == 2
