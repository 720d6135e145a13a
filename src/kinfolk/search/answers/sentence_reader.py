"""A text that arrives in pieces -> its sentences, each with the marks that follow it: `Use a key. [1]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kinfolk.search.text.answer_excerpt import ends_sentence

MAX_SENTENCE = 1200
"""Characters of a sentence. Longer ones are left out."""
_END = re.compile(r"[.!?][)\]\"'*_`\u2019\u201d]{0,4}(?=[\s\[])|\n")
_MARKS = re.compile(r"(?:\s{0,2}\[[\d,; ]{1,20}\])*")
_MARK_BEGINS = re.compile(r"\s{0,2}\[[\d,; ]{0,20}")


class SentenceReader:
    """Holds back a sentence until the text after it shows that it is complete."""

    def __init__(self) -> None:
        self._text = ""
        self._is_skipping = False

    def feed(self, piece: str) -> Iterator[str]:
        """The sentences that are complete with this piece."""
        self._text += piece
        while (end := self._end()) is not None:
            sentence, self._text = self._text[:end], self._text[end:]
            if sentence.strip() and not self._is_skipping:
                yield sentence.strip()
            self._is_skipping = False
        if len(self._text) > MAX_SENTENCE:
            # A mark may have begun.
            self._text, self._is_skipping = self._text[-40:], True

    def rest(self) -> str:
        """The text after the last sentence, at the end of a complete text; empty without any."""
        rest, self._text = self._text, ""
        return "" if self._is_skipping else rest.strip()

    def _end(self) -> int | None:
        """The end of the first sentence with its marks; None where that is not known yet."""
        text = self._text
        for found in _END.finditer(text):
            marks = _MARKS.match(text, found.end())
            end = marks.end() if marks else found.end()
            after = text[end:].lstrip()
            if not after or _MARK_BEGINS.fullmatch(text, end):
                return None
            has_marks = end > found.end()
            if found[0] == "\n" or has_marks or ends_sentence(text, found.start(), len(text) - len(after)):
                return end
        return None
