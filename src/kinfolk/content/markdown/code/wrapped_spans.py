"""Wraps parts of a code block in elements, within the elements of its lines and tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import unescape

Span = tuple[int, int]
"""Start and end in characters of the code."""
_PART = re.compile(r"<[^<>]*>|&[^;&<]{1,32};|[^<&]+|&")


def with_wrapped_spans(html: str, spans: Sequence[Span], opening: Callable[[int], str], closing: str) -> str:
    """The code with an element around each span. `html` has the text of the code, `opening` takes the span's number.

    The spans are in order and do not overlap. One that covers several elements gets an element of its own in each.
    """
    pieces: list[str] = []
    number, at = 0, 0
    is_open = False

    def close() -> None:
        nonlocal is_open
        if is_open:
            pieces.append(closing)
            is_open = False

    for part in _PART.finditer(html):
        text = part[0]
        if text[0] == "<":
            close()
            pieces.append(text)
            continue
        is_entity = text[0] == "&"
        end = at + (len(unescape(text)) if is_entity else len(text))
        done = 0
        while at < end:
            while number < len(spans) and spans[number][1] <= at:
                close()
                number += 1
            start, stop = spans[number] if number < len(spans) else (end, end)
            is_inside = start <= at and number < len(spans)
            until = end if is_entity else min(end, stop if is_inside else max(start, at + 1))
            if is_inside and not is_open:
                pieces.append(opening(number))
                is_open = True
            pieces.append(text if is_entity else text[done : done + until - at])
            done += until - at
            at = until
        if number < len(spans) and spans[number][1] <= at:
            close()
    close()
    return "".join(pieces)
