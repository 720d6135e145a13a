"""The releases of a library, made of the tags of its repository.

A monorepo has a tag for each package of a release: tags of one commit are one release.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from semver import Version as Number

LONGEST_NAME = 120
"""Characters of the name of a tag that is a release."""
MOST_TAGS = 200
"""Tags of one commit that a release knows. A monorepo has one for each package; the largest known has 42."""
_NUMBER = r"\d{1,9}\.\d{1,9}(?:\.\d{1,9})?(?:-[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*)?"
_PACKAGE = r"(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*"
_SHORT_NUMBER = re.compile(r"v?(\d{1,9}\.\d{1,9})")


@dataclass(frozen=True)
class Tag:
    """A tag of a repository. `trees` has the git id of each docs folder that its commit has, by the folder's path."""

    name: str
    commit: str
    day: date
    trees: Mapping[str, str]


@dataclass(frozen=True)
class PullRequestHead:
    """What a pull request offers: `source` is the ref of its head at the code host, such as `refs/pull/12/head`.

    `base` is the name of the version whose docs it changes.
    """

    number: int
    base: str
    source: str


@dataclass(frozen=True)
class Release:
    """The tags of one commit. `number` is its name in URLs, `tag` the name of the tag that has the number.

    `numbers` are the frameworks whose package has another number -> that number. `other_tags` are further tags of the
    commit, also those of other packages. The preview of a pull request is read as a release is: its number is `pr-12`,
    and its `tag` is the id of its commit.
    """

    number: str
    tag: str
    commit: str
    day: date
    numbers: Mapping[str, str]
    docs_root: str
    docs_tree: str
    """The git id of the docs folder: equal for two releases with the same docs."""
    other_tags: tuple[str, ...] = ()
    pull_request: PullRequestHead | None = None

    @cached_property
    def order(self) -> tuple[Number, str]:
        """Sorts releases as Semantic Versioning does, and those of one number by their names."""
        return parse_number(self.number), self.number

    @property
    def framework(self) -> str | None:
        """The only framework with a package in the release; None for one of the library."""
        return self.number.rpartition("@")[0] or None

    @property
    def major(self) -> int:
        return self.order[0].major

    @property
    def is_stable(self) -> bool:
        """Whether it is of the whole library, and no pre-release."""
        return self.framework is None and self.order[0].prerelease is None

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags of the commit, its own first."""
        return self.tag, *self.other_tags

    @property
    def version_names(self) -> tuple[str, ...]:
        """Names that the version may have which the release belongs to."""
        return (self.pull_request.base,) if self.pull_request else (f"v{self.major}", str(self.major))


def parse_number(number: str) -> Number:
    """The number of a release; that of a framework, `svelte@6.1.0`, without the framework."""
    return Number.parse(number.rpartition("@")[2], optional_minor_and_patch=True)


def is_tag_form(form: str) -> bool:
    """Whether a form of tags names the number once, and the package at most once."""
    rest = form.replace("{version}", "", 1).replace("{package}", "", 1)
    return "{version}" in form and not re.search(r"[{}\s~^:?*\[\\]", rest)


class ReleaseTable:
    """The releases of a library, newest first, and the previews of its pull requests. Immutable.

    Only `version` and `of_tag` return previews.
    """

    def __init__(self, releases: Iterable[Release] = (), previews: Iterable[Release] = ()) -> None:
        self.all: Sequence[Release] = tuple(sorted(releases, key=lambda release: release.order, reverse=True))
        self._by_number = {release.number: release for release in self.all}
        self._by_tag = {release.tag: release for release in self.all}
        self.previews: Mapping[str, Release] = {preview.number: preview for preview in previews}
        self._by_head = {preview.tag: preview for preview in self.previews.values()}

    def with_previews(self, previews: Iterable[Release]) -> ReleaseTable:
        """The same releases with other previews."""
        return ReleaseTable(self.all, previews)

    @cached_property
    def newest(self) -> Release | None:
        """The newest release that is no pre-release and no framework's alone, else the newest; None without any."""
        stable = (each for each in self.all if each.is_stable)
        return next(stable, self.all[0] if self.all else None)

    @cached_property
    def digest(self) -> str:
        """Changes with any release."""
        made_of = repr([(release.number, release.commit, release.tags) for release in self.all])
        return hashlib.blake2s(made_of.encode(errors="replace"), digest_size=12).hexdigest()

    def find(self, number: str) -> Release | None:
        """The release with exactly this number."""
        return self._by_number.get(number)

    def version(self, name: str) -> Release | None:
        """The release with exactly this number, or the preview with this name."""
        return self._by_number.get(name) or self.previews.get(name)

    def around(self, release: Release) -> tuple[Release | None, Release | None]:
        """The releases before and after one by their numbers: of the library, or of the framework that alone has it."""
        siblings = [each for each in self.all if each.framework == release.framework]
        at = siblings.index(release)
        return (siblings[at + 1] if at + 1 < len(siblings) else None, siblings[at - 1] if at else None)

    def of_tag(self, tag: str) -> Release | None:
        """The release that reads its docs from a tag, or a preview from a commit."""
        return self._by_tag.get(tag) or self._by_head.get(tag)

    def named(self, name: str) -> Release | None:
        """The release that a reader means who writes `v5.28.4`, `svelte@6.1.39` or `5.28`: of the last, the newest."""
        number = name if name in self._by_number else name.removeprefix("v")
        found = self._by_number.get(number) or self._by_framework.get(name)
        short = _SHORT_NUMBER.fullmatch(name)
        return found or (self._by_minor.get(short[1]) if short else None)

    @cached_property
    def _by_framework(self) -> Mapping[str, Release]:
        found: dict[str, Release] = {}
        for release in self.all:
            for framework, number in release.numbers.items():
                found.setdefault(f"{framework}@{number}", release)
        return found

    @cached_property
    def _by_minor(self) -> Mapping[str, Release]:
        found: dict[str, Release] = {}
        for release in self.all:
            number, _ = release.order
            if release.is_stable:
                found.setdefault(f"{number.major}.{number.minor}", release)
        return found


