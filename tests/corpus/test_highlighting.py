"""All code blocks of the corpus are highlighted, within a time limit, and only once."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table
from tests.sites.corpus_data import CORPUS_INDEX, HIGHLIGHTING_LIMIT_S, FirstPass, read_fences

from kinfolk.content.highlight import Highlighter, ShikiEngine
from kinfolk.content.markdown.markdown_page import CodeBlock

COVERAGE = 0.99
NAMED = frozenset(
    """ts tsx js bash typescript svelte vue jsx json html angular-ts sh gts text hbs shell txt css diff marko
    angular-html mermaid toml markdown env nginx yaml xml plaintext dotenv dockerfile apache""".split()
)
"""All languages of the code blocks of the docs."""
EXAMPLES = frozenset("scss astro prisma sql jsonc graphql tsrx webmanifest python".split())
"""Languages of example files that the docs do not use."""


@dataclass(frozen=True)
class Highlighted:
    """Results of the first pass over the corpus. `again` has opened the file that it wrote."""

    file: Path
    first: FirstPass
    again: Highlighter
    fences: Counter[CodeBlock]
    markup: dict[CodeBlock, str]


@pytest.fixture(scope="module")
def highlighted(corpus: Path, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Highlighted]:
    assert corpus
    folder = CORPUS_INDEX.folder()
    file = Path(shutil.copy(folder / "highlight.sqlite", tmp_path_factory.mktemp("highlighted")))
    fences = read_fences()
    again = Highlighter((built / "ssr" / "highlight.js").read_text(), file)
    again.start()
    again.warm([("all code", iter(fences))])
    assert again.wait_until_idle(HIGHLIGHTING_LIMIT_S)
    ready = {snippet: again.get_or_enqueue(snippet) for snippet in fences}
    markup = {snippet: html for snippet, html in ready.items() if html is not None}
    first = FirstPass(**json.loads((folder / "first-pass.json").read_text()))
    yield Highlighted(file, first, again, fences, markup)
    again.close()


@pytest.fixture(scope="module")
def languages(built: Path) -> Iterator[tuple[frozenset[str], dict[str, str]]]:
    engine = ShikiEngine((built / "ssr" / "highlight.js").read_text(), timeout_s=60.0, memory_mb=512)
    yield engine.languages()
    engine.close()


def test_first_pass_highlights_all_code_within_its_limit(highlighted: Highlighted) -> None:
    first = highlighted.first
    print(
        f"\n{first.made} distinct snippets of {highlighted.fences.total()} fences"
        f" in {first.seconds:.1f} s, {first.cpu_seconds:.1f} s of CPU without rendering the pages;"
        f" the file has {highlighted.file.stat().st_size >> 10} KB"
    )
    assert first.seconds < HIGHLIGHTING_LIMIT_S
    assert len(highlighted.markup) == len(highlighted.fences) == first.made
    assert first.faults == {}


def test_99_percent_of_code_blocks_with_a_language_are_highlighted(
    highlighted: Highlighted, languages: tuple[frozenset[str], dict[str, str]]
) -> None:
    words, plain = languages
    named, highlighted_blocks = Counter[str](), Counter[str]()
    for snippet, times in highlighted.fences.items():
        named[snippet.language] += times
        if re.search(r'class="[a-z]"', highlighted.markup[snippet]):
            highlighted_blocks[snippet.language] += times
    table = Table("Language", "Fences", "Highlighted", "If not, why not")
    for word, times in named.most_common():
        why = plain.get(word) or ("" if word in words else "unknown")
        table.add_row(word, str(times), str(highlighted_blocks[word]), why)
    Console(width=110).print(table)
    with_language = {word: times for word, times in named.items() if word not in plain}
    share = sum(highlighted_blocks[word] for word in with_language) / sum(with_language.values())
    print(f"{share:.2%} of {sum(with_language.values())} fences with a language")
    assert share >= COVERAGE
    assert named.keys() <= words | plain.keys()


def test_each_language_is_supported_or_listed_as_plain_with_a_reason(
    languages: tuple[frozenset[str], dict[str, str]],
) -> None:
    words, plain = languages
    assert (NAMED | EXAMPLES) - words - plain.keys() == set()
    assert all(plain.values())


def test_highlighting_preserves_the_text_of_code(highlighted: Highlighted) -> None:
    def text(html: str) -> str:
        return unescape(re.sub(r"</?span[^>]*>", "", html))

    changed = [snippet for snippet, html in highlighted.markup.items() if text(html) != snippet.code]
    assert changed == []


def test_restart_reuses_stored_highlighting(highlighted: Highlighted) -> None:
    assert highlighted.again.highlighted_count == 0
    assert [snippet for snippet in highlighted.fences if snippet not in highlighted.markup] == []
