"""Text of repositories as lines that a site can show."""

from __future__ import annotations

import pytest

from kinfolk.cli.new.facts.readable_text import letters_of, plain_line, sentences, shortened


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("🐻 Bear necessities", "Bear necessities"),
        ("✨ The framework that shines. ✨", "The framework that shines."),
        ("👩\u200d💻 Code", "Code"),
        ("a\n  b\tc", "a b c"),
        ("a\x00b\x1b[31mc\u202e", "ab[31mc"),
        ("C:\\path", "C:path"),
        ("🎉🎉", ""),
        ("", ""),
    ],
)
def test_line_is_printable_without_emoji_at_its_ends(text: str, line: str) -> None:
    assert plain_line(text) == line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Use it, e.g. React, i.e. anywhere. Done.", ["Use it, e.g. React, i.e. anywhere.", "Done."]),
        ("Node.js and v2.0 work. So does Vue.js.", ["Node.js and v2.0 work.", "So does Vue.js."]),
        ("It ends (like this.) Next.", ["It ends (like this.)", "Next."]),
        ("No end", ["No end"]),
        ("", []),
    ],
)
def test_sentences_end_at_stops_but_not_at_abbreviations(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_text_is_shortened_at_a_sentence() -> None:
    text = "The first one is short. The second one is longer than that."
    assert shortened(text, 200) == text
    assert shortened(text, 40) == "The first one is short."
    assert shortened(text, 10) == ""


def test_names_are_compared_by_letters() -> None:
    assert letters_of("@acme/Big-Gears") == letters_of("Acme Big_Gears") == "acmebiggears"
