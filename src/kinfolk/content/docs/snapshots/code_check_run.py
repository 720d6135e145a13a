"""Checks the code of all docs in the background: each version of each library, and again what changed.

    run = open_code_check_run(settings, catalog, lambda: docs, store)
    run.check_all()
    run.close()

A page is checked again when its code, the packages or the checker change. What was stored before is shown until then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Protocol

import structlog

from kinfolk.config.catalog import Catalog, Library, Version
from kinfolk.config.catalog.releases import Release
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.code_checks.check_report import ReportBuilder, VersionReport
from kinfolk.content.code_checks.check_results import (
    BlockCheck,
    ExportedSymbol,
    NameUse,
    PageCheck,
    Symbol,
    blocks_digest,
)
from kinfolk.content.code_checks.check_store import CheckRun, CheckStore
from kinfolk.content.code_checks.checker.check_messages import IsolateCheck
from kinfolk.content.code_checks.checker.code_checker import CheckFailed, CodeChecker, SelectedPage, open_code_checker
from kinfolk.content.code_checks.packages.type_sets import open_type_sets
from kinfolk.content.code_checks.page_code import PageCode, imported_packages, page_code
from kinfolk.content.code_checks.release_dating import date_version
from kinfolk.content.code_checks.type_set import TypeSet
from kinfolk.content.dependencies import DependencyRecorder
from kinfolk.content.docs.branch_docs import default_title
from kinfolk.content.docs.branch_reader import BranchReaders, Fingerprint
from kinfolk.content.docs.pages.checked_text import checked_text
from kinfolk.content.docs.pages.page_rendering import is_generated
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.docs_snapshot import DocsSnapshot
from kinfolk.content.docs.snapshots.preview_report import PreviewComparison
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, list_version_docs
from kinfolk.content.sources.snapshot import Tree
from kinfolk.db.database import utc_now
from kinfolk.runtime.errors import Invalid, SiteError

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_IMPORTED = 60
"""Packages beside the library's own whose types are fetched for a version: those that most blocks import."""


class TypeSource(Protocol):
    """Supplies the packages of a version. Blocks for as long as it fetches."""

    def type_sets(
        self,
        library: Library,
        version: Version,
        *,
        frameworks: Sequence[str],
        imported: frozenset[str],
        tree: Tree | None,
    ) -> tuple[TypeSet, ...]:
        """One for each framework that the library has packages for, or one with None. Empty if there are no types.

        `tree` has the docs of the version, and perhaps the packages.
        """
        ...

    def close(self) -> None: ...


