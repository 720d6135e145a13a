"""Mirrors git repositories: fetches in the background, publishes commits, and reads files from disk.

A commit of a branch is published when all its objects are present and its docs have a valid `config.json`. Until then,
and while upstream is unreachable, slow or invalid, the previously published commit stays. One small file lists the
published commits and is replaced atomically, so a crash leaves either the old state or the new one.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path
from types import MappingProxyType

import structlog

from kinfolk.config.catalog import WHOLE_REPOSITORY
from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.git_command import Git, GitFailed
from kinfolk.content.sources.git.git_tree import GIT_ERRORS, MOST_FILES, GitTree, ObjectStore
from kinfolk.content.sources.git.mirror_history import MirrorHistory
from kinfolk.content.sources.git.published_commits import read_published, sync_lock, write_published
from kinfolk.content.sources.git.repository import BareRepository
from kinfolk.content.sources.git.sync_progress import (
    RepoDone,
    RepoProgress,
    RepoStarted,
    SyncEvent,
    SyncFailed,
    SyncStarted,
    SyncWaiting,
    failure_summary,
)
from kinfolk.content.sources.paths import check_ref
from kinfolk.content.sources.snapshot import Snapshot, Tree
from kinfolk.runtime.errors import InvalidFile, NotFound, SiteError, Unavailable
from kinfolk.runtime.telemetry.spans import background_span

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class BranchRequirements:
    """The folders of docs, without whose valid `config.json` no commit is published, and the one above examples."""

    docs_roots: tuple[str, ...] = ()
    examples: str = "examples"

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders whose files have a history on pages."""
        folders = ("" if root == WHOLE_REPOSITORY else root for root in self.docs_roots)
        return tuple(sorted({*folders, self.examples}))


