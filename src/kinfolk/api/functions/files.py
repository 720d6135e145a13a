"""Text files and directory trees of the libraries' repositories."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

from kinfolk.api.functions.versions import requested_path, requested_ref
from kinfolk.api.registry import Call, registry, request_data
from kinfolk.runtime.cache import FILES
from kinfolk.runtime.errors import Invalid, NotFound


@request_data
class FileRequest:
    repo: str
    branch: str | None = None
    file_path: str | None = None


@registry.function("repo.file", cache=FILES)
async def repo_file(call: Call, request: FileRequest) -> str:
    """The text of a file among the docs and examples."""
    ref, file_path = requested_ref(request.repo, request.branch), requested_path(request.file_path)
    branch = call.docs.branch_with(ref, file_path)
    content = await call.site.content.reader.read(branch, file_path, kind="function")
    if b"\0" in content[:8192]:
        raise Invalid(f"{file_path} is not text")
    return content.decode(errors="replace")


MOST_ENTRIES = 1_000
"""Most files in one result: five times the largest example, and a few milliseconds of work."""


@request_data
class DirectoryRequest:
    repo: str
    starting_path: str
    branch: str | None = None


@dataclass(frozen=True)
class DirectoryEntry:
    """A file or a folder; `path` starts at the root of the repository."""

    name: str
    path: str
    type: Literal["dir", "file"]
    children: tuple[DirectoryEntry, ...] = ()


@registry.function("repo.directory", cache=FILES)
async def repo_directory(call: Call, request: DirectoryRequest) -> tuple[DirectoryEntry, ...]:
    """Everything below a folder of the docs or examples, at any depth: folders first, then by name."""
    ref = requested_ref(request.repo, request.branch)
    branch = call.docs.branch_with(ref, request.starting_path)
    # In a thread: a branch may have tens of thousands of files.
    inside = await asyncio.to_thread(branch.paths_below, request.starting_path)
    if not inside:
        raise NotFound(f"There is no folder {request.starting_path} in {ref}")
    if len(inside) > MOST_ENTRIES:
        raise Invalid(f"{request.starting_path} holds {len(inside)} files: ask for a folder in it")
    return _entries(f"{request.starting_path}/", inside)


def _entries(start: str, paths: list[str]) -> tuple[DirectoryEntry, ...]:
    folders: dict[str, list[str]] = {}
    files = []
    for path in paths:
        name, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(name, []).append(rest)
        else:
            files.append(name)
    return (
        *(
            DirectoryEntry(name, start + name, "dir", _entries(f"{start}{name}/", folders[name]))
            for name in _ordered(folders)
        ),
        *(DirectoryEntry(name, start + name, "file") for name in _ordered(files)),
    )


def _ordered(names: dict[str, list[str]] | list[str]) -> list[str]:
    return sorted(names, key=lambda name: (not name.startswith("."), name.lower(), name))