class CodeCheckRun:
    """For one thread at a time."""

    def __init__(
        self,
        docs: Callable[[], DocsSnapshot],
        types: TypeSource,
        checker: CodeChecker,
        store: CheckStore,
        *,
        now: Callable[[], datetime],
        on_page: Callable[[], None] = lambda: None,
    ) -> None:
        """`on_page` is called after each page that is checked."""
        self._docs = docs
        self._types = types
        self._checker = checker
        self.store = store
        self._now = now
        self._on_page = on_page
        self._known: dict[tuple[Ref, str], Mapping[str, _KnownPage]] = {}
        """The pages of each docs root, by path. A page is read again when a file changes that it is made of."""

    def close(self) -> None:
        """End the processes and the requests of a run."""
        self._checker.close()
        self._types.close()

    def check_all(self, *, wanted: Callable[[VersionDocs], bool] = lambda _: True) -> int:
        """Check all versions that changed, the latest of each library first. Returns the number of checked pages."""
        reader = ContentReader(self._docs())
        versions = [version for version in list_version_docs(reader) if wanted(version)]
        versions.sort(key=lambda one: one.version.name != one.library.latest_version)
        count = 0
        for version in versions:
            try:
                count += self.check_version(version)
            except (SiteError, CheckFailed) as failure:
                log.warning(
                    "code not checked",
                    library=version.library.id,
                    version=version.version.name,
                    reason=getattr(failure, "message", str(failure)),
                )
        return count

    def check_version(self, docs: VersionDocs) -> int:
        """Check the pages of a version whose code or types changed. Returns their number.

        Raises Unavailable if the types cannot be had now, and CheckFailed.
        """
        library, version, revision = docs.library, docs.version, docs.branch.revision
        known = self.store.run(library.id, version.name)
        if known is not None and known.revision == revision:
            # The pages are read only if the packages or the checker changed.
            sets = self._type_sets(docs, known.imported)
            if not sets or self._types_key(sets) == known.types:
                return 0
        self._read_pages(docs)
        known_pages = self._known[docs.ref, docs.docs_root]
        imported = most_imported(page.imported for page in known_pages.values())
        sets = self._type_sets(docs, imported)
        if not sets:
            return 0
        types_key = self._types_key(sets)
        symbols: list[ExportedSymbol] = []
        has_new_types = known is None or known.types != types_key

        def read_symbols(types: TypeSet) -> None:
            if has_new_types:
                symbols.extend(self._checker.exports(types))

        checked = self._check_pages(docs, sets, on_set=read_symbols)
        self.store.keep_pages(library.id, version.name, known_pages.keys())
        if has_new_types:
            self.store.put_symbols(library.id, version.name, _distinct(symbols))
        self._date_findings(docs, sets)
        finished = self._now().isoformat(timespec="seconds")
        run = CheckRun(
            _digest(revision, types_key),
            finished,
            types_key,
            tuple(dict.fromkeys(package for types in sets for package in types.own_versions)),
            tuple(dict.fromkeys(problem for types in sets for problem in types.problems)),
            revision,
            tuple(sorted(imported)),
        )
        self.store.put_report(self._report(docs, finished, run.problems))
        self.store.put_run(library.id, version.name, run)
        return checked

    def _types_key(self, sets: Sequence[TypeSet]) -> str:
        return _digest(self._checker.version, *(types.digest for types in sets))

    def _date_findings(self, docs: VersionDocs, sets: Sequence[TypeSet]) -> None:
        """Store since which release the findings of a version are true, as far as its releases can be read."""
        library, version = docs.library, docs.version

        def types_at(release: Release, framework: str | None) -> TypeSet | None:
            found = self._types.type_sets(
                library,
                replace(version, name=release.number, packages=()),
                frameworks=(framework,) if framework else (),
                imported=frozenset(),
                tree=None,
            )
            return found[0] if found else None

        try:
            date_version(self.store, library, version.name, sets, types_at=types_at, exports=self._checker.exports)
        except CheckFailed as failure:
            log.warning("findings not dated", library=library.id, version=version.name, reason=str(failure))

    def _type_sets(self, docs: VersionDocs, imported: Collection[str]) -> tuple[TypeSet, ...]:
        branch = self._docs().find(docs.ref)
        return self._types.type_sets(
            docs.library,
            docs.version,
            frameworks=docs.frameworks,
            imported=frozenset(imported),
            tree=branch.tree if branch is not None else None,
        )

    def _types_of_base(self, docs: VersionDocs) -> tuple[TypeSet, ...]:
        """With what the base imports: other imports would make another set, and the base be checked again."""
        known = self.store.run(docs.library.id, docs.version.name)
        if known is not None and known.revision == docs.branch.revision:
            return self._type_sets(docs, known.imported)
        self._read_pages(docs)
        pages = self._known[docs.ref, docs.docs_root].values()
        return self._type_sets(docs, most_imported(page.imported for page in pages))

    def check_preview(self, compared: PreviewComparison) -> int:
        """Check the pages that a pull request changes, with the packages of its base. Returns their number.

        Nothing is checked before the base: its findings are those that are not new. Raises what `check_version` raises.
        """
        preview = compared.new
        library, name = preview.library, preview.version.name
        state = self.store.preview_state(library.id, name, base=compared.head.base, commit=preview.ref.branch)
        if state.is_checked or state.key is None:
            return 0
        checked, paths = self._check_changed(preview, compared.checked_paths(), self._types_of_base(compared.old))
        self.store.keep_pages(library.id, name, paths)
        finished = self._now().isoformat(timespec="seconds")
        self.store.put_run(library.id, name, CheckRun(state.key, finished, state.key))
        return checked

    def check_both(self, compared: PreviewComparison) -> None:
        """Check the pages that a pull request changes, and their former texts. Raises what `check_version` raises."""
        sets = self._types_of_base(compared.old)
        for docs, paths in ((compared.old, compared.former_paths()), (compared.new, compared.checked_paths())):
            self._check_changed(docs, paths, sets)

    def _check_changed(
        self, docs: VersionDocs, paths: Sequence[str], sets: Sequence[TypeSet]
    ) -> tuple[int, Collection[str]]:
        """Check these pages. Returns the number of those that were not checked before, and those that can be read."""
        snapshot, files = self._docs(), docs.pages()
        branches = BranchReaders(snapshot.catalog, snapshot.find, DependencyRecorder())
        pages = ((path, _read_page(branches, docs, path, files[path])) for path in paths)
        read = {path: page for path, page in pages if page is not None}
        place = (docs.ref, docs.docs_root)
        before, self._known[place] = self._known.get(place), read
        try:
            return self._check_pages(docs, sets), read.keys()
        finally:
            if before is None:
                del self._known[place]
            else:
                self._known[place] = before

    def _report(self, docs: VersionDocs, finished: str, problems: Sequence[str]) -> VersionReport:
        """What is stored of the pages, with the lines of their files now."""
        library, version = docs.library.id, docs.version.name
        builder = ReportBuilder(library, version)
        for known in self._known[docs.ref, docs.docs_root].values():
            code = known.code
            check = self.store.page(library, version, code.path, blocks_digest(code.blocks)) if code else None
            if code is not None and check is not None:
                text = checked_text(docs.branch, code.path, code.title, file=known.file, blocks=code.blocks)
                builder.add(text, check)
        return builder.report(finished=finished, problems=problems)

    def _read_pages(self, docs: VersionDocs) -> None:
        """Read the code of the pages whose files changed since they were read."""
        place = (docs.ref, docs.docs_root)
        before = self._known.get(place, {})
        known: dict[str, _KnownPage] = {}
        snapshot = self._docs()
        branches = BranchReaders(snapshot.catalog, snapshot.find, DependencyRecorder())
        for path, file in docs.pages().items():
            page = before.get(path)
            if page is None or not branches.reuse(page.fingerprints):
                page = _read_page(branches, docs, path, file)
            if page is not None:
                known[path] = page
        self._known[place] = known

    def _check_pages(
        self, docs: VersionDocs, sets: Sequence[TypeSet], *, on_set: Callable[[TypeSet], None] = lambda _: None
    ) -> int:
        """Check the pages whose code or types changed. Returns their number.

        One set after the other is opened for all pages; `on_set` is called while each is open.
        """
        due = list(self._due_pages(docs, sets))
        made: dict[str, list[tuple[TypeSet, IsolateCheck]]] = {page.path: [] for page, _, _ in due}
        for types in sets:
            selected = [
                SelectedPage(page, tuple(one is types for one in chosen)) for page, chosen, _ in due if types in chosen
            ]
            results = self._checker.check(types, selected, on_page=self._on_page)
            for one, result in zip(selected, results, strict=True):
                made[one.page.path].append((types, result))
            on_set(types)
        for page, _, state in due:
            check, blocks = merged(made[page.path]), blocks_digest(page.blocks)
            self.store.put_page(docs.library.id, docs.version.name, page.path, check, blocks=blocks, types=state)
        return len(due)

    def _due_pages(
        self, docs: VersionDocs, sets: Sequence[TypeSet]
    ) -> Iterator[tuple[PageCode, list[TypeSet | None], str]]:
        """The pages to check, with the types of each block and a digest of these."""
        for known in self._known[docs.ref, docs.docs_root].values():
            page = known.code
            if page is None:
                continue
            chosen = framework_sets(page, sets)
            used = [one for one in sets if one in chosen]
            state = _digest(self._checker.version, *(one.digest for one in used))
            blocks = blocks_digest(page.blocks)
            if used and not self.store.is_checked(
                docs.library.id, docs.version.name, page.path, blocks=blocks, types=state
            ):
                yield page, chosen, state


