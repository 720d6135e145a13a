"""Numbers at the start of file names, which order pages."""

from __future__ import annotations

import re

_PREFIX = re.compile(r"(\d{1,9})\s*([-_.]+)\s*(?=[^-_.\s])")
_NO_PREFIX = re.compile(r"\d+[-_.]\d+")


def split_number(name: str, ends: str = "-_.") -> tuple[float | None, str]:
    """`01-intro` -> 1, `intro`. A version or date such as `7.0-changes` has no such number."""
    found = _PREFIX.match(name)
    if found is None or found[2].strip(ends) or _NO_PREFIX.match(name):
        return None, name
    return float(found[1]), name[found.end() :]
