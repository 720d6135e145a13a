"""The examples of the real repositories, which are not part of the project."""

from __future__ import annotations

import io
import json
import os
import random
import re
import time
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
import pygit2
import pytest

from kinfolk.config.catalog import Catalog, Library
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.docs.branch_docs import BranchDocs
from kinfolk.content.examples import Example
from kinfolk.content.examples.entry_file import EXTENSIONS, NAMES, NEWER_NAMES, STYLES, expected_entry_file
from kinfolk.content.examples.zip_archive import stream_zip
from kinfolk.content.sources.git.git_tree import GitTree, ObjectStore
from kinfolk.content.sources.snapshot import Snapshot
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.anyio

# Also branches outside the registry, because the choice of the entry file does not depend on the registry.
BRANCHES = (
    ("query", "main"),
    ("query", "v4"),
    ("query", "v3"),
    ("form", "main"),
    ("router", "main"),
    ("table", "main"),
    ("table", "v8"),
    ("virtual", "main"),
    ("ranger", "main"),
    ("store", "main"),
    ("pacer", "main"),
)
UNSORTED = ("table", "v7")
"""Its examples have no framework folders: all of them are React examples."""
SEED = 20250504
LARGEST = 181
EXAMPLES = 1047
FILES = 14_301
EXACT = 623


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def trees(catalog: Catalog) -> Mapping[Ref, GitTree]:
    """Trees of the bare repositories. KINFOLK_REPOSITORIES is their path, with {owner} and {repo} in it."""
    template = os.environ.get("KINFOLK_REPOSITORIES")
    if not template:
        pytest.skip("no repositories: set KINFOLK_REPOSITORIES to their path, such as /mirrors/{owner}/{repo}.git")
    wanted = {*catalog.refs, *(Ref(f"TanStack/{repo}", branch) for repo, branch in (*BRANCHES, UNSORTED))}
    found = {}
    for ref in sorted(wanted):
        owner, _, repo = ref.repo.partition("/")
        path = Path(template.format(owner=owner, repo=repo))
        if not path.is_dir():
            pytest.skip(f"no repositories: {path} does not exist")
        head = str(pygit2.Repository(path).references[f"refs/heads/{ref.branch}"].target)
        found[ref] = GitTree(ref, head, ObjectStore(path))
    return found


@pytest.fixture(scope="module")
def examples(trees: Mapping[Ref, GitTree], catalog: Catalog) -> list[Example]:
    return [*_all(trees, catalog)]


def _all(trees: Mapping[Ref, GitTree], catalog: Catalog) -> Iterator[Example]:
    for repo, branch in BRANCHES:
        docs = BranchDocs(trees[Ref(f"TanStack/{repo}", branch)])
        for (framework, name), files in docs.examples.items():
            yield Example(_owner(catalog, repo, name), docs, framework, name, files)
    tree = trees[Ref(f"TanStack/{UNSORTED[0]}", UNSORTED[1])]
    files_of: dict[str, list[str]] = {}
    for path in tree.files:
        if found := re.match(r"examples/([^/]+)/", path):
            files_of.setdefault(found[1], []).append(path[found.end() :])
    for name, paths in files_of.items():
        yield Example(catalog.library("table"), BranchDocs(tree), "react", name, tuple(paths))


def _owner(catalog: Catalog, repo: str, name: str) -> Library:
    return catalog.library("start" if repo == "router" and name.startswith("start-") else repo)


def _kind(example: Example) -> str:
    start, main = example.start or "", expected_entry_file(example.framework, example.library.example_entry)
    name = start.rpartition("/")[2]
    if start == main:
        return "the usual file"
    if name == main.rpartition("/")[2]:
        return "its name in another folder"
    if name in {f"{each}.{extension}" for each in NAMES for extension in EXTENSIONS}:
        return "a usual name"
    if name in NEWER_NAMES:
        return "a newer name"
    return "README.md" if name == "README.md" else "another file"


def test_examples_open_with_their_main_file(examples: list[Example]) -> None:
    kinds = Counter(_kind(example) for example in examples)
    print(f"\n{len(examples)} examples, {sum(len(e.files) for e in examples)} files: {dict(kinds.most_common())}")
    assert (len(examples), sum(len(example.files) for example in examples)) == (EXAMPLES, FILES)
    assert kinds["the usual file"] >= EXACT
    assert kinds["another file"] <= 2
    for example in examples:
        assert example.start in example.files
        assert str(example.start).rpartition(".")[2] not in STYLES