@dataclass(frozen=True)
class _KnownPage:
    """A page that was read. `code` is None for one without code that is checked, `file` has its text."""

    fingerprints: tuple[Fingerprint, ...]
    code: PageCode | None
    file: str

    @property
    def imported(self) -> Counter[str]:
        """How many blocks import each package."""
        blocks = self.code.blocks if self.code is not None else ()
        return Counter(name for block in blocks for name in imported_packages(block.code))


def _read_page(branches: BranchReaders, docs: VersionDocs, path: str, file: str) -> _KnownPage | None:
    """The code of a page, if people wrote it. None for a page that cannot be read now."""
    with branches.nested() as (nested, recorder):
        branch = nested.branch(docs.ref)
        try:
            location = docs.locate(file)
            source, _ = branch.source(file)
            page = branch.markdown.page(source, framework=location.framework)
        except SiteError as wrong:
            log.info("page left out", ref=str(docs.ref), path=file, reason=wrong.message)
            return None
    code = page_code(path, page.title or default_title(file), location.framework, page)
    is_shown = code.is_checked and not is_generated(page)
    text_file = page.ref_path or docs.branch.real_file(file)
    return _KnownPage(branches.fingerprints(recorder.dependencies), code if is_shown else None, text_file)


def _distinct(symbols: Sequence[ExportedSymbol]) -> list[ExportedSymbol]:
    found: dict[tuple[str, str, str], ExportedSymbol] = {}
    for one in symbols:
        found.setdefault((one.module, one.symbol.owner, one.symbol.name), one)
    return list(found.values())


