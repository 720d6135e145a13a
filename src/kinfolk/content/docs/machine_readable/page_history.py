"""When the text of pages was last changed, by whom, and which pages changed last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.docs.snapshots.version_docs import VersionDocs
from kinfolk.content.markdown.front_matter import parse_front_matter, split_front_matter
from kinfolk.runtime.errors import SiteError


@dataclass(frozen=True)
class PageChange:
    """The last change to a page. `authors` are those of its text, the latest first; `text_path` is the file of it."""

    address: DocsAddress
    file: str
    text_path: str
    updated: datetime
    authors: tuple[str, ...]


def page_change(version_docs: VersionDocs, address: DocsAddress, file: str) -> PageChange | None:
    """The last change to a page: to its own file or to the one that it takes its text from.

    None where the history of one of them is not known. Reads the file.
    """
    branch = version_docs.branch
    try:
        content = branch.read(file)
    except SiteError:
        return None
    files = [file]
    if b"\nref:" in content:
        front, _ = split_front_matter(content.decode(errors="replace").replace("\r\n", "\n"))
        files += [ref.lstrip("/")] if (ref := parse_front_matter(front).ref) else []
    known = [history for each in files if (history := branch.history(each))]
    if len(known) < len(files):
        return None
    newest = max(known, key=lambda history: history.updated)
    return PageChange(address, file, files[-1], newest.updated, newest.authors)


def page_changes(version_docs: VersionDocs) -> Iterator[PageChange]:
    """The last changes of all pages whose history is known. Reads all files."""
    for inside, file in version_docs.pages().items():
        change = page_change(version_docs, version_docs.address(inside), file)
        if change is not None:
            yield change


def newest_first(changes: Iterable[PageChange]) -> list[PageChange]:
    """Changes of one commit are in the order of their addresses."""
    return sorted(changes, key=lambda change: (-change.updated.timestamp(), str(change.address)))
