"""The nearest page: in another version, in another framework, or for a URL without a page.

A switch of framework or version leads to the same page if it exists there. Else it leads to the most similar page of
the reader's framework, or to the overview of that framework. A switch of version leads to another framework only where
the version has no docs for the reader's, and the title of the target then names the framework. The address of a target
that is another page has the address of the reader's page as its parameter `from`: `arrival_notice` explains it there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from urllib.parse import quote

from rapidfuzz import fuzz, process

from kinfolk.config.catalog import LATEST, Library, VersionDocsFacts
from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.docs.branch_docs import is_in_reference
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.content.docs.snapshots.content_reader import ContentReader

_FRAMEWORK = re.compile(r"^framework/[^/]+/")
_EXAMPLE = re.compile(r"examples/([^/]+)")
MIN_SCORE = 68
"""Score, of 100, from which a page counts as similar. Suggestions below it are wrong more often than right."""
NAME_WEIGHT, PATH_WEIGHT = 0.7, 0.3
"""Weights of the similarity of the page's name or title, and of its whole path."""
_MIN_WORD_SCORE, _MOST_LETTERS = 75, 80
"""Score, of 100, from which a word counts as a misspelled name: `tabel` has 80. Longer words are cut."""
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


def framework_in(path: str) -> str | None:
    """The framework of a path below the docs: `framework/vue/guides/queries` -> vue."""
    if not path.startswith("framework/"):
        return None
    name, slash, _ = path.removeprefix("framework/").partition("/")
    return (name or None) if slash else None


def version_alternatives(docs: ContentReader, address: DocsAddress) -> tuple[Alternative, ...]:
    """The page in each version that there is a copy of: latest first, then each version by its own name."""
    library = docs.catalog.library(address.library)
    found = (version_alternative(docs, address, version) for version in (LATEST, *library.version_names))
    return tuple(each for each in found if each is not None)


def version_alternative(docs: ContentReader, address: DocsAddress, version: str) -> Alternative | None:
    """The page in another version; None where there is no copy of that version."""
    library = docs.catalog.library(address.library)
    folder = _find_folder(docs, library, version)
    if folder is None:
        return None
    target = address.with_version(version)
    if folder.has_page(target.path):
        return Alternative(version, str(target))
    path, title = _nearest_in_version(docs, folder, target.path)
    return Alternative(version, _with_origin(DocsAddress(library.id, version, path), address), title)


def framework_alternatives(
    docs: ContentReader, address: DocsAddress, frameworks: Sequence[str]
) -> tuple[Alternative, ...]:
    """The page for each of these frameworks. Empty for a page that is the same for all frameworks."""
    library = docs.catalog.library(address.library)
    folder = _find_folder(docs, library, address.version)
    own = framework_in(address.path)
    if folder is None or own is None:
        return ()
    inside = address.path.removeprefix(f"framework/{own}/")
    available = folder.frameworks()
    found = []
    for each in frameworks:
        target = DocsAddress(library.id, address.version, f"framework/{each}/{inside}")
        if each not in available:
            continue
        if folder.has_page(target.path):
            found.append(Alternative(each, str(target)))
        else:
            path, title = _nearest_in_framework(folder, target.path) or _framework_index(docs, each)
            nearest = DocsAddress(library.id, address.version, path)
            found.append(Alternative(each, _with_origin(nearest, address), title))
    return tuple(found)


def without_framework_error(docs: ContentReader, address: DocsAddress) -> DocsAddress | None:
    """The page or example that a missing address names but for its framework part; None without one.

    An address without a framework leads to the library's first framework that has the page.
    """
    library = docs.catalog.library(address.library)
    folder = _find_folder(docs, library, address.version)
    if folder is None:
        return None
    own = framework_in(address.path)
    if own is not None:
        inside = address.path.removeprefix(f"framework/{own}/")
        return DocsAddress(library.id, address.version, inside) if folder.has_text(inside) else None
    example = _EXAMPLE.fullmatch(address.path)
    for framework in folder.frameworks_in_order():
        path = f"framework/{framework}/{address.path}"
        if folder.has_text(path) or (example and (framework, example[1]) in folder.branch.examples):
            return DocsAddress(library.id, address.version, path)
    return None


def nearest_pages(docs: ContentReader, address: DocsAddress, *, most: int = 5) -> tuple[NearPage, ...]:
    """Pages of this version that are similar to a path without a page, the most similar first.

    The title of a page of another framework than that of the path names its framework.
    """
    library = docs.catalog.library(address.library)
    folder = _find_folder(docs, library, address.version)
    if folder is None:
        return ()
    titles = folder.titles()
    near = _ranked(address.path, titles, 4 * most, favorite=next(iter(library.frameworks), ""))
    # A page that several frameworks have is suggested once: for the framework with the highest score.
    once = {_FRAMEWORK.sub("", path): path for path in reversed(near)}
    unique = [path for path in near if once[_FRAMEWORK.sub("", path)] == path]
    own = framework_in(address.path)
    return tuple(
        NearPage(_title_for(docs, titles[path], path, own), str(DocsAddress(library.id, address.version, path)))
        for path in unique[:most]
    )


