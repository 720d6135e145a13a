"""Measures search on the corpus, compared with two libraries that search in the browser.

    KINFOLK_CORPUS=/path/to/docs python tests/bench/search.py [--alone]

Writes figures into the documents.

Relevance: judged queries (KINFOLK_QUERIES, JSON lines with `query` and its expected pages), and queries generated from
titles and headings. Speed: every prefix of every query, as a reader types it, with twenty hits, their highlights and
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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.sites.sample_site import SITE, read_settings
from tests.suite import measurements

from kinfolk.config.catalog import LATEST, load_catalog
from kinfolk.config.settings import ROOT
from kinfolk.content.docs import DocsRelease
from kinfolk.content.open_content import open_blog, open_pages
from kinfolk.content.redirects import load_redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.search.docs_index.generations import own_copy
from kinfolk.search.docs_index.index_build import SearchableContent, build
from kinfolk.search.docs_index.site_index import SiteIndex
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.filters import Equals, Record
from kinfolk.search.query import SearchQuery, SearchResult
from kinfolk.search.ranking_config import load_ranking_config

PEERS = Path(__file__).with_name("search_peers.mjs")
PACKAGES = ("minisearch@7.2.0", "@orama/orama@3.1.18")
QUERIES = ROOT.parent / "shared" / "data" / "search-queries.jsonl"
CORPUS = ROOT.parent / "shared" / "corpus" / "docs"
HITS = 20
DEEPEST = 10
TYPED = 60
"""Number of judged queries whose prefixes are timed."""


@dataclass(frozen=True)
class JudgedQuery:
    text: str
    expected: frozenset[str]


@dataclass(frozen=True)
class Relevance:
    """Relevance figures, computed from the rank of the first expected page."""

    queries: int
    mrr: float
    first: float
    five: float
    nothing: int

    def __str__(self) -> str:
        shares = f"MRR@10 {self.mrr:.3f}   s@1 {self.first:.3f}   s@5 {self.five:.3f}"
        return f"{shares}   without a result {self.nothing} of {self.queries}"


def judged_queries(path: Path) -> list[JudgedQuery]:
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [JudgedQuery(entry["query"], frozenset(entry["expect"])) for entry in entries]


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
        JudgedQuery(text if at % 2 else text[: max(4, len(text) * 3 // 4)], frozenset(pages[text]))
        for at, text in enumerate(texts)
    ]


def latest(index: TantivyIndex) -> Iterator[Record]:
    return (record for record in index.records() if LATEST in list(record["version"]))  # type: ignore[arg-type]


def page_of(url: str) -> str:
    """`/query/latest/docs/guides/caching#x` -> `query/guides/caching`; other addresses are unchanged."""
    found = re.match(r"/([^/]+)/[^/]+/docs/([^#]*)", url)
    return f"{found[1]}/{found[2]}" if found else url


def measure_relevance(queries: Sequence[JudgedQuery], find: Callable[[str], Sequence[str]]) -> Relevance:
    places = []
    nothing = 0
    for query in queries:
        pages = list(dict.fromkeys(page_of(url) for url in find(query.text)))[:DEEPEST]
        nothing += not pages
        places.append(next((at for at, page in enumerate(pages, start=1) if page in query.expected), 0))
    count = len(places)
    return Relevance(
        queries=count,
        mrr=sum(1 / place for place in places if place) / count,
        first=sum(place == 1 for place in places) / count,
        five=sum(0 < place <= 5 for place in places) / count,
        nothing=nothing,
    )


def search_query(text: str, *, length: int = HITS) -> SearchQuery:
    return SearchQuery(text, where=Equals("version", LATEST), facets=("library", "framework"), length=length)


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
            answers = dict(zip((query.text for query in queries), found["answers"][label], strict=True))
            yield peer, label, measure_relevance(queries, answers.__getitem__)


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
    docs = DocsRelease(catalog, load_redirects(data), DirectorySource(corpus, catalog.refs, "the corpus").open())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wall, cpu = time.perf_counter(), time.process_time()
        site = read_settings({})
        posts, pages = open_blog(site, catalog).published, tuple(open_pages(site, catalog).valid_pages)
        build(folder, SearchableContent(docs, posts, rules, pages))
        took = f"{time.perf_counter() - wall:.1f} s, {time.process_time() - cpu:.1f} s of a processor"
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
        with own_copy(folder) as (one, copy):
            engine = TantivyIndex(copy, rules.settings)
        index = SiteIndex(engine, one.generation)
        print(f"{index.count} records of every version, built in {took}, {size:.1f} MB on disk")
        judged = judged_queries(path)
        sets = {"first half": judged[0::2], "second half": judged[1::2], "all judged": judged}
        sets["by rule"] = queries_by_rule(engine)

        def find(text: str) -> list[str]:
            return [str(hit.record["url"]) for hit in index.search(search_query(text)).hits]

        figures = {"bench-search.queries": str(len(judged))}
        for label, queries in sets.items():
            measured = measure_relevance(queries, find)
            print(f"{'kinfolk':12} {label:12} {measured}")
            if queries is judged:
                figures["bench-search.mrr"] = f"{measured.mrr:.2f}"
        speed(index, prefixes(judged[:TYPED]))
        subprocess.run([sys.executable, __file__, "--read", str(folder)], check=True)
        if not wanted.alone:
            for peer, label, result in peers(engine, sets):
                print(f"{peer:12} {label:12} {result}")
                if peer == "MiniSearch" and sets[label] is judged:
                    figures["bench-search.minisearch"] = f"{result.mrr:.2f}"
        measurements.record("make bench-search", figures)


if __name__ == "__main__":
    main()
