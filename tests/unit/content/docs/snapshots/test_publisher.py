"""Publishes docs snapshots: stale tags, rendered pages and listeners."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from tests.inputs.docs_pages import render_page

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import purge_tags
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.content.redirects import Redirects
from kinfolk.content.sources.directory import DirectorySource

QUERY = Ref("TanStack/query", "main")


class QueryDocs:
    """A folder with docs of Query, and a publisher that reads it."""

    def __init__(self, root: Path, catalog: Catalog, redirects: Redirects) -> None:
        self.root = root
        self.source = DirectorySource(root, catalog.refs, "test docs")
        self.write("docs/a.md", "# A\n\n[b](./b.md)")
        self.write("docs/b.md", "# B")
        self.publisher = DocsPublisher(DocsSnapshot(catalog, redirects, self.source.open()), self.source)

    def write(self, path: str, text: str) -> None:
        file = self.root / "TanStack/query/main" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


@pytest.fixture
def query(tmp_path: Path, catalog: Catalog, redirects: Redirects) -> QueryDocs:
    return QueryDocs(tmp_path, catalog, redirects)


def test_refresh_returns_the_stale_tags(query: QueryDocs) -> None:
    query.write("docs/b.md", "# B\n\nMore text")
    assert purge_tags(query.publisher.refresh()) == {"TanStack/query@main:docs/b.md", "TanStack/query@main#revision"}


@pytest.mark.parametrize(
    ("text", "is_stale"),
    [
        ("# B, again", True),
        ("---\ntitle: C\n---\n# B", True),
        ("---\nref: docs/a.md\n---\n# B", True),
        ("---\nredirect_from: [old]\n---\n# B", True),
        ("---\nsidebar_position: 2\n---\n# B", True),
        ("---\ndescription: D\nkeywords: k\n---\n# B\n\n## More", False),
    ],
)
def test_edit_purges_titles_redirects_and_menus_that_it_changes(query: QueryDocs, text: str, *, is_stale: bool) -> None:
    query.write("docs/b.md", text)
    assert ("TanStack/query@main#front-matter" in purge_tags(query.publisher.refresh())) == is_stale


@pytest.mark.parametrize(
    ("path", "purged"),
    [
        ("docs/framework/react/guides/a.md", {"react"}),
        ("docs/framework/react/reference/a.md", {"react/api"}),
        ("docs/framework.md", set()),
    ],
)
def test_changed_title_purges_the_titles_of_its_framework(query: QueryDocs, path: str, purged: set[str]) -> None:
    query.write(path, "---\ntitle: A\n---\n")
    query.publisher.refresh()
    query.write(path, "---\ntitle: B\n---\n")
    tags = purge_tags(query.publisher.refresh())
    assert {tag.rpartition(":")[2] for tag in tags if "#titles" in tag} == purged


def test_new_file_purges_pages_that_depend_on_the_listing(query: QueryDocs) -> None:
    query.write("docs/c.md", "# C")
    assert purge_tags(query.publisher.refresh()) == {
        "TanStack/query@main:docs/c.md",
        "TanStack/query@main#revision",
        "TanStack/query@main#files",
        "TanStack/query@main#front-matter",
        "TanStack/query@main#dates",
    }


def test_refresh_without_changes_keeps_the_snapshot(query: QueryDocs) -> None:
    before = query.publisher.docs
    assert query.publisher.refresh() == frozenset()
    assert query.publisher.docs is before


def test_only_changed_pages_are_rendered_again(query: QueryDocs) -> None:
    before = query.publisher.docs
    a, b = (render_page(before, QUERY, f"docs/{name}.md").page for name in "ab")
    query.write("docs/b.md", "# B, again")
    query.publisher.refresh()
    after = query.publisher.docs
    assert render_page(after, QUERY, "docs/a.md").page is a
    assert render_page(after, QUERY, "docs/b.md").page is not b


def test_page_is_rendered_again_when_its_link_target_appears(query: QueryDocs) -> None:
    query.write("docs/a.md", "[c](./c.md)")
    query.publisher.refresh()
    assert render_page(query.publisher.docs, QUERY, "docs/a.md").page.links[0].broken
    query.write("docs/c.md", "# C")
    query.publisher.refresh()
    assert not render_page(query.publisher.docs, QUERY, "docs/a.md").page.links[0].broken


def test_snapshot_does_not_change_after_it_is_replaced(query: QueryDocs) -> None:
    before = query.publisher.docs
    query.write("docs/b.md", "# B, again")
    query.publisher.refresh()
    assert "again" not in render_page(before, QUERY, "docs/b.md").page.text


def test_listeners_are_called_after_the_snapshot_is_replaced(query: QueryDocs) -> None:
    calls: list[tuple[frozenset[str], str]] = []

    def listen(tags: frozenset[str]) -> None:
        calls.append((tags, render_page(query.publisher.docs, QUERY, "docs/b.md").page.text))

    query.publisher.on_purge(listen)
    query.write("docs/b.md", "new")
    query.publisher.refresh()
    ref = "TanStack/query@main"
    assert calls == [(frozenset({f"{ref}:docs/b.md", f"{ref}#front-matter", f"{ref}#revision"}), "new")]


def test_snapshot_listeners_are_called_once_after_a_delay(query: QueryDocs) -> None:
    def started_timers() -> list[threading.Timer]:
        return [thread for thread in set(threading.enumerate()) - before if isinstance(thread, threading.Timer)]

    before = set(threading.enumerate())
    snapshots: list[DocsSnapshot] = []
    # Longer than this test takes, which calls the function of the timer itself.
    query.publisher.listener_delay_s = 3600
    query.publisher.on_snapshot(snapshots.append)
    query.write("docs/b.md", "new")
    query.publisher.refresh()
    (replaced,) = started_timers()
    query.write("docs/b.md", "newer")
    query.publisher.refresh()
    replaced.join()
    (current,) = started_timers()
    assert current.interval == 3600
    assert snapshots == []
    current.cancel()
    current.function(*current.args)
    assert snapshots == [query.publisher.docs]


def test_changed_image_changes_pages_that_contain_it(query: QueryDocs) -> None:
    query.write("docs/pic.svg", "<svg/>")
    query.write("docs/a.md", "![A](./pic.svg)")
    query.publisher.refresh()
    tags: set[str] = set()
    before = render_page(query.publisher.docs, QUERY, "docs/a.md", tags=tags).html
    query.write("docs/pic.svg", "<svg></svg>")
    assert purge_tags(query.publisher.refresh()) & tags
    assert render_page(query.publisher.docs, QUERY, "docs/a.md").html != before
