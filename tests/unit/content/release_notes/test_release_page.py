"""The notes of a release come from its code host or from changelogs, and are rendered as pages are."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

import pytest
from tests.inputs.script_vectors import SCRIPT_VECTORS, dangers

from kinfolk.config.catalog.releases import Release
from kinfolk.config.code_hosts import code_host
from kinfolk.config.docs_address import Ref
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.release_notes.changelog import parse_changelog
from kinfolk.content.release_notes.changelog_files import ChangelogFiles, PackageChangelog, changelog_paths
from kinfolk.content.release_notes.hosts.release_client import HostRelease, ListedRepository
from kinfolk.content.release_notes.release_page import (
    FoundNotes,
    ReleaseNotes,
    find_notes,
    notes_of_release,
    package_numbers,
    render_notes,
)
from kinfolk.content.sources.snapshot import FileHistory
from kinfolk.runtime.errors import NotFound

REPOSITORY = ListedRepository(code_host(), "acme/query")
BASE = "https://github.com/acme/query"
RELEASE = Release("5.28.4", "v5.28.4", "c" * 40, date(2026, 1, 1), {"svelte": "6.1.0"}, "docs", "d" * 40)
PACKAGES = (("react", "@acme/react-query"), ("svelte", "@acme/svelte-query"))
AT = datetime(2026, 1, 2, 12)  # noqa: DTZ001 - all times of the database are in UTC
NUMBERS = {"@acme/react-query": "5.28.4", "@acme/svelte-query": "6.1.0"}


def changelog(package: str, text: str, path: str = "packages/x/CHANGELOG.md") -> PackageChangelog:
    return PackageChangelog(package, path, parse_changelog(text))


def on_host(body: str, *, tag: str = "v5.28.4", name: str = "v5.28.4") -> dict[str, HostRelease]:
    return {tag: HostRelease(tag, name, body, AT)}


def find(releases: Mapping[str, HostRelease], *changelogs: PackageChangelog) -> FoundNotes | None:
    return find_notes(RELEASE, REPOSITORY, releases=releases, changelogs=lambda: changelogs, numbers=NUMBERS)


def found(releases: Mapping[str, HostRelease], *changelogs: PackageChangelog) -> FoundNotes:
    notes = find(releases, *changelogs)
    assert notes is not None
    return notes


def rendered(body: str) -> ReleaseNotes:
    return render_notes(found(on_host(body)), markdown=MarkdownRenderer())


REACT = changelog("@acme/react-query", "## 5.28.4\n\n### Patch Changes\n\n- fix: a leak\n- fix: react only\n")
SVELTE = changelog("@acme/svelte-query", "## 6.1.0\n\n### Minor Changes\n\n- feat: a store\n- fix: a leak\n")


# Where notes come from


def test_body_on_the_host_takes_precedence() -> None:
    notes = found(on_host("### Features\n\n- a"), REACT)
    assert (notes.source, notes.url, notes.day) == ("host", f"{BASE}/releases/tag/v5.28.4", date(2026, 1, 2))
    assert notes.grouped.counts == {"added": 1}
    assert notes.title == ""


@pytest.mark.parametrize(
    "releases", [{}, on_host(""), on_host("Please refer to [CHANGELOG.md](https://x.test) for details.")]
)
def test_changelogs_of_packages_are_joined_otherwise(releases: Mapping[str, HostRelease]) -> None:
    notes = found(releases, SVELTE, REACT, changelog("@acme/other", "## 5.28.4\n\n- feat: of another package\n"))
    assert notes.source == "changelog"
    assert notes.grouped.counts == {"added": 1, "fixed": 2}
    assert notes.grouped.groups[1].text == "- fix: a leak\n- fix: react only"
    assert notes.url == f"{BASE}/blob/v5.28.4/packages/x/CHANGELOG.md"


def test_body_that_refers_to_a_changelog_is_better_than_none() -> None:
    assert found(on_host("See the changelog.")).grouped.intro == "See the changelog."
    assert find({}) is None
    assert find({}, changelog("@acme/react-query", "## 5.28.3\n\n- a\n")) is None


def test_changelog_of_the_repository_has_the_number_of_the_release() -> None:
    assert found({}, changelog("", "## 5.28.4 (2026-03-04)\n\n- a\n", "CHANGELOG.md")).day == date(2026, 3, 4)


def test_release_of_another_tag_of_the_commit() -> None:
    releases = on_host("- a", tag="release-2026-01-01", name="January")
    notes = found(releases)
    assert (notes.title, notes.url) == ("January", f"{BASE}/releases/tag/release-2026-01-01")
    assert found({**releases, **on_host("- own\n- two")}).grouped.counts == {"other": 2}


def test_dependencies_of_the_monorepo_are_left_out_unless_alone() -> None:
    update = "- Updated dependencies [abc1234]:\n  - @acme/core@5.28.4"
    alone = found({}, changelog("@acme/react-query", f"## 5.28.4\n\n### Patch Changes\n\n{update}\n"))
    assert alone.grouped.groups[0].text == update
    assert "Updated" not in str(found({}, changelog("@acme/react-query", f"## 5.28.4\n\n{update}\n- fix: a\n")))


def test_numbers_of_packages() -> None:
    tags = ["v5.28.4", "@acme/query-core@5.28.4", "@acme/react-query@1.0.0", "release-2026"]
    assert package_numbers(RELEASE, PACKAGES, tags) == {**NUMBERS, "@acme/query-core": "5.28.4"}


# What is rendered


def test_groups_have_headings() -> None:
    notes = rendered("Hello\n\n### Fixes\n\n- b\n\n### 🚨 Breaking Changes\n\n- a\n\n### Docs\n\n- c\n")
    assert [(heading.id, heading.level) for heading in notes.page.headings] == [
        ("breaking-changes", 2),
        ("fixed", 2),
        ("other-changes", 2),
        ("docs", 3),
    ]
    assert notes.counts == {"breaking": 1, "fixed": 1, "other": 1}


def test_notes_of_unknown_kinds_have_no_headings() -> None:
    assert rendered("- a\n- b").page.headings == ()


def test_mentions_and_relative_links_lead_to_the_code_host() -> None:
    html = rendered("- a (#7) by @octo in 3b0f0d6, see [it](docs/a.md#b) and [that](/README.md) ![](x.png)").page.html()
    for address in (
        f"{BASE}/issues/7",
        "https://github.com/octo",
        f"{BASE}/commit/3b0f0d6",
        f"{BASE}/blob/v5.28.4/docs/a.md#b",
        f"{BASE}/blob/v5.28.4/README.md",
        "https://raw.githubusercontent.com/acme/query/v5.28.4/x.png",
    ):
        assert f'"{address}"' in html


def test_links_of_a_changelog_start_from_its_folder() -> None:
    one = changelog("@acme/react-query", "## 5.28.4\n\n- [a](./a.md) [up](../../b.md) [out](../../../c.md)\n")
    page = render_notes(found({}, one), markdown=MarkdownRenderer()).page
    assert [(link.href, link.broken) for link in page.links] == [
        (f"{BASE}/blob/v5.28.4/packages/x/a.md", False),
        (f"{BASE}/blob/v5.28.4/b.md", False),
        (BASE, True),
    ]


def test_addresses_of_this_site_become_local() -> None:
    notes = notes_of_release(
        RELEASE,
        REPOSITORY,
        releases=on_host("- [guide](https://acme.test/query/latest/docs/a) [other](https://x.test/)"),
        changelogs=tuple,
        numbers=NUMBERS,
        markdown=MarkdownRenderer(),
        site_link=lambda href: href.removeprefix("https://acme.test") if "acme.test" in href else None,
    )
    assert notes is not None
    assert [link.href for link in notes.page.links] == ["/query/latest/docs/a", "https://x.test/"]


@pytest.mark.parametrize("body", ["---\nref: docs/secret.md\n---\n\n- a", "# v5.28.4\n\n- a", "- a\n---\n"])
def test_text_has_no_front_matter_and_no_title_of_its_own(body: str) -> None:
    notes = rendered(body)
    assert notes.page.title == "5.28.4"
    assert "a" in notes.page.html()


@pytest.mark.parametrize("vector", SCRIPT_VECTORS)
def test_active_content_is_removed(vector: str) -> None:
    assert dangers(rendered(f"{vector}\n\n### Features\n\n- {vector}\n\n{vector}\n").page) == []


# Files


class FakeTree:
    """A tree of texts. `reads` counts the files that were read."""

    ref = Ref("acme/query", "main")
    revision = "r"
    left_out: Mapping[str, str] = {}
    broken_links: Mapping[str, str] = {}
    linked_paths: frozenset[str] = frozenset()
    changed_at = None

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self.files = {path: str(hash(text)) for path, text in texts.items()}
        self.reads: list[str] = []

    def read(self, path: str) -> bytes:
        self.reads.append(path)
        if self._texts[path] == "missing":
            raise NotFound(path)
        return self._texts[path].encode()

    def size(self, path: str) -> int:
        return len(self._texts[path].encode())

    def history(self, path: str) -> FileHistory | None:  # noqa: ARG002
        return None


def test_paths_of_changelogs() -> None:
    files = [
        "CHANGELOG.md",
        "HISTORY.md",
        "docs/release-notes.md",
        "packages/core/CHANGELOG.md",
        "packages/adapters/zod/CHANGELOG.md",
        "crate/Changelog.md",
        "examples/CHANGELOG.md",
        "docs/guide/history.md",
        "packages/core/src/CHANGELOG.ts",
        "a/b/CHANGELOG.md",
    ]
    assert changelog_paths(files) == tuple(sorted(files[:6]))


def test_files_name_their_package_and_are_parsed_once() -> None:
    tree = FakeTree(
        {
            "CHANGELOG.md": "## 1.0.0\n\n- a",
            "packages/core/CHANGELOG.md": "# Changelog\n\n## 1.0.0\n\n- a",
            "packages/core/package.json": '{"name": "@acme/core"}',
            "packages/lit/CHANGELOG.md": "# @acme/lit\n\n## 1.0.0\n\n- a",
            "packages/lit/package.json": "[[[",
            "packages/vue/CHANGELOG.md": "# Changelog\n\n## 1.0.0\n\n- a",
            "packages/empty/CHANGELOG.md": "# Changelog\n",
            "packages/gone/CHANGELOG.md": "missing",
        }
    )
    files = ChangelogFiles()
    assert [one.package for one in files.read(tree)] == ["", "@acme/core", "@acme/lit", "vue"]
    tree.reads.clear()
    assert [one.package for one in files.read(tree)] == ["", "@acme/core", "@acme/lit", "vue"]
    assert tree.reads == ["packages/gone/CHANGELOG.md"]
