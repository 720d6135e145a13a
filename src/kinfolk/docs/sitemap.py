"""Sitemaps (sitemaps.org): an index, one map of the site's own pages and one for each version of each library.

Only addresses that a page names as canonical are listed: of an older version, what the latest one no longer has.
A page carries the date its text changed on where git has told us, else none: the date of its branch would be wrong
for most pages. In the index, where it says when to look again, that one is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from html import escape
from urllib.parse import quote

from kinfolk.catalog import LATEST
from kinfolk.docs.library import Docs
from kinfolk.docs.listing import Volume, volumes
from kinfolk.errors import SiteError
from kinfolk.markdown.front import parse_front, split_front

MOST_URLS = 50_000
"""What the protocol allows in one file."""
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def sitemap_index(docs: Docs, origin: str, *, site_changed: str | None = None) -> str:
    """`/sitemap.xml`. `site_changed` is the date of the newest of the site's own pages."""
    entries = [_entry("sitemap", f"{origin}/sitemap-site.xml", site_changed)]
    for volume in volumes(docs):
        if canonical(volume):
            changed_at = docs.shelf(volume.ref).tree.changed_at
            address = f"{origin}/sitemap-{volume.library.id}-{volume.segment}.xml"
            entries.append(_entry("sitemap", address, _date(changed_at)))
    return f"{_XML}<sitemapindex {_NAMESPACE}>\n{''.join(entries)}</sitemapindex>\n"


def volume_sitemap(volume: Volume, origin: str) -> str:
    """`/sitemap-{library}-{version}.xml`."""
    return _url_set(
        (f"{origin}{volume.base}/{quote(inside)}", _date(_updated(volume, path) if path else None))
        for inside, path in canonical(volume).items()
    )


def site_sitemap(pages: Iterable[tuple[str, str | None]], origin: str) -> str:
    """`/sitemap-site.xml`, of paths and the ISO dates they changed on, where these are known."""
    return _url_set((f"{origin}{quote(path)}", changed) for path, changed in pages)


def canonical(volume: Volume) -> Mapping[str, str | None]:
    """The addresses below the docs of a version that stand for themselves, and the files of those that are pages."""
    pages = volume.pages()
    if volume.segment == LATEST:
        examples = volume.examples()
        return {**dict.fromkeys(("examples", *examples) if examples else ()), **pages}
    latest = next((one for one in volumes(volume.docs) if one.library is volume.library), None)
    newer = latest.pages() if latest and latest.segment == LATEST else {}
    return {inside: path for inside, path in pages.items() if inside not in newer}


def _updated(volume: Volume, path: str) -> datetime | None:
    """When a page's text last changed: its own file, or the one that it borrows from."""
    tree = volume.docs.shelf(volume.ref).tree
    files = [path]
    try:
        content = tree.read(path)
    except SiteError:  # the address is right all the same
        return None
    if b"\nref:" in content:
        front, _ = split_front(content.decode(errors="replace").replace("\r\n", "\n"))
        files += [ref.lstrip("/")] if (ref := parse_front(front).ref) else []
    known = [history.updated for file in files if (history := tree.history(file))]
    return max(known) if len(known) == len(files) else None


def _url_set(addresses: Iterable[tuple[str, str | None]]) -> str:
    entries = [_entry("url", address, changed) for address, changed in addresses][:MOST_URLS]
    return f"{_XML}<urlset {_NAMESPACE}>\n{''.join(entries)}</urlset>\n"


def _entry(element: str, address: str, changed: str | None) -> str:
    date = f"<lastmod>{changed}</lastmod>" if changed else ""
    return f"<{element}><loc>{escape(address)}</loc>{date}</{element}>\n"


def _date(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat(timespec="seconds") if moment else None
