"""Which indexes of a branch a change alters: the list of its files, its front matter or neither."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kinfolk.dependencies import Change
from kinfolk.docs.branch_docs import indexed_facts
from kinfolk.docs.release import DocsRelease
from kinfolk.errors import SiteError
from kinfolk.sources.snapshot import Tree


def narrow_changes(changed: Iterable[Change], before: DocsRelease, after: DocsRelease) -> list[Change]:
    """The changes between two releases. An edit that alters no title, redirect or menu entry says so.

    Reads the changed Markdown files of both releases.
    """
    return [_narrowed(change, before, after) for change in changed]


def _narrowed(change: Change, before: DocsRelease, after: DocsRelease) -> Change:
    old, new = before.branches.get(change.ref), after.branches.get(change.ref)
    if change.listing or old is None or new is None:
        return change
    # Front matter decides about addresses in some layouts.
    if new.has_addresses_from_front_matter and old.listing_digest != new.listing_digest:
        return replace(change, listing=True, front_matter=True)
    return replace(change, front_matter=change.front_matter and _indexes_differ(change, old.tree, new.tree))


def _indexes_differ(change: Change, old: Tree, new: Tree) -> bool:
    pages = (path for path in change.paths if path.endswith((".md", ".mdx")) and old.files[path] != new.files[path])
    try:
        return any(_facts(old, path) != _facts(new, path) for path in pages)
    except SiteError:
        return True  # the old file cannot be read any more


def _facts(tree: Tree, path: str) -> object:
    return indexed_facts(tree.read(path).decode(errors="replace"))
