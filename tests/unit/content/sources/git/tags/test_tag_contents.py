"""Tags of real upstream repositories: which are listed, and when the contents of their docs are fetched."""

from __future__ import annotations

import gc
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.servers.captured_logs import captured_logs
from tests.unit.content.sources.git.sources_upstream import GOOD, QUERY, Upstreams, git, mirror

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.git_tree import GitTree
from kinfolk.content.sources.git.mirror import repository_url
from kinfolk.content.sources.git.tags.tag_contents import TagContents
from kinfolk.content.sources.git.tags.tag_fetcher import CHECK_EVERY_S
from kinfolk.content.sources.git.tags.tag_list import read_tags, tags_file
from kinfolk.runtime.errors import Unavailable

V1, V2 = Ref(QUERY.repo, "v1.0.0"), Ref(QUERY.repo, "@family/query@2.0.0")
PAGE = "docs/page.md"


def tag(upstreams: Upstreams, name: str, target: str = "refs/heads/main", *options: str) -> None:
    git(f"--git-dir={upstreams.path(QUERY)}", "tag", *options, name, target)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Upstream with two tags and a mirror of it, which tests copy."""
    folder = tmp_path_factory.mktemp("tags")
    upstreams = Upstreams(folder / "upstream")
    files = {"docs/config.json": GOOD, PAGE: "# One\n", "docs/same.md": "# Same\n", "src/code": "1"}
    upstreams.commit(QUERY, {**files, "LICENSE": "MIT"})
    tag(upstreams, "v1.0.0")
    upstreams.commit(QUERY, {PAGE: "# Two\n"})
    upstreams.commit(QUERY, {"docs/link.md": "page.md"}, mode="120000")
    tag(upstreams, "@family/query@2.0.0", "refs/heads/main", "-a", "-m", "Two")
    upstreams.commit(QUERY, {"readme": "no docs"}, replace=True)
    tag(upstreams, "without-docs")
    tag(upstreams, "of-a-file", "refs/heads/main:readme")
    upstreams.commit(QUERY, {"docs/config.json": GOOD, PAGE: "# Three\n"})
    for setting in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(f"--git-dir={upstreams.path(QUERY)}", "config", setting, "true")
    docs = mirror(upstreams, folder / "mirror", QUERY)
    docs.refresh()
    docs.fetch_history()
    return folder


class Site:
    """An upstream, a mirror, and the contents of its tags."""

    def __init__(self, folder: Path, first: Path, limit_bytes: int = 1 << 20) -> None:
        shutil.copytree(first, folder, dirs_exist_ok=True)
        self.upstreams = Upstreams(folder / "upstream")
        self.root = folder / "mirror"
        self.docs = mirror(self.upstreams, self.root, QUERY)
        self.docs.open()
        self.contents = self.open(limit_bytes)

    def open(self, limit_bytes: int = 1 << 20, timeout_s: float = 20) -> TagContents:
        return TagContents(
            self.root,
            lambda repo: repository_url(self.upstreams.url_template, repo),
            timeout_s=timeout_s,
            limit_bytes=limit_bytes,
        )

    def names(self) -> list[str]:
        return [each.name for each in self.contents.tags(QUERY.repo)]

    def commit(self, ref: Ref) -> str:
        return next(each.commit for each in self.contents.tags(QUERY.repo) if each.name == ref.branch)

    def fetch(self, ref: Ref, contents: TagContents | None = None) -> GitTree:
        return (contents or self.contents).fetch(ref, self.commit(ref), ("docs",))

    def find(self, ref: Ref) -> GitTree | None:
        return self.contents.open(ref, self.commit(ref), ("docs",))

    def look_again(self) -> None:
        self.contents.expire(QUERY.repo)
        self.docs.fetch_history()

    @property
    def store(self) -> Path:
        return self.root / f"{QUERY.repo}.tags.git"


@pytest.fixture
def site(tmp_path: Path, first: Path) -> Site:
    return Site(tmp_path, first)


def test_tags_with_docs_are_listed(site: Site) -> None:
    assert sorted(site.names()) == ["@family/query@2.0.0", "v1.0.0"]
    (one,) = (each for each in site.contents.tags(QUERY.repo) if each.name == "v1.0.0")
    expected = git(f"--git-dir={site.upstreams.path(QUERY)}", "rev-parse", "v1.0.0", "v1.0.0:docs").split()
    assert [one.commit, one.trees["docs"]] == expected
    assert one.day.isoformat() == "2023-11-14"


def test_deleted_and_moved_tags_change_the_list(site: Site) -> None:
    tag(site.upstreams, "v1.0.0", "refs/heads/main", "--force")
    git(f"--git-dir={site.upstreams.path(QUERY)}", "tag", "-d", "@family/query@2.0.0")
    site.look_again()
    assert site.names() == ["v1.0.0"]
    assert site.commit(V1) == site.upstreams.tip(QUERY)


def test_upstream_is_asked_for_tags_once_an_hour_and_after_a_push(site: Site) -> None:
    file = tags_file(site.root, QUERY.repo)
    tag(site.upstreams, "v3.0.0")
    site.docs.fetch_history()
    assert "v3.0.0" not in site.names()
    before = time.time() - CHECK_EVERY_S - 1
    os.utime(file, (before, before))
    site.docs.fetch_history()
    assert "v3.0.0" in site.names()
    # A new commit of a branch.
    tag(site.upstreams, "v3.0.1")
    site.upstreams.commit(QUERY, {PAGE: "# Four\n"})
    site.docs.refresh()
    site.docs.fetch_history()
    assert "v3.0.1" in site.names()


def test_unreachable_upstream_leaves_the_list(site: Site) -> None:
    site.upstreams.path(QUERY).rename(site.upstreams.path(QUERY).with_name("gone"))
    with captured_logs("tags unknown") as logs:
        site.look_again()
    assert len(site.names()) == 2
    assert [entry["repo"] for entry in logs] == [QUERY.repo]


def test_invalid_list_of_tags_is_no_list(tmp_path: Path) -> None:
    for content in (b"", b"[1]", b'[["v1", "c"]]', b'[["v1", "c", "yesterday", {}]]'):
        (tmp_path / "tags.json").write_bytes(content)
        assert read_tags(tmp_path / "tags.json") == ()


def test_contents_are_fetched_once(site: Site) -> None:
    assert site.find(V1) is None
    tree = site.fetch(V1)
    assert dict.fromkeys(tree.files) == dict.fromkeys(["docs/config.json", PAGE, "docs/same.md"])
    assert tree.read(PAGE) == b"# One\n"
    site.upstreams.path(QUERY).rename(site.upstreams.path(QUERY).with_name("gone"))
    found = site.find(V1)
    assert found is not None
    assert found.read("docs/same.md") == b"# Same\n"
    assert site.fetch(V1, site.open()).read(PAGE) == b"# One\n"


def test_symbolic_links_are_followed_once_their_text_is_here(site: Site) -> None:
    assert site.fetch(V2).read("docs/link.md") == b"# Two\n"


def test_other_release_fetches_only_what_differs(site: Site) -> None:
    site.fetch(V2)
    before = {pack.name for pack in site.store.glob("objects/pack/*.pack")}
    site.fetch(V1)
    (added,) = {pack.name for pack in site.store.glob("objects/pack/*.pack")} - before
    listed = git("verify-pack", "-v", site.store / "objects/pack" / added)
    assert sum(" blob " in line for line in listed.splitlines()) == 1


def test_contents_above_the_limit_are_deleted_before_the_next_fetch(tmp_path: Path, first: Path) -> None:
    site = Site(tmp_path, first, limit_bytes=1)
    site.fetch(V1)
    site.fetch(V2)
    assert site.find(V1) is None
    assert site.find(V2) is not None


def test_moved_mirror_is_read(site: Site) -> None:
    site.fetch(V1)
    site.root = site.root.rename(site.root.with_name("moved"))
    site.contents = site.open()
    found = site.find(V1)
    assert found is not None
    assert found.read(PAGE) == b"# One\n"


def test_damaged_contents_are_deleted_and_fetched_again(site: Site) -> None:
    site.fetch(V1)
    before = site.contents.generation(QUERY.repo)
    for pack in site.store.glob("objects/pack/*.pack"):
        pack.chmod(0o644)
        pack.write_bytes(pack.read_bytes()[:12] + b"\xff" * (pack.stat().st_size - 12))
    site.contents = site.open()
    tree = site.find(V1)
    assert tree is not None
    with pytest.raises(Unavailable):
        tree.read(PAGE)
    assert site.contents.generation(QUERY.repo) != before
    # The frames of the error have a handle, and libgit2 shares open packs of one name.
    del tree
    gc.collect()
    assert site.fetch(V1).read(PAGE) == b"# One\n"


def test_failed_fetch_names_the_release_and_leaves_nothing(site: Site) -> None:
    site.upstreams.path(QUERY).rename(site.upstreams.path(QUERY).with_name("gone"))
    with pytest.raises(Unavailable, match="repository"):
        site.fetch(V1)
    assert site.find(V1) is None


def test_commit_that_the_mirror_lacks_is_unavailable(site: Site) -> None:
    with pytest.raises(Unavailable):
        site.contents.open(V1, "0" * 40, ("docs",))


def test_fetches_of_two_processes_take_turns(site: Site) -> None:
    with ThreadPoolExecutor() as threads:
        trees = list(threads.map(lambda contents: site.fetch(V1, contents), [site.open(), site.open()]))
    assert [tree.read(PAGE) for tree in trees] == [b"# One\n"] * 2
    assert len(list(site.store.glob("objects/pack/*.pack"))) == 1


def test_stopped_fetch_fails(site: Site) -> None:
    site.contents.stop()
    with pytest.raises(Unavailable):
        site.fetch(V1)
