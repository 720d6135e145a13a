"""The targets of a link for each framework: a page is the same for all readers, so it contains all of them."""

from __future__ import annotations

from dataclasses import dataclass

from kinfolk.content.docs.other_pages.docs_home import docs_home
from kinfolk.content.docs.snapshots.version_docs import VersionDocs


@dataclass(frozen=True)
class FrameworkTarget:
    """The target of a link for readers of a framework; for all readers without one."""

    framework: str | None
    to: str


def framework_targets(version_docs: VersionDocs, path: str) -> tuple[FrameworkTarget, ...]:
    """The targets of a link to a page of the docs, the page itself first.

    The other frameworks have the page of the same path, else the list of their pages. Empty for a missing page.
    """
    has_page = version_docs.branch.page_file
    root = version_docs.docs_root
    if has_page(f"{root}/{path}") is None:
        return ()
    match path.split("/", 2):
        case ["framework", own, rest]:
            others = [other for other in version_docs.frameworks if other != own]
            paths = {own: path} | {
                other: same if has_page(f"{root}/{same}") else f"framework/{other}"
                for other in others
                for same in [f"framework/{other}/{rest}"]
            }
            return tuple(FrameworkTarget(name, str(version_docs.address(to))) for name, to in paths.items())
    return (FrameworkTarget(None, str(version_docs.address(path))),)


def start_targets(version_docs: VersionDocs) -> tuple[FrameworkTarget, ...]:
    """The targets of a link to the beginning of the docs; empty for docs without pages."""
    home = docs_home(version_docs)
    return framework_targets(version_docs, home) if home is not None else ()
