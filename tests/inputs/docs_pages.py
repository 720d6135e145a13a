"""Writes the files of docs, and reads single pages of a docs snapshot, for tests of pages and of their cache tags."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import DependencyRecorder
from kinfolk.content.docs import ContentReader, DocsSnapshot, RenderedDoc
from kinfolk.content.docs.pages.markdown_export import MarkdownExport


def write_docs(root: Path, files: Mapping[str, str]) -> None:
    """Write the files of branches: {"TanStack/query/main/docs/overview.md": "..."}."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def render_page(
    docs_snapshot: DocsSnapshot, ref: Ref, path: str, version: str | None = None, *, tags: set[str] | None = None
) -> RenderedDoc:
    """The page of a file. `tags` gets the cache tags of a response with it, also after an error."""
    recorder = DependencyRecorder()
    docs = ContentReader(docs_snapshot, recorder)
    try:
        return docs.page(docs.locate(ref, path, version))
    finally:
        if tags is not None:
            tags |= recorder.cache_tags


def export_page(
    docs_snapshot: DocsSnapshot,
    ref: Ref,
    path: str,
    version: str | None = None,
    *,
    origin: str = "",
    tags: set[str] | None = None,
) -> MarkdownExport:
    """The page of a file as Markdown. `tags` gets the cache tags of a response with it."""
    recorder = DependencyRecorder()
    docs = ContentReader(docs_snapshot, recorder)
    export = docs.export(docs.locate(ref, path, version), origin=origin)
    if tags is not None:
        tags |= recorder.cache_tags
    return export
