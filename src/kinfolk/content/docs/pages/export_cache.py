"""Caches pages as Markdown, before their links are resolved, for as long as the files they are made of stay the same.

Converting a page takes a hundred times as long as resolving its links, and a push changes few pages. So the cached
value has unresolved links, and each docs snapshot resolves them.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass

from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.content.markdown.export import ExportedMarkdown
from kinfolk.content.markdown.links.link_resolver import LinkResolver
from kinfolk.runtime.cache import CacheBudget, CachePriority, ThreadSafeLRUCache

CACHE_BYTES = 12 << 20
"""Compressed bytes in the cache. All versions of all libraries take 4 MB."""

PROTECTED_BYTES = 6 << 20
"""Bytes that stay although other caches need memory. Without them each push converts all pages: 20 s of CPU time."""


@dataclass(frozen=True)
class CachedExport:
    """`reads` are the files of a page with their git ids; `ref_path` is the other file that its text comes from."""

    title: str | None
    description: str
    ref_path: str | None
    reads: tuple[tuple[str, str | None], ...]
    compressed: bytes

    def linked(self, links: LinkResolver) -> str:
        """The text without the title, with resolved links."""
        parts, targets = json.loads(zlib.decompress(self.compressed))
        return ExportedMarkdown(self.title, self.description, tuple(parts), tuple(targets)).with_links(links)


class ExportCache:
    """Shared by threads and by snapshots: a cached page is compared with the files of the branch."""

    def __init__(self, caches: CacheBudget) -> None:
        self._cache: ThreadSafeLRUCache[tuple[Ref, str], CachedExport] = caches.add(
            "machine-readable texts", CachePriority.TEXTS, ThreadSafeLRUCache(CACHE_BYTES), reserve=PROTECTED_BYTES
        )

    def find(self, branch: BranchReader, path: str) -> CachedExport | None:
        """The page in a file, if it is in the cache and its files are the same."""
        known = self._cache.get((branch.ref, path))
        if known is None or any(branch.blob(file) != blob for file, blob in known.reads):
            return None
        return known

    def get(self, branch: BranchReader, path: str, framework: str | None) -> CachedExport:
        """The page in a file. Raises NotFound where the file, or one that it takes text from, is missing."""
        known = self.find(branch, path)
        if known is not None:
            return known
        source, reads = branch.source(path)
        made = branch.markdown.export(source, framework=framework)
        export = CachedExport(
            title=made.title,
            description=made.description,
            ref_path=made.ref_path,
            reads=tuple((file, branch.blob(file)) for file in dict.fromkeys(reads)),
            compressed=zlib.compress(
                json.dumps((made.parts, made.targets), ensure_ascii=False).encode(errors="replace")
            ),
        )
        self._cache.put((branch.ref, path), export, weight=len(export.compressed) + 1000)
        return export

    def summary(self, branch: BranchReader, path: str, framework: str | None) -> tuple[str | None, str]:
        """The title and description of a page. A page with a title in its front matter is not converted."""
        known = self.find(branch, path)
        if known is None:
            source, _ = branch.source(path)
            summary = branch.markdown.summary(source)
            if summary.title is not None:
                return summary.title, summary.description
            known = self.get(branch, path, framework)
        return known.title, known.description
