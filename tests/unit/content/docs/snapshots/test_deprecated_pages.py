"""Menus know which of their pages are deprecated, and are purged when that changes."""

from __future__ import annotations

from collections.abc import Callable

import orjson

from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import BranchFrontMatter, DependencyRecorder, DeprecatedPages
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.snapshots.stale_dependencies import stale_dependencies
from kinfolk.content.sources.snapshot import changes

MAIN = Ref("TanStack/query", "main")
LINKS = [{"label": name, "to": f"reference/{name}"} for name in ("useOld", "useNew")]
MENU = orjson.dumps({"sections": [{"label": "Reference", "children": LINKS}]}).decode()
OLD = "# Function: useOld()\n\n## Deprecated\n\nUse `useNew` instead.\n"
NEW = "# Function: useNew()\n\nReplaces a deprecated function.\n"


def files(**pages: str) -> dict[str, str]:
    docs = "TanStack/query/main/docs"
    return {f"{docs}/config.json": MENU} | {f"{docs}/reference/{name}.md": text for name, text in pages.items()}


def test_menu_has_a_line_about_a_deprecated_page(docs_from_files: Callable[[dict[str, str]], DocsSnapshot]) -> None:
    recorder = DependencyRecorder()
    # A page that the menu does not list is not read.
    reader = ContentReader(docs_from_files(files(useOld=OLD, useNew=NEW, unlisted=OLD)), recorder)
    assert reader.deprecated_pages(MAIN, "docs") == {}
    reader.navigation(MAIN, "docs")
    assert reader.deprecated_pages(MAIN, "docs") == {"reference/useOld": "Deprecated. Use useNew instead."}
    assert DeprecatedPages(MAIN) in recorder.dependencies
    assert BranchFrontMatter(MAIN) not in recorder.dependencies


def test_only_edits_of_what_is_deprecated_purge_menus(
    docs_from_files: Callable[[dict[str, str]], DocsSnapshot],
) -> None:
    first = docs_from_files(files(useOld=OLD, useNew=NEW))
    reworded = docs_from_files(files(useOld=OLD, useNew=f"{NEW}More.\n"))
    deprecated = docs_from_files(files(useOld=OLD, useNew=f"{NEW}\n## Deprecated\n\nGone.\n"))
    stale = [
        DeprecatedPages(MAIN) in stale_dependencies(changes(old.snapshot, new.snapshot), old, new)
        for old, new in ((first, reworded), (reworded, deprecated), (deprecated, first))
    ]
    assert stale == [False, True, True]
