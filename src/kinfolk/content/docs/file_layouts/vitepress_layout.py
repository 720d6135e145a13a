"""Docs of VitePress: each file is a page of its own name, and `/` is the docs root."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from kinfolk.content.markdown.front_matter import YamlValue


class VitePressLayout:
    dialect = "vitepress"
    extensions = (".md",)
    reads_front_matter = False

    def page_path(self, inside: str, front: Mapping[str, YamlValue]) -> str:
        del front
        return inside

    def static_folders(self, root: str) -> tuple[str, ...]:
        return (posixpath.join(root, "public"),)

    def absolute_paths(self, path: str, root: str) -> Iterator[str]:
        yield posixpath.join(root, path.strip("/"))

    def special_paths(self, path: str, root: str) -> Iterator[str] | None:
        return iter((posixpath.join(root, path[2:]), path[2:])) if path.startswith("@/") else None
