"""The HTML of a page at one time, and the parts of it that differ from another version."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

PARTS = (
    ("title", "<title", "</title>"),
    ("script[data-boot]", '<script type="application/json" data-boot=', "</script>"),
    ("style[data-page-rules]", "<style data-page-rules>", "</style>"),
    ("main", "<main", "</main>"),
    (".toc", '<nav id="Site-outline"', "</nav>"),
    ("#Site-answers", '<script type="application/json" id="Site-answers">', "</script>"),
)
"""Parts that a browser can replace in place, in their order: selector, start and end in the HTML."""
NEEDS_INLINE_SCRIPTS = 'role="tree"'
"""The tree of an example is set up by inline scripts, which run only in a new document."""
_METADATA = re.compile(r'<meta [^<>]*>|<script type="application/ld\+json">[^<]*</script>')
"""What is not visible, and only matters to other programs."""


@dataclass(frozen=True)
class PageVersion:
    """The HTML of a page: the parts by selector, and all other HTML."""

    digest: str
    parts: Mapping[str, str]
    rest: str

    @classmethod
    def of(cls, html: bytes) -> PageVersion:
        text = html.decode()
        parts, rest, end = dict[str, str](), list[str](), 0
        for selector, opening, closing in PARTS:
            start = text.find(opening, end)
            stop = text.find(closing, start) if start >= 0 else -1
            if stop < 0:
                continue
            rest.append(text[end:start])
            end = stop + len(closing)
            parts[selector] = text[start:end]
        rest.append(text[end:])
        return cls(digest_of(html), parts, _METADATA.sub("", "\0".join(rest)))

    def changed_parts(self, new: PageVersion) -> Mapping[str, str] | None:
        """The parts of `new` that replace those of this version; None if that does not make this page the new one."""
        if self.rest != new.rest or self.parts.keys() != new.parts.keys():
            return None
        changed = {selector: part for selector, part in new.parts.items() if part != self.parts[selector]}
        return None if NEEDS_INLINE_SCRIPTS in changed.get("main", "") else changed


def digest_of(html: bytes) -> str:
    """Names a version of a page."""
    return hashlib.sha256(html).hexdigest()[:16]
