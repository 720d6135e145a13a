"""Relevance of search on the corpus."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.sites.corpus_data import CORPUS_INDEX

from kinfolk.config.catalog import LATEST
from kinfolk.config.settings import Settings
from kinfolk.search.docs_index.generations import index_folder, own_copy
from kinfolk.search.docs_index.site_index import SiteIndex
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.filters import Equals, Record
from kinfolk.search.query import SearchQuery
from kinfolk.search.ranking_config import load_ranking_config

QUERIES = Path(__file__).parents[3] / "shared" / "data" / "search-queries.jsonl"
TITLES = 400
SHORTEST_MISTYPED = 5
"""A typo may remove one letter, and typo tolerance starts at four letters."""

Find = Callable[[str], list[Record]]


@pytest.fixture(scope="module")
def engine(corpus: Path, settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> TantivyIndex:
    assert corpus
    folder = Path(shutil.copytree(index_folder(CORPUS_INDEX.folder()), tmp_path_factory.mktemp("search") / "search"))
    with own_copy(folder) as (_, copy):
        return TantivyIndex(copy, load_ranking_config(settings.site).settings)


@pytest.fixture(scope="module")
def find(engine: TantivyIndex) -> Find:
    index = SiteIndex(engine, "corpus")

    def records(text: str) -> list[Record]:
        answer = index.search(SearchQuery(text, where=Equals("version", LATEST), length=10))
        return [hit.record for hit in answer.hits]

    return records


def page_of(record: Record) -> str:
    found = re.match(r"/([^/]+)/[^/]+/docs/(.*)", str(record["url_without_anchor"]))
    return f"{found[1]}/{found[2]}" if found else str(record["url"])


def title_of(record: Record) -> str:
    hierarchy = record["hierarchy"]
    assert isinstance(hierarchy, dict)
    return str(hierarchy["lvl1"])


def test_judged_queries_find_expected_pages(find: Find) -> None:
    path = Path(os.environ.get("KINFOLK_QUERIES", QUERIES))
    if not path.is_file():
        pytest.skip(f"no judged queries: set KINFOLK_QUERIES, or put them at {path.name}")
    judged = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    places = []
    for query in judged:
        pages = list(dict.fromkeys(page_of(record) for record in find(query["query"])))
        assert pages, query["query"]
        places.append(next((at for at, page in enumerate(pages, start=1) if page in query["expect"]), 0))
    mrr = sum(1 / place for place in places if place) / len(places)
    five = sum(0 < place <= 5 for place in places) / len(places)
    print(f"{len(places)} judged queries: MRR@10 {mrr:.3f}, success@5 {five:.3f}")
    assert mrr >= 0.93
    assert five >= 0.97


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("cancel", "query/framework/react/guides/query-cancellation"),
        ("vue query cancellation", "query/framework/vue/guides/query-cancellation"),
        ("useQuery", "query/framework/react/reference/useQuery"),
        ("usequery", "query/framework/react/reference/useQuery"),
        ("injectQuery", "query/framework/angular/reference/functions/injectQuery"),
        ("debouncing", "pacer/guides/debouncing"),
        ("retry", "query/framework/react/guides/query-retries"),
        ("mutation", "query/framework/react/guides/mutations"),
        ("createServerFn", "start/framework/react/guide/server-functions"),
        ("table", "/table/latest"),
        ("privacy", "/privacy"),
        ("sponsors", "/#sponsors"),
        ("support", "/support"),
        ("ethos", "/ethos"),
        ("npm stats", "/stats/npm"),
        ("blog", "/blog"),
    ],
)
def test_obvious_page_is_the_first_result(find: Find, text: str, page: str) -> None:
    assert page_of(find(text)[0]) == page


def test_title_with_a_typo_is_among_the_first_three_results(engine: TantivyIndex, find: Find) -> None:
    chosen = random.Random(11)  # noqa: S311 - the same typos each time
    titles = sorted({title_of(record) for record in engine.records() if is_page(record)})
    titles = [title for title in titles if words_of(title)]
    missed = []
    for title in chosen.sample(titles, min(TITLES, len(titles))):
        word = chosen.choice(words_of(title))
        typed = title[: word.start()] + mistyped(word[0], chosen) + title[word.end() :]
        if title not in [title_of(record) for record in find(typed)[:3]]:
            missed.append(f"{typed} (for {title})")
    share = 1 - len(missed) / min(TITLES, len(titles))
    print(f"a typo in a title: {share:.2%} in the first three; not {'; '.join(missed) or 'one missed'}")
    assert share >= 0.99


def is_page(record: Record) -> bool:
    return record["type"] == "lvl1" and record["kind"] in ("guide", "reference") and LATEST in _list(record["version"])


def _list(value: object) -> Sequence[object]:
    assert isinstance(value, list)
    return value


def words_of(title: str) -> list[re.Match[str]]:
    return list(re.finditer(rf"[A-Za-z]{{{SHORTEST_MISTYPED},}}", title))


def mistyped(word: str, chosen: random.Random) -> str:
    """The word with one letter missing, swapped with the next, replaced or added."""
    at = chosen.randrange(len(word) - 1)
    letter = chosen.choice("aeinorst")
    return chosen.choice(
        [
            word[:at] + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + letter + word[at + 1 :],
            word[:at] + letter + word[at:],
        ]
    )
