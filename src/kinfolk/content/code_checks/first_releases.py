"""Since which release of a major version a finding is true: a bisection over the releases.

    first = FirstReleases(store, "query/react", releases_before(table, "5.90.2"), names_at)
    first.since(finding)               # "5.40.0"; empty while it is not known

Only findings about a name that is missing or deprecated have one. It is assumed that such a name does not return, so
that the first release without it is found by halving. A member that another type of the newest release has is not
looked for. Names of releases are stored: a later run continues where this one reached its limit of fetches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

import structlog

from kinfolk.config.catalog.releases import Release, ReleaseTable, parse_number
from kinfolk.content.code_checks.check_results import BlockCheck, Finding, PageCheck, ReleaseNames, names_of
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.runtime.errors import SiteError

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_FETCHES = 8
"""Releases whose packages one run fetches for a version of a library: enough to halve 255 releases to one."""
MOST_UNREAD = 3
"""Releases without types that the search for one finding passes over."""
NamesAt = Callable[[Release], ReleaseNames | None]
"""The names in the packages of a release; None where they cannot be had. May block and raise SiteError."""


def releases_before(table: ReleaseTable, number: str) -> tuple[Release, ...]:
    """The stable releases of the major version of a release up to it, the oldest first; none for a wrong number."""
    try:
        last = parse_number(number)
    except ValueError:
        return ()
    return tuple(
        release
        for release in reversed(table.all)
        if release.is_stable and release.major == last.major and release.order[0] <= last
    )


def first_wrong(count: int, known: Mapping[int, bool], is_wrong: Callable[[int], bool | None]) -> int | None:
    """The number of the first wrong one of `count` releases, of which the last must be wrong.

    `known` has answers for some of them. `is_wrong` returns None for a release that cannot be read: then one beside it
    is tried, MOST_UNREAD times in all. The result is None if that does not suffice.
    """
    if count == 0:
        return None
    last = known[count - 1] if count - 1 in known else is_wrong(count - 1)
    if not last:
        return None
    wrong = min((at for at, answer in known.items() if answer), default=count - 1)
    right = max((at for at, answer in known.items() if not answer and at < wrong), default=-1)
    unread: set[int] = set()
    while wrong - right > 1:
        at = _middle(right, wrong, unread)
        answer = is_wrong(at) if at is not None else None
        if at is None or (answer is None and len(unread) >= MOST_UNREAD):
            return None
        if answer is None:
            unread.add(at)
        else:
            right, wrong = (right, at) if answer else (at, wrong)
    return wrong


def _middle(first: int, last: int, without: Collection[int]) -> int | None:
    """The number between two others that is nearest to their middle."""
    middle = (first + last) // 2
    readable = (at for at in range(first + 1, last) if at not in without)
    return min(readable, key=lambda at: abs(at - middle), default=None)


def fault_in(finding: Finding, newest: ReleaseNames | None) -> Callable[[ReleaseNames], bool | None] | None:
    """What says whether a finding is true of a release, if names decide that. `newest` are those it was found with.

    A deprecated name may be one of several members: while some of them are deprecated and others not, there is no
    answer.
    """
    match finding.kind:
        case "missing_export":
            return lambda names: finding.name not in names.exports
        case "unknown_property":
            return lambda names: finding.name not in names.members
        case "deprecated" if newest is not None:
            about = frozenset(one for one in newest.deprecated if re.split("[.(]", one)[-1] == finding.name)
            return partial(_are_deprecated, about) if about else None
    return None


def _are_deprecated(about: frozenset[str], names: ReleaseNames) -> bool | None:
    found = about & names.deprecated
    return None if found and found != about else bool(found)


def date_findings(store: CheckStore, library: str, version: str, first: FirstReleases) -> int:
    """Store the first releases of the findings of a version that have none yet. Returns the number of changed pages."""
    changed = 0
    for path, check in list(store.pages(library, version)):
        dated = first.with_since(check)
        if dated != check:
            store.replace_result(library, version, path, dated)
            changed += 1
    return changed


def earlier_names(store: CheckStore, library: str, versions: Sequence[str], version: str) -> ReleaseNames | None:
    """The names of the version before one, if its symbols are stored. `versions` are all, the newest first."""
    after = versions[versions.index(version) + 1 :] if version in versions else ()
    for older in after:
        if store.exported_names(library, older):
            return names_of(store.all_symbols(library, older))
    return None


class FirstReleases:
    """Finds the first release with which findings are true, for one version of a library in one run."""

    def __init__(
        self,
        store: CheckStore,
        scope: str,
        releases: Sequence[Release],
        names_at: NamesAt,
        *,
        packages: Collection[str] = (),
        newest: ReleaseNames | None = None,
        earlier: ReleaseNames | None = None,
        most_fetches: int = MOST_FETCHES,
    ) -> None:
        """`scope` names a library and a framework. `packages` are those of which names are read; by default all.

        `releases` are those of `releases_before`: the last one is what the code was checked with. `newest` are the
        names of the last release, `earlier` those of the major version before, if they are at hand.
        """
        self._store = store
        self._scope = scope
        self._packages = frozenset(packages)
        self._releases = releases
        self._names_at = names_at
        self._earlier = earlier
        self.fetches_left = most_fetches
        stored = store.named_releases(scope)
        read = ((at, one) for at, one in enumerate(releases) if (one.number, one.commit) in stored)
        self._names = {
            at: names for at, one in read if (names := store.release_names(scope, one.number, one.commit)) is not None
        }
        if newest is not None and releases:
            self._names[len(releases) - 1] = newest
        self._failed: set[int] = set()

    def since(self, finding: Finding) -> str:
        """The number of the first release; empty if it is not known yet, or if the name was never right.

        The first release of a major version is named only for what was right in the major version before.
        """
        fault = fault_in(finding, self._names.get(len(self._releases) - 1))
        if fault is None or (self._packages and finding.package not in self._packages):
            return ""
        answers = {at: fault(names) for at, names in self._names.items()}
        known = {at: answer for at, answer in answers.items() if answer is not None}
        found = first_wrong(len(self._releases), known, lambda at: self._is_wrong(fault, at))
        if found is None:
            return ""
        was_right = self._earlier is not None and fault(self._earlier) is False
        return self._releases[found].number if found or was_right else ""

    def with_since(self, check: PageCheck) -> PageCheck:
        """The check with the releases of its findings, as far as they are found."""
        if not check.findings:
            return check
        blocks = tuple(self._with_since(block) if block is not None else None for block in check.blocks)
        return replace(check, blocks=blocks)

    def _with_since(self, block: BlockCheck) -> BlockCheck:
        findings = (one if one.since else replace(one, since=self.since(one)) for one in block.findings)
        return replace(block, findings=tuple(findings)) if block.findings else block

    def _is_wrong(self, fault: Callable[[ReleaseNames], bool | None], at: int) -> bool | None:
        if at not in self._names and at not in self._failed and self.fetches_left > 0:
            self.fetches_left -= 1
            self._fetch(at)
        names = self._names.get(at)
        return fault(names) if names is not None else None

    def _fetch(self, at: int) -> None:
        release = self._releases[at]
        try:
            names = self._names_at(release)
        except SiteError as failure:
            log.info("release not read", scope=self._scope, release=release.number, reason=failure.message)
            names = None
        if names is None:
            self._failed.add(at)
            return
        self._names[at] = names
        self._store.put_release_names(self._scope, release.number, release.commit, names)
