"""The labels of docs in which links can name labels of any page: those of MyST."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kinfolk.content.markdown.dialects.readers.myst.page_labels import PageLabel, label_id


class LabeledPage(NamedTuple):
    """`path` is that of the file below the docs root."""

    path: str
    title: str
    labels: tuple[PageLabel, ...]


def label_table(pages: Iterable[LabeledPage]) -> tuple[tuple[str, str, str], ...]:
    """Each label and each page with its path from the docs root, and the text of a link to it."""
    found: dict[str, tuple[str, str]] = {}
    for path, title, labels in pages:
        found[f"doc:{path.rsplit('.', 1)[0]}"] = (f"/{path}", title)
        for label in labels:
            found.setdefault(label.name, (f"/{path}#{label_id(label.name)}", label.title))
    return tuple((name, target, title) for name, (target, title) in found.items())
