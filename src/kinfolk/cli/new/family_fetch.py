"""Fetches the repositories of a new site into its mirror, which `kinfolk serve` reads."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from kinfolk.cli.new.facts.readable_text import GENERIC_NAMES, letters_of
from kinfolk.cli.new.new_site import slug_of
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

_WRITTEN = re.compile(
    r"(?:https://github\.com/)?([A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+?)(?:\.git)?/?(?:@([A-Za-z0-9][A-Za-z0-9._/-]*))?"
)
_AT_ONCE = 3


@dataclass(frozen=True)
class ChosenRepository:
    """A repository of the command line. Without a branch, its default branch is fetched."""

    repo: str
    branch: str | None

    @property
    def id(self) -> str:
        owner, _, name = self.repo.partition("/")
        return slug_of(owner if letters_of(name) in GENERIC_NAMES else name)


def chosen_repositories(written: Sequence[str]) -> list[ChosenRepository]:
    """`owner/name`, `owner/name@branch` or an address on GitHub. Raises Invalid naming the one that is none."""
    chosen = []
    for text in written:
        found = _WRITTEN.fullmatch(text.strip())
        if found is None:
            raise Invalid(f"A repository is written as owner/name, such as acme/widgets, not {text!r}")
        one = ChosenRepository(found[1], found[2])
        check_ref(Ref(one.repo, one.branch or "main"))
        if not one.id:
            raise Invalid(f"The name of {text!r} needs a letter or a digit")
        chosen.append(one)
    ids = [one.id for one in chosen]
    for id in ids:
        if ids.count(id) > 1:
            raise Invalid(f"Two repositories are called {id}: add one of them in libraries/ later, with another id")
    return chosen


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
