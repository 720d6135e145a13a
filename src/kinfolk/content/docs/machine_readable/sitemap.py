"""Sitemaps (sitemaps.org): an index, one sitemap of the site's own pages, one for each version of each library,
and one for the releases of each library that have notes.

They list canonical addresses only: of an older version, the pages that the latest version does not have. A page has the
date of its last change where git history is known, else no date, because the date of the branch would be wrong for most
pages. The index has the date of the branch, by which crawlers decide whether to read a sitemap again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from html import escape
from urllib.parse import quote

from kinfolk.config.catalog import LATEST
from kinfolk.content.docs.machine_readable.page_history import page_change
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, list_version_docs

MOST_URLS = 50_000
"""The limit of the protocol for one file."""
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def sitemap_index(
    docs: ContentReader, origin: str, *, site_changed: str | None = None, with_notes: Iterable[str] = ()
) -> str:
    """`/sitemap.xml`. `site_changed` is the date of the newest of the site's own pages.

    `with_notes` are the ids of libraries with pages of releases.
    """
    entries = [_entry("sitemap", f"{origin}/sitemap-site.xml", site_changed)]
    for version_docs in list_version_docs(docs):
        if canonical_pages(version_docs):
            address = f"{origin}/sitemap-{version_docs.library.id}-{version_docs.segment}.xml"
            entries.append(_entry("sitemap", address, _date(version_docs.branch.changed_at)))
    entries += (_entry("sitemap", f"{origin}/sitemap-{library}-releases.xml", None) for library in with_notes)
    return f"{_XML}<sitemapindex {_NAMESPACE}>\n{''.join(entries)}</sitemapindex>\n"


def version_sitemap(version_docs: VersionDocs, origin: str) -> str:
    """`/sitemap-{library}-{version}.xml`."""
    return _url_set(
        (f"{origin}{version_docs.address(path)}", _date(_updated(version_docs, path, file) if file else None))
        for path, file in canonical_pages(version_docs).items()
    )


def site_sitemap(pages: Iterable[tuple[str, str | None]], origin: str) -> str:
    """`/sitemap-site.xml`, of paths and the ISO dates of their last changes, where these are known."""
    return _url_set((f"{origin}{quote(path)}", changed) for path, changed in pages)


def canonical_pages(version_docs: VersionDocs) -> Mapping[str, str | None]:
    """The canonical paths below the docs of a version -> the files of those that are pages."""
    pages = version_docs.listed_pages()
    if version_docs.segment == LATEST:
        examples = version_docs.examples()
        return {**dict.fromkeys(("examples", *examples) if examples else ()), **pages}
    same_library = (one for one in list_version_docs(version_docs.docs) if one.library is version_docs.library)
    latest = next((one for one in same_library if one.segment == LATEST), None)
    newer = latest.pages() if latest else {}
    return {path: file for path, file in pages.items() if path not in newer}


def _updated(version_docs: VersionDocs, path: str, file: str) -> datetime | None:
    change = page_change(version_docs, version_docs.address(path), file)
    return change.updated if change else None


def _url_set(addresses: Iterable[tuple[str, str | None]]) -> str:
    entries = [_entry("url", address, changed) for address, changed in addresses][:MOST_URLS]
    return f"{_XML}<urlset {_NAMESPACE}>\n{''.join(entries)}</urlset>\n"


def _entry(element: str, address: str, changed: str | None) -> str:
    date = f"<lastmod>{changed}</lastmod>" if changed else ""
    return f"<{element}><loc>{escape(address)}</loc>{date}</{element}>\n"


def _date(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat(timespec="seconds") if moment else None
