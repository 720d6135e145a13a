"""Tokens of a text: words, identifiers, stems, typos."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinfolk.search.text.tokens import STEM, WORD, fold, folded_letters, read_word, squash, terms
from kinfolk.search.text.vocabulary import Vocabulary

PLAIN = [
    ("useInfiniteQuery", [("useinfinitequery", 0), ("use", 0), ("infinite", 1), ("query", 2)]),
    ("queryClient.setQueryData", [("queryclient", 0), ("query", 0), ("client", 1), ("setquerydata", 2), ("set", 2)]),
    ("enabled: false", [("enabled", 0), ("false", 1)]),
    ("my_var", [("my_var", 0), ("my", 0), ("var", 1)]),
    ("URLSearchParams", [("urlsearchparams", 0), ("url", 0), ("search", 1), ("params", 2)]),
    ("Café", [("cafe", 0)]),
    ("查询 keys", [("查", 0), ("询", 1), ("keys", 2)]),
    ("$state", [("state", 0)]),
    ("file-based", [("file", 0), ("based", 1)]),
]


@pytest.mark.parametrize(("text", "expected"), PLAIN)
def test_text_is_indexed_by_words_and_identifier_parts(text: str, expected: list[tuple[str, int]]) -> None:
    found = [(term, position) for term, position in terms(text) if not term.startswith(STEM)]
    assert found[: len(expected)] == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [("cancel", "cancellation"), ("query", "queries"), ("debounce", "debouncing"), ("persist", "persister")],
)
def test_inflected_words_share_a_stem(one: str, other: str) -> None:
    assert read_word(one).stem == read_word(other).stem != ""


def test_identifier_has_no_stem() -> None:
    assert read_word("useQueries").stem == ""


def test_squashed_heading_ignores_spaces_and_case() -> None:
    assert squash("Query Keys") == squash("queryKeys") == "querykeys"


@given(st.text(max_size=80))
def test_positions_of_terms_never_decrease(text: str) -> None:
    positions = [position for _, position in terms(text)]
    assert all(position >= 0 for position in positions)
    written = [position for term, position in terms(text) if not term.startswith(STEM)]
    starts = [position for position, _ in zip(written, WORD.finditer(text), strict=False)]
    assert starts == sorted(starts)


@given(st.text(alphabet="abcdefgh", min_size=4, max_size=9), st.data())
def test_one_typo_is_corrected(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 2))
    slip = data.draw(st.sampled_from(["drop", "swap", "wrong", "more"]))
    typed = {
        "drop": word[:at] + word[at + 1 :],
        "swap": word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        "wrong": word[:at] + "h" + word[at + 1 :],
        "more": word[:at] + "g" + word[at:],
    }[slip]
    vocabulary = Vocabulary([[(word, 1), ("abcdefgh", 1)]])
    assert typed == word or vocabulary.corrections(typed, 1, is_prefix=False).get(word) == 1


def test_prefix_with_a_typo_is_completed() -> None:
    vocabulary = Vocabulary([[("invalidation", 3), ("infinite", 2)]])
    assert vocabulary.corrections("invlaid", 1, is_prefix=True) == {"invalidation": 1}
    assert vocabulary.corrections("invlaid", 1, is_prefix=False) == {}


def test_two_typos_are_tried_only_without_one_typo_results() -> None:
    vocabulary = Vocabulary([[("optimistic", 1), ("optimister", 1)]])
    assert vocabulary.corrections("optimisitcc", 2, is_prefix=False) == {"optimistic": 2}
    assert vocabulary.corrections("optimistic", 2, is_prefix=False) == {}


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ÀÉÎ Straße STRASSE", "aei strasse strasse"),
        ("Łódź Ærøskøbing øl", "lodz aeroskobing ol"),
        ("đð þorn œuvre ıŋħŧ ẞ ǅ", "dd thorn oeuvre inht ss dz"),
        ("Привет Ёлка 缓存 مرحبا", "привет елка 缓存 مرحبا"),
        ("İstanbul ﬁ", "istanbul fi"),
    ],
)
def test_letters_are_folded_with_and_without_a_decomposition(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_letters_for_the_browser_are_those_without_a_decomposition() -> None:
    letters = folded_letters()
    assert {letter: letters[letter] for letter in "ßłøæđıœ"} == {
        "ß": "ss", "ł": "l", "ø": "o", "æ": "ae", "đ": "d", "ı": "i", "œ": "oe"
    }  # fmt: skip
    assert not letters.keys() & set("éñüабжに")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++, C# and F#.", ["c", "c++", "c", "c#", "and", "f", "f#"]),
        ("the .NET runtime", ["the", "net", ".net", "runtime"]),
        ("queryClient.clear() file.md#part", ["queryclient", "query", "client", "clear", "file", "md", "part"]),
        ("a?.b => ??=.", ["a", "?.", "b", "=>", "??=.", "??="]),
        ("Why? Yes! 1 - 2: (3)", ["why", "yes", "1", "2", "3"]),
        ("größenWert", ["grossenwert", "grossen", "wert"]),
    ],
)
def test_symbols_of_names_and_operators_are_terms(text: str, expected: list[str]) -> None:
    assert [term for term, _ in terms(text) if not term.startswith(STEM)] == expected


def test_operators_do_not_move_words_apart() -> None:
    assert [at for term, at in terms("x => !!y") if term.isalpha()] == [0, 1]
