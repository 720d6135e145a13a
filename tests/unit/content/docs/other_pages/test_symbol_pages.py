"""The address of the page or section about a symbol, and when pages that link to it are purged."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import ApiNames, DependencyRecorder, FileContent
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.snapshots.stale_dependencies import stale_dependencies
from kinfolk.content.sources.snapshot import changes

MAIN = Ref("TanStack/query", "main")
DOCS = "TanStack/query/main/docs"
CLIENT = "---\ntitle: QueryClient\n---\n\n## `queryClient.clear`\n\nRemoves all.\n"
FILES = {
    f"{DOCS}/reference/QueryClient.md": CLIENT,
    f"{DOCS}/reference/useOnline.md": "# useOnline\n",
    f"{DOCS}/framework/react/reference/useQuery.md": "# useQuery\n\n### `opts.select` option\n",
    f"{DOCS}/framework/vue/reference/useQuery.md": "---\nref: docs/framework/react/reference/useQuery.md\n---\n",
    f"{DOCS}/framework/react/reference/hydration.md": "# Hydration\n\n## `dehydrate`\n",
    f"{DOCS}/framework/vue/reference/useOnline.md": "# useOnline\n",
    f"{DOCS}/framework/vue/reference/useOnline-1.md": "# useOnline\n",
    f"{DOCS}/framework/react/guides/caching.md": "# useCaching\n",
    f"{DOCS}/framework/react/adapter.md": "# useAdapter\n\n## `useList`\n\n## `useOnline`\n",
    f"{DOCS}/framework/react/migrating-to-v5.md": "# v5\n\nRename `useOld` to `useMiddle`.\n\n## `useGone`\n",
    f"{DOCS}/guides/migrating-to-v6.md": "# v6\n\n| v5 | v6 |\n| --- | --- |\n| `useMiddle()` | `useNew()` |\n",
}
Docs = Callable[[dict[str, str]], DocsSnapshot]


@pytest.mark.parametrize(
    ("symbol", "framework", "page"),
    [
        ("useQuery", "react", "framework/react/reference/useQuery"),
        ("useQuery", "vue", "framework/vue/reference/useQuery"),
        ("useQuery", None, None),
        ("useQuery", "solid", None),
        ("useOnline", "vue", "framework/vue/reference/useOnline"),
        ("useOnline", "react", "reference/useOnline"),
        ("dehydrate", "react", "framework/react/reference/hydration#dehydrate"),
        ("QueryClient", "vue", "reference/QueryClient"),
        ("QueryClient.clear", "vue", "reference/QueryClient#queryclientclear"),
        ("QueryClient.unknown", "vue", "reference/QueryClient"),
        ("UseQueryOptions.select", "vue", "framework/vue/reference/useQuery#optsselect-option"),
        ("UseQueryOptions.retry", "vue", None),
        ("useCaching", "react", None),
        ("useList", "react", "framework/react/adapter#uselist"),
        ("useAdapter", "react", None),
        ("useGone", "react", None),
        ("queryclient", "react", None),
    ],
)
def test_symbol_has_the_page_of_the_framework_or_of_all(
    docs_from_files: Docs, symbol: str, framework: str | None, page: str | None
) -> None:
    reader = ContentReader(docs_from_files(FILES))
    owner, _, name = symbol.rpartition(".")
    library = reader.catalog.library("query")
    address = reader.symbol_address(library, "latest", name, owner=owner, framework=framework)
    assert address == (f"/query/latest/docs/{page}" if page else None)


def test_reference_says_what_is_deprecated(docs_from_files: Docs) -> None:
    client = f"{CLIENT}\n## `queryClient.find` (deprecated, use `get` instead)\n"
    old = "# ~~useOld~~\n\n**Deprecated.** Use `useOnline` instead.\n"
    reader = ContentReader(
        docs_from_files(FILES | {f"{DOCS}/reference/QueryClient.md": client, f"{DOCS}/reference/useOld.md": old})
    )

    def deprecated(name: str, owner: str = "") -> str | None:
        found = reader.symbol_reference(reader.catalog.library("query"), "latest", name, owner=owner)
        return found.deprecated if found else None

    assert deprecated("useOld") == "Deprecated. Use useOnline instead."
    assert deprecated("find", "QueryClient") == "Deprecated. Use get instead"
    assert [deprecated("clear", "QueryClient"), deprecated("QueryClient"), deprecated("other")] == ["", "", None]


@pytest.mark.parametrize(
    ("symbol", "page"),
    [
        ("SortingInstance.setSorting", "reference/sorting#setsorting"),
        ("RootRouteOptions.beforeLoad", "reference/RouteOptions#beforeload-method"),
        ("LinkOptions.beforeLoad", None),
        ("SortingInstance.columns", None),
        ("QueryObserverResult.clear", None),
        ("SortingInstance.getRows", None),
    ],
)
def test_member_of_an_undocumented_type_has_the_only_section_about_it(
    docs_from_files: Docs, symbol: str, page: str | None
) -> None:
    pages = {
        "reference/sorting": "# Sorting a table\n\n### `setSorting`\n\n### `columns`\n\n### `getRows`\n",
        "reference/grouping": "# Grouping rows\n\n### `getRows`\n",
        "reference/RouteOptions": "# RouteOptions type\n\n### `beforeLoad` method\n",
        "framework/vue/reference/other": "# Some words\n\n### `setSorting`\n",
    }
    reader = ContentReader(docs_from_files(FILES | {f"{DOCS}/{path}.md": text for path, text in pages.items()}))
    owner, _, name = symbol.rpartition(".")
    address = reader.symbol_address(reader.catalog.library("query"), "latest", name, owner=owner, framework="react")
    assert address == (f"/query/latest/docs/{page}" if page else None)


def test_renames_of_several_guides_follow_each_other(docs_from_files: Docs) -> None:
    reader = ContentReader(docs_from_files(FILES))
    library = reader.catalog.library("query")
    assert reader.symbol_renames(library, "latest", "useOld", framework="react") == ("useMiddle", "useNew")
    assert reader.symbol_renames(library, "latest", "useOld", framework="vue") == ()


def test_only_edits_of_documented_names_purge_pages_with_links_to_them(docs_from_files: Docs) -> None:
    recorder = DependencyRecorder()
    first = docs_from_files(FILES)
    reader = ContentReader(first, recorder)
    reader.symbol_address(reader.catalog.library("query"), "latest", "QueryClient")
    assert ApiNames(MAIN) in recorder.dependencies
    assert not any(isinstance(one, FileContent) for one in recorder.dependencies)
    reworded = docs_from_files(FILES | {f"{DOCS}/reference/QueryClient.md": f"{CLIENT}More.\n"})
    extended = docs_from_files(FILES | {f"{DOCS}/reference/QueryClient.md": f"{CLIENT}\n## `queryClient.find`\n"})
    guide = docs_from_files(FILES | {f"{DOCS}/framework/react/guides/caching.md": "# Other\n\n## `useQuery`\n"})
    stale = [
        ApiNames(MAIN) in stale_dependencies(changes(first.snapshot, new.snapshot), first, new)
        for new in (reworded, extended, guide)
    ]
    assert stale == [False, True, False]