class MirrorSource:
    """Maintains `root/{owner}/{repo}.git` for each repository of the required branches.

    `validate` is called with the path and the bytes of a `config.json`, and raises InvalidFile or Invalid.
    `on_progress` is called from the threads of the sync, one call at a time. `url_templates` are by repository;
    `url_template` is for all others.
    """

    def __init__(
        self,
        root: Path,
        requirements: Mapping[Ref, BranchRequirements],
        validate: Callable[[str, bytes], None],
        *,
        url_template: str = "",
        url_templates: Mapping[str, str] | None = None,
        timeout_s: float = 60,
        at_once: int = 3,
        lock_wait_s: float = 300,
        on_progress: Callable[[SyncEvent], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.description = f"the mirror in {root}"
        self._root = root
        self._requirements = {check_ref(ref): requirements[ref] for ref in sorted(requirements)}
        self._validate = validate
        self._url_template = url_template
        self._url_templates = url_templates or {}
        self._timeout_s = timeout_s
        self._at_once = at_once
        self._lock_wait_s = lock_wait_s
        self._on_progress = on_progress
        self._clock = clock
        self._refreshing = threading.Lock()
        self._report_lock = threading.Lock()
        self._stopping = threading.Event()
        # Guards the next two attributes, which change together.
        self._state = threading.Lock()
        self._published: dict[Ref, str] = {}
        self._trees: dict[Ref, GitTree] = {}
        self._synced_s: dict[Ref, float] = {}
        self._objects = {ref.repo: ObjectStore(self._path(ref.repo)) for ref in self._requirements}
        self._alive: weakref.WeakSet[GitTree] = weakref.WeakSet()
        self._damaged: set[tuple[Ref, str]] = set()
        roots = {ref: required.roots for ref, required in self._requirements.items()}
        self._history = MirrorHistory(root, roots, self._url, timeout_s=timeout_s, clock=clock)

    def open(self) -> Snapshot:
        try:
            self._adopt(read_published(self._root))
        except InvalidFile as error:
            raise Unavailable(f"{error.message}; run kinfolk sync") from error
        snapshot = self._snapshot()
        if not snapshot.trees:
            raise Unavailable(f"{self._root} has no mirrored docs yet: run kinfolk sync")
        return snapshot

    def refresh(self, refs: Collection[Ref] | None = None) -> Snapshot:
        requested = [ref for ref in self._requirements if refs is None or ref in refs]
        if refs is not None and not requested:
            if not refs:
                with self._refreshing:
                    self._adopt_published()
            return self._snapshot()
        with self._refreshing:
            try:
                with self._locked() as lock:
                    self._sync(self._git(lock), requested)
            except (Unavailable, OSError) as error:
                log.warning("mirror not synced", root=str(self._root), reason=str(error))
                self._report(SyncFailed(str(error)))
                self._adopt_published()
        return self._snapshot()

    def synced_at_s(self, ref: Ref | None = None) -> float | None:
        """Reading what another process has published is no sync: that process may have stopped."""
        if ref is not None:
            return self._synced_s.get(ref)
        times = [self._synced_s.get(ref) for ref in self._requirements]
        known = [time_s for time_s in times if time_s is not None]
        return min(known) if known and len(known) == len(times) else None

    def fetch_history(self, refs: Collection[Ref] | None = None) -> Snapshot:
        with self._refreshing:
            requested = [tree for ref, tree in self._trees.items() if refs is None or ref in refs]
            repos = {tree.ref.repo for tree in requested}
            if self._history.outdated(requested) or any(map(self._history.has_outdated_tags, repos)):
                try:
                    # Do not wait: a process with the lock also fetches histories, into the same files.
                    with sync_lock(self._root, wait_s=0, stopping=self._stopping, on_wait=_ignore_wait) as lock:
                        outdated = self._history.outdated(requested)
                        self._update_history(self._git(lock), outdated)
                        self._update_tags(self._git(lock), repos, {tree.ref.repo for tree in outdated})
                except (Unavailable, OSError) as error:
                    log.info("history fetch postponed", root=str(self._root), reason=str(error))
            with self._state:
                for ref, tree in tuple(self._trees.items()):
                    histories = self._history.histories(ref)
                    if tree.histories is not histories:
                        self._trees = self._trees | {ref: tree.with_histories(histories)}
                        self._alive.add(self._trees[ref])
        return self._snapshot()

    def tidy(self) -> tuple[str, ...]:
        """Delete the objects of unpublished commits. Call it once a day. Returns the repositories that were tidied.

        A repository whose older trees are in use in this process is skipped until the next call. In other processes,
        reading from such a tree raises Unavailable afterwards.
        """
        tidied = []
        with self._refreshing, self._locked() as lock:
            broken = self._adopt(self._cleaned(self._git(lock)))
            published = {ref: commit for ref, commit in self._published.items() if ref in self._requirements}
            if published != self._published:
                write_published(self._root, published)
                self._published = published
            for repo, branches in _by_repo(self._requirements):
                if any(ref.repo == repo for ref in broken) or self._older_in_use(repo):
                    continue
                commits = {ref.branch: commit for ref, commit in published.items() if ref.repo == repo}
                try:
                    self._repository(repo, self._git(lock)).tidy(commits, branches)
                    self._history.tidy(self._git(lock), repo, branches)
                except (GitFailed, *GIT_ERRORS) as error:
                    log.warning("mirror not tidied", repo=repo, reason=str(error))
                else:
                    self._objects[repo].close_handles()
                    tidied.append(repo)
        return tuple(tidied)

    def damaged_refs(self) -> frozenset[Ref]:
        """The branches in which a read found missing or unreadable objects since the last refresh."""
        return frozenset(ref for ref, _ in tuple(self._damaged))

    def stop(self) -> None:
        """Stop a running sync, and fail all later ones: the site is shutting down."""
        self._stopping.set()

    def _sync(self, git: Git, requested: Collection[Ref]) -> None:
        broken = self._adopt(self._cleaned(git))
        repos = _by_repo(requested)
        self._report(SyncStarted(tuple(repo for repo, _ in repos)))
        self._for_each(repos, lambda repo, branches: self._sync_repo(git, repo, branches, broken))

    def _update_history(self, git: Git, trees: Collection[Tree]) -> None:
        """Update the histories of these trees."""
        by_ref = {tree.ref: tree for tree in trees}

        def update(repo: str, branches: tuple[str, ...]) -> None:
            self._history.update(git, repo, [by_ref[Ref(repo, branch)] for branch in branches])

        self._for_each(_by_repo(by_ref), update)

    def _update_tags(self, git: Git, repos: Collection[str], pushed: Collection[str]) -> None:
        """Update the tags of repositories that were pushed to, and of those that were not looked at for long."""
        updated = [repo for repo in repos if repo in pushed or self._history.has_outdated_tags(repo)]
        refs = [ref for ref in self._requirements if ref.repo in updated]

        def update(repo: str, branches: tuple[str, ...]) -> None:
            of_repo = (self._requirements[Ref(repo, branch)].docs_roots for branch in branches)
            self._history.update_tags(git, repo, tuple(dict.fromkeys(chain.from_iterable(of_repo))))

        self._for_each(_by_repo(refs), update)

    def _for_each(
        self, repos: Sequence[tuple[str, tuple[str, ...]]], work: Callable[[str, tuple[str, ...]], None]
    ) -> None:
        """Call `work` for each repository, in threads. An error of one does not stop the others.

        Raises the first error after all calls have ended.
        """
        failures: list[Exception] = []

        def run(repo: str, branches: tuple[str, ...]) -> None:
            try:
                work(repo, branches)
            except Exception as failure:
                log.exception("mirror crashed", repo=repo)
                failures.append(failure)

        with ThreadPoolExecutor(self._at_once, "sync") as threads:
            running = [threads.submit(run, repo, branches) for repo, branches in repos]
            try:
                for one in running:
                    one.result()
            except BaseException:
                # Ctrl-C: without this, the process waits until the fetches of the other threads end.
                self._stopping.set()
                raise
        if failures:
            raise failures[0]

    def _sync_repo(self, git: Git, repo: str, branches: tuple[str, ...], broken: Collection[Ref]) -> None:
        with background_span("sync", {"kinfolk.repository": repo, "kinfolk.branches": ",".join(branches)}):
            self._sync_branches(git, repo, branches, broken)

    def _sync_branches(self, git: Git, repo: str, branches: tuple[str, ...], broken: Collection[Ref]) -> None:
        started = self._clock()
        self._report(RepoStarted(repo, branches))
        repository = self._repository(repo, git)
        before: dict[str, int] = {}
        updated: tuple[str, ...] = ()
        failures: dict[str, str] = {}
        try:
            before = repository.packs()
            failures, fetched = self._fetch(repository, repo, branches, broken)
            failures |= self._faults(fetched)
            updated = self._publish(repository, [tree for tree in fetched if tree.ref.branch not in failures])
        except (Unavailable, OSError) as error:
            failures = dict.fromkeys(branches, str(error)) | failures
        except Exception as bug:
            # An unexpected error of one repository must not stop the sync of the others.
            log.exception("mirror crashed", repo=repo)
            failures = dict.fromkeys(branches, f"{type(bug).__name__}: {bug}") | failures
        self._synced_s |= {Ref(repo, branch): self._clock() for branch in branches if branch not in failures}
        for branch, reason in failures.items():
            log.warning("mirror failed", repo=repo, branch=branch, reason=reason)
        try:
            received = {name: size for name, size in repository.packs().items() if name not in before}
        except OSError:
            received = {}
        self._report(
            RepoDone(
                repo,
                outcome="failed" if failures else "updated" if updated else "unchanged",
                updated=updated,
                reason=failure_summary(failures),
                received_bytes=sum(received.values()),
                seconds=self._clock() - started,
            )
        )

    def _fetch(
        self, repository: BareRepository, repo: str, branches: tuple[str, ...], broken: Collection[Ref]
    ) -> tuple[dict[str, str], list[GitTree]]:
        """The reasons of failed branches, and the trees of the fetched ones.

        A damaged repository is rebuilt with all its branches.
        """

        def report(phase: str, percent: int) -> None:
            self._report(RepoProgress(repo, phase, percent))

        if repository.path.exists():
            if not any(ref.repo == repo for ref in broken):
                failures = repository.fetch(branches, report)
                if not failures or not repository.is_broken():
                    try:
                        return failures, self._fetched(repository, repo, set(branches) - failures.keys())
                    except Unavailable as error:
                        log.warning("mirror damaged", repo=repo, reason=error.message)
            log.warning("mirror rebuilding", repo=repo)
        all_branches = tuple(ref.branch for ref in self._requirements if ref.repo == repo)
        intact = [ref.branch for ref in self._trees if ref.repo == repo and ref not in broken]
        failures = repository.rebuild(all_branches, keep=intact, on_progress=report)
        self._objects[repo].close_handles()
        return failures, self._fetched(repository, repo, set(all_branches) - failures.keys())

    def _fetched(self, repository: BareRepository, repo: str, branches: Collection[str]) -> list[GitTree]:
        """The trees of the fetched commits. Raises Unavailable for a commit with missing objects."""
        found = []
        for ref in (Ref(repo, branch) for branch in sorted(branches)):
            commit = repository.fetched(ref.branch)
            if commit is None:
                raise Unavailable(f"The mirror of {ref} has no commit")
            found.append(self._tree(ref, commit))
        return found

    def _faults(self, trees: Collection[GitTree]) -> dict[str, str]:
        """The branches whose new commit cannot be published -> the reason."""
        found = {}
        for tree in trees:
            fault = None if self._trees.get(tree.ref) is tree else self._fault(tree)
            if fault is not None:
                found[tree.ref.branch] = f"commit {tree.revision[:10]} is not shown: {fault}"
        return found

    def _fault(self, tree: GitTree) -> str | None:
        if not tree.files:
            return "it has no files"
        if not tree.is_complete:
            return f"it has more than {MOST_FILES} files"
        for docs_root in self._requirements[tree.ref].docs_roots:
            path = f"{docs_root}/config.json".removeprefix(f"{WHOLE_REPOSITORY}/").lstrip("/")
            try:
                self._validate(path, tree.read(path))
            except NotFound:  # folders are the menu
                if not any(file.startswith(f"{docs_root}/") for file in tree.files) and docs_root != WHOLE_REPOSITORY:
                    return f"{docs_root}: it has no files"
            except SiteError as error:
                return error.message
        return None

    def _publish(self, repository: BareRepository, trees: Collection[GitTree]) -> tuple[str, ...]:
        """Publish these commits. Returns the branches whose commit changed."""
        fresh = {tree.ref: tree.revision for tree in trees if self._published.get(tree.ref) != tree.revision}
        for ref, commit in fresh.items():
            repository.keep(ref.branch, commit)
        with self._state:
            if fresh:
                published = self._published | fresh
                write_published(self._root, published)
                self._published = published
            changed = [tree.ref for tree in trees if self._trees.get(tree.ref) is not tree]
            self._trees = self._trees | {tree.ref: tree for tree in trees}
        for ref in changed:
            log.info("mirror updated", repo=ref.repo, branch=ref.branch, commit=self._trees[ref].revision)
        return tuple(ref.branch for ref in changed)

    def _adopt_published(self) -> None:
        """Switch to the commits that another process may have published. Without any, the current ones stay."""
        try:
            if published := read_published(self._root):
                self._adopt(published)
        except InvalidFile as error:
            log.warning("mirror unreadable", file=error.file, reason=error.reason)

    def _cleaned(self, git: Git) -> dict[Ref, str]:
        """The published commits, after deleting the leftovers of killed processes.

        Commits that the file lacks are restored from the refs of the repositories.
        """
        try:
            published = read_published(self._root)
        except InvalidFile as error:
            log.warning("mirror unreadable", file=error.file, reason=error.reason)
            published = {}
        known = dict(published)
        for repo, branches in _by_repo(self._requirements):
            repository = self._repository(repo, git)
            try:
                repository.clean()
            except OSError as error:
                # Its fetch fails for the same reason and reports it; the others can be fetched.
                log.warning("mirror not cleaned", repo=repo, reason=str(error))
            for branch in branches:
                commit = None if Ref(repo, branch) in known else repository.published(branch)
                if commit is not None:
                    known[Ref(repo, branch)] = commit
        if known != published:
            write_published(self._root, known)
        return known

    def _adopt(self, published: Mapping[Ref, str]) -> frozenset[Ref]:
        """Switch to these commits, and reuse the trees of unchanged commits. Returns the damaged refs.

        Refs that were lost, such as those of a deleted folder, keep the trees of this process until they are fetched.
        """
        broken = set()
        with self._state:
            trees: dict[Ref, GitTree] = {}
            for ref in self._requirements:
                try:
                    if ref in published:
                        trees[ref] = self._tree(ref, published[ref])
                    elif ref in self._trees:
                        raise Unavailable("its published commit was deleted")
                except Unavailable as error:
                    log.warning("mirror damaged", repo=ref.repo, branch=ref.branch, reason=error.message)
                    broken.add(ref)
                    if ref in self._trees:
                        trees[ref] = self._trees[ref]
            # list() because other threads may add to it during the loop.
            current = {(ref, tree.revision) for ref, tree in trees.items()}
            broken |= {ref for ref, commit in list(self._damaged) if (ref, commit) in current}
            self._damaged.clear()
            self._published = dict(published)
            self._trees = trees
        return frozenset(broken)

    def _tree(self, ref: Ref, commit: str) -> GitTree:
        """The current tree if it has this commit, else a new tree. Raises Unavailable if objects are missing."""
        current = self._trees.get(ref)
        if current is not None and current.revision == commit:
            return current
        tree = GitTree(
            ref,
            commit,
            self._objects[ref.repo],
            histories=self._history.histories(ref),
            on_damage=self._note_damage,
        )
        tree.check()
        self._alive.add(tree)
        return tree

    def _note_damage(self, tree: GitTree) -> None:
        """Remember the damage of a tree: the next refresh rebuilds the repository if the commit is still current."""
        self._damaged.add((tree.ref, tree.revision))

    def _snapshot(self) -> Snapshot:
        trees: dict[Ref, Tree] = {**self._trees}
        return Snapshot(MappingProxyType(trees))

    def _older_in_use(self, repo: str) -> bool:
        with self._state:
            current = {(ref, tree.revision) for ref, tree in self._trees.items()}
            return any(tree.ref.repo == repo and (tree.ref, tree.revision) not in current for tree in self._alive)

    def _path(self, repo: str) -> Path:
        return self._root / f"{repo}.git"

    def _git(self, lock: int) -> Git:
        return Git(lock, stopping=self._stopping, clock=self._clock)

    def _repository(self, repo: str, git: Git) -> BareRepository:
        url = self._url(repo)
        return BareRepository(self._path(repo), url, git, timeout_s=self._timeout_s, clock=self._clock)

    def _url(self, repo: str) -> str:
        return repository_url(self._url_templates.get(repo, self._url_template), repo)

    def _locked(self) -> AbstractContextManager[int]:
        return sync_lock(self._root, wait_s=self._lock_wait_s, stopping=self._stopping, on_wait=self._wait)

    def _wait(self, holder: str) -> None:
        log.info("mirror waiting", root=str(self._root), holder=holder)
        self._report(SyncWaiting(holder))

    def _report(self, event: SyncEvent) -> None:
        if self._on_progress is not None:
            with self._report_lock:
                self._on_progress(event)


def repository_url(template: str, repo: str) -> str:
    """The address of a repository, from one with `{owner}` and `{repo}`."""
    owner, name = repo.split("/")
    return template.replace("{owner}", owner).replace("{repo}", name)


def _ignore_wait(holder: str) -> None:
    """Does nothing: `wait_s` is 0."""


def _by_repo(refs: Collection[Ref]) -> list[tuple[str, tuple[str, ...]]]:
    groups = groupby(sorted(refs), key=lambda ref: ref.repo)
    return [(repo, tuple(ref.branch for ref in group)) for repo, group in groups]
