"""Excerpts are the sentences and the code of a section that answer a query."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kinfolk.search.query import ExcerptSource, Span
from kinfolk.search.text.answer_excerpt import MAX_LENGTH, AnswerExcerpt, MarkedText, answer_excerpt, sentences


def excerpt(
    content: str, words: str, source: ExcerptSource | None = None, *, stop_words: str = "", max_length: int = MAX_LENGTH
) -> AnswerExcerpt | None:
    """The excerpt for words that match as they are written."""
    weights = {**dict.fromkeys(words.split(), 1.0), **dict.fromkeys(stop_words.split(), 0.0)}

    def find(text: str) -> Iterator[Span]:
        for start in range(len(text)):
            for word in weights:
                if text.lower().startswith(word.lower(), start) and not text[start - 1 : start].isalpha():
                    yield Span(start, start + len(word), (word,))

    return answer_excerpt(content, source or ExcerptSource(), find, weights, max_length=max_length)


def marked(part: MarkedText | None) -> list[str]:
    assert part is not None
    return [part.text[span.start : span.end] for span in part.spans]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("One here. Two there! Three?", ["One here.", "Two there!", "Three?"]),
        ("Use a key, e.g. a string. It is unique.", ["Use a key, e.g. a string.", "It is unique."]),
        ("Redux vs. Query is no contest.", ["Redux vs. Query is no contest."]),
        ("By J. Smith (the author). He wrote it.", ["By J. Smith (the author).", "He wrote it."]),
        ("Data is stale. useQuery refetches it.", ["Data is stale.", "useQuery refetches it."]),
        ("Pass a ? b : c to it. Then wait.", ["Pass a ? b : c to it.", "Then wait."]),
        ("Call query.fetch() now. `Done.` Next.", ["Call query.fetch() now.", "`Done.` Next."]),
        ("Version 5.2 is out. 6 follows.", ["Version 5.2 is out.", "6 follows."]),
        ("", []),
    ],
)
def test_sentences_end_at_full_stops_before_a_beginning(content: str, expected: list[str]) -> None:
    assert [content[part.start : part.end] for part in sentences(content, ())] == expected


def test_block_without_full_stop_is_a_sentence() -> None:
    content = "Options retry delay. Both are numbers"
    parts = list(sentences(content, (7, 13)))
    assert [content[part.start : part.end] for part in parts] == ["Options", "retry", "delay.", "Both are numbers"]
    assert [part.is_whole for part in parts] == [False, False, True, False]


FILLER = "This sentence is about other things that the docs explain, and about nothing else at all."


def test_sentence_with_most_words_is_the_answer() -> None:
    answer = "To cancel a query, call its cancel function as shown below here."
    content = f"{FILLER} A query can be fetched. {FILLER} {answer} {FILLER}"
    found = excerpt(content, "cancel query")
    assert found is not None
    assert found.sentences is not None
    assert found.sentences.text == answer
    assert marked(found.sentences) == ["cancel", "query", "cancel"]


def test_adjacent_sentences_answer_together_within_the_limit() -> None:
    first, second = (
        "A mutation changes data on the server and in the cache.",
        "Its retries are off, as it may be unsafe.",
    )
    content = f"{FILLER} {first} {second}"
    found = excerpt(content, "mutation retries")
    assert found is not None
    assert found.sentences is not None
    assert found.sentences.text == f"{first} {second}"
    alone = excerpt(content, "mutation retries", max_length=80)
    assert alone is not None
    assert alone.sentences is not None
    assert alone.sentences.text == first


def test_stop_words_are_neither_counted_nor_marked() -> None:
    answer = "Caching keeps what is fetched, so that the reader need not wait for it."
    content = f"What is the use of this and that in the end, and what is it not for us? {FILLER} {answer}"
    found = excerpt(content, "caching", stop_words="what is the")
    assert found is not None
    assert found.sentences is not None
    assert found.sentences.text == answer
    assert marked(found.sentences) == ["Caching"]


def test_part_of_an_identifier_counts_less_than_all_of_it() -> None:
    weights = {"usequery": 1.0}
    answer = "Call useQuery in a component to subscribe to a query of the cache."
    content = f"You use it in a component that is rendered on the client and on the server. {FILLER} {answer}"

    def find(text: str) -> Iterator[Span]:
        for written in ("useQuery", "use"):
            at = text.find(f"{written} ")
            if at >= 0:
                yield Span(at, at + len(written), ("usequery",))

    def in_order(text: str) -> Iterator[Span]:
        return iter(sorted(find(text)))

    found = answer_excerpt(content, ExcerptSource(), in_order, weights)
    assert found is not None
    assert found.sentences is not None
    assert found.sentences.text == answer


def test_short_sentence_is_followed_by_the_next() -> None:
    content = "gcTime: number The time that unused data stays in memory. After it, the data is removed from the cache."
    found = excerpt(content, "gcTime", ExcerptSource(breaks=(14,)))
    assert found is not None
    assert found.sentences is not None
    assert found.sentences.text == "gcTime: number\nThe time that unused data stays in memory."
    assert found.code is None


def test_code_that_a_sentence_introduces_follows_it() -> None:
    content = f"{FILLER} Turn off the refetch on focus with this option for one query or for all of them: {FILLER}"
    end = content.index(":") + 1
    source = ExcerptSource((len(FILLER), end), ((len(FILLER), "other()"), (end, "useQuery({ focus: false })")))
    found = excerpt(content, "refetch focus", source)
    assert found is not None
    assert found.sentences is not None
    assert found.sentences.text.endswith("for all of them:")
    assert found.code == MarkedText("useQuery({ focus: false })", (Span(11, 16, ("focus",)),))


def test_code_with_words_that_sentences_lack_is_the_answer() -> None:
    content = "Import the devtools like this:"
    source = ExcerptSource((), ((0, "other()"), (len(content), "import { ReactQueryDevtools } from 'devtools'")))
    found = excerpt(content, "ReactQueryDevtools", source)
    assert found is not None
    assert found.sentences == MarkedText("Import the devtools like this:")
    assert marked(found.code) == ["ReactQueryDevtools"]


def test_section_that_matches_by_its_headings_only_is_answered_by_its_beginning() -> None:
    found = excerpt(f"{FILLER} {FILLER}", "unrelated", ExcerptSource(code=((0, "code()"),)))
    assert found == AnswerExcerpt(MarkedText(FILLER), None)


def test_section_without_content_shows_the_text_below_it_or_its_code() -> None:
    below = excerpt("", "query", ExcerptSource(lead=FILLER))
    code = excerpt("", "query", ExcerptSource(code=((0, "a()"), (0, "query()"))))
    assert below == AnswerExcerpt(MarkedText(FILLER), None)
    assert code is not None
    assert (code.sentences, code.code and code.code.text) == (None, "query()")
    assert excerpt("", "query") is None


def test_long_sentence_is_cut_around_its_match() -> None:
    content = "word " * 400 + "cancel " + "more " * 400
    found = excerpt(content.strip(), "cancel")
    assert found is not None
    assert found.sentences is not None
    text = found.sentences.text
    assert len(text) <= MAX_LENGTH + 2
    assert (text[:6], text[-6:]) == ("…word ", " more…")
    assert marked(found.sentences) == ["cancel"]
    assert excerpt("x" * 1000, "cancel") == AnswerExcerpt(MarkedText("x" * MAX_LENGTH + "…"), None)
