"""Names of npm packages."""

from __future__ import annotations

import re
from urllib.parse import quote

from kinfolk.db.tables import PACKAGE_NAME_LENGTH
from kinfolk.statistics.comparisons.comparison import MAX_GROUPS

_PART = "[a-z0-9~-][a-z0-9._~-]*"
_NAME = re.compile(f"(?:@{_PART}/)?{_PART}", re.IGNORECASE)
"""npm's rules. Names with capitals are not given any more, but old ones exist."""
SEPARATOR = "-vs-"
"""Between two names in an address such as `/stats/npm/react-vs-vue`."""


def is_package_name(text: str) -> bool:
    """Whether npm could have a package of this name."""
    return len(text) <= PACKAGE_NAME_LENGTH and text.isascii() and _NAME.fullmatch(text) is not None


def url_path(name: str) -> str:
    """The name as one segment of a path: npm's endpoint of versions requires the slash of a scope encoded."""
    return quote(name, safe="@")


def names_in_path(path: str) -> tuple[str, ...]:
    """The names in the end of an address such as `react-vs-@angular/core`; empty if one of them is invalid.

    Addresses of the public site have `~1` or `__` instead of the slash of a scope.
    """
    parts = path.split(SEPARATOR, MAX_GROUPS)[:MAX_GROUPS]
    names = tuple(dict.fromkeys(map(_with_slash, parts)))
    return names if all(map(is_package_name, names)) else ()


def _with_slash(name: str) -> str:
    if not name.startswith("@") or "/" in name:
        return name
    return name.replace("~1" if "~1" in name else "__", "/", 1)
