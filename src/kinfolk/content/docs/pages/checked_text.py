"""A page of the docs, for the report of its checked code."""

from __future__ import annotations

from kinfolk.content.code_checks.check_report import CheckedText
from kinfolk.content.code_checks.page_code import PageCode
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.runtime.errors import SiteError


def checked_text(branch: BranchReader, code: PageCode, file: str) -> CheckedText:
    """The page whose text is in this file of the branch."""
    file = file.lstrip("/")
    try:
        source = branch.read(file).decode(errors="replace")
    except SiteError:  # then findings have no line
        source = ""
    return CheckedText(code.path, code.title, file, source, code.blocks)
