"""The Atom feed (RFC 4287) of the releases of a library: which pages of the docs each of them changed.

Releases that left the docs as they were have no entry. Pages are compared by their git ids, so nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import islice, pairwise
from urllib.parse import quote
from xml.etree import ElementTree as ET

from kinfolk.config.catalog import Library
from kinfolk.config.catalog.releases import Release, ReleaseTable
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.release_changes import ComparedDocs, ComparedPage, DocsComparison
from kinfolk.runtime.atom import EPOCH, TYPE, add_author, add_link, add_text, feed_document, new_feed
from kinfolk.runtime.errors import NotFound

ENTRIES = 50
MOST_PAGES = 200
"""Pages of one kind that an entry lists. At a major version all pages can change."""


def release_change_feed_path(library: str) -> str:
    return f"/{library}/release-changes.atom"


def release_change_feed(docs: ContentReader, library: Library, origin: str, *, author: str) -> bytes:
    """The feed. Raises NotFound for a library without releases, Unavailable for docs that cannot be read. Blocks."""
    table = docs.releases(library)
    if not table.all:
        raise NotFound(f"{library.name} has no releases")
    comparison = DocsComparison(docs, library)
    found = ((older, newer, comparison.compare(older.number, newer.number)) for older, newer in _changed(table))
    entries = list(islice((each for each in found if each[2].pages), ENTRIES))
    address = f"{origin}{release_change_feed_path(library.id)}"
    feed = new_feed()
    add_text(feed, "id", address)
    add_text(feed, "title", f"Changes to the docs of {library.name} by release")
    add_text(feed, "updated", max((_day(newer) for _, newer, _ in entries), default=EPOCH))
    add_author(feed, author)
    add_link(feed, "self", TYPE, address)
    add_link(feed, "alternate", "text/html", f"{origin}/{library.id}/releases")
    add_text(feed, "generator", "Kinfolk")
    for older, newer, changes in entries:
        changes_address = f"{origin}/{library.id}/changes/{quote(older.number)}...{quote(newer.number)}"
        entry = ET.SubElement(feed, "entry")
        # Not the address of the changes: an earlier version that is released later changes the number before.
        add_text(entry, "id", f"{origin}/{library.id}/{quote(newer.number)}/docs#changes")
        add_text(entry, "title", f"{library.name} {newer.number}: {_summary(changes)}")
        add_text(entry, "updated", _day(newer))
        add_author(entry, author)
        add_link(entry, "alternate", "text/html", changes_address)
        add_text(entry, "content", "".join(_lists(changes, changes_address)), {"type": "html"})
    return feed_document(feed)


def _changed(table: ReleaseTable) -> Iterator[tuple[Release, Release]]:
    """Stable releases with other docs than the one before, with that one: newest first."""
    stable = [each for each in table.all if each.is_stable]
    for newer, older in pairwise(stable):
        if newer.docs_tree != older.docs_tree:
            yield older, newer


def _summary(changes: ComparedDocs) -> str:
    counts = ((name.lower(), len(pages)) for name, pages in changes.groups if pages)
    return ", ".join(f"{count} {name.removesuffix('s') if count == 1 else name}" for name, count in counts)


def _lists(changes: ComparedDocs, address: str) -> Iterator[str]:
    for name, pages in changes.groups:
        if pages:
            items = "".join(f"<li>{_link(page, address)}</li>" for page in pages[:MOST_PAGES])
            more = len(pages) - MOST_PAGES
            rest = f"<p>And {more} more.</p>" if more > 0 else ""
            yield f"<h2>{name}</h2><ul>{items}</ul>{rest}"


def _link(page: ComparedPage, address: str) -> str:
    return f'<a href="{escape(f"{address}/{quote(page.path)}")}">{escape(page.title)}</a>'


def _day(release: Release) -> str:
    return f"{release.day.isoformat()}T00:00:00Z"
