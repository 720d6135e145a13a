"""Which names of repositories, branches and files are fit to be joined to a path or given to git."""

from __future__ import annotations

import re

from kinfolk.errors import Invalid
from kinfolk.sources.snapshot import Ref

_REPO = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*/[A-Za-z0-9_][A-Za-z0-9._-]*")
_BRANCH_PART = re.compile(r"(?!\.)(?!.*\.\.)(?!.*@\{)[^\x00-\x20\x7f~^:?*\[\\/]+(?<!\.)(?<!\.lock)")


def check_ref(ref: Ref) -> Ref:
    """The ref itself, when neither part can leave a directory or be read as an option. Raises Invalid."""
    if not _REPO.fullmatch(ref.repo):
        raise Invalid(f"{ref.repo!r} is not a repository's name of the form owner/name")
    parts = ref.branch.split("/")
    if ref.branch.startswith("-") or not all(_BRANCH_PART.fullmatch(part) for part in parts):
        raise Invalid(f"{ref.branch!r} is not a name git allows for a branch")
    return ref


def is_plain(name: bytes) -> bool:
    """Whether one part of a path is an ordinary file name: not `..`, not `.git`, no separator, valid UTF-8.

    Git's own objects may hold anything here; what is refused is not listed, so it cannot be asked for.
    """
    if name in (b"", b".", b"..") or name.lower() == b".git" or any(c in name for c in b"/\\\0"):
        return False
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True
