"""Headings and lists define names, or only mention them."""

from __future__ import annotations

import pytest

from kinfolk.search.docs_index.definitions import defined_in_heading, defined_in_lists


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("gcTime: number | Infinity", ("gcTime",)),
        ("isLoading (Previously: isInitialLoading)", ("isLoading", "isInitialLoading")),
        ("queryClient.clear", ("queryClient.clear",)),
        ("replaceValue()", ("replaceValue",)),
        ("staleTime property", ("staleTime",)),
        ("The route.beforeLoad Option", ("route.beforeLoad", "beforeLoad")),
        ("opts.structuralSharing option", ("opts.structuralSharing",)),
        ("Rename cacheTime to gcTime", ("cacheTime",)),
        ("The isDataEqual option has been removed from useQuery", ("isDataEqual",)),
        ("Removed keepPreviousData in favor of placeholderData", ("keepPreviousData",)),
        ("Set gcTime to Infinity with Jest", ()),
        ("Using staleTime to control how long data are fresh", ()),
        ("Overview", ()),
        ("Retries", ()),
        ("Why Acme Query?", ()),
        ("", ()),
    ],
)
def test_heading_defines_its_names(heading: str, names: tuple[str, ...]) -> None:
    assert defined_in_heading(heading) == names


def test_entries_of_lists_define_the_names_that_they_begin_with() -> None:
    html = (
        "<ul><li><code>queryKey: unknown[]</code> Required</li><li><p><code>onSuccess?: () =&gt; void</code></p></li>"
        "<li>See <code>useQuery</code></li><li><code>retry</code></li></ul>"
    )
    assert defined_in_lists([html]) == ("queryKey", "onSuccess")
