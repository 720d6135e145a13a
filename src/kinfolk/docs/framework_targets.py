"""The targets of a link for each framework: a page is the same for all readers, so it contains all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kinfolk.docs.version_docs import VersionDocs


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
    root = version_docs.library.docs_root
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
    """The targets of a link to the beginning of the docs: the library's default page, else the first of the menu."""
    candidates = (framework_targets(version_docs, path) for path in _beginnings(version_docs))
    return next(filter(None, candidates), (FrameworkTarget(None, version_docs.base),))


def _beginnings(version_docs: VersionDocs) -> Iterator[str]:
    yield version_docs.library.default_docs
    for link in version_docs.config().links():
        yield link.to
