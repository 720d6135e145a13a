"""`kinfolk review` lists what a branch changes in a clone, and the faults that it adds."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.inputs.script_vectors import SCRIPT_VECTORS, dangers_of
from tests.sites.sample_site import read_settings
from tests.unit.content.sources.git.sources_upstream import git

from kinfolk.cli.check.docs_review import DocsReview, review_docs, review_html
from kinfolk.cli.main import main
from kinfolk.config.settings import Settings
from kinfolk.runtime.errors import Invalid

LIBRARY = """
folder = ".."
tagline = "Floors"
latest_version = "v1"
versions = [{ name = "v1" }]
"""
SITE = {
    "site/kinfolk.toml": 'family = "Acme"\naccounts = false\nframeworks = []\n',
    "site/libraries/tiles.toml": LIBRARY,
}
FIRST = {
    "docs/start.md": "# Start\n\n[Old fault](./gone.md)\n\n[b](./b.md)\n",
    "docs/b.md": "# B\n\nA longer text that moves to another page.\n",
}
SECOND = {
    "docs/start.md": "# Start\n\nA line.\n\n[Old fault](./gone.md)\n\n[b](./b.md)\n",
    "docs/c.md": FIRST["docs/b.md"],
    "docs/hostile.md": "# Hostile\n\n" + "\n\n".join(SCRIPT_VECTORS[:6]) + "\n",
}


class Clone:
    """A git repository whose site is in a folder of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        git("init", "--quiet", "--template=", "-b", "main", folder)

    @property
    def settings(self) -> Settings:
        return read_settings({"KINFOLK_SITE": str(self.folder / "site")})

    def commit(self, files: dict[str, str], *removed: str) -> None:
        for name, text in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
        for name in removed:
            (self.folder / name).unlink()
        git("-C", self.folder, "add", "--all")
        git("-C", self.folder, "commit", "--quiet", "--message", "docs")

    def review(self, base: str = "HEAD~1") -> DocsReview:
        return review_docs(self.settings, self.folder / "docs", base, "HEAD")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    found = Clone(tmp_path_factory.mktemp("clone"))
    found.commit(SITE | FIRST)
    found.commit(SECOND, "docs/b.md")
    return found


@pytest.fixture(scope="module")
def review(clone: Clone) -> DocsReview:
    return clone.review()


def test_pages_are_those_that_differ(review: DocsReview) -> None:
    assert [(each.page.change, each.page.path, each.page.before) for each in review.pages] == [
        ("changed", "start", None), ("new", "hostile", None), ("moved", "c", "b")
    ]  # fmt: skip


def test_only_new_faults_are_findings(review: DocsReview) -> None:
    messages = [fault.message for fault in review.findings if "hostile" not in fault.file]
    assert messages == ["docs/start.md: line 7: the link ./b.md leads nowhere"]
    assert review.known == 1


def test_file_has_the_differences_and_nothing_active(review: DocsReview) -> None:
    document = review_html(review)
    assert "A line." in document
    assert "before at b" in document
    assert [danger for each in review.pages for danger in dangers_of(each.difference)] == []


def test_command_ends_with_1_for_new_faults(clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINFOLK_SITE", str(clone.folder / "site"))
    out = tmp_path / "review.html"
    arguments = ["review", "HEAD~1", "HEAD", "--repository", str(clone.folder), "--out", str(out)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "changed: start" in result.output
    assert out.read_text().startswith("<!doctype html>")
    same = CliRunner().invoke(main, ["review", "HEAD", "HEAD", "--repository", str(clone.folder)])
    assert (same.exit_code, "No page differs" in same.output) == (0, True)


@pytest.mark.no_cover  # the engine starts
def test_wrong_code_of_changed_pages_is_a_finding(tmp_path: Path, built: Path) -> None:
    clone = Clone(tmp_path)
    clone.commit(
        {
            "site/kinfolk.toml": SITE["site/kinfolk.toml"],
            "site/libraries/tiles.toml": LIBRARY + 'packages = [{ name = "@acme/tiles" }]\n',
            "packages/tiles/package.json": '{"name": "@acme/tiles", "version": "1.0.0", "types": "index.d.ts"}',
            "packages/tiles/index.d.ts": "export declare function lay(size: number): void\n",
            "docs/start.md": f"# Start\n\n{code('lai')}",
            "docs/same.md": f"# Same\n\n{code('lai')}",
        }
    )
    clone.commit({"docs/start.md": f"# Start\n\nMore.\n\n{code('lai')}", "docs/new.md": f"# New\n\n{code('laay')}"})
    settings = dataclasses.replace(clone.settings, frontend=built, var=tmp_path / "var", npm_registry="")
    review = review_docs(settings, clone.folder / "docs", "HEAD~1", "HEAD", with_code=True)
    assert [(fault.file, fault.key, "laay" in fault.reason) for fault in review.findings] == [
        ("docs/new.md", "line 4", True)
    ]
    assert review.known == 1


def code(name: str) -> str:
    return f'```ts\nimport {{ {name} }} from "@acme/tiles"\n{name}(1)\n```\n'


@pytest.mark.parametrize("base", ["nothing", "--upload-pack=x"])
def test_unknown_commit_is_named(clone: Clone, base: str) -> None:
    with pytest.raises(Invalid, match=f"{base} is no commit"):
        clone.review(base)


def test_folder_without_a_repository_is_named(clone: Clone, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="is in no git repository"):
        review_docs(clone.settings, tmp_path, "HEAD~1", "HEAD")
