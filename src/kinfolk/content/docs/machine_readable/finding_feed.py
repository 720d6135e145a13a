"""The Atom feed (RFC 4287) of what is wrong in the code of a library's docs, in all of its versions.

An entry keeps its id while the line of code stays the same. When it was found first is not stored: its date is that of
the check.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from xml.etree import ElementTree as ET

from kinfolk.config.catalog import Library
from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.code_checks.check_report import ReportedFinding, VersionReport
from kinfolk.content.docs.pages.location import version_segment
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.runtime.atom import EPOCH, TYPE, add_author, add_link, add_text, feed_document, new_feed
from kinfolk.runtime.errors import NotFound

ENTRIES = 500


def finding_feed_path(library: str) -> str:
    return f"/{library}/code-checks.atom"


def finding_feed(docs: ContentReader, library: Library, origin: str, *, author: str) -> bytes:
    """The feed. Raises NotFound on a site that checks no code."""
    reports = docs.code_reports(library)
    if reports is None:
        raise NotFound("This site does not check the code of its docs")
    address = f"{origin}{finding_feed_path(library.id)}"
    feed = new_feed()
    add_text(feed, "id", address)
    add_text(feed, "title", f"Wrong code in the docs of {library.name}")
    add_text(feed, "updated", max((_time(report) for report in reports), default=EPOCH))
    add_author(feed, author)
    add_link(feed, "self", TYPE, address)
    add_link(feed, "alternate", "text/html", f"{origin}/{library.id}")
    add_text(feed, "generator", "Kinfolk")
    for report, found in _entries(reports):
        segment = version_segment(library, library.version(report.version))
        page = f"{origin}{DocsAddress(library.id, segment, found.path)}"
        entry = ET.SubElement(feed, "entry")
        add_text(entry, "id", f"{origin}/{library.id}/{report.version}/code-checks#{found.key}")
        add_text(entry, "title", f"{found.title} ({library.name} {report.version}): {found.sentence}")
        add_text(entry, "updated", _time(report))
        add_author(entry, author)
        add_link(entry, "alternate", "text/html", page)
        add_text(entry, "content", _content(found), {"type": "html"})
    return feed_document(feed)


def _entries(reports: tuple[VersionReport, ...]) -> Iterator[tuple[VersionReport, ReportedFinding]]:
    """The findings; of equal ones in equal lines of a page the first."""
    ids: set[tuple[str, str]] = set()
    for report in reports:
        for found in report.findings:
            id = (report.version, found.key)
            if id not in ids and len(ids) < ENTRIES:
                ids.add(id)
                yield report, found


def _content(found: ReportedFinding) -> str:
    place = f"{found.file}, line {found.line}" if found.line else found.file
    code = f"<pre>{escape(found.code)}</pre>" if found.code else ""
    return f"<p>{escape(found.sentence)}</p>{code}<p>{escape(place)}</p>"


def _time(report: VersionReport) -> str:
    return f"{report.finished}Z"
