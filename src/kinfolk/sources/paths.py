"""Which names of repositories, branches and files are plain: fit to be joined to a path, given to git and addressed."""

from __future__ import annotations

import re
from urllib.parse import quote

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


LONGEST_PATH = 900
"""Characters of a path as an address writes it, so that the address of a page stays below ssr.address.LONGEST_PATH."""
MOST_LEFT_OUT = 1000
"""Names of one tree that are reported."""
_SHORT = LONGEST_PATH // 12
"""A path of so many characters cannot be too long: UTF-8 has at most 4 bytes for one, and an address 3 for a byte."""


def name_fault(name: bytes) -> str | None:
    """Why one part of a path is not listed; None for a plain name. `.git` is not plain, and not worth a report.

    Git's own objects and file systems may hold any bytes. A name that is not plain could mean another file, could not
    be told from another name by a reader, or could not be written in an address.
    """
    if name in (b"", b".", b".."):
        return "it is no name"
    if name.lower() == b".git":
        return "it is git's own"
    try:
        return _text_fault(name.decode())
    except UnicodeDecodeError:
        return "it is not UTF-8"


def path_fault(path: str) -> str | None:
    """Why a path from the repository's root is not plain; None for one that `files` of a tree may hold.

    This is the only judgement of paths: sources list by it, and requests for files are refused by it.
    """
    for name in path.split("/"):
        if name in ("", ".", "..") or name.lower() == ".git":
            return "it has a part that is no name"
        fault = _text_fault(name)
        if fault is not None:
            return fault
    return "it is too long" if is_too_long(path) else None


def is_plain_path(path: str) -> bool:
    """Whether a path from the repository's root means one file and can be written in an address."""
    return path_fault(path) is None


def is_too_long(path: str) -> bool:
    """Whether the address of a file would be longer than LONGEST_PATH."""
    return len(path) > _SHORT and len(quote(path)) > LONGEST_PATH


def page_fault(path: str) -> str | None:
    """Why a Markdown file with a plain path has no address as a page; None where it has one."""
    address = path.removesuffix(".md")
    if not address.rpartition("/")[2]:
        return "it has no name before .md"
    for name in (address, address.removesuffix("/index")):
        if name.endswith(".md"):
            return "its address would be that of the Markdown of another page"
        if name.endswith(" "):
            return "its address would end with a space"
    # The router of the frontend takes either spelling of this character for the wrong one.
    return "its address would hold a ^" if "^" in path else None


def shown(path: str | bytes) -> str:
    """A path in quotes for logs and reports, with escapes for what is not printed."""
    text = path.decode("utf-8", "backslashreplace") if isinstance(path, bytes) else path
    return repr(text[:_LONGEST_SHOWN])


_LONGEST_SHOWN = 300


def _text_fault(name: str) -> str | None:
    if not name.isprintable():
        odd = next(letter for letter in name if not letter.isprintable())
        return f"it holds U+{ord(odd):04X}, which is not printed"
    return "it holds a slash or a backslash" if "\\" in name or "/" in name else None
