"""All code that the libraries' docs hold: coloured, quickly, and once."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from kinfolk.catalog import Catalog
from kinfolk.docs import Docs
from kinfolk.docs.snippets import sections
from kinfolk.highlight import Engine, Highlighter
from kinfolk.markdown.page import Snippet
from kinfolk.redirects import Redirects
from kinfolk.site import family_refs
from kinfolk.sources.directory import DirectorySource

BUDGET_S = 360.0
"""The first time, on two cores. It took 11 s."""
COVERAGE = 0.99
NAMED = frozenset(
    """ts tsx js bash typescript svelte vue jsx json html angular-ts sh gts text hbs shell txt css diff marko
    angular-html mermaid toml markdown env nginx yaml xml plaintext dotenv dockerfile apache""".split()
)
"""Every language that fences of the docs name."""
EXAMPLES = frozenset("scss astro prisma sql jsonc graphql tsrx webmanifest python".split())
"""What the files of the examples add."""


@dataclass(frozen=True)
class Highlighted:
    """The first pass over everything."""

    docs: Docs
    file: Path
    bundle: str
    fences: Counter[Snippet]
    markup: dict[Snippet, str]
    made: int
    faults: dict[str, int]
    seconds: float
    cpu_seconds: float


@pytest.fixture(scope="module")
def highlighted(
    corpus: Path, built: Path, catalog: Catalog, redirects: Redirects, tmp_path_factory: pytest.TempPathFactory
) -> Highlighted:
    docs = Docs(catalog, redirects, DirectorySource(corpus, family_refs(catalog), "corpus").open())
    file = tmp_path_factory.mktemp("highlighted") / "highlight.sqlite"
    bundle = (built / "ssr" / "highlight.js").read_text()
    highlighter = Highlighter(bundle, file)
    wall, cpu = time.perf_counter(), time.process_time()
    highlighter.start()
    highlighter.warm(sections(docs))
    assert highlighter.settle(BUDGET_S)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    fences = Counter(snippet for _, snippets in sections(docs) for snippet in snippets)
    ready = {snippet: highlighter.ready(snippet) for snippet in fences}
    markup = {snippet: html for snippet, html in ready.items() if html is not None}
    made, faults = highlighter.made, highlighter.faults()
    highlighter.close()
    return Highlighted(docs, file, bundle, fences, markup, made, faults, wall, cpu)


@pytest.fixture(scope="module")
def languages(built: Path) -> Iterator[tuple[frozenset[str], dict[str, str]]]:
    engine = Engine((built / "ssr" / "highlight.js").read_text(), timeout_s=60.0, memory_mb=512)
    yield engine.languages()
    engine.close()


def test_the_whole_family_is_highlighted_within_its_budget(highlighted: Highlighted) -> None:
    print(
        f"\n{highlighted.made} distinct snippets of {highlighted.fences.total()} fences"
        f" in {highlighted.seconds:.1f} s, {highlighted.cpu_seconds:.1f} s of CPU with reading the pages;"
        f" the file has {highlighted.file.stat().st_size >> 10} KB"
    )
    assert highlighted.seconds < BUDGET_S
    assert len(highlighted.markup) == len(highlighted.fences) == highlighted.made
    assert highlighted.faults == {}


def test_nearly_every_fence_with_a_language_has_colours(
    highlighted: Highlighted, languages: tuple[frozenset[str], dict[str, str]]
) -> None:
    words, plain = languages
    named, coloured = Counter[str](), Counter[str]()
    for snippet, times in highlighted.fences.items():
        named[snippet.language] += times
        if re.search(r'class="[a-z]"', highlighted.markup[snippet]):
            coloured[snippet.language] += times
    table = Table("Language", "Fences", "Coloured", "If not, why not")
    for word, times in named.most_common():
        why = plain.get(word) or ("" if word in words else "unknown")
        table.add_row(word, str(times), str(coloured[word]), why)
    Console(width=110).print(table)
    with_language = {word: times for word, times in named.items() if word not in plain}
    share = sum(coloured[word] for word in with_language) / sum(with_language.values())
    print(f"{share:.2%} of {sum(with_language.values())} fences with a language")
    assert share >= COVERAGE
    assert named.keys() <= words | plain.keys()


def test_every_language_that_is_named_anywhere_is_coloured_or_plain_for_a_reason(
    languages: tuple[frozenset[str], dict[str, str]],
) -> None:
    words, plain = languages
    assert (NAMED | EXAMPLES) - words - plain.keys() == set()
    assert all(plain.values())


def test_no_code_is_changed_by_its_colours(highlighted: Highlighted) -> None:
    def text(html: str) -> str:
        return unescape(re.sub(r"</?span[^>]*>", "", html))

    changed = [snippet for snippet, html in highlighted.markup.items() if text(html) != snippet.code]
    assert changed == []


def test_a_restart_highlights_nothing_again(highlighted: Highlighted) -> None:
    again = Highlighter(highlighted.bundle, highlighted.file)
    began = time.perf_counter()
    again.start()
    again.warm(sections(highlighted.docs))
    assert again.settle(BUDGET_S)
    took = time.perf_counter() - began
    plain = [snippet for snippet in highlighted.fences if again.ready(snippet) is None]
    print(f"\nAfter a restart {again.made} snippets in {took:.2f} s")
    again.close()
    assert (again.made, plain) == (0, [])
