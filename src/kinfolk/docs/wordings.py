"""The words of pages as plain Markdown, kept while the files they are made of stay the same.

Finding them takes a hundred times as long as sending their links where they lead, and a push changes few of them.
So what is kept leaves the links open: each edition of the docs closes them for itself.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass

from kinfolk.cache import CacheBudget, SharedRecent, Worth
from kinfolk.docs.shelf import Shelf
from kinfolk.markdown.page import Resolve
from kinfolk.markdown.plain import Wording
from kinfolk.sources.snapshot import Ref

KEPT_BYTES = 12 << 20
"""Compressed words kept: those of every version of every library are 4 MB."""

SPARED_BYTES = 6 << 20
"""Kept although other caches need room: without them each push makes all texts again, which takes 20 s of CPU."""


@dataclass(frozen=True)
class Words:
    """`reads` are the files a page is made of, with their blobs; `borrowed` is the one its text came from, if any."""

    title: str | None
    description: str
    borrowed: str | None
    reads: tuple[tuple[str, str], ...]
    packed: bytes

    def linked(self, resolve: Resolve) -> str:
        """The text without the title, its links sent where `resolve` says."""
        parts, places = json.loads(zlib.decompress(self.packed))
        return Wording(self.title, self.description, tuple(parts), tuple(places)).linked(resolve)


class Wordings:
    """May be shared by threads and by editions: what is asked for is compared with the files there are."""

    def __init__(self, caches: CacheBudget) -> None:
        self._kept: SharedRecent[tuple[Ref, str], Words] = caches.add(
            "machine-readable texts", Worth.TEXTS, SharedRecent(KEPT_BYTES), keeps=SPARED_BYTES
        )

    def has(self, shelf: Shelf, path: str) -> bool:
        """Whether `of` takes no time."""
        return self._known(shelf, path) is not None

    def of(self, shelf: Shelf, path: str, framework: str | None) -> Words:
        """The words of the page in a file. Raises NotFound where it, or a file it borrows from, is missing."""
        known = self._known(shelf, path)
        if known is not None:
            return known
        source, reads = shelf.source(path)
        made = shelf.markdown.wording(source, framework=framework)
        words = Words(
            title=made.title,
            description=made.description,
            borrowed=made.ref_path,
            reads=tuple((file, shelf.files[file]) for file in dict.fromkeys(reads)),
            packed=zlib.compress(json.dumps((made.parts, made.places), ensure_ascii=False).encode(errors="replace")),
        )
        self._kept.put((shelf.ref, path), words, weight=len(words.packed) + 1000)
        return words

    def about(self, shelf: Shelf, path: str, framework: str | None) -> tuple[str | None, str]:
        """The title and description of the page, without finding all its words where it says its title beforehand."""
        known = self._known(shelf, path)
        if known is None:
            source, _ = shelf.source(path)
            about = shelf.markdown.about(source)
            if about.title is not None:
                return about.title, about.description
            known = self.of(shelf, path, framework)
        return known.title, known.description

    def _known(self, shelf: Shelf, path: str) -> Words | None:
        known = self._kept.get((shelf.ref, path))
        if known is None or any(shelf.files.get(file) != blob for file, blob in known.reads):
            return None
        return known
