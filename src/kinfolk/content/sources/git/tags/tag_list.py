"""The tags of a repository whose commits have docs: a file beside the mirror, written by the process that syncs."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import orjson
import pygit2

from kinfolk.config.catalog import WHOLE_REPOSITORY
from kinfolk.config.catalog.releases import Tag
from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.git_tree import GIT_ERRORS
from kinfolk.content.sources.git.published_commits import fsync_folder
from kinfolk.content.sources.paths import check_ref
from kinfolk.runtime.errors import Invalid

MOST_TAGS = 20_000
"""Tags of one repository that are listed, the newest. Large monorepos have 4,000."""
TAG_FORMAT = "%(refname:lstrip=3)%00%(objectname)%00%(*objectname)%00%(creatordate:unix)"
"""The fields of a tag for `git for-each-ref`, for names such as `refs/kinfolk/tags/v1.0.0`."""
_FIELDS = 4


def tags_file(root: Path, repo: str) -> Path:
    return root / f"{repo}.tags.json"


def write_tags(path: Path, tags: Iterable[Tag]) -> bool:
    """Replace the file atomically. Returns whether its content changed; its time is set in any case."""
    entries = [[tag.name, tag.commit, tag.day.isoformat(), dict(tag.trees)] for tag in tags]
    content = orjson.dumps(entries)
    if path.exists() and path.read_bytes() == content:
        os.utime(path)
        return False
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(content)
    fresh.replace(path)
    fsync_folder(path.parent)
    return True


def read_tags(path: Path) -> tuple[Tag, ...]:
    """The tags; none without a file, or with one that another version of Kinfolk wrote."""
    try:
        entries = orjson.loads(path.read_bytes())
        return tuple(Tag(name, commit, date.fromisoformat(day), trees) for name, commit, day, trees in entries)
    except (OSError, ValueError, TypeError):
        return ()


def listed_tags(repository: pygit2.Repository, repo: str, output: bytes, docs_roots: Collection[str]) -> Iterator[Tag]:
    """The tags in the output of TAG_FORMAT whose commits have one of the docs roots, the newest MOST_TAGS."""
    rows = [fields for line in output.splitlines() if len(fields := line.split(b"\0")) == _FIELDS]
    rows.sort(key=lambda fields: int(fields[3] or 0), reverse=True)
    for name, target, peeled, made in rows[:MOST_TAGS]:
        tag = name.decode(errors="replace")
        commit = (peeled or target).decode()
        if _is_valid(repo, tag) and (trees := _docs_trees(repository, commit, docs_roots)):
            yield Tag(tag, commit, _day(int(made or 0)), trees)


def _docs_trees(repository: pygit2.Repository, commit: str, docs_roots: Collection[str]) -> dict[str, str]:
    """The git id of each docs root that a commit has."""
    found: dict[str, str] = {}
    try:
        top = repository[commit]
        if not isinstance(top, pygit2.Commit):
            return {}
        for root in docs_roots:
            if root == WHOLE_REPOSITORY:
                found[root] = str(top.tree_id)
            elif root in top.tree and top.tree[root].type_str == "tree":
                found[root] = str(top.tree[root].id)
    except GIT_ERRORS:  # the object is not there: git did not send it
        return {}
    return found


def _is_valid(repo: str, tag: str) -> bool:
    try:
        check_ref(Ref(repo, tag))
    except Invalid:
        return False
    return tag.isprintable()


def _day(seconds: int) -> date:
    """Tags may have any number as their time, so it is limited to the range of dates."""
    return datetime.fromtimestamp(min(max(seconds, 0), _LAST_SECOND), UTC).date()


_LAST_SECOND = 253_402_300_799
"""The end of the year 9999."""
