"""What menus and titles read of a page: an edit that changes it makes the pages that show it stale."""

from __future__ import annotations

import pytest

from kinfolk.content.docs.branch_docs import indexed_facts


@pytest.mark.parametrize(
    ("before", "after", "is_stale"),
    [
        ("## Variables\n\nText\n", "## Constants\n\nText\n", True),
        ("# A\n\nText\n", "# B\n\nText\n", True),
        ("## Variables\n\nText\n", "## Variables\n\nOther text\n", False),
        ("Text\n\n## A\n", "Text\n\n## B\n", False),
        ("---\ntitle: T\n---\n\n## A\n", "---\ntitle: T\n---\n\n## B\n", False),
        ("---\ntitle: T\n---\n(a)=\r\n## A\r\n", "---\ntitle: T\n---\n(a)=\r\n## B\r\n", True),
        ("Text\n```{toctree}\na\n```\n", "Text\n```{toctree}\nb\n```\n", True),
    ],
)
def test_edit_of_a_title_changes_what_is_indexed(before: str, after: str, is_stale: bool) -> None:
    assert (indexed_facts(before) != indexed_facts(after)) is is_stale
