"""The nearest page: in another version, in another framework, or for a URL without a page.

A switch of framework or version leads to the same page if it exists there, else to the most similar page, whose title
the menu shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from heapq import nlargest

from rapidfuzz import fuzz, process

from kinfolk.catalog import LATEST
from kinfolk.docs.branch_reader import BranchReader
from kinfolk.docs.content_reader import ContentReader
from kinfolk.docs_address import DocsAddress

_FRAMEWORK = re.compile(r"^framework/[^/]+/")
MIN_SCORE = 68
"""Score, of 100, from which a page counts as similar. Suggestions below it are wrong more often than right."""
NAME_WEIGHT, PATH_WEIGHT = 0.7, 0.3
"""Weights of the similarity of the page's name or title, and of its whole path."""
FAVORITE_BONUS, REFERENCE_PENALTY = 1, 15
"""Added for the favorite framework; subtracted from a guide for a reference page, or the reverse."""
MIN_NAME_SCORE = (MIN_SCORE - 100 * PATH_WEIGHT - FAVORITE_BONUS) / NAME_WEIGHT
"""Below this similarity of the name no path reaches MIN_SCORE."""


@dataclass(frozen=True)
class Alternative:
    """The target of a switch to `name`. `title` names the target when it is another page."""

    name: str
    to: str
    title: str | None = None


@dataclass(frozen=True)
class NearPage:
    title: str
    to: str


Titles = Callable[[], Mapping[str, str]]
"""Reads the titles of pages by path. A call makes the response depend on all titles."""


def version_alternatives(docs: ContentReader, address: DocsAddress) -> tuple[Alternative, ...]:
    """The page in each version that there is a copy of: latest first, then each version by its own name."""
    library = docs.catalog.library(address.library)
    found = []
    for version in (LATEST, *library.version_names):
        branch = docs.find_branch(library.ref(version))
        if branch is not None:
            target = DocsAddress(library.id, version, address.path)
            found.append(_alternative(docs, branch, version, target, partial(branch.titles, library.docs_root)))
    return tuple(found)


def framework_alternatives(
    docs: ContentReader, address: DocsAddress, frameworks: Sequence[str]
) -> tuple[Alternative, ...]:
    """The page for each of these frameworks. Empty for a page that is the same for all frameworks."""
    library = docs.catalog.library(address.library)
    branch = docs.find_branch(library.ref(address.version))
    if branch is None:
        return ()
    match address.path.split("/"):
        case ["framework", _, *rest] if rest:
            inside = "/".join(rest)
        case _:
            return ()

    def titles_of(framework: str) -> Mapping[str, str]:
        return branch.framework_titles(library.docs_root)[framework]

    available = branch.frameworks(library.docs_root)
    targets = {each: f"framework/{each}/{inside}" for each in frameworks if each in available}
    return tuple(
        _alternative(docs, branch, name, DocsAddress(library.id, address.version, path), partial(titles_of, name))
        for name, path in targets.items()
    )


def nearest_pages(docs: ContentReader, address: DocsAddress, *, most: int = 5) -> tuple[NearPage, ...]:
    """Pages of this version that are similar to a path without a page, the most similar first."""
    library = docs.catalog.library(address.library)
    branch = docs.find_branch(library.ref(address.version))
    if branch is None:
        return ()
    titles = branch.titles(library.docs_root)
    near = _ranked(address.path, titles, 4 * most, favorite=next(iter(library.frameworks), ""))
    # A page that several frameworks have is suggested once: for the framework with the highest score.
    once = {_FRAMEWORK.sub("", path): path for path in reversed(near)}
    unique = [path for path in near if once[_FRAMEWORK.sub("", path)] == path]
    return tuple(NearPage(titles[path], f"{address.base}/{path}") for path in unique[:most])


def _alternative(
    docs: ContentReader, branch: BranchReader, name: str, address: DocsAddress, titles: Titles
) -> Alternative:
    """`address` is that of the same page. `titles` are the candidates where the branch does not have it."""
    library, path = docs.catalog.library(address.library), address.path
    if any(branch.has_page(library.docs_root, each) for each in (path, f"{path}/index")):
        return Alternative(name, f"{address.base}/{path}")
    candidates = titles()
    framework = path.split("/")[1] if path.startswith("framework/") else ""
    starts = (f"framework/{framework}/overview", f"framework/{framework}/quick-start", library.default_docs)
    # A guide has no similar page among a thousand generated reference pages, nor the reverse.
    same_kind = {each: title for each, title in candidates.items() if _is_reference(each) == _is_reference(path)}
    for each in (*_ranked(path, same_kind, 1), *starts, *candidates):
        if each in candidates:
            return Alternative(name, f"{address.base}/{each}", candidates[each])
    return Alternative(name, f"/{library.id}/{address.version}", library.name)


def _is_reference(path: str) -> bool:
    return "reference/" in path


def _ranked(path: str, titles: Mapping[str, str], most: int, *, favorite: str = "") -> list[str]:
    """Candidates by similarity to a path: of its last segment to their name or title, and of the whole path."""
    last, words = _words(path.rpartition("/")[2]), _words(path)
    candidates = list(titles)
    names = _similar(last, [_candidate_words(each.removesuffix("/index").rpartition("/")[2]) for each in candidates])
    headings = _similar(last, [title.lower() for title in titles.values()])
    scored = []
    for at in names.keys() | headings.keys():
        candidate = candidates[at]
        score = max(names.get(at, 0), headings.get(at, 0)) * NAME_WEIGHT
        score += fuzz.ratio(words, _candidate_words(candidate)) * PATH_WEIGHT
        if _is_reference(candidate) != _is_reference(path):
            score -= REFERENCE_PENALTY
        if favorite and candidate.startswith(f"framework/{favorite}/"):
            score += FAVORITE_BONUS
        if score >= MIN_SCORE:
            scored.append((score, candidate))
    return [candidate for _, candidate in nlargest(most, scored)]


def _similar(text: str, others: Sequence[str]) -> dict[int, float]:
    """The index of each similar text -> its score, of 100."""
    scores = process.extract_iter(text, others, scorer=fuzz.ratio, score_cutoff=MIN_NAME_SCORE)
    return {at: score for _, score, at in scores}


def _words(path: str) -> str:
    return path.replace("/", " ").replace("-", " ").replace("_", " ").lower()


# For paths of existing pages only. Requested paths have no limit in number, and up to eight thousand characters.
_candidate_words = lru_cache(maxsize=1 << 14)(_words)
