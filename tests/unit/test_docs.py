"""Pages, navigation and files as one snapshot has them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from tests.unit.sources_upstream import logged

from kinfolk.docs import Docs
from kinfolk.docs.neighbours import Place, _known_words, frameworks_of, nearest, versions_of
from kinfolk.errors import Invalid, NotFound, Refused, Unavailable
from kinfolk.sources.snapshot import Ref

QUERY = Ref("TanStack/query", "main")
ROUTER = Ref("TanStack/router", "main")
Shelved = Callable[[dict[str, str]], Docs]


def page_of(text: str) -> str:
    return f"---\ntitle: A Page\n---\n\n{text}\n"


def test_a_page_has_its_title_body_and_the_place_to_edit_it(shelved: Shelved) -> None:
    docs = shelved({"TanStack/query/main/docs/guide/x.md": page_of("Hello *you*.")})
    page = docs.page(QUERY, "docs/guide/x.md", "latest", set())
    assert (page.title, page.html.strip()) == ("A Page", "<p>Hello <em>you</em>.</p>")
    assert page.edit_url == "https://github.com/TanStack/query/edit/main/docs/guide/x.md"


def test_a_page_that_borrows_its_text_is_edited_where_the_text_is(shelved: Shelved) -> None:
    docs = shelved(
        {
            "TanStack/query/main/docs/framework/react/x.md": page_of("Text"),
            "TanStack/query/main/docs/framework/solid/x.md": "---\nref: docs/framework/react/x.md\n---\n",
        }
    )
    page = docs.page(QUERY, "docs/framework/solid/x.md", None, set())
    assert page.edit_url.endswith("/docs/framework/react/x.md")


def test_an_index_file_answers_for_its_folder_but_a_file_of_that_name_wins(shelved: Shelved) -> None:
    docs = shelved(
        {
            "TanStack/query/main/docs/reference/index.md": page_of("folder"),
            "TanStack/query/main/docs/reference/index/index.md": page_of("deeper"),
        }
    )
    assert docs.page(QUERY, "docs/reference.md", None, set()).file_path == "docs/reference/index.md"
    assert docs.page(QUERY, "docs/reference/index.md", None, set()).file_path == "docs/reference/index.md"
    assert "deeper" in docs.page(QUERY, "docs/reference/index/index.md", None, set()).html


def test_what_a_page_was_made_of_is_named_by_tags(shelved: Shelved) -> None:
    docs = shelved(
        {
            "TanStack/query/main/docs/x.md": page_of("[y](./y.md)"),
            "TanStack/query/main/docs/y.md": "---\nref: docs/x.md\n---\n",
        }
    )
    seen: set[str] = set()
    docs.page(QUERY, "docs/y.md", None, seen)
    assert seen == {
        "TanStack/query@main:docs/x.md",
        "TanStack/query@main:docs/y.md",
        "TanStack/query@main#files",
    }


@pytest.mark.parametrize(
    ("written", "href"),
    [
        ("./y.md", "/query/latest/docs/guide/y"),
        ("y.md#part", "/query/latest/docs/guide/y#part"),
        ("../top", "/query/latest/docs/top"),
        ("../guide/y", "/query/latest/docs/guide/y"),
        ("./y", "/query/latest/docs/guide/y"),
        ("../y", "/query/latest/docs/guide/y"),  # as if the page were a directory
        ("#here", "#here"),
        ("https://example.org/a", "https://example.org/a"),
        ("https://tanstack.com/query/latest/docs/top#a", "/query/latest/docs/top#a"),
        ("/query/v5/docs/top", "/query/v5/docs/top"),
        ("https://tanstack.com/query/v1/docs/top", "/query/latest/docs/top"),
        ("https://tanstack.com/blog", "https://tanstack.com/blog"),
        ("../framework/react/examples/basic", "/query/latest/docs/framework/react/examples/basic"),
        ("../../examples/react/basic", "/query/latest/docs/framework/react/examples/basic"),
        ("../../LICENSE", "https://github.com/TanStack/query/blob/main/LICENSE"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_links_lead_where_their_author_meant(shelved: Shelved, written: str, href: str) -> None:
    docs = shelved(
        {
            "TanStack/query/main/docs/guide/x.md": page_of(f"## Here\n\n[link]({written})"),
            "TanStack/query/main/docs/guide/y.md": page_of("y"),
            "TanStack/query/main/docs/top.md": page_of("top"),
            "TanStack/query/main/examples/react/basic/package.json": "{}",
            "TanStack/query/main/LICENSE": "MIT",
        }
    )
    links = docs.page(QUERY, "docs/guide/x.md", "latest", set()).page.links
    assert [(link.href, link.broken) for link in links] == [(href, False)]


def test_a_link_to_a_place_in_another_page_has_the_case_of_the_place_as_long_as_it_is_there(shelved: Shelved) -> None:
    linking = "[a](./y.md#Setup) [b](/query/latest/docs/y?q=1#SETUP) [c](./y#Gone) [d](https://acme.example/y#Setup)"
    x, y = "TanStack/query/main/docs/x.md", "TanStack/query/main/docs/y.md"
    docs = shelved({x: page_of(linking), y: "## Setup"})
    seen: set[str] = set()
    html = docs.page(QUERY, "docs/x.md", "latest", seen).html
    base = "/query/latest/docs/y"
    assert re.findall(r'href="([^"]+)"', html) == [
        f"{base}#setup",
        f"{base}?q=1#setup",
        f"{base}#Gone",
        "https://acme.example/y#Setup",
    ]
    assert "TanStack/query@main:docs/y.md" in seen
    later = docs.succeed(shelved({x: page_of(linking), y: '## Other\n\n<a id="Gone"></a> <a id="SetUp"></a>'}).snapshot)
    assert f"{base}#SetUp" in later.page(QUERY, "docs/x.md", "latest", set()).html


def test_links_stay_in_the_version_that_is_being_read(shelved: Shelved) -> None:
    docs = shelved(
        {
            "TanStack/query/main/docs/x.md": page_of("[y](./y.md)"),
            "TanStack/query/main/docs/y.md": page_of("y"),
        }
    )
    assert 'href="/query/v5/docs/y"' in docs.page(QUERY, "docs/x.md", "v5", set()).html
    assert 'href="/query/latest/docs/y"' in docs.page(QUERY, "docs/x.md", None, set()).html


def test_a_link_between_two_libraries_of_one_repository_changes_library(shelved: Shelved) -> None:
    docs = shelved(
        {
            "TanStack/router/main/docs/start/framework/react/x.md": page_of("[r](../../../router/guide/y.md)"),
            "TanStack/router/main/docs/router/guide/y.md": page_of("y"),
        }
    )
    html = docs.page(ROUTER, "docs/start/framework/react/x.md", "latest", set()).html
    assert 'href="/router/latest/docs/guide/y"' in html


def test_a_link_that_leads_nowhere_is_marked_and_keeps_a_sensible_address(shelved: Shelved) -> None:
    docs = shelved({"TanStack/query/main/docs/x.md": page_of("[gone](./gone.md)")})
    (link,) = docs.page(QUERY, "docs/x.md", "latest", set()).page.links
    assert (link.href, link.broken) == ("/query/latest/docs/gone", True)


def test_an_image_of_a_mirrored_repository_is_served_from_here(shelved: Shelved) -> None:
    picture = "https://raw.githubusercontent.com/TanStack/query/refs/heads/main/docs/assets/a.svg"
    docs = shelved(
        {
            "TanStack/query/main/docs/x.md": page_of(f"![A]({picture}) ![B](./assets/a.svg)"),
            "TanStack/query/main/docs/assets/a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        }
    )
    html = docs.page(QUERY, "docs/x.md", "latest", set()).html
    assert html.count('src="/_files/TanStack/query/main/docs/assets/a.svg?v=') == 2


@pytest.mark.parametrize("path", ["docs/../secret.md", "/etc/passwd", "docs//x.md", "docs/x\0.md", "docs\\x.md", ""])
def test_a_path_that_could_mean_another_file_is_invalid(bundled: Docs, path: str) -> None:
    with pytest.raises(Invalid, match="Invalid docPath"):
        bundled.page(QUERY, path, None, set())


def test_only_repositories_of_the_registry_are_read(bundled: Docs) -> None:
    with pytest.raises(Refused, match="torvalds/linux@master is not a source of this site"):
        bundled.page(Ref("torvalds/linux", "master"), "docs/x.md", None, set())
    with pytest.raises(Refused):
        bundled.readable(QUERY, "packages/query-core/src/query.ts")


def test_a_version_without_a_copy_is_unavailable_not_missing(bundled: Docs) -> None:
    with pytest.raises(Unavailable, match="no copy of TanStack/query@v3"):
        bundled.page(Ref("TanStack/query", "v3"), "docs/x.md", None, set())


def test_a_borrowed_page_whose_source_is_gone_is_missing_and_says_which(shelved: Shelved) -> None:
    docs = shelved({"TanStack/query/main/docs/x.md": "---\nref: docs/gone.md\n---\n"})
    with pytest.raises(NotFound, match=r"docs/gone\.md"):
        docs.page(QUERY, "docs/x.md", None, set())


def test_a_page_that_cannot_be_composed_is_untrue_once_a_file_on_the_way_changes(shelved: Shelved) -> None:
    pages = {"bad": "---\nref: docs/way.md\n---\n", "way": "---\nref: docs/gone.md\n---\n"}
    docs = shelved({f"TanStack/query/main/docs/{name}.md": text for name, text in pages.items()})
    seen: set[str] = set()
    with pytest.raises(NotFound):
        docs.page(QUERY, "docs/bad", None, seen)
    assert {f"{QUERY}:docs/bad.md", f"{QUERY}:docs/way.md"} <= seen


def test_a_broken_config_does_not_keep_the_pages_from_being_read(shelved: Shelved) -> None:
    docs = shelved({"TanStack/query/main/docs/config.json": "{", "TanStack/query/main/docs/x.md": page_of("x")})
    with pytest.raises(Unavailable, match=r"TanStack/query@main:docs/config\.json: is not valid JSON"):
        docs.config(QUERY, "docs", set())
    assert docs.page(QUERY, "docs/x.md", None, set()).title == "A Page"


ENTRIES = (
    "overview",
    "gone",
    "start#part",
    "https://example.org",
    "framework/react/examples/basic",
    "framework/react/examples/gone",
)


@pytest.mark.parametrize(
    ("examples", "kept"),
    [
        ({"TanStack/router/main/examples/react/basic/package.json": "{}"}, [*ENTRIES[:1], *ENTRIES[2:5]]),
        # A copy of the docs alone cannot tell which examples there are.
        ({}, [*ENTRIES[:1], *ENTRIES[2:]]),
    ],
)
def test_entries_of_the_navigation_that_lead_nowhere_are_left_out(
    shelved: Shelved, examples: dict[str, str], kept: list[str]
) -> None:
    links = [{"label": to, "to": to} for to in ENTRIES]
    section = {"label": "All", "children": links, "frameworks": [{"label": "react", "children": links}]}
    pages = {"overview.md": page_of("x"), "start/index.md": page_of("x")}
    docs = shelved(
        {f"TanStack/router/main/docs/router/{name}": text for name, text in pages.items()}
        | {"TanStack/router/main/docs/router/config.json": json.dumps({"sections": [section]})}
        | examples
    )
    seen: set[str] = set()
    shown = docs.navigation(ROUTER, "docs/router", seen).sections[0]
    assert [link.to for link in shown.children] == kept
    assert [link.to for link in shown.frameworks[0].children] == kept
    assert seen == {f"{ROUTER}:docs/router/config.json", f"{ROUTER}#files"}


def test_entries_that_lead_nowhere_are_logged_again_only_when_they_are_others(shelved: Shelved) -> None:
    def after(docs: Docs, *gone: str) -> Docs:
        children = [{"label": "Gone", "to": to} for to in gone]
        config = json.dumps({"sections": [{"label": "Start", "children": children}]})
        return docs.succeed(shelved({**files, "TanStack/router/main/docs/router/config.json": config}).snapshot)

    files = {"TanStack/router/main/docs/router/overview.md": "x"}
    docs = shelved(files)
    lists = [["a", "b"], ["a", "b"], ["a"], [], [f"gone-{n:03}" for n in range(500)]]
    with logged() as logs:
        for gone in lists:
            docs = after(docs, *gone)
            docs.navigation(ROUTER, "docs/router", set())

    said = [entry for entry in logs if entry["event"] == "navigation leads nowhere"]
    assert [entry["entries"] for entry in said] == [2, 1, 500]
    assert said[-1]["first"] == [f"gone-{n:03}" for n in range(10)]


def test_an_entry_of_the_navigation_that_is_redirected_stays(shelved: Shelved) -> None:
    links = [{"label": "Links", "to": "framework/react/guide/links"}]
    config = {"sections": [{"label": "All", "children": links}]}
    docs = shelved(
        {
            "TanStack/router/main/docs/router/config.json": json.dumps(config),
            "TanStack/router/main/docs/router/guide/links.md": page_of("x"),
        }
    )
    assert len(docs.navigation(ROUTER, "docs/router", set()).links()) == 1


SWITCHES = {
    "TanStack/query/main/docs/framework/react/guides/queries.md": page_of("q"),
    "TanStack/query/main/docs/framework/vue/guides/queries.md": page_of("q"),
    "TanStack/query/main/docs/framework/vue/overview.md": "---\ntitle: Vue Overview\n---\n",
    "TanStack/query/main/docs/framework/solid/guides/query.md": "---\ntitle: Query\n---\n",
    "TanStack/query/main/docs/framework/svelte/overview.md": "---\ntitle: Svelte Overview\n---\n",
    "TanStack/query/main/docs/framework/svelte/reference/queries.md": "---\ntitle: queries\n---\n",
    "TanStack/query/v4/docs/framework/react/guides/queries.md": page_of("q"),
    "TanStack/query/v3/docs/framework/react/guides/query-basics.md": "---\ntitle: Queries\n---\n",
}


def place(docs: Docs, inside: str, segment: str = "latest") -> Place:
    return Place(docs.catalog.library("query"), segment, inside)


def test_a_switch_of_framework_keeps_the_page_or_leads_to_the_one_most_alike_and_says_which(shelved: Shelved) -> None:
    docs = shelved(SWITCHES)
    asked = place(docs, "framework/react/guides/queries")
    found = frameworks_of(docs, asked, ("react", "vue", "solid", "svelte", "angular"), set())
    assert [(a.name, a.to.removeprefix("/query/latest/docs/framework/"), a.title) for a in found] == [
        ("react", "react/guides/queries", None),
        ("vue", "vue/guides/queries", None),
        ("solid", "solid/guides/query", "Query"),
        ("svelte", "svelte/overview", "Svelte Overview"),
    ]


def test_a_switch_of_version_does_the_same_and_leaves_out_versions_without_a_copy(shelved: Shelved) -> None:
    docs = shelved(SWITCHES)
    seen: set[str] = set()
    found = versions_of(docs, place(docs, "framework/react/guides/queries"), seen)
    assert [(a.name, a.to.rpartition("/docs/")[2], a.title) for a in found] == [
        ("latest", "framework/react/guides/queries", None),
        ("v5", "framework/react/guides/queries", None),
        ("v4", "framework/react/guides/queries", None),
        ("v3", "framework/react/guides/query-basics", "Queries"),
    ]
    assert "TanStack/query@v4#files" in seen


@pytest.mark.parametrize("asked", ["framework/react/guide/querries", "guides/queries", "framework/react/queries"])
def test_whoever_asks_for_a_page_that_is_not_there_is_shown_the_likeliest(shelved: Shelved, asked: str) -> None:
    docs = shelved(SWITCHES)
    near = nearest(docs, place(docs, asked), set())
    assert near[0].to == "/query/latest/docs/framework/react/guides/queries"


def test_nonsense_has_no_neighbours(shelved: Shelved) -> None:
    docs = shelved(SWITCHES)
    assert nearest(docs, place(docs, "zzzz/9999"), set()) == ()


def test_what_visitors_ask_for_is_not_kept(bundled: Docs) -> None:
    nearest(bundled, place(bundled, "guides/caching"), set())
    size = _known_words.cache_info().currsize
    for number in range(20):
        nearest(bundled, place(bundled, f"guides/{'cachng' * 1000}{number}"), set())
    assert 0 < size == _known_words.cache_info().currsize


def test_a_page_that_moved_says_where_it_used_to_be(shelved: Shelved) -> None:
    text = "---\ntitle: New\nredirect_from:\n  - /framework/react/old\n  - gone.md\n---\n"
    docs = shelved({"TanStack/query/main/docs/framework/react/new.md": text})
    shelf = docs.shelf(QUERY)
    assert shelf.moved("docs", "framework/react/old") == "framework/react/new"
    assert shelf.moved("docs", "gone") == "framework/react/new"
    assert shelf.moved("docs", "framework/react/new") is None
