"""Validates names of repositories, branches and files: for file system paths, arguments of git, and URLs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

from kinfolk.config.docs_address import Ref
from kinfolk.runtime.errors import Invalid

_REPO = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*/[A-Za-z0-9_][A-Za-z0-9._-]*")
_BRANCH_PART = re.compile(r"(?!\.)(?!.*\.\.)(?!.*@\{)[^\x00-\x20\x7f~^:?*\[\\/]+(?<!\.)(?<!\.lock)")


def check_ref(ref: Ref) -> Ref:
    """The ref. Raises Invalid for a part that could leave a directory or that git could parse as an option."""
    if not _REPO.fullmatch(ref.repo):
        raise Invalid(f"{ref.repo!r} is not a repository's name of the form owner/name")
    parts = ref.branch.split("/")
    if ref.branch.startswith("-") or not all(_BRANCH_PART.fullmatch(part) for part in parts):
        raise Invalid(f"{ref.branch!r} is not a name git allows for a branch")
    return ref


LONGEST_PATH = 900
"""Characters of a percent-encoded path, so that the URL of a page stays below ssr.page_key.LONGEST_PATH."""
MOST_LEFT_OUT = 1000
"""Reported names of one tree."""
_SHORT = LONGEST_PATH // 12
"""A path of this length cannot be too long: UTF-8 uses up to 4 bytes for a character, and a URL 3 characters for a
byte."""


def name_fault(name: bytes) -> str | None:
    """Why a tree does not list a file or folder of this name; None for a valid name. `.git` is not reported.

    Git objects and file systems allow any bytes. An invalid name could refer to another file, look like another name,
    or have no URL.
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
    """Why a path from the repository's root is invalid; None for a path that `files` of a tree may contain.

    Sources and request handlers use the same check.
    """
    for name in path.split("/"):
        if name in ("", ".", "..") or name.lower() == ".git":
            return "it has a part that is no name"
        fault = _text_fault(name)
        if fault is not None:
            return fault
    return "it is too long" if is_too_long(path) else None


def is_plain_path(path: str) -> bool:
    """Whether a path from the repository's root is unambiguous and has a URL."""
    return path_fault(path) is None


def is_too_long(path: str) -> bool:
    """Whether the percent-encoded path of a file is longer than LONGEST_PATH."""
    return len(path) > _SHORT and len(quote(path)) > LONGEST_PATH


def page_fault(path: str) -> str | None:
    """Why a Markdown file with a valid path has no URL as a page; None for a file that has one."""
    address = path.removesuffix(".md")
    if not address.rpartition("/")[2]:
        return "it has no name before .md"
    for name in (address, address.removesuffix("/index")):
        if name.endswith(".md"):
            return "its address would be that of the Markdown of another page"
        if name.endswith(" "):
            return "its address would end with a space"
    # React Router matches neither the literal nor the percent-encoded form of this character.
    return "its address would hold a ^" if "^" in path else None


def quoted_path(path: str | bytes) -> str:
    """A path in quotes for logs and reports, with escapes for characters that are not printable."""
    text = path.decode("utf-8", "backslashreplace") if isinstance(path, bytes) else path
    return repr(text[:_LONGEST_QUOTED])


_LONGEST_QUOTED = 300


def _text_fault(name: str) -> str | None:
    if not name.isprintable():
        unprintable = next(letter for letter in name if not letter.isprintable())
        return f"it holds U+{ord(unprintable):04X}, which is not printed"
    return "it holds a slash or a backslash" if "\\" in name or "/" in name else None


def folders_of(paths: Iterable[str]) -> frozenset[str]:
    """The folders of files, and those that these are in: {"a", "a/b"} for "a/b/c.md"."""
    folders = set[str]()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(folders)
