"""Heads of pull requests of a real upstream repository: what is fetched, and what is refused."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.unit.content.sources.git.sources_upstream import GOOD, QUERY, Upstreams, git, mirror

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.git_tree import GitTree
from kinfolk.content.sources.git.mirror import repository_url
from kinfolk.content.sources.git.tags import head_contents
from kinfolk.content.sources.git.tags.head_contents import HeadContents
from kinfolk.runtime.errors import Unavailable

SOURCE = "refs/pull/7/head"
PAGES = {f"docs/page-{number}.md": f"# Page {number}\n" for number in range(20)}


class HeadSite:
    """An upstream, a mirror of its branch, and the contents of heads."""

    def __init__(self, folder: Path, *, limit_bytes: int = 1 << 20) -> None:
        self.upstreams = Upstreams(folder / "upstream")
        self.upstreams.commit(QUERY, {"docs/config.json": GOOD, **PAGES, "src/code": "1"})
        self.base = self.upstreams.commit(QUERY, {"src/code": "2"})
        self.here = f"--git-dir={self.upstreams.path(QUERY)}"
        for setting in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
            git(self.here, "config", setting, "true")
        self.root = folder / "mirror"
        docs = mirror(self.upstreams, self.root, QUERY)
        docs.refresh()
        docs.fetch_history()
        self.repository = self.root / f"{QUERY.repo}.pulls.git"
        self.contents = HeadContents(
            self.root,
            lambda repo: repository_url(self.upstreams.url_template, repo),
            timeout_s=20,
            limit_bytes=limit_bytes,
        )

    def push(self, files: Mapping[str, str | bytes], source: str = SOURCE, *, base: str = "refs/heads/main") -> Ref:
        branch = Ref(QUERY.repo, "work")
        git(self.here, "update-ref", "refs/heads/work", base)
        head = self.upstreams.commit(branch, files)
        git(self.here, "update-ref", source, head)
        git(self.here, "update-ref", "-d", "refs/heads/work")
        return Ref(QUERY.repo, head)

    def fetch(self, ref: Ref, source: str = SOURCE) -> GitTree:
        return self.contents.fetch_head(ref, ref.branch, ("docs",), source=source)

    def open(self, ref: Ref) -> GitTree | None:
        return self.contents.open(ref, ref.branch, ("docs",))


@pytest.fixture
def site(tmp_path: Path) -> HeadSite:
    return HeadSite(tmp_path)


@pytest.mark.parametrize("source", [SOURCE, "refs/merge-requests/7/head"])
def test_only_changed_files_of_the_docs_are_fetched(site: HeadSite, source: str) -> None:
    ref = site.push({"docs/page-1.md": "# Changed\n", "src/secret": "not of the docs"}, source)
    assert site.open(ref) is None
    tree = site.fetch(ref, source)
    assert tree.read("docs/page-1.md") == b"# Changed\n"
    assert tree.read("docs/page-2.md") == b"# Page 2\n"
    objects = git(f"--git-dir={site.repository}", "cat-file", "--batch-all-objects", "--batch-check", "--unordered")
    counts = dict(line.split(": ") for line in git(f"--git-dir={site.repository}", "count-objects", "-v").splitlines())
    # A commit, three folders, one that git has stored a difference to, and one page.
    assert int(counts["in-pack"]) <= 6
    assert git(site.here, "rev-parse", f"{ref.branch}:src/secret").strip() not in objects
    assert site.open(ref) is not None


def test_fork_is_where_the_branch_began(site: HeadSite) -> None:
    ref = site.push({"docs/page-1.md": "# Changed\n"}, base="refs/heads/main~1")
    site.fetch(ref)
    files = site.contents.fork_files(ref, ref.branch, ("docs",), base=site.base)
    assert files is not None
    assert len(files) == 21


def test_head_that_has_moved_is_unavailable(site: HeadSite) -> None:
    ref = site.push({"docs/page-1.md": "# Changed\n"})
    site.push({"docs/page-1.md": "# Forced\n"})
    with pytest.raises(Unavailable, match="has moved"):
        site.fetch(ref)
    assert site.open(ref) is None


def test_deleted_contents_are_fetched_again(site: HeadSite) -> None:
    ref = site.push({"docs/page-1.md": "# Changed\n"})
    site.fetch(ref)
    shutil.rmtree(site.repository)
    assert site.open(ref) is None
    assert site.fetch(ref).read("docs/page-1.md") == b"# Changed\n"


def test_contents_above_their_limit_are_deleted(tmp_path: Path) -> None:
    site = HeadSite(tmp_path, limit_bytes=1)
    first = site.push({"docs/page-1.md": "# First\n"})
    site.fetch(first)
    second = site.push({"docs/page-1.md": "# Second\n"}, "refs/pull/8/head")
    site.fetch(second, "refs/pull/8/head")
    assert site.open(first) is None
    assert site.open(second) is not None


def test_repository_with_a_part_of_its_history_is_fetched_without_it(site: HeadSite) -> None:
    shutil.rmtree(site.root / f"{QUERY.repo}.history.git")
    ref = site.push({"docs/page-1.md": "# Changed\n"}, base="refs/heads/main~1")
    assert site.fetch(ref).read("docs/page-2.md") == b"# Page 2\n"


def test_large_pack_is_refused(site: HeadSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HeadContents, "most_bytes", 100_000)
    noise = "".join(f"{number * number * 7919:x}" for number in range(60_000))
    ref = site.push({"docs/page-1.md": noise})
    with pytest.raises(Unavailable):
        site.fetch(ref)
    assert site.open(ref) is None
    small = site.push({"docs/page-1.md": "# Small\n"})
    assert site.fetch(small).read("docs/page-1.md") == b"# Small\n"


def test_many_files_are_refused(site: HeadSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HeadContents, "most_missing", 3)
    ref = site.push({f"docs/new-{number}.md": f"# {number}\n" for number in range(4)})
    with pytest.raises(Unavailable, match="more than 3 files"):
        site.fetch(ref)


def test_file_that_unpacks_to_megabytes_is_left_out(site: HeadSite) -> None:
    ref = site.push({"docs/bomb.md": b"\0" * (head_contents.MOST_FILE_BYTES + 1), "docs/page-1.md": "# Changed\n"})
    tree = site.fetch(ref)
    assert "docs/bomb.md" not in tree.files
    assert "docs/bomb.md" in tree.left_out
    assert tree.read("docs/page-1.md") == b"# Changed\n"


def test_texts_that_are_long_together_are_refused(site: HeadSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_contents, "MOST_TEXT_BYTES", 10_000)
    ref = site.push({f"docs/long-{number}.md": b" " * 3_000 for number in range(4)})
    for _ in range(2):
        with pytest.raises(Unavailable, match="of text"):
            site.fetch(ref)
    with pytest.raises(Unavailable, match="of text"):
        site.open(ref)
