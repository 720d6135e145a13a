"""Components of docs that show a page of a known service: each is a line of the library's file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

ADDRESSES = {
    "stackblitz": "https://stackblitz.com/edit/{id}",
    "codesandbox": "https://codesandbox.io/s/{id}",
    "youtube": "https://www.youtube.com/watch?v={id}",
}
"""Names of components in lower case, and the address that their attribute `id` completes."""

_TAG = re.compile(r"<([A-Z][A-Za-z]{2,30})\s[^<>]{0,400}?\bid=[\"'][^\"'{}<>]{1,200}[\"']")


def known_embeds(texts: Iterable[str]) -> Mapping[str, str]:
    """The components with an `id` that the texts use, and the address of each."""
    found: dict[str, str] = {}
    for text in texts:
        for tag in _TAG.finditer(text):
            address = ADDRESSES.get(tag[1].lower())
            if address:
                found[tag[1]] = address
    return dict(sorted(found.items()))
