"""What a page will ask for, told from its address alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kinfolk.catalog import Catalog
from kinfolk.ssr.outcome import Need
from kinfolk.web.foresight import foresee

KEYS = json.loads((Path(__file__).parents[1] / "samples" / "keys.json").read_text(encoding="utf-8"))
"""Answers and their keys, which the frontend's own tests read too."""

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
def test_only_pages_of_docs_that_may_exist_are_foreseen(catalog: Catalog, url: str, ids: list[str]) -> None:
    assert [need.id for need in foresee(catalog)(url)] == ids


def test_a_page_is_asked_for_as_the_bundle_would(catalog: Catalog) -> None:
    *_, page = foresee(catalog)("/query/v4/docs/framework/react/caf%C3%A9")
    assert page.key == (
        'docs.page\n{"repo":"TanStack/query","branch":"v4","filePath":"docs/framework/react/café.md","version":"v4"}'
    )


@pytest.mark.parametrize("sample", KEYS, ids=lambda sample: str(sample["id"]))
def test_a_need_is_foreseen_by_the_key_that_the_frontend_gives_it(sample: dict[str, object]) -> None:
    assert Need.foreseen(str(sample["id"]), sample["data"]).key == sample["key"]
