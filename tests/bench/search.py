"""Measures search on the corpus, compared with two libraries that search in the browser.

    KINFOLK_CORPUS=/path/to/docs python tests/bench/search.py [--alone]

Writes figures into the documents.

Relevance: judged queries (KINFOLK_QUERIES, JSON lines with `query` and its expected pages), queries generated from
titles and headings, and questions in people's own words (`search_questions.jsonl`), of which a half is set aside: only
its figures are looked at. Speed: every prefix of every query, as a reader types it, with twenty hits, highlights and
two facets.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.search_relevance import (
    Found,
    JudgedQuery,
    Relevance,
    is_set_aside,
    judged_queries,
    measure_relevance,
    measure_stability,
    natural_questions,
)
from tests.sites.sample_site import SITE, read_settings
from tests.suite import measurements

from kinfolk.config.catalog import LATEST, load_catalog
from kinfolk.config.settings import ROOT
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.open_content import open_blog, open_pages
from kinfolk.content.redirects import load_redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.search.docs_index.generations import own_copy
from kinfolk.search.docs_index.index_build import SearchableContent, build
from kinfolk.search.docs_index.meanings import Meanings
from kinfolk.search.docs_index.site_index import SiteIndex
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.filters import AllOf, Equals, Record
from kinfolk.search.query import SearchQuery, SearchResult
from kinfolk.search.ranking_config import load_ranking_config

PEERS = Path(__file__).with_name("search_peers.mjs")
PACKAGES = ("minisearch@7.2.0", "@orama/orama@3.1.18")
QUERIES = ROOT.parent / "shared" / "data" / "search-queries.jsonl"
CORPUS = ROOT.parent / "shared" / "corpus" / "docs"
HITS = 20
JUDGED, SET_ASIDE = "all judged", "set aside"
TYPED = 60
"""Number of judged queries whose prefixes are timed."""


def queries_by_rule(index: TantivyIndex, most: int = 100) -> list[JudgedQuery]:
    """Titles and headings in lower case, every other one without its last letters. The expected page is their own."""
    chosen = random.Random(5)  # noqa: S311 - the same sample each time
    pages: dict[str, set[str]] = {}
    for record in latest(index):
        hierarchy = record["hierarchy"]
        assert isinstance(hierarchy, dict)
        lowest = str(hierarchy[str(record["type"])])
        if record["kind"] == "guide" and len(lowest.split()) > 1:
            pages.setdefault(lowest.lower(), set()).add(page_of(str(record["url"])))
    texts = chosen.sample(sorted(pages), min(most, len(pages)))
    return [
        JudgedQuery(text if at % 2 else text[: max(4, len(text) * 3 // 4)], dict.fromkeys(pages[text], frozenset()))
        for at, text in enumerate(texts)
    ]


def latest(index: TantivyIndex) -> Iterator[Record]:
    return (record for record in index.records() if LATEST in list(record["version"]))  # type: ignore[arg-type]


def page_of(url: str) -> str:
    """`/query/latest/docs/guides/caching#x` -> `query/guides/caching`; other addresses are unchanged."""
    found = re.match(r"/([^/]+)/[^/]+/docs/([^#]*)", url)
    return f"{found[1]}/{found[2]}" if found else url


def search_query(text: str, *, library: str = "", framework: str = "") -> SearchQuery:
    """As the dialog sends it, with the library and framework of the page that is read."""
    named = tuple(Equals(*one) for one in (("library", library), ("framework", framework)) if one[1])
    where = AllOf((Equals("version", LATEST), *named))
    return SearchQuery(text, where=where, optional_filters=named, facets=("library", "framework"), length=HITS)


def found_in(result: SearchResult) -> list[Found]:
    return [Found(page_of(str(hit.record["url"])), heading_of(hit.record)) for hit in result.hits]


def heading_of(record: Record) -> str:
    """The heading of the section; empty for the first section of a page."""
    hierarchy, level = record["hierarchy"], str(record["type"])
    assert isinstance(hierarchy, dict)
    return "" if level == "lvl1" else str(hierarchy[level])


def count_highlights(answer: SearchResult) -> int:
    """Highlight what the dialog shows of a response: headings and content. Returns the number of spans."""
    size = 0
    for hit in answer.hits:
        hierarchy = hit.record["hierarchy"]
        assert isinstance(hierarchy, dict)
        for text in (*hierarchy.values(), hit.record["content"]):
            size += len(answer.spans(str(text)))
    return size


def prefixes(queries: Sequence[JudgedQuery]) -> list[str]:
    return list(dict.fromkeys(query.text[:end] for query in queries for end in range(1, len(query.text) + 1)))


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def resident_mb() -> float:
    """Private memory of this process in MB."""
    text = Path("/proc/self/smaps_rollup").read_text(encoding="ascii")
    return sum(int(found[1]) for found in re.finditer(r"Private_\w+:\s+(\d+) kB", text)) / 1024


def memory_of_reading(folder: Path, texts: Sequence[str]) -> None:
    """Print the memory that the index and its queries add to a process that has imported all modules."""
    rules = load_ranking_config(SITE)
    before = resident_mb()
    with own_copy(folder) as (one, copy):
        index = SiteIndex(TantivyIndex(copy, rules.settings), one.generation)
    for text in texts:
        count_highlights(index.search(search_query(text)))
    print(f"  reading takes {resident_mb() - before:.0f} MB of a worker's private memory, including cached responses\n")


def speed(index: SiteIndex, texts: Sequence[str]) -> None:
    walls, processor = [], []
    for text in texts:
        wall, cpu = time.perf_counter(), time.thread_time()
        count_highlights(index.search(search_query(text)))
        walls.append((time.perf_counter() - wall) * 1000)
        processor.append((time.thread_time() - cpu) * 1000)
    print(f"\n{len(texts)} keystrokes, each a cache miss: {HITS} hits with highlights, two facets")
    for name, values in (("wall", walls), ("processor", processor)):
        print(f"  {name:10} p50 {statistics.median(values):6.2f} ms   p99 {percentile(values, 0.99):6.2f} ms")
    warm = texts[-100:]
    for text in warm:
        count_highlights(index.search(search_query(text)))
    started, rounds = time.thread_time(), 5
    for _ in range(rounds):
        for text in warm:
            count_highlights(index.search(search_query(text)))
    print(f"  warm       {len(warm) * rounds / (time.thread_time() - started):,.0f} keystrokes a second of one core")


def peers(index: TantivyIndex, sets: dict[str, list[JudgedQuery]]) -> Iterator[tuple[str, str, Relevance]]:
    """MiniSearch and Orama on the same records and queries, each with the best configuration we found."""
    node = Path(sys.executable).with_name("node")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "package.json").write_text('{"type": "module", "private": true}')
        shutil.copy(PEERS, folder)
        npm = [str(node.with_name("npm")), "install", "--no-audit", "--no-fund", "--loglevel=error", *PACKAGES]
        environment = {**os.environ, "PATH": f"{node.parent}:{os.environ['PATH']}"}
        subprocess.run(npm, cwd=folder, check=True, env=environment)
        records = [{**record, "page": record["group"]} for record in latest(index)]
        texts = {label: [query.text for query in queries] for label, queries in sets.items()}
        (folder / "input.json").write_text(json.dumps({"records": records, "queries": texts}))
        result = subprocess.run([str(node), PEERS.name], cwd=folder, check=True, capture_output=True, text=True)
    for peer, found in json.loads(result.stdout).items():
        print(f"{peer}: built in {found['seconds']:.1f} s")
        for label, queries in sets.items():
            results = [[Found(page_of(url.partition("#")[0])) for url in urls] for urls in found["answers"][label]]
            answers = dict(zip((query.text for query in queries), results, strict=True))

            def find(query: JudgedQuery, answers: dict[str, list[Found]] = answers) -> list[Found]:
                return answers[query.text]

            yield peer, label, measure_relevance(queries, find)


def query_sets(judged: list[JudgedQuery], engine: TantivyIndex) -> dict[str, list[JudgedQuery]]:
    questions = natural_questions()
    return {
        "first half": judged[0::2],
        "second half": judged[1::2],
        JUDGED: judged,
        "by rule": queries_by_rule(engine),
        "questions": [query for query in questions if not is_set_aside(query)],
        SET_ASIDE: [query for query in questions if is_set_aside(query)],
    }


def relevance(index: SiteIndex, sets: Mapping[str, Sequence[JudgedQuery]]) -> dict[str, str]:
    """Print the relevance and the stability of each set. Returns the figures for the documents."""

    def find(query: JudgedQuery, text: str | None = None) -> list[Found]:
        written = query.text if text is None else text
        return found_in(index.search(search_query(written, library=query.library, framework=query.framework)))

    mrr: dict[str, str] = {}
    for label, queries in sets.items():
        measured = measure_relevance(queries, find)
        print(f"{'kinfolk':12} {label:12} {measured}")
        mrr[label] = f"{measured.mrr:.2f}"
    for label in (JUDGED, SET_ASIDE):
        stable = measure_stability(sets[label], find)
        print(f"{'kinfolk':12} {label:12} a page once among the first three stays there in {stable:.1%} of keys")
    return {
        "bench-search.queries": str(len(sets[JUDGED])),
        "bench-search.mrr": mrr[JUDGED],
        "bench-search.questions": str(len(sets[SET_ASIDE])),
        "bench-search.questions-mrr": mrr[SET_ASIDE],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alone", action="store_true", help="skip MiniSearch and Orama")
    parser.add_argument("--read", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    data = SITE
    catalog, rules = load_catalog(data), load_ranking_config(data)
    corpus = Path(os.environ.get("KINFOLK_CORPUS", CORPUS))
    path = Path(os.environ.get("KINFOLK_QUERIES", QUERIES))
    if wanted.read:
        memory_of_reading(wanted.read, prefixes(judged_queries(path)[:TYPED]))
        return
    if not corpus.is_dir() or not path.is_file():
        parser.exit(1, f"Set the docs and the judged queries: KINFOLK_CORPUS ({corpus}), KINFOLK_QUERIES ({path})\n")
    docs = DocsSnapshot(catalog, load_redirects(data), DirectorySource(corpus, catalog.refs, "the corpus").open())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wall, cpu = time.perf_counter(), time.process_time()
        site = read_settings({})
        posts, pages = open_blog(site, catalog).published, tuple(open_pages(site, catalog).valid_pages)
        build(folder, SearchableContent(docs, posts, rules, pages, Meanings(SITE)))
        took = f"{time.perf_counter() - wall:.1f} s, {time.process_time() - cpu:.1f} s of a processor"
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
        with own_copy(folder) as (one, copy):
            engine = TantivyIndex(copy, rules.settings)
        index = SiteIndex(engine, one.generation)
        print(f"{index.count} records of every version, built in {took}, {size:.1f} MB on disk")
        judged = judged_queries(path)
        sets = query_sets(judged, engine)
        figures = relevance(index, sets)
        speed(index, prefixes(judged[:TYPED]))
        subprocess.run([sys.executable, __file__, "--read", str(folder)], check=True)
        if not wanted.alone:
            for peer, label, result in peers(engine, sets):
                print(f"{peer:12} {label:12} {result}")
                if peer == "MiniSearch" and label == JUDGED:
                    figures["bench-search.minisearch"] = f"{result.mrr:.2f}"
        measurements.record("make bench-search", figures)


if __name__ == "__main__":
    main()