def most_imported(pages: Iterable[Counter[str]]) -> frozenset[str]:
    """The packages that the code of the pages imports most, by number of blocks."""
    counts = sum(pages, Counter())
    return frozenset(name for name, _ in counts.most_common(MOST_IMPORTED))


def framework_sets(page: PageCode, sets: Sequence[TypeSet]) -> list[TypeSet | None]:
    """The types of each block: of its panel's or the page's framework, else of the packages that it imports.

    A block that imports none has those of the block before, the first one those of the first set. None for a framework
    without types.
    """
    by_framework = {one.framework: one for one in sets}
    last = sets[0] if sets else None
    chosen: list[TypeSet | None] = []
    for block, context in zip(page.blocks, page.contexts, strict=True):
        framework = context.framework or page.framework
        if framework is not None:
            chosen.append(by_framework.get(framework))
            continue
        imported = imported_packages(block.code)
        having = [one for one in sets if not imported.isdisjoint(one.own)]
        if having and last not in having:
            last = having[0]
        chosen.append(last)
    return chosen


def merged(checks: Sequence[tuple[TypeSet, IsolateCheck]]) -> PageCheck:
    """The checks of a page with several sets of types, each of other blocks."""
    symbols: list[Symbol] = []
    blocks: list[BlockCheck | None] = [None] * len(checks[0][1].blocks)
    for _, check in checks:
        shift = len(symbols)
        symbols.extend(check.symbols)
        for index, block in enumerate(check.blocks):
            if block is not None:
                names = tuple(NameUse(one.start, one.length, one.symbol + shift) for one in block.names)
                blocks[index] = replace(block, names=names)
    packages = tuple(dict.fromkeys(package for types, _ in checks for package in types.own_versions))
    return PageCheck(packages, tuple(blocks), tuple(symbols))


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()[:24]


def open_code_check_run(
    settings: Settings,
    catalog: Catalog,
    docs: Callable[[], DocsSnapshot],
    store: CheckStore,
    *,
    on_page: Callable[[], None] = lambda: None,
) -> CodeCheckRun:
    """What checks the code of docs, and stores it. Raises Invalid if the checker is not built."""
    checker = open_code_checker(settings.frontend)
    if checker is None:
        raise Invalid("The checker of code is missing: run `make build`")
    return CodeCheckRun(docs, open_type_sets(settings, catalog), checker, store, now=utc_now, on_page=on_page)
