"""Markup that Python has and V8 need not see: a marker stands in for each piece until the page is finished."""

from __future__ import annotations

import re

MARKER = re.compile("\x02([0-9]{1,4})\x02")


class Bodies:
    """The pieces of markup of one page, in the order in which they were asked for."""

    def __init__(self) -> None:
        self._markups: list[str] = []

    def stand_in(self, markup: str) -> str:
        """Keep `markup` and give the marker that V8 gets instead."""
        self._markups.append(markup)
        return f"\x02{len(self._markups) - 1}\x02"

    def fill(self, page: str, *, complete: bool = True) -> str:
        """The page with every piece in its place. ValueError if one is there twice or, when `complete`, is missing.

        Only a marker that is the whole content of an element with the right `data-html` counts. Text cannot forge
        one, since React escapes it; a marker anywhere else is a control character that no page may hold.
        """
        if "\x02" not in page and not (complete and self._markups):
            return page
        parts: list[str] = []
        shown: set[int] = set()
        end = 0
        for marker in MARKER.finditer(page):
            number = int(marker[1])
            if not _is_content(page, marker, number):
                continue
            if number >= len(self._markups) or number in shown:
                raise ValueError(f"the page shows piece {number} of markup twice, or has no such piece")
            shown.add(number)
            parts += (page[end : marker.start()].replace("\x02", ""), self._markups[number])
            end = marker.end()
        if complete and len(shown) < len(self._markups):
            missing = sorted(set(range(len(self._markups))) - shown)
            raise ValueError(f"the page shows no piece {missing} of markup that it asked for")
        return "".join((*parts, page[end:].replace("\x02", "")))


def _is_content(page: str, marker: re.Match[str], number: int) -> bool:
    tag = page[page.rfind("<", 0, marker.start()) : marker.start()]
    return tag.endswith(">") and f' data-html="{number}"' in tag and page.startswith("</", marker.end())
