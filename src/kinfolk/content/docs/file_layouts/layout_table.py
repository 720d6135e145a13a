"""The layouts by dialect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kinfolk.config.catalog import WHOLE_REPOSITORY
from kinfolk.content.docs.file_layouts.docusaurus_layout import DocusaurusLayout
from kinfolk.content.docs.file_layouts.github_layout import GitHubLayout
from kinfolk.content.docs.file_layouts.mkdocs_layout import MkDocsLayout
from kinfolk.content.docs.file_layouts.page_layout import DocsFolder, LayoutRules, PageLayout, ReadText, inner_roots
from kinfolk.content.docs.file_layouts.vitepress_layout import VitePressLayout

_RULES: Mapping[str, LayoutRules] = {
    rules.dialect: rules for rules in (GitHubLayout(), VitePressLayout(), MkDocsLayout(), DocusaurusLayout())
}


def open_layouts(
    folders: Iterable[DocsFolder], files: Mapping[str, str], read: ReadText
) -> tuple[dict[str, PageLayout], dict[str, PageLayout]]:
    """Layouts by docs root: those that decide about addresses, and all.

    In a folder of GitHub's dialect, files have addresses of their own names, unless the folder is the whole repository.
    """
    named = {one.root: one for one in folders}
    every = {
        root: PageLayout(one, _RULES[one.dialect], files, read, inner_roots(root, named)) for root, one in named.items()
    }
    deciding = {
        root: layout
        for root, layout in sorted(every.items(), key=lambda item: len(item[0]), reverse=True)
        if layout.dialect != GitHubLayout.dialect or root == WHOLE_REPOSITORY
    }
    return deciding, every