class KnownReleases:
    """The current table of a library's releases and previews. Thread-safe: it changes while the site runs."""

    def __init__(self) -> None:
        self.table = ReleaseTable()
        self._lock = threading.Lock()

    def replace(self, table: ReleaseTable) -> None:
        """Use the releases of another table from now on."""
        with self._lock:
            self.table = table.with_previews(self.table.previews.values())

    def replace_previews(self, previews: Iterable[Release]) -> None:
        """Use other previews from now on."""
        with self._lock:
            self.table = self.table.with_previews(previews)


def releases_of(
    tags: Iterable[Tag], *, forms: Sequence[str], packages: Sequence[tuple[str, str]], docs_roots: Sequence[str]
) -> ReleaseTable:
    """The releases that tags of these forms are.

    `packages` are pairs of framework and package. A tag without a package, or else the first package, gives a release
    its number; without both, it is named by the framework and number of another package: `angular@5.90.13`. Of commits
    with one number, the oldest keeps it. A release has the first of `docs_roots` that its commit has; one without any
    is left out.
    """
    ranks = {"": 0}
    for _, name in packages:
        ranks.setdefault(name, len(ranks))
    frameworks = {ranks[name]: framework for framework, name in reversed(packages)}
    expressions = [_expression(form) for form in forms]
    commits: dict[str, dict[int, tuple[str, Tag]]] = {}
    names: dict[str, list[str]] = {}
    for tag in tags:
        names.setdefault(tag.commit, []).append(tag.name)
        package, number = _parsed(tag.name, expressions)
        if number and package in ranks and any(root in tag.trees for root in docs_roots):
            commits.setdefault(tag.commit, {}).setdefault(ranks[package], (number, tag))
    found: dict[str, Release] = {}
    for numbers in sorted(commits.values(), key=lambda numbers: (min(numbers), numbers[min(numbers)][1].day)):
        release = _release(numbers, frameworks, docs_roots, names)
        found.setdefault(release.number, release)
    return ReleaseTable(found.values())


def _release(
    numbers: Mapping[int, tuple[str, Tag]],
    frameworks: Mapping[int, str],
    docs_roots: Sequence[str],
    names: Mapping[str, Sequence[str]],
) -> Release:
    first = min(numbers)
    number, tag = numbers[first]
    root = next(root for root in docs_roots if root in tag.trees)
    others = {frameworks[rank]: other for rank, (other, _) in sorted(numbers.items()) if rank and other != number}
    name = number if first <= 1 else f"{frameworks[first]}@{number}"
    more = tuple(other for other in names[tag.commit][:MOST_TAGS] if other != tag.name)
    return Release(name, tag.name, tag.commit, tag.day, others, root, tag.trees[root], more)


def _expression(form: str) -> re.Pattern[str]:
    pattern = re.escape(form)
    return re.compile(
        pattern.replace(r"\{version\}", f"(?P<version>{_NUMBER})").replace(r"\{package\}", f"(?P<package>{_PACKAGE})")
    )


def _parsed(name: str, expressions: Iterable[re.Pattern[str]]) -> tuple[str, str]:
    """The package and the number that a name of a tag has in the first form that fits it; empty without one."""
    for expression in expressions:
        found = expression.fullmatch(name) if len(name) <= LONGEST_NAME else None
        if found is not None and _is_number(found["version"]):
            return found.groupdict().get("package") or "", found["version"]
    return "", ""


def _is_number(number: str) -> bool:
    try:
        parse_number(number)
    except ValueError:  # numbers with leading zeros, such as dates
        return False
    return True
