"""Records of docs pages, as the site's index has them, and a published index of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.sites.sample_site import SITE

from kinfolk.search.docs_index.generations import build_folder, index_folder, publish
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.filters import Record
from kinfolk.search.ranking_config import load_ranking_config


def docs_record(
    page: str, title: str, content: str = "", *, heading: str = "", framework: str = "", version: str = "latest"
) -> Record:
    """The record of a section. `page` is its library and path without framework, as in `query/guides/caching`."""
    library, _, path = page.partition("/")
    anchor = heading.lower().replace(" ", "-")
    inside = f"framework/{framework}/{path}" if framework else path
    url = f"/{library}/{version}/docs/{inside}"
    return {
        "objectID": f"{library}:{version}:{inside}#{anchor}",
        "url": f"{url}#{anchor}" if anchor else url,
        "url_without_anchor": url,
        "anchor": anchor,
        "hierarchy": {"lvl0": library.title(), "lvl1": title} | ({"lvl2": heading} if heading else {}),
        **({"subheading": heading} if heading else {"heading": [title]}),
        "content": content,
        "library": library,
        "version": [version],
        "framework": [framework] if framework else [],
        "kind": "guide",
        "group": f"{library}:{version}:{'framework/*/' if framework else ''}{path}",
        "weight": {"pageRank": 100, "level": 90 if heading else 100, "position": 0},
    }


DOCS_PAGES = (
    docs_record("query/guides/caching", "Caching", "How long answers are cached.", framework="react"),
    docs_record("query/guides/caching", "Caching", "How long answers are cached.", framework="vue"),
    docs_record("query/guides/caching", "Caching", "The age of swr data.", heading="Stale time", framework="react"),
    docs_record("query/guides/ssr", "Server rendering", "Hydrate what the server has fetched.", framework="react"),
    docs_record("query/comparison", "Comparison", "A table of libraries: swr and Apollo."),
    docs_record("query/comparison", "Comparison", "The same for version 4.", version="v4"),
    docs_record(
        "start/guide/server-functions", "Server functions", "Get the props of a page that the server side loads."
    ),
    docs_record("table/guide/sorting", "Sorting", "Order the rows of a table."),
)
"""`swr` finds Caching and Comparison."""


def docs_index(folder: Path, records: Iterable[Record] = DOCS_PAGES) -> TantivyIndex:
    """An index with the ranking of the sample site."""
    return TantivyIndex.create(folder, load_ranking_config(SITE, family="TanStack").settings, records)


def publish_docs_index(var: Path, records: Iterable[Record] = DOCS_PAGES) -> None:
    """Publish the index in the data folder of a site, as `kinfolk index` does."""
    folder = index_folder(var)
    with build_folder(folder) as place:
        docs_index(place, records)
        publish(folder, place, form="test", revisions={})
