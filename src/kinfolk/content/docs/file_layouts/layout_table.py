"""The layouts by dialect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import get_args

from kinfolk.config.catalog import WHOLE_REPOSITORY, DialectName
from kinfolk.content.docs.file_layouts.docusaurus_layout import DocusaurusLayout
from kinfolk.content.docs.file_layouts.github_layout import DocsFolderLayout, GitHubLayout
from kinfolk.content.docs.file_layouts.page_layout import DocsFolder, LayoutRules, PageLayout, ReadText, inner_roots
from kinfolk.content.docs.file_layouts.table_layout import TableLayout
from kinfolk.content.markdown.dialects import GITHUB
from kinfolk.content.markdown.dialects.dialect_rules import dialect_rules

_LAYOUTS: Mapping[str, type[TableLayout]] = {"docusaurus": DocusaurusLayout}
"""Of dialects whose table does not say everything."""


def layout_rules(dialect: str) -> LayoutRules:
    if dialect == GITHUB:
        return GitHubLayout()
    return _LAYOUTS.get(dialect, TableLayout)(dialect, dialect_rules(dialect).files)


def open_layouts(
    folders: Iterable[DocsFolder], files: Mapping[str, str], read: ReadText
) -> tuple[dict[str, PageLayout], dict[str, PageLayout]]:
    """Layouts by docs root: those that decide about addresses, and all.

    In a folder of GitHub's dialect, files have addresses of their own names, except the READMEs of folders, unless the
    folder is the whole repository or leaves out a part of it.
    """
    named = {one.root: one for one in folders}
    every = {root: PageLayout(one, _rules(one), files, read, inner_roots(root, named)) for root, one in named.items()}
    deciding = {
        root: layout
        for root, layout in sorted(every.items(), key=lambda item: len(item[0]), reverse=True)
        if layout.dialect != GitHubLayout.dialect or root == WHOLE_REPOSITORY or layout.excluded
    }
    return deciding, every


_OTHER_MARKUP = {
    "adoc": "AsciiDoc, which is not supported",
    "asciidoc": "AsciiDoc, which is not supported",
    "ipynb": "Jupyter notebooks, which are not supported",
    "org": "Org files, which are not supported",
    "rst": "reStructuredText, which is not supported",
    "textile": "Textile, which is not supported",
}


def unread_files(files: Iterable[str]) -> str:
    """What the files of a folder without pages are: `12 .mdx files (read by the dialect docusaurus)`."""
    counts = Counter(file.rpartition(".")[2].lower() for file in files if "." in file.rpartition("/")[2])
    described = []
    for extension, count in counts.most_common():
        dialects = [name for name in get_args(DialectName) if f".{extension}" in layout_rules(name).extensions]
        if dialects:
            reason = f"read by the dialect{'s' * (len(dialects) > 1)} {', '.join(dialects)}"
        elif extension in _OTHER_MARKUP:
            reason = _OTHER_MARKUP[extension]
        else:
            continue
        described.append(f"{count} .{extension} file{'s' * (count > 1)} ({reason})")
    return "it has " + " and ".join(described) if described else ""


def _rules(folder: DocsFolder) -> LayoutRules:
    if folder.dialect == GitHubLayout.dialect and folder.root != WHOLE_REPOSITORY:
        return DocsFolderLayout()
    return layout_rules(folder.dialect)
