"""Mirrors of git repositories: fetched in the background, published commit by commit, read from disk.

A branch is published when its new commit is whole and its docs have a valid `config.json`; until then, and
whenever upstream is away, slow or wrong, the last good commit stays. What is published is one small file, so a
crash at any point leaves either the old state or the new one.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from types import MappingProxyType

import structlog

from kinfolk.errors import BadFact, NotFound, SiteError, Unavailable
from kinfolk.sources.archive import Archive
from kinfolk.sources.git import Git, GitFailed
from kinfolk.sources.paths import check_ref
from kinfolk.sources.progress import (
    RepoDone,
    RepoProgress,
    RepoStarted,
    SyncEvent,
    SyncFailed,
    SyncStarted,
    SyncWaiting,
)
from kinfolk.sources.publication import read_published, sync_lock, write_published
from kinfolk.sources.repository import BareRepository
from kinfolk.sources.snapshot import Ref, Snapshot, Tree
from kinfolk.sources.tree import GIT_ERRORS, MOST_FILES, GitTree, Objects

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

# What a branch may show besides its docs.
_EXAMPLES = "examples"

GITHUB = "https://github.com/{owner}/{repo}.git"


@dataclass(frozen=True)
class Wanted:
    """What a branch must have to be published: a valid `config.json` in each of these folders."""

    docs_roots: tuple[str, ...] = ()

    @property
    def roots(self) -> tuple[str, ...]:
        """Below these lie the files whose histories are of interest."""
        return tuple(sorted({*self.docs_roots, _EXAMPLES}))


class MirrorSource:
    """Keeps `root/{owner}/{repo}.git` for each repository of the wanted branches.

    `validate` gets the path and the bytes of a `config.json` and raises BadFact or Invalid. `on_progress` is
    called from the threads of the sync, one call at a time.
    """

    def __init__(
        self,
        root: Path,
        wanted: Mapping[Ref, Wanted],
        validate: Callable[[str, bytes], None],
        *,
        url_template: str = GITHUB,
        timeout_s: float = 60,
        at_once: int = 3,
        lock_wait_s: float = 300,
        on_progress: Callable[[SyncEvent], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.description = f"the mirror in {root}"
        self._root = root
        self._wanted = {check_ref(ref): wanted[ref] for ref in sorted(wanted)}
        self._validate = validate
        self._url_template = url_template
        self._timeout_s = timeout_s
        self._at_once = at_once
        self._lock_wait_s = lock_wait_s
        self._on_progress = on_progress
        self._clock = clock
        self._refreshing = threading.Lock()
        self._telling = threading.Lock()
        self._stopping = threading.Event()
        # Guards what follows it: what is published and the trees that show it change together.
        self._state = threading.Lock()
        self._published: dict[Ref, str] = {}
        self._trees: dict[Ref, GitTree] = {}
        self._objects = {ref.repo: Objects(self._path(ref.repo)) for ref in self._wanted}
        self._alive: weakref.WeakSet[GitTree] = weakref.WeakSet()
        self._damaged: set[tuple[Ref, str]] = set()
        roots = {ref: wanted.roots for ref, wanted in self._wanted.items()}
        self._archive = Archive(root, roots, self._url, timeout_s=timeout_s, clock=clock)

    def open(self) -> Snapshot:
        try:
            self._adopt(read_published(self._root))
        except BadFact as error:
            raise Unavailable(f"{error.message}; run kinfolk sync") from error
        snapshot = self._snapshot()
        if not snapshot.trees:
            raise Unavailable(f"{self._root} holds no mirrored docs yet: run kinfolk sync")
        return snapshot

    def refresh(self, refs: Collection[Ref] | None = None) -> Snapshot:
        asked = [ref for ref in self._wanted if refs is None or ref in refs]
        with self._refreshing:
            try:
                with self._locked() as lock:
                    self._sync(self._git(lock), asked)
            except (Unavailable, OSError) as error:
                log.warning("mirror not synced", root=str(self._root), reason=str(error))
                self._tell(SyncFailed(str(error)))
                self._follow()
        return self._snapshot()

    def look_back(self, refs: Collection[Ref] | None = None) -> Snapshot:
        with self._refreshing:
            asked = [tree for ref, tree in self._trees.items() if refs is None or ref in refs]
            if self._archive.lacking(asked):
                try:
                    # Not after a wait: whoever syncs meanwhile looks back too, and what that one writes serves us all.
                    with sync_lock(self._root, wait_s=0, stopping=self._stopping, on_wait=_unheard) as lock:
                        self._catch_up(self._git(lock), self._archive.lacking(asked))
                except (Unavailable, OSError) as error:
                    log.info("history later", root=str(self._root), reason=str(error))
            with self._state:
                for ref, tree in tuple(self._trees.items()):
                    histories = self._archive.histories(ref)
                    if tree.histories is not histories:
                        self._trees = self._trees | {ref: tree.with_histories(histories)}
                        self._alive.add(self._trees[ref])
        return self._snapshot()

    def tidy(self) -> tuple[str, ...]:
        """Drop the objects of commits no longer published; for once a day. Returns the repositories tidied.

        A repository with an older tree still in use in this process waits for the next time. In other processes
        such a tree answers Unavailable from now on.
        """
        tidied = []
        with self._refreshing, self._locked() as lock:
            broken = self._adopt(self._cleaned(self._git(lock)))
            published = {ref: commit for ref, commit in self._published.items() if ref in self._wanted}
            if published != self._published:
                write_published(self._root, published)
                self._published = published
            for repo, branches in _by_repo(self._wanted):
                if any(ref.repo == repo for ref in broken) or self._older_in_use(repo):
                    continue
                commits = {ref.branch: commit for ref, commit in published.items() if ref.repo == repo}
                try:
                    self._repository(repo, self._git(lock)).tidy(commits, branches)
                    self._archive.tidy(self._git(lock), repo, branches)
                except (GitFailed, *GIT_ERRORS) as error:
                    log.warning("mirror not tidied", repo=repo, reason=str(error))
                else:
                    self._objects[repo].forget()
                    tidied.append(repo)
        return tuple(tidied)

    def stop(self) -> None:
        """End a running sync now, for good: the site is shutting down."""
        self._stopping.set()

    def _sync(self, git: Git, asked: Collection[Ref]) -> None:
        broken = self._adopt(self._cleaned(git))
        repos = _by_repo(asked)
        self._tell(SyncStarted(tuple(repo for repo, _ in repos)))
        self._for_each(repos, lambda repo, branches: self._sync_repo(git, repo, branches, broken))

    def _catch_up(self, git: Git, trees: Collection[Tree]) -> None:
        """The histories of these trees."""
        by_ref = {tree.ref: tree for tree in trees}

        def ask(repo: str, branches: tuple[str, ...]) -> None:
            self._archive.catch_up(git, repo, [by_ref[Ref(repo, branch)] for branch in branches])

        self._for_each(_by_repo(by_ref), ask)

    def _for_each(
        self, repos: Sequence[tuple[str, tuple[str, ...]]], work: Callable[[str, tuple[str, ...]], None]
    ) -> None:
        """Do `work` for each repository. One that fails does not keep the others from it.

        Raises what the first of them has raised, when all are done.
        """
        failures: list[Exception] = []

        def do(repo: str, branches: tuple[str, ...]) -> None:
            try:
                work(repo, branches)
            except Exception as failure:
                log.exception("mirror crashed", repo=repo)
                failures.append(failure)

        with ThreadPoolExecutor(self._at_once, "sync") as threads:
            running = [threads.submit(do, repo, branches) for repo, branches in repos]
            try:
                for one in running:
                    one.result()
            except BaseException:
                # Ctrl-C: else the other threads would keep the process waiting for their upstreams.
                self._stopping.set()
                raise
        if failures:
            raise failures[0]

    def _sync_repo(self, git: Git, repo: str, branches: tuple[str, ...], broken: Collection[Ref]) -> None:
        started = self._clock()
        self._tell(RepoStarted(repo, branches))
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
            # One repository's trouble, whatever it is, must not keep the others from being fetched.
            log.exception("mirror crashed", repo=repo)
            failures = dict.fromkeys(branches, f"{type(bug).__name__}: {bug}") | failures
        for branch, reason in failures.items():
            log.warning("mirror failed", repo=repo, branch=branch, reason=reason)
        try:
            received = {name: size for name, size in repository.packs().items() if name not in before}
        except OSError:
            received = {}
        self._tell(
            RepoDone(
                repo,
                outcome="failed" if failures else "updated" if updated else "unchanged",
                updated=updated,
                reason=_told(failures),
                received_bytes=sum(received.values()),
                seconds=self._clock() - started,
            )
        )

    def _fetch(
        self, repository: BareRepository, repo: str, branches: tuple[str, ...], broken: Collection[Ref]
    ) -> tuple[dict[str, str], list[GitTree]]:
        """Why branches could not be fetched, and the trees of those that could.

        A broken repository is made anew, with all its branches.
        """

        def hear(phase: str, percent: int) -> None:
            self._tell(RepoProgress(repo, phase, percent))

        if repository.path.exists():
            if not any(ref.repo == repo for ref in broken):
                failures = repository.fetch(branches, hear)
                if not failures or not repository.is_broken():
                    try:
                        return failures, self._fetched(repository, repo, set(branches) - failures.keys())
                    except Unavailable as error:
                        log.warning("mirror damaged", repo=repo, reason=error.message)
            log.warning("mirror rebuilding", repo=repo)
        every = tuple(ref.branch for ref in self._wanted if ref.repo == repo)
        sound = [ref.branch for ref in self._trees if ref.repo == repo and ref not in broken]
        failures = repository.rebuild(every, keep=sound, on_progress=hear)
        self._objects[repo].forget()
        return failures, self._fetched(repository, repo, set(every) - failures.keys())

    def _fetched(self, repository: BareRepository, repo: str, branches: Collection[str]) -> list[GitTree]:
        """The trees of what was fetched. Raises Unavailable when the repository does not hold one whole."""
        found = []
        for ref in (Ref(repo, branch) for branch in sorted(branches)):
            commit = repository.fetched(ref.branch)
            if commit is None:
                raise Unavailable(f"The mirror of {ref} has no commit")
            found.append(self._tree(ref, commit))
        return found

    def _faults(self, trees: Collection[GitTree]) -> dict[str, str]:
        """The branches whose new commit may not be shown, and why."""
        found = {}
        for tree in trees:
            fault = None if self._trees.get(tree.ref) is tree else self._fault(tree)
            if fault is not None:
                found[tree.ref.branch] = f"commit {tree.revision[:10]} is not shown: {fault}"
        return found

    def _fault(self, tree: GitTree) -> str | None:
        if not tree.files:
            return "it has no files"
        if not tree.is_whole:
            return f"it has more than {MOST_FILES} files"
        for docs_root in self._wanted[tree.ref].docs_roots:
            path = f"{docs_root}/config.json".lstrip("/")
            try:
                self._validate(path, tree.read(path))
            except NotFound:
                return f"{path}: it is missing"
            except SiteError as error:
                return error.message
        return None

    def _publish(self, repository: BareRepository, trees: Collection[GitTree]) -> tuple[str, ...]:
        """Show these commits from now on. Returns the branches for which that is a change."""
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

    def _follow(self) -> None:
        """Show what another process may have published meanwhile."""
        try:
            self._adopt(read_published(self._root))
        except BadFact as error:
            log.warning("mirror unreadable", file=error.file, reason=error.reason)

    def _cleaned(self, git: Git) -> dict[Ref, str]:
        """What is published, after clearing away what dead processes left behind.

        Should the file have been lost, the refs that keep its commits know them too.
        """
        try:
            published = read_published(self._root)
        except BadFact as error:
            log.warning("mirror unreadable", file=error.file, reason=error.reason)
            published = {}
        known = dict(published)
        for repo, branches in _by_repo(self._wanted):
            repository = self._repository(repo, git)
            try:
                repository.clean()
            except OSError as error:
                # Fetching it will fail for the same reason; the others can be fetched.
                log.warning("mirror not cleaned", repo=repo, reason=str(error))
            for branch in branches:
                commit = None if Ref(repo, branch) in known else repository.published(branch)
                if commit is not None:
                    known[Ref(repo, branch)] = commit
        if known != published:
            write_published(self._root, known)
        return known

    def _adopt(self, published: Mapping[Ref, str]) -> frozenset[Ref]:
        """Show what is published, from memory where it is the same commit. Returns the damaged refs."""
        broken = set()
        with self._state:
            trees: dict[Ref, GitTree] = {}
            for ref in self._wanted:
                if ref not in published:
                    continue
                try:
                    trees[ref] = self._tree(ref, published[ref])
                except Unavailable as error:
                    log.warning("mirror damaged", repo=ref.repo, branch=ref.branch, reason=error.message)
                    broken.add(ref)
            # list() because readers may add to it at any time.
            shown = {(ref, tree.revision) for ref, tree in trees.items()}
            broken |= {ref for ref, commit in list(self._damaged) if (ref, commit) in shown}
            self._damaged.clear()
            self._published = dict(published)
            self._trees = trees
        return frozenset(broken)

    def _tree(self, ref: Ref, commit: str) -> GitTree:
        """What is shown already if it is this commit, else a new tree. Raises Unavailable if it is not whole."""
        current = self._trees.get(ref)
        if current is not None and current.revision == commit:
            return current
        tree = GitTree(
            ref,
            commit,
            self._objects[ref.repo],
            histories=self._archive.histories(ref),
            on_damage=self._note_damage,
        )
        tree.check()
        self._alive.add(tree)
        return tree

    def _note_damage(self, tree: GitTree) -> None:
        """A reader met it: the next refresh makes the repository anew, unless another commit is shown by then."""
        self._damaged.add((tree.ref, tree.revision))

    def _snapshot(self) -> Snapshot:
        trees: dict[Ref, Tree] = {**self._trees}
        return Snapshot(MappingProxyType(trees))

    def _older_in_use(self, repo: str) -> bool:
        with self._state:
            shown = {(ref, tree.revision) for ref, tree in self._trees.items()}
            return any(tree.ref.repo == repo and (tree.ref, tree.revision) not in shown for tree in self._alive)

    def _path(self, repo: str) -> Path:
        return self._root / f"{repo}.git"

    def _git(self, lock: int) -> Git:
        return Git(lock, stopping=self._stopping, clock=self._clock)

    def _repository(self, repo: str, git: Git) -> BareRepository:
        url = self._url(repo)
        return BareRepository(self._path(repo), url, git, timeout_s=self._timeout_s, clock=self._clock)

    def _url(self, repo: str) -> str:
        owner, name = repo.split("/")
        return self._url_template.replace("{owner}", owner).replace("{repo}", name)

    def _locked(self) -> AbstractContextManager[int]:
        return sync_lock(self._root, wait_s=self._lock_wait_s, stopping=self._stopping, on_wait=self._wait)

    def _wait(self, holder: str) -> None:
        log.info("mirror waiting", root=str(self._root), holder=holder)
        self._tell(SyncWaiting(holder))

    def _tell(self, event: SyncEvent) -> None:
        if self._on_progress is not None:
            with self._telling:
                self._on_progress(event)


def _unheard(holder: str) -> None:
    """Nobody waits."""


def _by_repo(refs: Collection[Ref]) -> list[tuple[str, tuple[str, ...]]]:
    groups = groupby(sorted(refs), key=lambda ref: ref.repo)
    return [(repo, tuple(ref.branch for ref in group)) for repo, group in groups]


def _told(failures: Mapping[str, str]) -> str:
    """One sentence a reason: `main, v4: no answer within 60 s`."""
    reasons = {reason: [b for b in failures if failures[b] == reason] for reason in failures.values()}
    return "; ".join(f"{', '.join(branches)}: {reason}" for reason, branches in reasons.items())
