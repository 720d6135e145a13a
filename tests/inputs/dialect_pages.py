"""Renders single pages of a dialect, for tests."""

from __future__ import annotations

from collections.abc import Mapping

from kinfolk.config.component import Component
from kinfolk.content.markdown.dialects import PlacedFile
from kinfolk.content.markdown.export import ExportedMarkdown
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile
from kinfolk.runtime.errors import NotFound

SYNTAXES = ("fumadocs", "mkdocs", "nuxt-content", "vitepress")
"""One dialect of each syntax. Dialects of one syntax differ in their tables only."""


OTHER_SYNTAXES = ("mdbook", "myst")
"""Dialects with a syntax of their own, which have texts of their own in the tests of time."""


def dialect_file(
    dialect: str,
    text: str,
    files: Mapping[str, str] | None = None,
    *,
    path: str = "docs/guide/page.md",
    components: Mapping[str, Component] | None = None,
) -> MarkdownFile:
    """`components` are those of the site, by name."""

    def read(path: str) -> str:
        if path not in (files or {}):
            raise NotFound(path)
        return (files or {})[path]

    return MarkdownFile(path, text, read, PlacedFile(dialect, path, components=tuple((components or {}).items())))


def dialect_page(dialect: str, text: str, files: Mapping[str, str] | None = None) -> MarkdownPage:
    return InProcessJobs().page(dialect_file(dialect, text, files))


def dialect_export(dialect: str, text: str, files: Mapping[str, str] | None = None) -> ExportedMarkdown:
    return InProcessJobs().export(dialect_file(dialect, text, files))


def exported_text(dialect: str, text: str, files: Mapping[str, str] | None = None) -> str:
    export = dialect_export(dialect, text, files)
    targets = [*(written for written, _ in export.targets), ""]
    return "".join(part + target for part, target in zip(export.parts, targets, strict=True))
