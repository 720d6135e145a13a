"""Proposed lines are TOML that a maintainer completes."""

from __future__ import annotations

import tomllib

import pytest

from kinfolk.search.analytics.neutral_address import NeutralAddress
from kinfolk.search.analytics.proposed_meaning import ProposedMeaning, basic_string, comment

CANDIDATES = (
    NeutralAddress("start/guide/ssr", "", ("SSR",)),
    NeutralAddress("query/guides/ssr", "hydration", ("SSR", "Hydration")),
)


HOSTILE_TEXTS = (
    'a"]\npage = "x"',
    '\\"\\',
    "a\r\n[[meanings]]\tb",
    "\0\x07\x1b[31m\x7f\x85",
    "\u2028\u2029\u202e\ufeff\u00ad",
    "\U000e0001\U0001f4a5 é 漢",
    "# not a comment",
    "'" * 3 + '"' * 3,
    "",
)


def test_complete_line_has_evidence_in_comments() -> None:
    line = ProposedMeaning("swr", "34 of 41 clicks", page="query/comparison", notes=["52 searches."]).toml()
    assert line.splitlines()[0] == "# 52 searches."
    assert tomllib.loads(line) == {
        "meanings": [{"says": ["swr"], "page": "query/comparison", "why": "34 of 41 clicks"}]
    }


def test_candidate_completes_line_without_its_comment_sign() -> None:
    line = ProposedMeaning("getserversideprops", "12 searches", candidates=CANDIDATES).toml()
    assert tomllib.loads(line) == {"meanings": [{"says": ["getserversideprops"], "why": "12 searches"}]}
    chosen = line.replace('# page = "query', 'page = "query')
    assert tomllib.loads(chosen)["meanings"][0]["page"] == "query/guides/ssr#hydration"
    assert "# SSR › Hydration" in chosen


def test_line_without_candidates_has_empty_keys_to_complete() -> None:
    line = ProposedMeaning("teleport", "12 searches").toml()
    assert [each for each in line.splitlines() if each.startswith("#")] == ['# page = ""']


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_text_of_a_query_stays_in_its_string(text: str) -> None:
    written = basic_string(text)
    assert tomllib.loads(f"says = {written}") == {"says": text}
    assert written.isprintable()


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_text_of_a_comment_stays_in_it(text: str) -> None:
    lines = comment(text)
    assert all(line.startswith("# ") and line.isprintable() for line in lines)
    assert tomllib.loads("\n".join(lines)) == {}


def test_escape_sequences_of_terminals_and_text_direction_are_visible() -> None:
    assert basic_string('e\x1b[31m "\\ \u202e\U000e0001') == r'"e\u001B[31m \"\\ \u202E\U000E0001"'
