"""Atom feeds (RFC 4287) of what changed in the docs: of the latest version of a library, and of one page.

Only the last change of each file is known, so a page has one entry. The id of an entry is the address of the page with
the time of the change, so a feed reader keeps the earlier ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from xml.etree import ElementTree as ET

from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.docs.machine_readable.page_history import PageChange, newest_first, page_change, page_changes
from kinfolk.content.docs.snapshots.version_docs import VersionDocs
from kinfolk.runtime.atom import EPOCH, TYPE, add_author, add_link, add_text, feed_document, new_feed

ENTRIES = 50


@dataclass(frozen=True)
class ChangeFeed:
    """What a feed says about itself. `feed` and `page` are absolute addresses."""

    title: str
    feed: str
    page: str
    author: str
    """The author of the feed, and of entries without known authors."""


def library_feed(version_docs: VersionDocs, origin: str, *, author: str) -> bytes:
    """The feed of a version of a library: the pages that changed last. Reads all pages."""
    library = version_docs.library
    changes = newest_first(page_changes(version_docs))
    about = ChangeFeed(
        title=f"Changes to the docs of {library.name}",
        feed=f"{origin}{library_feed_path(library.id)}",
        page=f"{origin}{version_docs.base}",
        author=author,
    )
    return _document(version_docs, about, changes, origin)


def page_feed(version_docs: VersionDocs, inside: str, origin: str, *, author: str) -> bytes:
    """The feed of a page. Raises NotFound for a missing page, Invalid and Refused for a path that no page has."""
    location = version_docs.locate(f"{version_docs.docs_root}/{inside}.md")
    file, address = location.required_file(), location.address
    title, _ = version_docs.docs.summary(location)
    change = page_change(version_docs, address, file)
    about = ChangeFeed(
        title=f"Changes to {title}",
        feed=f"{origin}{page_feed_path(address)}",
        page=f"{origin}{address}",
        author=author,
    )
    return _document(version_docs, about, [change] if change else [], origin)


def library_feed_path(library: str) -> str:
    return f"/{library}/changes.atom"


def page_feed_path(address: DocsAddress) -> str:
    return f"{address}.atom"


def _document(version_docs: VersionDocs, about: ChangeFeed, changes: Sequence[PageChange], origin: str) -> bytes:
    feed = new_feed()
    add_text(feed, "id", about.feed)
    add_text(feed, "title", about.title)
    # The date of the commit only if it is needed: a feed that shows it depends on the whole branch.
    updated = changes[0].updated if changes else version_docs.branch.changed_at
    add_text(feed, "updated", _time(updated) if updated else EPOCH)
    add_author(feed, about.author)
    add_link(feed, "self", TYPE, about.feed)
    add_link(feed, "alternate", "text/html", about.page)
    add_text(feed, "generator", "Kinfolk")
    summaries = ((change, version_docs.summary(change.file)) for change in changes)
    shown = ((change, summary) for change, summary in summaries if summary is not None)
    for change, (title, description) in islice(shown, ENTRIES):
        _add_entry(feed, version_docs, change, address=f"{origin}{change.address}", author=about.author)
        add_text(feed[-1], "title", title)
        add_text(feed[-1], "content", description or title, {"type": "text"})
    return feed_document(feed)


def _add_entry(feed: ET.Element, version_docs: VersionDocs, change: PageChange, *, address: str, author: str) -> None:
    entry = ET.SubElement(feed, "entry")
    add_text(entry, "id", f"{address}#{_time(change.updated)}")
    add_text(entry, "updated", _time(change.updated))
    for name in change.authors or (author,):
        add_author(entry, name)
    add_link(entry, "alternate", "text/html", address)
    library, ref = version_docs.library, version_docs.ref
    if library.code_host is not None:
        add_link(entry, "related", "text/html", library.code_host.history(ref.repo, ref.branch, change.text_path))


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
