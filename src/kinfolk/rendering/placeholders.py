"""Placeholders for markup that Python already has: V8 renders markers, Python then replaces them by the markup."""

from __future__ import annotations

import re

MARKER = re.compile("\x02([0-9]{1,4})\x02")


class MarkupPlaceholders:
    """The pieces of markup of one page, in the order of `add`."""

    def __init__(self) -> None:
        self._markups: list[str] = []

    def add(self, markup: str) -> str:
        """Store `markup` and return its marker."""
        self._markups.append(markup)
        return f"\x02{len(self._markups) - 1}\x02"

    def fill(self, page: str, *, complete: bool = True) -> str:
        """The page with markup in place of all markers.

        Raises ValueError for a marker that occurs twice or, when `complete`, is missing. Only a marker that is the
        whole content of an element with the right `data-html` is replaced: text cannot forge one, because React escapes
        it. Any other marker is removed as a control character.
        """
        if "\x02" not in page and not (complete and self._markups):
            return page
        parts: list[str] = []
        filled: set[int] = set()
        end = 0
        for marker in MARKER.finditer(page):
            number = int(marker[1])
            if not _is_content(page, marker, number):
                continue
            if number >= len(self._markups) or number in filled:
                raise ValueError(f"the page contains markup {number} twice, or there is no such markup")
            filled.add(number)
            parts += (page[end : marker.start()].replace("\x02", ""), self._markups[number])
            end = marker.end()
        if complete and len(filled) < len(self._markups):
            missing = sorted(set(range(len(self._markups))) - filled)
            raise ValueError(f"the page does not contain markup {missing} that it queried")
        return "".join((*parts, page[end:].replace("\x02", "")))


def _is_content(page: str, marker: re.Match[str], number: int) -> bool:
    tag = page[page.rfind("<", 0, marker.start()) : marker.start()]
    return tag.endswith(">") and f' data-html="{number}"' in tag and page.startswith("</", marker.end())
