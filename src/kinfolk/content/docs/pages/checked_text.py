"""A page of the docs, for the report of its checked code."""

from __future__ import annotations

from kinfolk.content.code_checks.check_report import CheckedText
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.content.docs.pages.page_rendering import RenderedDoc
from kinfolk.runtime.errors import SiteError


def checked_text(branch: BranchReader, path: str, doc: RenderedDoc) -> CheckedText:
    """The page with this path below the docs, and the file that its text comes from."""
    file = doc.page.ref_path or branch.real_file(doc.file_path)
    file = file.lstrip("/")
    try:
        source = branch.read(file).decode(errors="replace")
    except SiteError:  # then findings have no line
        source = ""
    return CheckedText(path, doc.title, file, source, doc.page.code_blocks)
