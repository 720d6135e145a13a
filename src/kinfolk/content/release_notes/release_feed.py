"""The Atom feed (RFC 4287) of a library's releases with notes, with the notes as HTML: `/{library}/releases.atom`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from xml.etree import ElementTree as ET

from kinfolk.config.catalog import Library
from kinfolk.content.markdown.html.feed_html import feed_html
from kinfolk.content.release_notes.library_notes import published_on, summary_of
from kinfolk.content.release_notes.release_page import ReleaseNotes
from kinfolk.runtime.atom import EPOCH, TYPE, add_author, add_link, add_text, feed_document, new_feed

ENTRIES = 50


def release_address(library: str, number: str) -> str:
    """The path of the page of a release."""
    return f"/{library}/releases/{number}"


def releases_feed_path(library: str) -> str:
    return f"/{library}/releases.atom"


def releases_feed(library: Library, several: Iterable[ReleaseNotes], origin: str, *, author: str) -> bytes:
    """The feed of these releases, newest first."""
    releases = tuple(several)
    feed = new_feed()
    address, page = f"{origin}{releases_feed_path(library.id)}", f"{origin}/{library.id}/releases"
    add_text(feed, "id", address)
    add_text(feed, "title", f"Releases of {library.name}")
    add_text(feed, "updated", max((_time(published_on(one.found)) for one in releases), default=EPOCH))
    add_author(feed, author)
    add_link(feed, "self", TYPE, address)
    add_link(feed, "alternate", "text/html", page)
    add_text(feed, "generator", "Kinfolk")
    for one in releases:
        entry = ET.SubElement(feed, "entry")
        url = f"{origin}{release_address(library.id, one.found.release.number)}"
        time = _time(published_on(one.found))
        add_text(entry, "id", url)
        add_text(entry, "title", f"{library.name} {one.found.release.number}")
        add_text(entry, "published", time)
        add_text(entry, "updated", time)
        add_link(entry, "alternate", "text/html", url)
        add_text(entry, "summary", summary_of(one.found))
        add_text(entry, "content", feed_html(one.page.html(), address=url), {"type": "html"})
    return feed_document(feed)


def _time(day: date) -> str:
    """Midnight UTC: tags and changelogs have no time of day."""
    return f"{day.isoformat()}T00:00:00Z"
