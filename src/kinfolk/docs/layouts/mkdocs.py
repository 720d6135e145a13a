"""Docs of MkDocs: `README.md` is an index, and `/` is the docs root."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from kinfolk.docs.layouts.github import with_index_name
from kinfolk.markdown.front_matter import YamlValue


class MkDocsLayout:
    dialect = "mkdocs"
    extensions = (".md",)
    reads_front_matter = False

    def page_path(self, inside: str, front: Mapping[str, YamlValue]) -> str:
        del front
        return with_index_name(inside)

    def static_folders(self, root: str) -> tuple[str, ...]:
        return (root,) if root else ()

    def absolute_paths(self, path: str, root: str) -> Iterator[str]:
        yield posixpath.join(root, path.strip("/"))

    def special_paths(self, path: str, root: str) -> Iterator[str] | None:
        del path, root
        return None
