"""The corpus under other names: a family of any number of pages, with a git repository for each copy of a library.

A copy of a library has up to `RELEASES` copies of its versions; more pages are more libraries. Names in the code of
each copy differ, so that no cache of highlighted code holds the same block for two copies.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import tomlkit
from tests.sites.sample_site import SITE

RELEASES = 8
"""Copies of the versions of one library."""
MOST_LIBRARIES_IN_GROUP = 40
_FENCE = re.compile(rb"^(```|~~~)[^\n]*\n.*?^\1", re.MULTILINE | re.DOTALL)
_NAME = re.compile(rb"\b[a-z]{2,}[A-Z]\w*")
_KEYS = (
    *("tagline", "description", "docs_root", "default_docs", "latest_version", "frameworks", "color_from", "color_to"),
    *("text_color", "bg_style", "text_style", "card_styles", "pattern", "feature_list", "feature_highlights"),
)
"""Keys of a library that its copies share."""


@dataclass(frozen=True)
class LargeSite:
    """A site folder, and the address of its repositories for `kinfolk sync --from`."""

    folder: Path
    remotes: Path
    pages: int
    libraries: int
    branches: int

    @property
    def template(self) -> str:
        return f"file://{self.remotes}/{{owner}}/{{repo}}.git"

    @property
    def pushed_repo(self) -> str:
        """A repository whose latest branch is `main`, as owner and name."""
        return "TanStack/query"


@dataclass(frozen=True)
class _Copy:
    """One copy of all versions of all libraries: the `release`-th of the `family`-th copies of the libraries."""

    number: int

    @property
    def family(self) -> int:
        return self.number // RELEASES

    @property
    def release(self) -> int:
        return self.number % RELEASES

    def name(self, original: str) -> str:
        """The id or repository of a library in this copy."""
        return original if not self.family else f"{original}-{self.family + 1}"

    def version(self, original: str) -> str:
        """The name or branch of a version in this copy."""
        return original if not self.release else f"{original}-r{self.release}"


def write_large_site(folder: Path, corpus: Path, pages: int) -> LargeSite:
    """Write a site of at least this many pages. `corpus` has the folders `TanStack/{repo}/{branch}`."""
    libraries = [tomlkit.parse(file.read_text()).unwrap() for file in sorted((SITE / "libraries").glob("*.toml"))]
    roots = sorted({(one["repo"], version["branch"]) for one in libraries for version in one["versions"]})
    each = {root: _file_count(corpus / root[0] / root[1]) for root in roots}
    copies: list[_Copy] = []
    remotes = folder / "remotes"
    written = 0
    commits: dict[str, list[tuple[str, Path, int]]] = defaultdict(list)
    chosen: set[tuple[int, str, str]] = set()
    while written < pages:
        copies.append(one := _Copy(len(copies)))
        # A copy of the last libraries is left out once there are enough pages, but never the first version of one.
        for repo, branch in roots:
            if written < pages or not one.release:
                written += each[repo, branch]
                chosen.add((one.number, repo, branch))
                commits[one.name(repo)].append((one.version(branch), corpus / repo / branch, one.number))
    for repo, branches in commits.items():
        _write_repository(remotes / f"{repo}.git", branches)
    site = folder / "site"
    shutil.copytree(SITE / "brand", site / "brand")
    shutil.copy(SITE / "search.toml", site / "search.toml")
    names = []
    (site / "libraries").mkdir(parents=True)
    for one in (copy for copy in copies if not copy.release):
        for order, library in enumerate(libraries):
            releases = [copy for copy in copies if copy.family == one.family]
            entry = _library(library, one, releases, chosen, order=one.family * len(libraries) + order + 1)
            (site / "libraries" / f"{entry['id']}.toml").write_text(tomlkit.dumps(entry))
            names.append(entry["id"])
    (site / "kinfolk.toml").write_text(tomlkit.dumps(_family(names)))
    return LargeSite(site, remotes, written, len(names), sum(map(len, commits.values())))


def push_page(remotes: Path, repo: str, branch: str, path: str, text: str) -> None:
    """Commit a page to a branch of a repository."""
    bare = remotes / f"{repo}.git"
    head = f"refs/heads/{branch}"
    lines = [
        f"commit {head}\ncommitter T <t@example.com> 1787400000 +0000\n".encode(),
        *_data(b"Change a page"),
        f"from {head}^0\nM 100644 inline {path}\n".encode(),
        *_data(text.encode()),
    ]
    _fast_import(bare, b"".join(lines))


def _file_count(root: Path) -> int:
    return sum(1 for _ in root.rglob("*.md*"))


def _library(
    library: Mapping[str, Any], copy: _Copy, releases: Sequence[_Copy], chosen: set[tuple[int, str, str]], *, order: int
) -> dict[str, Any]:
    id, number = copy.name(library["id"]), f" {copy.family + 1}" if copy.family else ""
    repo = library["repo"]
    return {
        "id": id,
        "name": f"{library['name']}{number}",
        "short_name": f"{library['short_name']}{number}",
        "to": f"/{id}",
        "order": order,
        "repo": copy.name(repo),
        "latest_branch": library["latest_branch"],
        **{key: library[key] for key in _KEYS if key in library},
        "menu": [{"label": "Docs", "to": f"/{id}/latest/docs/{library['default_docs']}", "icon": "book-open"}],
        "versions": [
            {"name": one.version(version["name"]), "branch": one.version(version["branch"])}
            for one in releases
            for version in library["versions"]
            if (one.number, repo, version["branch"]) in chosen
        ],
    }


def _family(libraries: Sequence[str]) -> dict[str, Any]:
    family = tomlkit.parse((SITE / "kinfolk.toml").read_text()).unwrap()
    shared = ("product", "family", "owner", "contact", "title", "description", "blog_description", "keywords", "brand")
    shared_too = ("theme_color", "promo", "home", "social", "footer", "sponsors_url")
    groups = [
        {
            "id": f"group-{at}",
            "label": f"Group {at + 1}",
            "libraries": list(libraries[start : start + MOST_LIBRARIES_IN_GROUP]),
        }
        for at, start in enumerate(range(0, len(libraries), MOST_LIBRARIES_IN_GROUP))
    ]
    return {
        **{key: family[key] for key in (*shared, *shared_too) if key in family},
        "consultants": [],
        "partners": [],
        "courses": [],
        "ad_slots": [],
        "groups": groups,
        "menu": [],
    }


def _write_repository(bare: Path, branches: Sequence[tuple[str, Path, int]]) -> None:
    bare.mkdir(parents=True)
    subprocess.run(["git", "init", "--bare", "--quiet", "--initial-branch=main", str(bare)], check=True)
    stream: list[bytes] = []
    for branch, root, number in branches:
        stream.append(f"commit refs/heads/{branch}\ncommitter T <t@example.com> 1787300000 +0000\n".encode())
        stream += _data(b"Docs")
        for path, text in _files(root):
            stream.append(b'M 100644 inline "%s"\n' % path.encode())
            stream += _data(_renamed(text, number) if path.endswith((".md", ".mdx")) else text)
    _fast_import(bare, b"".join(stream))


def _fast_import(bare: Path, stream: bytes) -> None:
    subprocess.run(["git", "-C", str(bare), "fast-import", "--quiet", "--force"], input=stream, check=True)


def _data(content: bytes) -> Iterator[bytes]:
    yield b"data %d\n" % len(content)
    yield content
    yield b"\n"


@cache
def _files(root: Path) -> tuple[tuple[str, bytes], ...]:
    return tuple((str(file.relative_to(root)), file.read_bytes()) for file in sorted(root.rglob("*")) if file.is_file())


def _renamed(text: bytes, number: int) -> bytes:
    """The text with other names in its code."""
    if not number:
        return text
    return _FENCE.sub(lambda fence: _NAME.sub(rb"\g<0>%d" % number, fence[0]), text)
