"""Prefetch hints: the queries of a page, derived from its address."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kinfolk.config.catalog import Catalog
from kinfolk.rendering.render_outcome import PendingQuery
from kinfolk.web.endpoints.pages.prefetch_hints import prefetch_hints

KEYS = json.loads((Path(__file__).parents[4] / "samples" / "keys.json").read_text(encoding="utf-8"))
"""Queries and their keys, which the frontend's tests read, too."""

DOCS = ["site.shell", "docs.config", "docs.page"]


@pytest.mark.parametrize(
    ("url", "ids"),
    [
        ("/", ["site.shell"]),
        ("/query/latest", ["site.shell"]),
        ("/query/latest/docs/overview", DOCS),
        ("/query/v4/docs/framework/react/guides/queries", DOCS),
        ("/query/latest/docs/framework/react", ["site.shell"]),
        ("/query/latest/docs/framework/react/examples/basic?panel=code", ["site.shell"]),
        ("/query/latest/docs/overview.md", ["site.shell"]),
        ("/query/v0/docs/overview", ["site.shell"]),
        ("/nothing/latest/docs/overview", ["site.shell"]),
    ],
)
def test_hints_of_an_address(catalog: Catalog, url: str, ids: list[str]) -> None:
    assert [query.id for query in prefetch_hints(catalog)(url)] == ids


def test_hint_has_the_data_of_the_frontend_query(catalog: Catalog) -> None:
    *_, page = prefetch_hints(catalog)("/query/v4/docs/framework/react/caf%C3%A9")
    assert page.key == (
        'docs.page\n{"repo":"TanStack/query","branch":"v4","filePath":"docs/framework/react/café.md","version":"v4"}'
    )


@pytest.mark.parametrize("sample", KEYS, ids=lambda sample: str(sample["id"]))
def test_query_key_is_that_of_the_frontend(sample: dict[str, object]) -> None:
    assert PendingQuery.of(str(sample["id"]), sample["data"]).key == sample["key"]
