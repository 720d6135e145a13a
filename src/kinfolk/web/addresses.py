"""Which addresses name something: known before anything is rendered, so that the others wait behind them.

This repeats what the routes of the frontend say, as `foresight` does. A page that is rendered for an address that is
unknown here is answered as missing: one page has one address.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote_plus

from kinfolk.catalog import Library
from kinfolk.docs import Docs
from kinfolk.docs.shelf import Shelf
from kinfolk.site import Site
from kinfolk.sources.paths import page_fault
from kinfolk.sources.snapshot import Ref

TOP = frozenset(
    {
        "",
        "blog",
        "dedicated-support",
        "design",
        "ethos",
        "learn",
        "privacy",
        "search",
        "sponsors-embed",
        "support",
        "terms",
    }
)
"""Pages of one segment that are no library."""
_FIXED: Mapping[int, frozenset[str]] = {
    2: frozenset({"docs"}),
    3: frozenset({"framework", "examples"}),
    5: frozenset({"examples"}),
}
"""Segments below a library whose words are those of a route."""


@dataclass(frozen=True)
class Named:
    """What an address names. `page`: there is a page at exactly this path, or a route that leads on from it.

    `real`: its query names something too, so that there is an end to such addresses. `to` is the path of the page that
    an address with spaces too many, or with capitals in the words of a route, means.
    """

    page: bool
    real: bool
    to: str | None = None


class Addresses:
    """Judges addresses by the facts, the posts and one edition of the docs. Takes some microseconds."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._libraries = {library.id: library for library in site.catalog.libraries}
        self._frameworks = frozenset(framework.value for framework in site.catalog.frameworks)

    def named(self, path: str, query: str, docs: Docs) -> Named:
        """`path` is decoded, `query` holds only parameters that the page depends on, as they are written."""
        segments = path.split("/")[1:]
        if self._is_page(segments, docs):
            return Named(page=True, real=not query or self._is_choice(segments, query, docs))
        meant = self._meant(segments)
        if meant != segments and (meant == [""] or "" not in meant) and self._is_page(meant, docs):
            return Named(page=False, real=False, to="/" + quote("/".join(meant)))
        return Named(page=False, real=False)

    def _is_page(self, segments: list[str], docs: Docs) -> bool:
        match segments:
            case [top]:
                return top in TOP or top in self._libraries
            case ["blog", slug]:
                return any(post.slug == slug for post in self._site.blog.posts)
            case [id, version, *rest] if id in self._libraries and self._libraries[id].is_known_version(version):
                library = self._libraries[id]
                return self._is_below(library, docs.shelves.get(Ref(*library.ref(version))), rest)
        return False

    def _is_below(self, library: Library, shelf: Shelf | None, rest: list[str]) -> bool:
        match rest:
            case [] | ["docs"] | ["docs", "examples" | "framework"]:
                return True
            case ["docs", "framework", framework] | ["docs", "framework", framework, "examples"]:
                known = shelf.framework_folders(library.docs_root) if shelf is not None else frozenset()
                return framework in self._frameworks or framework in known
            case ["docs", "framework", framework, "examples", name]:
                return shelf is not None and (framework, name) in shelf.examples
            case ["docs", *inside] if shelf is not None:
                file = shelf.page_file("/".join((library.docs_root, *inside)))
                return file is not None and page_fault(file) is None
        return False

    def _is_choice(self, segments: list[str], query: str, docs: Docs) -> bool:
        """Whether the values of a query are among those that the site offers."""
        pairs = (pair.partition("=") for pair in query.split("&"))
        values = {name: unquote_plus(value) for name, _, value in pairs}
        match segments:
            case [id, version, "docs", "framework", framework, "examples", name] if set(values) == {"path"}:
                library = self._libraries[id]
                shelf = docs.shelves.get(Ref(*library.ref(version)))
                return shelf is not None and _holds(shelf, f"examples/{framework}/{name}/", values["path"])
            case ["blog"]:
                authors = {author for post in self._site.blog.posts for author in post.front.authors}
                slugs = {author.lower().replace(" ", "-") for author in authors}
                return values.get("library", "") in {"", *self._libraries} and values.get("author", "") in {"", *slugs}
        return False

    def _meant(self, segments: Iterable[str]) -> list[str]:
        """The same address without spaces around its segments, and with the words of routes in lower case."""
        meant = []
        for at, segment in enumerate(word.strip() for word in segments):
            words = TOP if at == 0 else _FIXED.get(at, frozenset())
            meant.append(segment.lower() if segment.lower() in words else segment)
        return meant


def _holds(shelf: Shelf, folder: str, path: str) -> bool:
    return path.startswith(folder) and path in shelf.files
