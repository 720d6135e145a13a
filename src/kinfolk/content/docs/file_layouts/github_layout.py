"""Docs as GitHub shows them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from kinfolk.content.docs.file_layouts.page_layout import every_file
from kinfolk.content.markdown.front_matter import YamlValue


class GitHubLayout:
    dialect = "github"
    extensions = (".md",)
    reads_front_matter = False
    page_filter = staticmethod(every_file)
    number_ends = ""

    def page_path(self, inside: str, front: Mapping[str, YamlValue]) -> str:
        del front
        return with_index_name(inside)

    def static_folders(self, root: str) -> tuple[str, ...]:
        del root
        return ()

    def absolute_paths(self, path: str, root: str) -> Iterator[str]:
        """GitHub resolves them from the repository's root."""
        del root
        yield path.strip("/")

    def special_paths(self, path: str, root: str) -> Iterator[str] | None:
        del path, root
        return None


class DocsFolderLayout(GitHubLayout):
    """A folder of docs: the README of a folder below it is the folder's page."""

    def page_path(self, inside: str, front: Mapping[str, YamlValue]) -> str:
        del front
        return with_index_name(inside) if "/" in inside else inside


def with_index_name(inside: str) -> str:
    """`guide/README` -> `guide/index`."""
    folder, name = posixpath.split(inside)
    return posixpath.join(folder, "index") if name.lower() == "readme" else inside
