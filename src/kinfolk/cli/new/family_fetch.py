"""Fetches the repositories of a new site into its mirror, which `kinfolk serve` reads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kinfolk.cli.new.new_site import ChosenRepository
from kinfolk.config.code_hosts import code_host
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.sources.git.git_command import Git, GitFailed
from kinfolk.content.sources.git.mirror import BranchRequirements, MirrorSource
from kinfolk.content.sources.git.published_commits import sync_lock
from kinfolk.content.sources.git.remote_head import default_branch
from kinfolk.content.sources.git.sync_progress import RepoDone, SyncEvent, SyncFailed
from kinfolk.content.sources.paths import check_ref
from kinfolk.content.sources.snapshot import Tree
from kinfolk.runtime.errors import Invalid

_AT_ONCE = 3


def fetch_family(
    chosen: Sequence[ChosenRepository], settings: Settings, on_progress: Callable[[SyncEvent], None]
) -> list[Tree]:
    """The latest commit of each repository, in this order, mirrored. Raises Invalid if one cannot be fetched."""
    if settings.mirror is None:
        raise Invalid("KINFOLK_MIRROR is off: name a folder for the mirrors, or write the site with --no-fetch")
    template = settings.upstream or code_host().clone_template
    branches = _branches(chosen, settings.mirror, template, settings.fetch_timeout_s)
    refs = [check_ref(Ref(one.repo, branch)) for one, branch in zip(chosen, branches, strict=True)]
    failures: list[str] = []

    def report(event: SyncEvent) -> None:
        on_progress(event)
        if isinstance(event, SyncFailed):
            failures.append(event.reason)
        elif isinstance(event, RepoDone) and event.outcome == "failed":
            failures.append(f"{event.repo}: {event.reason}")

    source = MirrorSource(
        settings.mirror,
        {ref: BranchRequirements() for ref in refs},
        _accept,
        url_template=template,
        timeout_s=settings.fetch_timeout_s,
        on_progress=report,
    )
    snapshot = source.refresh(refs)
    if failures:
        raise Invalid(f"Nothing was written: {'; '.join(failures)}")
    return [snapshot.tree(ref) for ref in refs]


def _accept(_path: str, _content: bytes) -> None:
    """The check of the new site reads the menus."""


def _branches(chosen: Sequence[ChosenRepository], mirror: Path, template: str, timeout_s: float) -> list[str]:
    """The branch of each repository. Raises Invalid naming all that have none or do not exist."""
    stopping = threading.Event()
    failures: list[str] = []

    def branch(one: ChosenRepository) -> str:
        owner, name = one.repo.split("/")
        if one.branch:
            return one.branch
        try:
            url = template.replace("{owner}", owner).replace("{repo}", name)
            return default_branch(git, url, timeout_s=timeout_s)
        except GitFailed as error:
            failures.append(f"{one.repo}: {error.message}")
            return "main"

    with sync_lock(mirror, wait_s=timeout_s, stopping=stopping, on_wait=lambda _: None) as lock:
        git = Git(lock, stopping=stopping)
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            try:
                branches = list(threads.map(branch, chosen))
            except BaseException:
                stopping.set()  # Ctrl-C: git of the other threads ends at once
                raise
    if failures:
        raise Invalid(f"Nothing was written: {'; '.join(failures)}")
    return branches
