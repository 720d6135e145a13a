"""The nearest page: in another version, in another framework, or to an address that nothing answers to.

A reader who switches framework or version wants to stay where they are. Where the other side has the same page, that
is it; where it has not, we lead to the page that is most alike and say beforehand that it is another one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest

from rapidfuzz import fuzz, process

from kinfolk.catalog import LATEST, Library
from kinfolk.docs.library import Docs
from kinfolk.docs.shelf import Shelf
from kinfolk.errors import SiteError
from kinfolk.sources.snapshot import Ref

_FRAMEWORK = re.compile(r"^framework/[^/]+/")
LIKELY = 68
"""Score, of 100, from which a page counts as alike. Below, a guess misleads more often than it helps."""
BY_NAME, BY_WAY = 0.7, 0.3
"""What the likeness of a page's own name, or title, weighs beside that of the way there."""
FAVOURED, STRANGE = 1, 15
"""What is added for the favourite framework, and taken off a guide for a reference page or the other way round."""
LEAST = (LIKELY - 100 * BY_WAY - FAVOURED) / BY_NAME
"""A name less like than this cannot be made good by anything else."""


@dataclass(frozen=True)
class Alternative:
    """Where a switch to `name` leads. `title` says which page that is when it is not the same one."""

    name: str
    to: str
    title: str | None = None


@dataclass(frozen=True)
class NearPage:
    title: str
    to: str


@dataclass(frozen=True)
class Place:
    """A page's place: `inside` is its path below the docs root, without extension."""

    library: Library
    segment: str
    inside: str


def versions_of(docs: Docs, place: Place, seen: set[str]) -> tuple[Alternative, ...]:
    """The page in every version that there is a copy of: latest first, then each by its own name."""
    found = []
    for segment in (LATEST, *place.library.version_names):
        shelf = _shelf(docs, place.library, segment, seen)
        if shelf is not None:
            titles = shelf.titles(place.library.docs_root)
            found.append(_alternative(segment, place.library, segment, place.inside, titles))
            _depend(found[-1], shelf, seen)
    return tuple(found)


def frameworks_of(docs: Docs, place: Place, frameworks: Sequence[str], seen: set[str]) -> tuple[Alternative, ...]:
    """The page for each of these frameworks. A page that is about no framework is the same for all."""
    shelf = _shelf(docs, place.library, place.segment, seen)
    if shelf is None:
        return ()
    match place.inside.split("/"):
        case ["framework", _, *rest] if rest:
            inside = "/".join(rest)
        case _:
            return ()
    found = []
    for framework in frameworks:
        prefix = f"framework/{framework}/"
        theirs = shelf.framework_titles(place.library.docs_root).get(framework)
        if theirs:
            found.append(_alternative(framework, place.library, place.segment, prefix + inside, theirs))
            _depend(found[-1], shelf, seen)
    return tuple(found)


def nearest(docs: Docs, place: Place, seen: set[str], *, most: int = 5) -> tuple[NearPage, ...]:
    """Pages of this version that someone who asked for `inside` may have meant, the likeliest first."""
    shelf = _shelf(docs, place.library, place.segment, seen)
    if shelf is None:
        return ()
    seen.add(f"{shelf.ref}#fronts")
    titles = shelf.titles(place.library.docs_root)
    base = f"/{place.library.id}/{place.segment}/docs"
    near = _ranked(place.inside, titles, 4 * most, favourite=next(iter(place.library.frameworks), ""))
    # The same page of several frameworks is offered once: for the one asked for or the library's first, as ranked.
    once = {_FRAMEWORK.sub("", path): path for path in reversed(near)}
    kept = [path for path in near if once[_FRAMEWORK.sub("", path)] == path]
    return tuple(NearPage(titles[path], f"{base}/{path}") for path in kept[:most])


def _alternative(name: str, library: Library, segment: str, inside: str, titles: Mapping[str, str]) -> Alternative:
    base = f"/{library.id}/{segment}/docs"
    for path in (inside, f"{inside}/index"):
        if path in titles:
            return Alternative(name, f"{base}/{inside}")
    about = inside.split("/")[1] if inside.startswith("framework/") else ""
    starts = (f"framework/{about}/overview", f"framework/{about}/quick-start", library.default_docs)
    # Whoever reads a guide does not want one of a thousand generated pages, and the other way round.
    alike = {path: title for path, title in titles.items() if ("reference/" in path) == ("reference/" in inside)}
    for path in (*_ranked(inside, alike, 1), *starts, *titles):
        if path in titles:
            return Alternative(name, f"{base}/{path}", titles[path])
    return Alternative(name, f"/{library.id}/{segment}", library.name)


def _ranked(wanted: str, titles: Mapping[str, str], most: int, *, favourite: str = "") -> list[str]:
    """Paths by likeness to `wanted`: its last word weighs most, then the way there, then the title."""
    last, words = _words(wanted.rpartition("/")[2]), _words(wanted)
    paths = list(titles)
    names = _alike(last, [_known_words(path.removesuffix("/index").rpartition("/")[2]) for path in paths])
    called = _alike(last, [title.lower() for title in titles.values()])
    scored = []
    for at in names.keys() | called.keys():
        path = paths[at]
        score = max(names.get(at, 0), called.get(at, 0)) * BY_NAME + fuzz.ratio(words, _known_words(path)) * BY_WAY
        if ("reference/" in path) != ("reference/" in wanted):
            score -= STRANGE
        if favourite and path.startswith(f"framework/{favourite}/"):
            score += FAVOURED
        if score >= LIKELY:
            scored.append((score, path))
    return [path for _, path in nlargest(most, scored)]


def _alike(text: str, others: Sequence[str]) -> dict[int, float]:
    """The places of those that may count, and how like each is, of 100."""
    return {at: score for _, score, at in process.extract_iter(text, others, scorer=fuzz.ratio, score_cutoff=LEAST)}


def _words(path: str) -> str:
    return path.replace("/", " ").replace("-", " ").replace("_", " ").lower()


# Of paths that there are. What visitors ask for is never kept: it may be anything, and eight thousand letters long.
_known_words = lru_cache(maxsize=1 << 14)(_words)


def _shelf(docs: Docs, library: Library, segment: str, seen: set[str]) -> Shelf | None:
    ref = Ref(*library.ref(segment))
    seen.add(f"{ref}#files")  # also of a branch that is not there yet: one day it may come
    try:
        return docs.shelf(ref)
    except SiteError:
        return None


def _depend(found: Alternative, shelf: Shelf, seen: set[str]) -> None:
    """A guess is made by all titles, so whatever renames a page may change it. The same page is the same page."""
    if found.title is not None:
        seen.add(f"{shelf.ref}#fronts")
