"""Checks the code blocks of the docs for `kinfolk check --code`: findings with file and line, numbers by library."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from kinfolk.cli.check.content_check import snapshot_of
from kinfolk.config.catalog import Catalog, Library, open_catalog
from kinfolk.config.settings import Settings
from kinfolk.content.code_checks.check_report import CheckCounts, ReportedFinding, VersionReport
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.code_checks.checker.code_checker import CheckFailed
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.snapshots.code_check_run import CodeCheckRun, open_code_check_run
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, list_version_docs
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.open_content import check_store_file, markdown_renderer, open_releases
from kinfolk.content.redirects import load_redirects
from kinfolk.runtime.errors import Invalid, InvalidFile, SiteError

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


REGISTRY = (
    "Set KINFOLK_NPM_REGISTRY to the address of a package registry, from which the types of libraries are fetched"
)


@dataclass
class CodeReport:
    """What a check found. `faults` are the findings, `problems` what could not be checked and why."""

    reports: list[VersionReport] = field(default_factory=list)
    faults: list[InvalidFile] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class CheckProgress:
    """`on_version` is called before each version with its name, `on_page` after each page that is checked."""

    on_version: Callable[[str], None] = lambda _: None
    on_page: Callable[[], None] = lambda: None


def check_code(
    settings: Settings,
    content: Path | None = None,
    *,
    library: str | None = None,
    version: str | None = None,
    progress: CheckProgress | None = None,
) -> CodeReport:
    """Check the code of the docs that the site serves, or of those in `content`. Takes a minute for a version.

    What the site has checked before is not checked again. Raises NotFound and Invalid for unknown versions, Invalid
    where nothing can be checked.
    """
    progress = progress or CheckProgress()
    catalog, found = open_catalog(settings), CodeReport()
    with ExitStack() as stack:
        pool = MarkdownProcessPool()
        stack.callback(pool.close)
        snapshot = snapshot_of(settings, catalog, content)
        markdown = markdown_renderer(catalog, pool)
        # The packages of a version are those of its newest release.
        releases = open_releases(settings, catalog, markdown)
        docs = DocsSnapshot(catalog, load_redirects(settings.site), snapshot, markdown=markdown, releases=releases)
        versions = chosen_versions(ContentReader(docs), library, version)
        # Docs of another folder are not those of the site, whose checks stay.
        file = None if content else check_store_file(settings)
        run, store = stack.enter_context(open_run(settings, catalog, docs, file, on_page=progress.on_page))
        for each in versions:
            progress.on_version(f"{each.library.name} {each.version.name}")
            _check_version(run, store, each, found)
    if not found.reports:
        reason = "; ".join(found.problems) or "no version has docs on this machine"
        raise Invalid(f"No code was checked: {reason}" + ("" if settings.npm_registry else f". {REGISTRY}"))
    return found


@contextmanager
def open_run(
    settings: Settings,
    catalog: Catalog,
    docs: DocsSnapshot,
    file: Path | None,
    *,
    on_page: Callable[[], None] = lambda: None,
) -> Iterator[tuple[CodeCheckRun, CheckStore]]:
    """What checks the code of docs, and stores its checks in a file, by default one that is deleted.

    Raises Invalid if the checker is not built.
    """
    with ExitStack() as stack:
        if file is None:
            file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "code_checks.sqlite"
        store = CheckStore(file)
        stack.callback(store.close)
        run = open_code_check_run(settings, catalog, lambda: docs, store, on_page=on_page)
        stack.callback(run.close)
        yield run, store


def _check_version(run: CodeCheckRun, store: CheckStore, docs: VersionDocs, found: CodeReport) -> None:
    name = f"{docs.library.name} {docs.version.name}"
    try:
        run.check_version(docs)
    except (SiteError, CheckFailed) as failure:
        found.problems.append(f"{name}: {failure}")
        return
    report = store.report(docs.library.id, docs.version.name)
    if report is None:
        found.problems.append(f"{name}: there are no types of its packages")
        return
    found.reports.append(report)
    found.faults += findings_of(docs, report)
    found.problems += (f"{name}: {problem}" for problem in report.problems)


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
