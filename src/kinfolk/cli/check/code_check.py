"""What `kinfolk check --code` prints: findings with file and line, and the numbers of each library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kinfolk.config.catalog import Catalog, Library
from kinfolk.content.code_checks.check_report import CheckCounts, ReportedFinding, VersionReport
from kinfolk.content.docs import ContentReader
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, list_version_docs
from kinfolk.runtime.errors import Invalid, InvalidFile

KIND_LABELS = {
    "syntax": "syntax error",
    "wrong_import": "wrong import",
    "missing_export": "missing export",
    "unknown_property": "unknown property",
    "wrong_argument": "wrong argument",
    "missing_property": "missing property",
    "deprecated": "deprecated",
}
"""The kinds of findings in words."""


def chosen_versions(docs: ContentReader, library: str | None, version: str | None) -> list[VersionDocs]:
    """The versions that there is a copy of: all, those of a library, or one version. Raises NotFound and Invalid."""
    if library is not None:
        chosen = docs.catalog.library(library)
        if version is not None and not chosen.is_known_version(version):
            raise Invalid(f"{chosen.name} has no version {version}: it has {', '.join(chosen.version_names)}")
    found = [each for each in list_version_docs(docs) if library in (None, each.library.id)]
    if version is not None:
        found = [each for each in found if each.version.name == each.library.docs_facts(version).version.name]
    return found


def findings_of(docs: VersionDocs, report: VersionReport) -> Iterator[InvalidFile]:
    """The findings with file and line. Pages that show the same text of a file have it once."""
    listed = set()
    for each in report.findings:
        fault = InvalidFile(f"{docs.ref.repo}/{docs.ref.branch}/{each.file}", _place(each), _reason(each))
        if fault.message not in listed:
            listed.add(fault.message)
            yield fault


def summary_of(library: Library, counts: CheckCounts) -> str:
    """The numbers of a library in one line."""
    kinds = ", ".join(f"{count} {KIND_LABELS.get(kind, kind)}" for kind, count in sorted(counts.kinds.items()))
    wrong = f"{counts.wrong} wrong ({kinds})" if kinds else f"{counts.wrong} wrong"
    blocks = "1 code block" if counts.blocks == 1 else f"{counts.blocks} code blocks"
    return (
        f"{library.name}: {blocks}, {counts.checked} checked, {counts.right} right, {wrong}, "
        f"{counts.not_checkable} not checkable, {counts.ignored} ignored"
    )


def summaries(catalog: Catalog, reports: Sequence[VersionReport]) -> Iterator[str]:
    """A line for each library."""
    for library in catalog.libraries:
        own = [each.counts for each in reports if each.library == library.id]
        if own:
            yield summary_of(library, sum(own, CheckCounts()))


def _place(found: ReportedFinding) -> str:
    return f"line {found.line}" if found.line else ""


def _reason(found: ReportedFinding) -> str:
    # Without a line, the code is what an author can search for.
    where = "" if found.line or not found.code else f" In: {found.code}"
    return f"{found.sentence}{where}"
