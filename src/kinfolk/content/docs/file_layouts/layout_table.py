"""The layouts by dialect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kinfolk.config.catalog import WHOLE_REPOSITORY
from kinfolk.content.docs.file_layouts.docusaurus_layout import DocusaurusLayout
from kinfolk.content.docs.file_layouts.github_layout import GitHubLayout
from kinfolk.content.docs.file_layouts.page_layout import DocsFolder, LayoutRules, PageLayout, ReadText
from kinfolk.content.docs.file_layouts.table_layout import TableLayout
from kinfolk.content.markdown.dialects.dialect_rules import dialect_rules

_RULES: Mapping[str, LayoutRules] = {
    rules.dialect: rules for rules in (GitHubLayout(), DocusaurusLayout())
}


def layout_rules(dialect: str) -> LayoutRules:
    return _RULES.get(dialect) or TableLayout(dialect, dialect_rules(dialect).files)


def open_layouts(
    folders: Iterable[DocsFolder], files: Mapping[str, str], read: ReadText
) -> tuple[dict[str, PageLayout], dict[str, PageLayout]]:
    """Layouts by docs root: those that decide about addresses, and all.

    In a folder of GitHub's dialect, files have addresses of their own names, unless the folder is the whole repository.
    """
    every = {one.root: PageLayout(one, layout_rules(one.dialect), files, read) for one in folders}
    deciding = {
        root: layout
        for root, layout in sorted(every.items(), key=lambda item: len(item[0]), reverse=True)
        if layout.dialect != GitHubLayout.dialect or root == WHOLE_REPOSITORY
    }
    return deciding, every
