"""A page of the docs, for the findings in its code."""

from __future__ import annotations

from collections.abc import Sequence

from kinfolk.content.code_checks.check_report import CheckedText
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.runtime.errors import SiteError


def checked_text(branch: BranchReader, path: str, title: str, *, file: str, blocks: Sequence[CodeBlock]) -> CheckedText:
    """The page at a path below the docs, whose text is in this file of the branch."""
    file = file.lstrip("/")
    try:
        source = branch.read(file).decode(errors="replace")
    except SiteError:  # then findings have no line
        source = ""
    return CheckedText(path, title, file, source, tuple(blocks))
