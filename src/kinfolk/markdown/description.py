"""A page's text -> the meta description: its first sentences as plain text."""

from __future__ import annotations

import re

LONGEST = 200
# The first 1,500 characters of most real pages, and the first 6,000 of all of them, hold twice LONGEST of prose.
_PREFIX_LENGTHS = (1_500, 6_000)

_NOT_PROSE = re.compile(
    r"""^(?P<fence>\ {0,3}(?:`{3,}+|~{3,}+))[^\n]*+\n.*?(?:^(?P=fence)[^\n]*$|\Z)
      | <!--.*?(?:-->|\Z)
      | </?[A-Za-z][^<>]*>
      | ^\ {0,3}\#{1,6}\ [^\n]*$
      | ^Defined\ in:\ [^\n]*$
      | \[![A-Za-z]+\]-?
      | ^\ {0,3}+\|?(?=[\ :|-]*-{3})[\ :|-]*+$
      | !\[[^\[\]\n]*\]\([^()\n]*+(?>\([^()\n]*\)[^()\n]*+)*+\)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_LINK = re.compile(r"\[([^\[\]\n]*)\](?:\([^()\n]*\)|\[[^\[\]\n]*\])")
_MARKS = re.compile(r"\\(?=[^\w\s])|^[ \t]*- |[`*~>]|(?<!\w)_|_(?!\w)", re.MULTILINE)


def description_of(text: str) -> str:
    """The first 200 characters of prose without Markdown syntax, with `...` if the text continues."""
    words = ""
    for length in _PREFIX_LENGTHS:
        words = " ".join(_MARKS.sub("", _LINK.sub(r"\1", _NOT_PROSE.sub(" ", text[:length]))).split())
        if len(words) > 2 * LONGEST:
            break
    return words if len(words) <= LONGEST else words[:LONGEST].rstrip() + "..."
