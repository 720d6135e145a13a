"""The marks of a page of the latest docs and of its sections, as its branch has the page."""

from __future__ import annotations

import re
from html import escape, unescape

from kinfolk.content.docs.marks.docs_marks import path_inside
from kinfolk.content.docs.marks.library_marks import ShownMark
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.markdown.markdown_page import MarkdownPage

_HEADING = re.compile(r'<h([2-6]) id="([^"]*)">.*?(?=<a class="anchor"|</h\1>)')


def shown_mark(docs: ContentReader, location: DocsLocation, ref_path: str | None) -> ShownMark | None:
    """The mark; None for a page without one. `ref_path` is the file that its text comes from, if that is another one.

    Depends on the marks of the library, the files of the page, and for a new page the list of files.
    """
    marks = docs.marks(location.library)
    if marks.marks.last is None:
        return None
    branch, root = docs.branch(location.ref), location.docs_root
    paths = (branch.real_file(location.required_file()), *((ref_path.lstrip("/"),) if ref_path else ()))
    files = [(path_inside(root, path), blob) for path in paths if (blob := branch.blob(path)) is not None]
    return marks.of_page(*files, is_page=lambda path: branch.has_file(f"{root}/{path}")) if files else None


def with_section_marks(docs: ContentReader, location: DocsLocation, page: MarkdownPage, html: str) -> str:
    """The HTML of a page, with the release since which a section exists beside its heading."""
    own = docs.branch(location.ref).real_file(location.required_file())
    file = page.ref_path.lstrip("/") if page.ref_path else own
    releases = docs.marks(location.library).section_releases(path_inside(location.docs_root, file), page)
    if not releases:
        return html

    def marked(heading: re.Match[str]) -> str:
        release = releases.get(unescape(heading[2]))
        return f'{heading[0]} <small class="since">since {escape(release)}</small>' if release else heading[0]

    return _HEADING.sub(marked, html)
