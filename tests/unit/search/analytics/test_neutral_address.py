"""Records of pages are named without version and framework."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.inputs.docs_records import docs_record
from tests.sites.sample_site import SITE

from kinfolk.content.docs import DocsSnapshot
from kinfolk.search.analytics.neutral_address import NeutralAddress, neutral_address
from kinfolk.search.docs_index.index_build import SearchableContent, groups
from kinfolk.search.filters import Record
from kinfolk.search.ranking_config import load_ranking_config

TEXT = "# Keys\n\nWords.\n\n## Arrays\n\nOf any length.\n\n### Of objects\n\nDeep.\n"


def test_records_of_the_site_have_neutral_addresses(docs_from_files: Callable[[dict[str, str]], DocsSnapshot]) -> None:
    files = {"framework/react/guides/keys.md": TEXT, "framework/vue/guides/keys.md": "# Keys\n\nOther words.\n"}
    docs = docs_from_files({f"TanStack/query/main/docs/{name}": text for name, text in files.items()})
    content = SearchableContent(docs, (), load_ranking_config(SITE))
    addresses = {
        record["objectID"]: neutral_address(record)
        for group in groups(content)
        for record in group.make()
        if record["library"] == "query"
    }
    page = "query/guides/keys"
    assert addresses == {
        "landing:query": None,
        "query:latest:framework/react/guides/keys#": NeutralAddress(page, "", ("Keys",)),
        "query:latest:framework/vue/guides/keys#": NeutralAddress(page, "", ("Keys",)),
        "query:latest:framework/react/guides/keys#arrays": NeutralAddress(page, "arrays", ("Keys", "Arrays")),
        "query:latest:framework/react/guides/keys#of-objects": NeutralAddress(
            page, "of-objects", ("Keys", "Of objects")
        ),
    }


@pytest.mark.parametrize(
    ("page", "heading", "section"),
    [
        ("query/guides/keys", "", "query/guides/keys"),
        ("query/guides/keys", "Arrays", "query/guides/keys#arrays"),
        ("query/overview", "", "query/overview"),
    ],
)
def test_versions_and_frameworks_share_an_address(page: str, heading: str, section: str) -> None:
    records = [
        docs_record(page, "Keys", heading=heading, framework=framework, version=version)
        for framework in ("", "react", "vue")
        for version in ("latest", "v4")
    ]
    assert {address.section for record in records if (address := neutral_address(record))} == {section}


def test_pages_outside_of_the_docs_have_no_address() -> None:
    post: Record = {"objectID": "blog:news#", "kind": "blog", "group": "blog:news", "hierarchy": {"lvl1": "News"}}
    assert neutral_address(post) is None
    assert neutral_address({"objectID": "1"}) is None
