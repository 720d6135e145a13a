"""A page's text -> the sentence or two that search engines and previews show."""

from __future__ import annotations

import re

LONGEST = 200
# Most pages have twice as much prose as is needed in the first, all in the second, tables and links included.
_LOOK_AT = (1_500, 6_000)

_NOT_PROSE = re.compile(
    r"""^(?P<fence>\ {0,3}(?:`{3,}+|~{3,}+))[^\n]*+\n.*?(?:^(?P=fence)[^\n]*$|\Z)
      | <!--.*?(?:-->|\Z)
      | </?[A-Za-z][^<>]*>
      | ^\ {0,3}\#{1,6}\ [^\n]*$
      | ^Defined\ in:\ [^\n]*$
      | \[![A-Za-z]+\]-?
      | ^\ {0,3}+\|?(?=[\ :|-]*-{3})[\ :|-]*+$
      | !\[[^\[\]\n]*\]\([^()\n]*+(?:\([^()\n]*\)[^()\n]*+)*+\)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_LINK = re.compile(r"\[([^\[\]\n]*)\](?:\([^()\n]*\)|\[[^\[\]\n]*\])")
_MARKS = re.compile(r"\\(?=[^\w\s])|^[ \t]*- |[`*~>]|(?<!\w)_|_(?!\w)", re.MULTILINE)


def description_of(text: str) -> str:
    """The first 200 characters of prose, without Markdown; `...` where more follows."""
    words = ""
    for length in _LOOK_AT:
        words = " ".join(_MARKS.sub("", _LINK.sub(r"\1", _NOT_PROSE.sub(" ", text[:length]))).split())
        if len(words) > 2 * LONGEST:
            break
    return words if len(words) <= LONGEST else words[:LONGEST].rstrip() + "..."
