"""Which names guides to a new version call renamed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kinfolk.content.markdown.api_reference.renamed_names import renamed_names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("### Rename `cacheTime` to `gcTime`", {"cacheTime": "gcTime"}),
        ("The `Hydrate` component has been renamed to `HydrationBoundary`.", {"Hydrate": "HydrationBoundary"}),
        ("- `useReactTable` is now `useTable`, as elsewhere", {"useReactTable": "useTable"}),
        ("`QueryCache.getQuery()` was replaced by the new `QueryCache.find()`.", {"getQuery": "find"}),
        ("Removed `refetchPage` in favor of `maxPages`", {"refetchPage": "maxPages"}),
        ("`useQuery` now accepts a `queryKey`", {}),
        ("`useQuery` is changed to accept only a `queryKey`", {}),
        ("`A` and `B` have been replaced by `C` and `D`", {}),
        ("`left` is not `right`", {}),
        ("Rename cacheTime to gcTime", {}),
        ("```ts\n// Rename `a` to `b`\n```", {}),
        ("`same` was renamed to `Other.same`", {}),
    ],
)
def test_sentence_names_the_old_and_the_new_name(text: str, expected: Mapping[str, str]) -> None:
    assert renamed_names(text) == expected


def test_table_of_two_versions_names_them() -> None:
    rows = ["| `getOld()` | slot | `getNew()` |", "| `kept` | | Not needed |", "| `a` + `b` | | `c` |"]
    rows += ["| `sortFn` (column option) | | `sortBy` option |", "| `pin('left')` | | `pin('start')` |"]
    for head, expected in [
        ("| Table V8 | Slot | Table V9 |", {"getOld": "getNew", "sortFn": "sortBy"}),
        ("| Before | | After |", {"getOld": "getNew", "sortFn": "sortBy"}),
        ("| V9 | | V8 |", {}),
        ("| Feature | | Name |", {}),
    ]:
        assert renamed_names("\n".join([head, "| --- | :-- | --- |", *rows])) == expected


def test_long_lines_take_linear_time() -> None:
    assert renamed_names("`a` " * 100_000 + "| " * 100_000) == {}
