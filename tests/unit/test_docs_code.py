"""Code of the docs: with its colours where they are ready, plain and tagged where they are not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from kinfolk.docs import Docs
from kinfolk.docs.snippets import sections
from kinfolk.markdown.page import Snippet
from kinfolk.sources.snapshot import Ref

QUERY = Ref("TanStack/query", "main")
Shelved = Callable[[dict[str, str]], Docs]
TEXT = "# X\n\n```ts\na\n```\n\n```js\nb\n```\n\n```ts\na\n```\n"


class Painted:
    """Has colours for some languages, and remembers what it was asked to tag."""

    def __init__(self, *languages: str) -> None:
        self.languages = languages
        self.tagged: list[Snippet] = []

    def ready(self, snippet: Snippet) -> str | None:
        return f"<b>{snippet.code}</b>" if snippet.language in self.languages else None

    def tag(self, snippets: Sequence[Snippet]) -> str:
        self.tagged += snippets
        return "code:0123456789ab"


@pytest.mark.parametrize(
    ("languages", "tagged"),
    [(("ts", "js"), []), (("ts",), [Snippet("js", "b")]), ((), [Snippet("ts", "a"), Snippet("js", "b")])],
)
def test_a_page_is_tagged_for_the_code_that_is_not_ready(
    shelved: Shelved, languages: tuple[str, ...], tagged: list[Snippet]
) -> None:
    plain = shelved({"TanStack/query/main/docs/x.md": TEXT})
    painted = Painted(*languages)
    docs = Docs(plain.catalog, plain.redirects, plain.snapshot, colours=painted)
    seen: set[str] = set()
    html = docs.page(QUERY, "docs/x.md", None, seen).html
    assert html.count("<b>") == sum({"ts": 2, "js": 1}[language] for language in languages)
    assert painted.tagged == tagged
    assert ("code:0123456789ab" in seen) == bool(tagged)


def test_the_next_edition_has_the_same_colours(shelved: Shelved) -> None:
    plain = shelved({"TanStack/query/main/docs/x.md": TEXT})
    docs = Docs(plain.catalog, plain.redirects, plain.snapshot, colours=Painted("ts")).succeed(plain.snapshot)
    assert "<b>a</b>" in docs.page(QUERY, "docs/x.md", None, set()).html


def test_all_code_is_listed_by_branch_with_the_latest_versions_first(shelved: Shelved) -> None:
    docs = shelved(
        {
            "TanStack/query/v4/docs/x.md": "```ts\nold\n```\n",
            "TanStack/query/main/docs/x.md": TEXT,
            "TanStack/query/main/docs/y.md": "---\nref: docs/x.md\n---\n",
            "TanStack/query/main/docs/broken.md": "---\nref: docs/gone.md\n---\n",
            "TanStack/query/main/examples/react/basic/README.md": "```ts\nnot a page\n```\n",
        }
    )
    listed = [(name.split(" ")[0], {snippet.code for snippet in code}) for name, code in sections(docs)]
    assert listed == [("TanStack/query@main", {"a", "b"}), ("TanStack/query@v4", {"old"})]


def test_the_name_of_a_branch_changes_with_its_files(shelved: Shelved) -> None:
    names = [next(sections(shelved({"TanStack/query/main/docs/x.md": text})))[0] for text in ("a", "b", "a")]
    assert names[0] == names[2] != names[1]


def test_each_page_is_counted_when_its_code_was_read(shelved: Shelved) -> None:
    docs = shelved({"TanStack/query/main/docs/x.md": TEXT, "TanStack/query/main/docs/y.md": "no code"})
    counted: list[None] = []
    for _, code in sections(docs, on_page=lambda: counted.append(None)):
        list(code)
    assert len(counted) == 2
