"""Labels and pages that a page of MyST refers to -> addresses and the texts of links."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

from kinfolk.content.markdown.dialects.dialect import DialectSource
from kinfolk.content.markdown.dialects.readers.myst.page_labels import label_id, page_labels
from kinfolk.content.markdown.links.slugs import github_slug

DOC = "doc:"
"""Precedes the path of a page among the labels of all pages."""
_HEADING = re.compile(r"[ \t>]*+#{1,6}[ \t]++(.*)")
_ENDINGS = (".md", ".rst", ".html", ".ipynb")


class Reference(NamedTuple):
    address: str
    text: str


class References:
    """What the labels of one page mean: its own first, then those of all pages."""

    def __init__(self, source: DialectSource) -> None:
        root = "" if source.docs_root == "~" else source.docs_root
        self._folder = posixpath.dirname(source.path.removeprefix(f"{root}/") if root else source.path)
        self._all = {name: Reference(target, title) for name, target, title in source.labels}
        self._lower = {name.lower(): found for name, found in self._all.items()}
        self._own = {one.name: Reference(f"#{label_id(one.name)}", one.title) for one in page_labels(source.text)}
        self._headings: dict[str, str] = {}
        for line in source.text.split("\n"):
            heading = _HEADING.fullmatch(line) if "#" in line else None
            if heading:
                self._headings.setdefault(github_slug(heading[1]), heading[1].strip())

    def label(self, name: str) -> Reference | None:
        """A label, or a heading of the page by its id."""
        name = name.strip()
        if found := self._own.get(name) or self._all.get(name) or self._lower.get(name.lower()):
            return found
        return Reference(f"#{name}", self._headings[name]) if name in self._headings else None

    def page(self, written: str) -> Reference | None:
        """A page by its path, with or without extension, relative to this page or, with a slash, to the docs."""
        path, mark, fragment = written.partition("#")
        for ending in _ENDINGS:
            path = path.removesuffix(ending)
        inside = path.lstrip("/") if path.startswith("/") else posixpath.join(self._folder, path)
        found = self._all.get(DOC + posixpath.normpath(inside))
        if found is None:
            return None
        if not fragment:
            return found
        own = self._all.get(fragment)
        if own is not None:
            return own
        words = fragment.strip("-").replace("-", " ")
        return Reference(f"{found.address}{mark}{fragment}", words[:1].upper() + words[1:])
