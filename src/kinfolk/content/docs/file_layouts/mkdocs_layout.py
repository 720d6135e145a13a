"""Docs of MkDocs: `README.md` is an index, and `/` is the docs root."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from kinfolk.content.docs.file_layouts.github_layout import GitHubLayout


class MkDocsLayout(GitHubLayout):
    dialect = "mkdocs"

    def static_folders(self, root: str) -> tuple[str, ...]:
        return (root,) if root else ()

    def absolute_paths(self, path: str, root: str) -> Iterator[str]:
        yield posixpath.join(root, path.strip("/"))