@dataclass
class FixedSource:
    """A source whose trees never change."""

    snapshot: Snapshot
    description: str = "repositories"

    def open(self) -> Snapshot:
        return self.snapshot

    def refresh(self, refs: Collection[Ref] | None = None) -> Snapshot:
        del refs
        return self.snapshot

    fetch_history = refresh

    def synced_at_s(self, ref: object = None) -> float | None:
        del ref
        return None

    def tidy(self) -> None: ...

    def stop(self) -> None: ...


@pytest.fixture(scope="module")
def site(settings: Settings, catalog: Catalog, trees: Mapping[Ref, GitTree]) -> Site:
    named = catalog.refs
    return open_site(settings, source=FixedSource(Snapshot({ref: tree for ref, tree in trees.items() if ref in named})))


@pytest.fixture
async def client(site: Site) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(SiteApp(site)), base_url="http://kinfolk.test") as made:
        yield made


@pytest.fixture
def sampled_examples(examples: list[Example], catalog: Catalog) -> list[Example]:
    """Two hundred examples of branches in the registry."""
    named = catalog.refs
    served = [example for example in examples if example.branch.ref in named]
    return random.Random(SEED).sample(served, 200)  # noqa: S311 a fixed choice


def _version(example: Example) -> str:
    branch = example.branch.ref.branch
    return next(version.name for version in example.library.versions if version.branch == branch)


async def _call(client: httpx.AsyncClient, id: str, data: object) -> httpx.Response:
    return await client.get(f"/_server/{id}", params={"payload": json.dumps({"data": data})})


async def test_all_files_of_two_hundred_examples_are_served(
    client: httpx.AsyncClient, sampled_examples: list[Example]
) -> None:
    kinds: Counter[str] = Counter()
    for example in sampled_examples:
        wanted = {
            "library": example.library.id,
            "version": _version(example),
            "framework": example.framework,
            "name": example.name,
        }
        tree = (await _call(client, "example.files", wanted)).json()["data"]
        assert tuple(tree["files"]) == example.files
        assert tree["start"] == example.start
        for file in example.files:
            shown = (await _call(client, "example.file", wanted | {"path": example.path(file)})).json()["data"]
            content = example.read(file)
            assert (shown["path"], shown["size"]) == (file, len(content))
            assert (await client.get(shown["raw"])).content == content
            kinds[shown["kind"]] += 1
    print(f"\n{kinds.total()} files: {dict(kinds)}")
    assert kinds.total() > 2_000
    assert kinds["code"] > 0.9 * kinds.total()


async def test_example_lists_of_all_versions_are_served(client: httpx.AsyncClient, catalog: Catalog) -> None:
    shown = {}
    for library in catalog.libraries:
        for version in library.versions:
            answer = await _call(client, "example.list", {"library": library.id, "version": version.name})
            counts = answer.json()["data"]["counts"]
            shown[f"{library.id} {version.name}"] = sum(count["examples"] for count in counts)
    print(f"\n{shown}")
    assert shown["start v0"] + shown["router v1"] == 112
    assert (shown["query v5"], shown["table v8"], shown["config v0"]) == (64, 89, 0)


def test_zip_equals_the_files_in_git(examples: list[Example], trees: Mapping[Ref, GitTree]) -> None:
    for example in random.Random(SEED).sample(examples, 60):  # noqa: S311 a fixed choice
        tree = trees[example.branch.ref]
        commit = pygit2.Repository(tree._objects.path)[tree.revision].peel(pygit2.Commit)
        if example.branch.ref.branch == UNSORTED[1]:  # the site does not serve its folders
            continue
        in_git = {f"{example.name}/{path}": blob for path, blob in _blobs(_below(commit.tree, example.root))}
        with zipfile.ZipFile(io.BytesIO(b"".join(stream_zip(example)))) as archive:
            assert {name: archive.read(name) for name in archive.namelist()} == in_git


def _below(folder: pygit2.Object, path: str) -> pygit2.Object:
    for name in path.split("/"):
        assert isinstance(folder, pygit2.Tree)
        folder = folder / name
    return folder


def _blobs(folder: pygit2.Object, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    assert isinstance(folder, pygit2.Tree)
    for entry in folder:
        if isinstance(entry, pygit2.Tree):
            yield from _blobs(entry, f"{prefix}{entry.name}/")
        elif isinstance(entry, pygit2.Blob):
            yield f"{prefix}{entry.name}", entry.data


def test_largest_example_is_complete_and_sorted(examples: list[Example]) -> None:
    largest = max(examples, key=lambda example: len(example.files))
    began = time.process_time()
    fresh = Example(largest.library, largest.branch, largest.framework, largest.name, tuple(reversed(largest.found)))
    assert fresh.files == largest.files
    print(f"\n{len(fresh.files)} files in order in {(time.process_time() - began) * 1000:.1f} ms")
    assert len(fresh.files) == LARGEST
