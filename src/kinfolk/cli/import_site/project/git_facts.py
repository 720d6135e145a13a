"""What the git repository of a project says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pygit2

_GITHUB = re.compile(r"(?:https?://(?:www\.)?github\.com/|git@github\.com:|ssh://git@github\.com/)([\w.-]+)/([\w.-]+)")


@dataclass(frozen=True)
class GitFacts:
    """Empty texts for what the repository does not have."""

    repo: str = ""
    branch: str = ""
    branches: frozenset[str] = frozenset()


def top_folder(folder: Path) -> Path:
    """The folder of the git repository that a folder is in, or the folder itself, also if git ignores it."""
    own = folder.resolve()
    try:
        found = pygit2.discover_repository(str(own))
        repository = pygit2.Repository(found) if found else None
        top = Path(repository.workdir).resolve() if repository is not None and repository.workdir else own
        if repository is None or top == own or not own.is_relative_to(top):
            return own
        return own if repository.path_is_ignored(f"{own.relative_to(top)}/") else top
    except (pygit2.GitError, KeyError, ValueError):
        return own


def git_facts(folder: Path) -> GitFacts:
    """The repository on GitHub, the current branch and all branches."""
    try:
        if not (folder / ".git").exists():
            return GitFacts()
        repository = pygit2.Repository(str(folder))
        remotes = {remote.name: str(remote.url or "") for remote in repository.remotes}
        names = (name.removeprefix("origin/") for name in repository.branches)
        branch = "" if repository.head_is_unborn or repository.head_is_detached else repository.head.shorthand
        return GitFacts(repo_of_url(remotes.get("origin", "")), branch, frozenset(names))
    except (pygit2.GitError, KeyError, ValueError):
        return GitFacts()


def repo_of_url(url: str) -> str:
    """`https://github.com/acme/query/edit/main/docs` -> `acme/query`; empty for other addresses."""
    found = _GITHUB.match(url.strip())
    if found is None or found[1].startswith((".", "_")) or found[2] in (".", ".."):
        return ""
    return f"{found[1]}/{found[2].removesuffix('.git')}"


def branch_of_edit_url(url: str) -> str:
    """`https://github.com/acme/query/edit/main/docs/:path` -> `main`."""
    parts = url.split("/")
    if not repo_of_url(url) or len(parts) < 7 or parts[5] not in ("edit", "tree", "blob"):  # noqa: PLR2004
        return ""
    return parts[6] if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", parts[6]) else ""