def similar_names(word: str, names: Sequence[str], *, most: int = 3) -> list[int]:
    """The indexes of names that are similar to a word or part of it, the most similar first."""
    found = process.extract(
        word[:_MOST_LETTERS].lower(), names, scorer=fuzz.WRatio, score_cutoff=_MIN_WORD_SCORE, limit=most
    )
    return [at for _, _, at in found]


@dataclass(frozen=True)
class _VersionFolder:
    """The docs root of a version, and its branch."""

    branch: BranchReader
    library: Library
    facts: VersionDocsFacts

    def has_page(self, path: str) -> bool:
        return any(self.branch.has_page(self.facts.docs_root, each) for each in (path, f"{path}/index"))

    def has_text(self, path: str) -> bool:
        """Whether the page exists and is not 404 for a file without text.

        Only for missing addresses, because the answer depends on the front matter of all pages of the branch: a page
        that used it would be rendered again when the title of any of them changes.
        """
        root = self.facts.docs_root
        return self.has_page(path) and self.branch.page_file(f"{root}/{path}") not in self.branch.pages_without_text(
            root
        )

    def titles(self) -> Mapping[str, str]:
        """The title of each page by its path without extension."""
        return self.branch.titles(self.facts.docs_root)

    def framework_titles(self, framework: str, *, is_reference: bool) -> Mapping[str, str]:
        return self.branch.framework_titles(self.facts.docs_root, framework, is_reference=is_reference)

    def frameworks(self) -> frozenset[str]:
        """The frameworks that have pages."""
        return self.branch.frameworks(self.facts.docs_root)

    def frameworks_in_order(self) -> list[str]:
        """The frameworks: that of the default page, then in the order of the library, then the others."""
        available = self.frameworks()
        first = framework_in(self.facts.default_docs or "")
        preferred = (first, *self.library.frameworks, *sorted(available))
        return [each for each in dict.fromkeys(preferred) if each in available]


def _find_folder(docs: ContentReader, library: Library, version: str) -> _VersionFolder | None:
    """None where there is no copy of the branch."""
    facts = library.docs_facts(version)
    branch = docs.find_branch(facts.ref)
    return _VersionFolder(branch, library, facts) if branch is not None else None


def _with_origin(target: DocsAddress, origin: DocsAddress) -> str:
    """The URL of `target` with `origin` as the parameter `from`."""
    return f"{target}?from={quote(origin.decoded)}"


def _nearest_in_version(docs: ContentReader, folder: _VersionFolder, path: str) -> tuple[str, str]:
    """The nearest page of a version that does not have `path`: its path and its title."""
    titles = folder.titles()
    frameworks = folder.frameworks_in_order()
    own = framework_in(path)
    common = {each: title for each, title in titles.items() if framework_in(each) is None}
    if own in frameworks:
        mine = {each: title for each, title in titles.items() if framework_in(each) in (own, None)}
        return _nearest_of(mine, path, _starts(own)) or _framework_index(docs, own)
    inside = path.removeprefix(f"framework/{own}/")
    for framework in frameworks:
        same = f"framework/{framework}/{inside}"
        if same in titles:
            return same, _title_for(docs, titles[same], same, own)
    first = frameworks[0] if frameworks else None
    usual = {each: title for each, title in titles.items() if framework_in(each) in (first, None)}
    starts = (folder.facts.default_docs or "overview", *(_starts(first) if first else ()))
    found = _nearest_of(common if own else usual, path, starts) or _nearest_of(usual, path, starts)
    if found is None:
        return "framework", "Frameworks"
    return found[0], _title_for(docs, found[1], found[0], own)


def _nearest_in_framework(folder: _VersionFolder, path: str) -> tuple[str, str] | None:
    """Like `_nearest_of`, among the pages of the framework of `path`. Reads as few titles as possible."""
    own = framework_in(path) or ""
    for is_reference in dict.fromkeys((is_in_reference(path), False)):
        titles = folder.framework_titles(own, is_reference=is_reference)
        found = _nearest_of(titles, path, _starts(own))
        if found is not None:
            return found
    return None


def _nearest_of(titles: Mapping[str, str], path: str, starts: Iterable[str]) -> tuple[str, str] | None:
    """The most similar of these pages, else the first of `starts` that is one of them."""
    # A guide has no similar page among a thousand generated reference pages, nor the reverse.
    same_kind = {each: title for each, title in titles.items() if is_in_reference(each) == is_in_reference(path)}
    return next(((each, titles[each]) for each in (*_ranked(path, same_kind, 1), *starts) if each in titles), None)


def _starts(framework: str) -> tuple[str, ...]:
    """The pages at which the docs of a framework may begin."""
    return f"framework/{framework}/overview", f"framework/{framework}/quick-start"


def _framework_index(docs: ContentReader, framework: str) -> tuple[str, str]:
    """The list of a framework's pages."""
    return f"framework/{framework}", f"Docs for {docs.catalog.framework(framework).label}"


def _title_for(docs: ContentReader, title: str, path: str, own: str | None) -> str:
    """The title of a page for a reader of the framework `own`: it names the page's framework if that is another one."""
    framework = framework_in(path)
    return title if framework in (None, own) else f"{title} ({docs.catalog.framework(framework or '').label})"


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
        if is_in_reference(candidate) != is_in_reference(path):
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
