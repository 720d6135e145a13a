"""What the checks of code found, for maintainers. The function refuses readers who are not maintainers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from kinfolk.api.registry import Call, registry
from kinfolk.config.catalog import Library
from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.code_checks.check_report import ReportedFinding, VersionReport
from kinfolk.content.code_checks.check_results import FaultKind
from kinfolk.content.docs.pages.location import version_segment
from kinfolk.maintenance.code_check_weeks import CodeCheckWeek
from kinfolk.runtime.cache import PRIVATE

MOST_LISTED = 300
"""Findings that the dashboard lists."""
WEEKS = 26


@dataclass(frozen=True)
class CheckedVersion:
    """The code blocks of a version by verdict. `checked_at` is a time in UTC; null before the first check.

    `packages` are names with releases, `problems` what could not be checked and why.
    """

    library: str
    library_id: str
    version: str
    checked_at: str | None
    packages: tuple[str, ...]
    pages: int
    blocks: int
    right: int
    wrong: int
    not_checkable: int
    ignored: int
    problems: tuple[str, ...]


@dataclass(frozen=True)
class CodeFinding:
    """A fault of a code block. `key` is unique on its page.

    `line` is that of the file, 0 where it is not known. `edit` is the editor of the code host.
    """

    key: str
    kind: FaultKind
    line: int
    code: str
    sentence: str
    edit: str | None


@dataclass(frozen=True)
class PageFindings:
    """The findings of a page, whose address is `to`. `file` is that of its text."""

    library: str
    version: str
    title: str
    to: str
    file: str
    findings: tuple[CodeFinding, ...]


@dataclass(frozen=True)
class CodeWeek:
    """The last check of a version at the end of a week, which its Monday names."""

    library: str
    version: str
    week: str
    checked: int
    right: int
    wrong: int
    not_checkable: int
    ignored: int


@dataclass(frozen=True)
class CodeCheckState:
    """`is_on` says whether this site checks code, `has_registry` whether it fetches the types of packages.

    `finding_count` counts all findings, of which MOST_LISTED are in `pages`.
    """

    is_on: bool
    has_registry: bool
    versions: tuple[CheckedVersion, ...]
    finding_count: int
    pages: tuple[PageFindings, ...]
    weeks: tuple[CodeWeek, ...]


@registry.function("maintenance.code", cache=PRIVATE)
async def maintenance_code(call: Call) -> CodeCheckState:
    """What the last checks of all versions found."""
    await call.require_maintainer()
    return await asyncio.to_thread(_code_state, call)


def _code_state(call: Call) -> CodeCheckState:
    store, catalog = call.site.maintenance.code_checks, call.site.catalog
    versions: list[CheckedVersion] = []
    pages: list[PageFindings] = []
    count = listed = 0
    for library in catalog.libraries if store is not None else ():
        for version in library.version_names:
            report = store.report(library.id, version) if store is not None else None
            versions.append(_checked_version(library, version, report))
            if report is not None:
                count += report.total
                shown = report.findings[: MOST_LISTED - listed]
                listed += len(shown)
                pages += _pages(library, version, shown)
    names = {library.id: library.name for library in catalog.libraries}
    weeks = call.site.maintenance.code_weeks.newest(WEEKS) if store is not None else ()
    return CodeCheckState(
        is_on=call.site.settings.code_checks,
        has_registry=bool(call.site.settings.npm_registry),
        versions=tuple(versions),
        finding_count=count,
        pages=tuple(pages),
        weeks=tuple(_week(names[each.library], each) for each in weeks if each.library in names),
    )


def _checked_version(library: Library, version: str, report: VersionReport | None) -> CheckedVersion:
    counts = report.counts if report else None
    return CheckedVersion(
        library=library.name,
        library_id=library.id,
        version=version,
        checked_at=f"{report.finished}Z" if report else None,
        packages=tuple(f"{name}@{release}" for name, release in report.packages) if report else (),
        pages=report.pages if report else 0,
        blocks=counts.blocks if counts else 0,
        right=counts.right if counts else 0,
        wrong=counts.wrong if counts else 0,
        not_checkable=counts.not_checkable if counts else 0,
        ignored=counts.ignored if counts else 0,
        problems=report.problems if report else (),
    )


def _pages(library: Library, version: str, found: tuple[ReportedFinding, ...]) -> Iterator[PageFindings]:
    ref, segment = library.docs_facts(version).ref, version_segment(library, library.version(version))
    for (path, file), group in groupby(found, key=lambda each: (each.path, each.file)):
        own = tuple(group)
        yield PageFindings(
            library=library.name,
            version=version,
            title=own[0].title,
            to=str(DocsAddress(library.id, segment, path)),
            file=file,
            findings=tuple(
                CodeFinding(
                    # Equal lines of a page can have equal findings.
                    key=f"{each.key}-{number}",
                    kind=each.finding.kind,
                    line=each.line,
                    code=each.code,
                    sentence=each.sentence,
                    edit=library.code_host.edit(ref.repo, ref.branch, file, line=each.line)
                    if library.code_host
                    else None,
                )
                for number, each in enumerate(own)
            ),
        )


def _week(library: str, week: CodeCheckWeek) -> CodeWeek:
    return CodeWeek(
        library,
        week.version,
        week.week.isoformat(),
        week.checked,
        week.right,
        week.wrong,
        week.not_checkable,
        week.ignored,
    )
