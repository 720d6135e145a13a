"""The tool `symbol`, and the signatures that `read_page` has, of a site whose docs were checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from tests.inputs.docs_pages import write_docs

from kinfolk.api.mcp_tools.context import ToolContext
from kinfolk.api.mcp_tools.symbol_tool import MOST_SYMBOLS
from kinfolk.api.mcp_tools.tools import TOOLS
from kinfolk.config.settings import Settings
from kinfolk.content.code_checks.check_results import (
    BlockCheck,
    ExportedSymbol,
    NameUse,
    Option,
    PageCheck,
    Symbol,
    blocks_digest,
)
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.runtime.errors import SiteError
from kinfolk.site.site import Site, open_site

ORIGIN = "http://127.0.0.1:8000"
BASE = "TanStack/query/main/docs"
REACT, VUE, CORE = "@tanstack/react-query", "@tanstack/vue-query", "@tanstack/query-core"
LATEST = f"{ORIGIN}/query/latest/docs"
FILES = {
    f"{BASE}/framework/react/reference/useQuery.md": "# useQuery\n",
    f"{BASE}/reference/QueryClient.md": "# QueryClient\n\n## `queryClient.fetchQuery`\n",
    "TanStack/form/main/docs/migrating.md": "# New\n\nRename `OldApi` to `FormApi`, and `Other` to `Gone`.\n",
    f"{BASE}/framework/react/guides/migrating-to-v5.md": "# Version 5\n\nRename `Hydrate` to `HydrationBoundary`.\n",
    f"{BASE}/usage.md": "# Usage\n\n```ts\nuseQuery()\n```\n\n" + "Text.\n\n" * 4_000 + "```ts\nfetchQuery()\n```\n",
    f"{BASE}/edited.md": "# Edited\n\n```ts\nother()\n```\n",
    "TanStack/query/v4/docs/framework/react/reference/useQuery.md": "# useQuery\n",
    "TanStack/form/main/docs/reference/FormApi.md": "# FormApi\n",
    "TanStack/store/main/docs/overview.md": "# Overview\n",
}


def exported(name: str, module: str = REACT, owner: str = "", **about: Any) -> ExportedSymbol:
    found = Symbol(name, owner, "function", about.pop("package", module), f"function {name}(): void", **about)
    return ExportedSymbol(found, module)


USE_QUERY = exported("useQuery", summary="Reads data.", options=(Option("gcTime", "number"),))
FETCH = exported("fetchQuery", owner="QueryClient", package=CORE)


@pytest.fixture(scope="module")
def site(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("symbols")
    write_docs(folder / "repos", FILES)
    # Nothing is fetched: no service of the site is started.
    registry = "http://127.0.0.1:9"
    opened = open_site(replace(settings, content=folder / "repos", var=folder / "var", npm_registry=registry))
    store = opened.content.publisher.docs.code_checks
    assert store is not None
    vue = replace(USE_QUERY, module=VUE, symbol=replace(USE_QUERY.symbol, package=VUE, signature="function vue()"))
    new = [USE_QUERY, vue, exported("HydrationBoundary"), exported("useOld", deprecated="Use `useQuery` instead.")]
    new += [FETCH, replace(FETCH, module=VUE), *(exported("data", owner=f"Result{at}") for at in range(20))]
    store.put_symbols("query", "v5", new)
    store.put_symbols("query", "v4", [exported("useQuery", deprecated=""), exported("Hydrate")])
    other_type = replace(FETCH.symbol, signature="function fetchQuery(): Promise<string>")
    symbols = (USE_QUERY.symbol, FETCH.symbol, exported("useState", "react").symbol, other_type)
    uses = (NameUse(0, 8, 0), NameUse(9, 1, 2)), (NameUse(0, 10, 1), NameUse(11, 1, 3), NameUse(13, 1, 0))
    check = PageCheck(
        ((REACT, "5.90.2"), (CORE, "5.90.2")), tuple(BlockCheck("right", names=names) for names in uses), symbols
    )
    blocks = [CodeBlock("ts", "useQuery()"), CodeBlock("ts", "fetchQuery()")]
    store.put_page("query", "v5", "usage", check, blocks=blocks_digest(blocks), types="1")
    store.put_page("query", "v5", "edited", check, blocks=blocks_digest(blocks), types="1")
    return opened


@pytest.fixture
def context(site: Site) -> ToolContext:
    return ToolContext(site, site.content.publisher.docs, date(2026, 11, 29))


def look_up(context: ToolContext, name: str, **arguments: str) -> Mapping[str, Any]:
    return TOOLS["symbol"].call(context, {"library": "query", "name": name} | arguments)


def test_symbol_has_its_signature_modules_options_and_page(context: ToolContext) -> None:
    answer = look_up(context, "useQuery()", framework="react")
    (found,) = answer["symbols"]
    assert (found["signature"], found["modules"], found["summary"]) == (
        "function useQuery(): void",
        [REACT],
        "Reads data.",
    )
    assert [option["name"] for option in found["options"]] == ["gcTime"]
    assert found["address"] == answer["address"] == f"{LATEST}/framework/react/reference/useQuery"
    assert (answer["version"], answer["nearest"], answer["replaced_by"]) == ("v5", [], None)
    assert [(one["version"], one["deprecated"], one["address"]) for one in answer["versions"]] == [
        ("v5", None, f"{LATEST}/framework/react/reference/useQuery"),
        ("v4", "", f"{ORIGIN}/query/v4/docs/framework/react/reference/useQuery"),
    ]


def test_symbols_of_all_frameworks_are_found_without_one(context: ToolContext) -> None:
    assert [one["modules"] for one in look_up(context, "useQuery")["symbols"]] == [[REACT], [VUE]]


def test_member_has_its_section_and_the_modules_of_its_type(context: ToolContext) -> None:
    for name in ("QueryClient.fetchQuery", "QueryClient#fetchQuery", "fetchQuery"):
        (found,) = look_up(context, name)["symbols"]
        assert (found["owner"], found["modules"]) == ("QueryClient", [REACT, VUE])
        assert found["address"] == f"{LATEST}/reference/QueryClient#queryclientfetchquery"


def test_name_of_an_earlier_version_has_what_replaced_it(context: ToolContext) -> None:
    answer = look_up(context, "Hydrate", framework="react")
    assert (answer["symbols"], answer["replaced_by"]) == ([], "HydrationBoundary")
    assert [one["version"] for one in answer["versions"]] == ["v4"]
    assert look_up(context, "Hydrate", version="v4")["symbols"][0]["name"] == "Hydrate"


def test_deprecated_symbol_has_what_its_author_says(context: ToolContext) -> None:
    answer = look_up(context, "useOld")
    assert (answer["replaced_by"], answer["replacement_text"]) == ("useQuery", "Use `useQuery` instead.")


@pytest.mark.parametrize(
    ("name", "nearest"), [("useQuerry", ["useQuery"]), ("QueryClient.fetchQuerys", ["fetchQuery"]), ("nothing", [])]
)
def test_unknown_name_has_the_nearest_names(context: ToolContext, name: str, nearest: list[str]) -> None:
    answer = look_up(context, name)
    assert (answer["symbols"], answer["nearest"], answer["known_versions"]) == ([], nearest, ["v5", "v4"])


def test_version_that_was_not_checked_has_the_pages_of_its_docs(context: ToolContext) -> None:
    answer = look_up(context, "FormApi", library="form")
    assert (answer["symbols"], answer["known_versions"]) == ([], [])
    assert answer["address"] == f"{ORIGIN}/form/latest/docs/reference/FormApi"
    assert answer["nearest"] == []
    assert look_up(context, "FormAPIs", library="form")["nearest"] == ["FormApi"]
    replaced = [look_up(context, name, library="form")["replaced_by"] for name in ("OldApi", "Other", "FormApi")]
    assert replaced == ["FormApi", None, None]


def test_many_members_of_one_name_are_bounded(context: ToolContext) -> None:
    assert len(look_up(context, "data")["symbols"]) == MOST_SYMBOLS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "x y"}, 'name: is not a name such as "useQuery" or'),
        ({"name": "a.b.c"}, "name: is not a name"),
        ({"name": "x" * 201}, "name: String should have at most 200 characters"),
        ({"name": "__proto__", "library": "nope"}, 'There is no library "nope"'),
        ({"name": "useQuery", "framework": "cobol"}, "TanStack Query has no docs for 'cobol'. Its frameworks: "),
        ({"name": "useQuery", "version": "v99"}, 'TanStack Query has no version "v99"'),
        ({"name": "useStore", "library": "store"}, "This site knows no symbols of TanStack Store."),
    ],
)
def test_invalid_arguments_are_named(context: ToolContext, arguments: dict[str, str], message: str) -> None:
    with pytest.raises(SiteError) as wrong:
        TOOLS["symbol"].call(context, {"library": "query"} | arguments)
    assert wrong.value.message.startswith(message)


def test_part_of_a_page_has_the_signatures_of_its_code(context: ToolContext) -> None:
    def names(**arguments: object) -> tuple[list[str], int | None]:
        answer: Any = TOOLS["read_page"].call(context, {"library": "query"} | arguments)
        return [one["name"] for one in answer["symbols"]], answer["next_offset"]

    first, offset = names(path="usage")
    assert first == ["useQuery"]
    assert names(path="usage", offset=offset) == (["useQuery", "QueryClient.fetchQuery"], None)
    # The check is of other code.
    assert names(path="edited") == ([], None)
