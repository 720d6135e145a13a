"""Which names a page of an API reference documents: its subject, exports in headings, and members with their ids."""

from __future__ import annotations

import pytest

from kinfolk.content.markdown.api_reference.documented_names import documented_names
from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose

GENERATED = """\
# Class: Store\\<T\\>

Defined in: [store.ts:7](https://code.example/store.ts)

## Parameters

### options

## Properties

### ~~state~~

### atom?

## Methods

### setState()

#### Parameters

##### updater

### setState()
"""
WRITTEN = """\
Text with `queryClient.find`.

```md
## `queryClient.notThis`
```

## Setup of [a client](../client.md)

## `queryClient.clear`

## Setup of a client

### `gcTime` option (deprecated, use `staleTime` instead)

### `opts.retry: number`

### `otherClient.clear`

### A word about `retries`

## `dehydrate` / `hydrate()`
"""


@pytest.mark.parametrize(
    ("title", "file", "expected"),
    [
        ("useQuery", "useQuery", "useQuery"),
        ("useNavigate hook", "useNavigateHook", "useNavigate"),
        ("Link component", "linkComponent", "Link"),
        ("RouterOptions", "RouterOptionsType", "RouterOptions"),
        ("Row APIs", "row", "Row"),
        ("<Suspense>", "suspense", "Suspense"),
        ("Search middleware to keep params", "retainSearchParamsFunction", "retainSearchParams"),
        (None, "createStore", "createStore"),
        ("Link options", "link-options", None),
        ("Getting started", "start", None),
    ],
)
def test_subject_of_a_page_is_a_title_or_file_name_that_is_a_name(
    title: str | None, file: str, expected: str | None
) -> None:
    names = [one.name for one in documented_names(title, "", f"reference/{file}").names]
    assert names == ([expected] if expected else [])


def test_page_of_typedoc_is_about_its_symbol_and_the_members() -> None:
    found = documented_names("Store", GENERATED, "reference/classes/Store")
    assert [(one.name, one.anchor) for one in found.names] == [("Store", "")]
    assert found.members == {"state": "state", "atom": "atom", "setState": "setstate"}


def test_value_of_a_name_is_before_the_type() -> None:
    ranks = [
        documented_names(title, text, "reference/x").names[0].rank
        for title, text in (("Route class", ""), ("Store", "# Interface: Store"), ("Route type", ""), ("Route API", ""))
    ]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(ranks)


def test_headings_in_code_marks_name_exports_and_members() -> None:
    found = documented_names("QueryClient", WRITTEN, "reference/QueryClient")
    places = {one.name: one.anchor for one in found.names}
    assert places == {"QueryClient": "", "dehydrate": "dehydrate--hydrate", "hydrate": "dehydrate--hydrate"}
    assert found.members == {
        "clear": "queryclientclear",
        "gcTime": "gctime-option-deprecated-use-staletime-instead",
        "retry": "optsretry-number",
    }


@pytest.mark.parametrize("text", [GENERATED, WRITTEN])
def test_ids_are_those_of_the_rendered_page(text: str) -> None:
    found = documented_names("QueryClient", text, "reference/QueryClient")
    page = render(compose(text, lambda _: ""), resolve=UnchangedLinks())
    assert {*found.members.values(), *(one.anchor for one in found.names if one.anchor)} <= page.anchors


def test_page_of_a_module_has_sections_about_its_exports() -> None:
    text = "# acme/store\n\n## Functions\n\n### create()\n\nDefined in: a.ts\n\n## Type Aliases\n\n### Updater\n"
    found = documented_names(None, text, "reference/index")
    assert [(one.name, one.anchor) for one in found.names] == [("create", "create"), ("Updater", "updater")]
