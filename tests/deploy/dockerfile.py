"""Reads deploy/Dockerfile, and the list of files that are in its context."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tests.deploy.deploy_files import DEPLOY


@dataclass(frozen=True)
class Instruction:
    """`text` is what follows the keyword, with its continued lines joined."""

    stage: str
    keyword: str
    text: str


@cache
def instructions() -> tuple[Instruction, ...]:
    return tuple(_instructions())


def _instructions() -> Iterator[Instruction]:
    lines = (line for line in (DEPLOY / "Dockerfile").read_text().splitlines() if not line.startswith("#"))
    stage = ""
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        keyword, _, text = line.strip().partition(" ")
        if keyword == "FROM":
            stage = text.rpartition(" AS ")[2]
        if keyword:
            yield Instruction(stage, keyword, text.strip())


def ignored(path: str) -> bool:
    """Whether a path is not in the context: the last pattern counts that matches it or a folder above it."""
    found = False
    for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines():
        pattern = line.strip()
        if pattern and not pattern.startswith("#") and _matches(path, pattern.removeprefix("!").removeprefix("**/")):
            found = not pattern.startswith("!")
    return found


def _matches(path: str, pattern: str) -> bool:
    parts = path.split("/")
    above = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    return any(fnmatch.fnmatch(each, pattern) for each in (*above, *(parts if "/" not in pattern else ())))
