"""Pages, navigation and files of a docs snapshot."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from tests.inputs.docs_pages import render_page
from tests.servers.captured_logs import captured_logs

from kinfolk.config.docs_address import DocsAddress, Ref
from kinfolk.content.dependencies import DependencyRecorder
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.other_pages.nearest_page import (
    _candidate_words,
    framework_alternatives,
    nearest_pages,
    version_alternatives,
)
from kinfolk.runtime.errors import Invalid, NotFound, Refused, Unavailable

QUERY = Ref("TanStack/query", "main")
ROUTER = Ref("TanStack/router", "main")
DocsFromFiles = Callable[[dict[str, str]], DocsSnapshot]


def with_front_matter(text: str) -> str:
    return f"---\ntitle: A Page\n---\n\n{text}\n"


def test_page_has_title_body_and_edit_url(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files({"TanStack/query/main/docs/guide/x.md": with_front_matter("Hello *you*.")})
    page = render_page(docs, QUERY, "docs/guide/x.md", "latest")
    assert (page.title, page.html.strip()) == ("A Page", "<p>Hello <em>you</em>.</p>")
    assert page.edit_url == "https://github.com/TanStack/query/edit/main/docs/guide/x.md"


def test_edit_url_of_a_page_with_ref_is_that_of_its_source(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
        {
            "TanStack/query/main/docs/framework/react/x.md": with_front_matter("Text"),
            "TanStack/query/main/docs/framework/solid/x.md": "---\nref: docs/framework/react/x.md\n---\n",
        }
    )
    page = render_page(docs, QUERY, "docs/framework/solid/x.md")
    assert page.edit_url is not None
    assert page.edit_url.endswith("/docs/framework/react/x.md")


def test_index_file_is_the_page_of_its_folder_unless_a_file_has_that_name(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
        {
            "TanStack/query/main/docs/reference/index.md": with_front_matter("folder"),
            "TanStack/query/main/docs/reference/index/index.md": with_front_matter("deeper"),
        }
    )
    assert render_page(docs, QUERY, "docs/reference.md").file_path == "docs/reference/index.md"
    assert render_page(docs, QUERY, "docs/reference/index.md").file_path == "docs/reference/index.md"
    assert "deeper" in render_page(docs, QUERY, "docs/reference/index/index.md").html


def test_page_has_tags_of_all_files_that_it_reads(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
        {
            "TanStack/query/main/docs/x.md": with_front_matter("[y](./y.md)"),
            "TanStack/query/main/docs/y.md": "---\nref: docs/x.md\n---\n",
        }
    )
    seen: set[str] = set()
    render_page(docs, QUERY, "docs/y.md", tags=seen)
    assert seen == {
        "TanStack/query@main:docs/x.md",
        "TanStack/query@main:docs/y.md",
        "TanStack/query@main#files",
    }


@pytest.mark.parametrize(
    ("markdown", "href"),
    [
        ("./y.md", "/query/latest/docs/guide/y"),
        ("y.md#part", "/query/latest/docs/guide/y#part"),
        ("../top", "/query/latest/docs/top"),
        ("../guide/y", "/query/latest/docs/guide/y"),
        ("./y", "/query/latest/docs/guide/y"),
        ("../y", "/query/latest/docs/guide/y"),  # relative to the page as if it were a directory
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
def test_links_resolve_to_urls(docs_from_files: DocsFromFiles, markdown: str, href: str) -> None:
    docs = docs_from_files(
        {
            "TanStack/query/main/docs/guide/x.md": with_front_matter(f"## Here\n\n[link]({markdown})"),
            "TanStack/query/main/docs/guide/y.md": with_front_matter("y"),
            "TanStack/query/main/docs/top.md": with_front_matter("top"),
            "TanStack/query/main/examples/react/basic/package.json": "{}",
            "TanStack/query/main/LICENSE": "MIT",
        }
    )
    links = render_page(docs, QUERY, "docs/guide/x.md", "latest").page.links
    assert [(link.href, link.broken) for link in links] == [(href, False)]


def test_fragment_gets_the_case_of_an_existing_anchor(
    docs_from_files: DocsFromFiles,
) -> None:
    linking = "[a](./y.md#Setup) [b](/query/latest/docs/y?q=1#SETUP) [c](./y#Gone) [d](https://acme.example/y#Setup)"
    x, y = "TanStack/query/main/docs/x.md", "TanStack/query/main/docs/y.md"
    docs = docs_from_files({x: with_front_matter(linking), y: "## Setup"})
    seen: set[str] = set()
    html = render_page(docs, QUERY, "docs/x.md", "latest", tags=seen).html
    base = "/query/latest/docs/y"
    assert re.findall(r'href="([^"]+)"', html) == [
        f"{base}#setup",
        f"{base}?q=1#setup",
        f"{base}#Gone",
        "https://acme.example/y#Setup",
    ]
    assert "TanStack/query@main:docs/y.md" in seen
    later = docs.with_snapshot(
        docs_from_files({x: with_front_matter(linking), y: '## Other\n\n<a id="Gone"></a> <a id="SetUp"></a>'}).snapshot
    )
    assert f"{base}#SetUp" in render_page(later, QUERY, "docs/x.md", "latest").html


def test_fragment_of_another_program_gets_the_spelling_of_the_anchor(docs_from_files: DocsFromFiles) -> None:
    x, y = "TanStack/query/main/docs/x.md", "TanStack/query/main/docs/y.md"
    linking = "[a](./y.md#what%E2%80%99s-new,-and-why) [b](#here:-it-is)\n\n## Here it is\n"
    docs = docs_from_files({x: with_front_matter(linking), y: "## What's new, and why"})
    links = render_page(docs, QUERY, "docs/x.md", "latest").page.links
    assert [(link.href, link.broken) for link in links] == [
        ("/query/latest/docs/y#what-s-new-and-why", False),
        ("#here-it-is", False),
    ]


def test_links_stay_in_the_requested_version(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
        {
            "TanStack/query/main/docs/x.md": with_front_matter("[y](./y.md)"),
            "TanStack/query/main/docs/y.md": with_front_matter("y"),
        }
    )
    assert 'href="/query/v5/docs/y"' in render_page(docs, QUERY, "docs/x.md", "v5").html
    assert 'href="/query/latest/docs/y"' in render_page(docs, QUERY, "docs/x.md").html


def test_link_to_another_library_of_the_repository_has_its_url(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
        {
            "TanStack/router/main/docs/start/framework/react/x.md": with_front_matter(
                "[r](../../../router/guide/y.md)"
            ),
            "TanStack/router/main/docs/router/guide/y.md": with_front_matter("y"),
        }
    )
    html = render_page(docs, ROUTER, "docs/start/framework/react/x.md", "latest").html
    assert 'href="/router/latest/docs/guide/y"' in html


def test_link_without_a_target_is_broken_and_has_a_url(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files({"TanStack/query/main/docs/x.md": with_front_matter("[gone](./gone.md)")})
    (link,) = render_page(docs, QUERY, "docs/x.md", "latest").page.links
    assert (link.href, link.broken) == ("/query/latest/docs/gone", True)


def test_image_of_a_mirrored_repository_has_a_url_on_this_site(docs_from_files: DocsFromFiles) -> None:
    picture = "https://raw.githubusercontent.com/TanStack/query/refs/heads/main/docs/assets/a.svg"
    docs = docs_from_files(
        {
            "TanStack/query/main/docs/x.md": with_front_matter(f"![A]({picture}) ![B](./assets/a.svg)"),
            "TanStack/query/main/docs/assets/a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        }
    )
    html = render_page(docs, QUERY, "docs/x.md", "latest").html
    assert html.count('src="/_files/TanStack/query/main/docs/assets/a.svg?v=') == 2


@pytest.mark.parametrize("path", ["docs/../secret.md", "/etc/passwd", "docs//x.md", "docs/x\0.md", "docs\\x.md", ""])
def test_ambiguous_path_is_invalid(bundled: DocsSnapshot, path: str) -> None:
    with pytest.raises(Invalid, match="Invalid docPath"):
        render_page(bundled, QUERY, path)


def test_repository_outside_the_catalog_is_refused(bundled: DocsSnapshot) -> None:
    with pytest.raises(Refused, match="torvalds/linux@master is not a source of this site"):
        render_page(bundled, Ref("torvalds/linux", "master"), "docs/x.md")
    with pytest.raises(Refused):
        ContentReader(bundled).branch_with(QUERY, "packages/query-core/src/query.ts")


def test_version_without_a_copy_is_unavailable(bundled: DocsSnapshot) -> None:
    with pytest.raises(Unavailable, match="no copy of TanStack/query@v3"):
        render_page(bundled, Ref("TanStack/query", "v3"), "docs/x.md")


def test_page_with_ref_to_a_missing_file_is_not_found(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files({"TanStack/query/main/docs/x.md": "---\nref: docs/gone.md\n---\n"})
    with pytest.raises(NotFound, match=r"docs/gone\.md"):
        render_page(docs, QUERY, "docs/x.md")


def test_failed_page_depends_on_each_file_that_it_read(
    docs_from_files: DocsFromFiles,
) -> None:
    pages = {"bad": "---\nref: docs/way.md\n---\n", "way": "---\nref: docs/gone.md\n---\n"}
    docs = docs_from_files({f"TanStack/query/main/docs/{name}.md": text for name, text in pages.items()})
    seen: set[str] = set()
    with pytest.raises(NotFound):
        render_page(docs, QUERY, "docs/bad", tags=seen)
    assert {f"{QUERY}:docs/bad.md", f"{QUERY}:docs/way.md"} <= seen


def test_pages_are_readable_with_an_invalid_config(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
        {"TanStack/query/main/docs/config.json": "{", "TanStack/query/main/docs/x.md": with_front_matter("x")}
    )
    with pytest.raises(Unavailable, match=r"TanStack/query@main:docs/config\.json: is not valid JSON"):
        ContentReader(docs).config(QUERY, "docs")
    assert render_page(docs, QUERY, "docs/x.md").title == "A Page"


ENTRIES = (
    "overview",
    "gone",
    "start#part",
    "https://example.org",
    "framework/react/examples/basic",
    "framework/react/examples/gone",
)
ON_GITHUB = "https://github.com/TanStack/router/tree/main/examples/react"


@pytest.mark.parametrize(
    ("examples", "expected"),
    [
        ({"TanStack/router/main/examples/react/basic/package.json": "{}"}, [*ENTRIES[:1], *ENTRIES[2:5]]),
        # Without example files there are no pages of examples: their entries lead to GitHub.
        ({}, [ENTRIES[0], *ENTRIES[2:4], f"{ON_GITHUB}/basic", f"{ON_GITHUB}/gone"]),
    ],
)
def test_navigation_entries_without_target_are_left_out(
    docs_from_files: DocsFromFiles, examples: dict[str, str], expected: list[str]
) -> None:
    links = [{"label": to, "to": to} for to in ENTRIES]
    section = {"label": "All", "children": links, "frameworks": [{"label": "react", "children": links}]}
    pages = {"overview.md": with_front_matter("x"), "start/index.md": with_front_matter("x")}
    docs = docs_from_files(
        {f"TanStack/router/main/docs/router/{name}": text for name, text in pages.items()}
        | {"TanStack/router/main/docs/router/config.json": json.dumps({"sections": [section]})}
        | examples
    )
    recorder = DependencyRecorder()
    navigation = ContentReader(docs, recorder).navigation(ROUTER, "docs/router").sections[0]
    assert [link.to for link in navigation.children] == expected
    assert [link.to for link in navigation.frameworks[0].children] == expected
    assert recorder.cache_tags == {f"{ROUTER}:docs/router/config.json", f"{ROUTER}#files", f"{ROUTER}#deprecated"}


def test_navigation_entries_without_target_are_logged_once(docs_from_files: DocsFromFiles) -> None:
    def with_entries(docs: DocsSnapshot, *gone: str) -> DocsSnapshot:
        children = [{"label": "Gone", "to": to} for to in gone]
        config = json.dumps({"sections": [{"label": "Start", "children": children}]})
        return docs.with_snapshot(
            docs_from_files({**files, "TanStack/router/main/docs/router/config.json": config}).snapshot
        )

    files = {"TanStack/router/main/docs/router/overview.md": "x"}
    docs = docs_from_files(files)
    lists = [["a", "b"], ["a", "b"], ["a"], [], [f"gone-{n:03}" for n in range(500)]]
    with captured_logs("navigation entries without target") as logs:
        for gone in lists:
            docs = with_entries(docs, *gone)
            ContentReader(docs).navigation(ROUTER, "docs/router")

    assert [entry["entries"] for entry in logs] == [2, 1, 500]
    assert logs[-1]["first"] == [f"gone-{n:03}" for n in range(10)]


def test_redirected_navigation_entry_is_listed(docs_from_files: DocsFromFiles) -> None:
    links = [{"label": "Links", "to": "framework/react/guide/links"}]
    config = {"sections": [{"label": "All", "children": links}]}
    docs = docs_from_files(
        {
            "TanStack/router/main/docs/router/config.json": json.dumps(config),
            "TanStack/router/main/docs/router/guide/links.md": with_front_matter("x"),
        }
    )
    assert len(ContentReader(docs).navigation(ROUTER, "docs/router").links()) == 1


SWITCHES = {
    "TanStack/query/main/docs/framework/react/guides/queries.md": with_front_matter("q"),
    "TanStack/query/main/docs/framework/vue/guides/queries.md": with_front_matter("q"),
    "TanStack/query/main/docs/framework/vue/overview.md": "---\ntitle: Vue Overview\n---\n",
    "TanStack/query/main/docs/framework/solid/guides/query.md": "---\ntitle: Query\n---\n",
    "TanStack/query/main/docs/framework/svelte/overview.md": "---\ntitle: Svelte Overview\n---\n",
    "TanStack/query/main/docs/framework/svelte/reference/queries.md": "---\ntitle: queries\n---\n",
    "TanStack/query/v4/docs/framework/react/guides/queries.md": with_front_matter("q"),
    "TanStack/query/v3/docs/framework/react/guides/query-basics.md": "---\ntitle: Queries\n---\n",
}


FROM_QUERIES = "from=/query/latest/docs/framework/react/guides/queries"


def address(path: str, version: str = "latest") -> DocsAddress:
    return DocsAddress("query", version, path)


def test_framework_alternative_is_the_same_page_or_the_most_similar_one(
    docs_from_files: DocsFromFiles,
) -> None:
    docs = docs_from_files(SWITCHES)
    requested = address("framework/react/guides/queries")
    found = framework_alternatives(ContentReader(docs), requested, ("react", "vue", "solid", "svelte", "angular"))
    assert [(a.name, a.to.removeprefix("/query/latest/docs/framework/"), a.title) for a in found] == [
        ("react", "react/guides/queries", None),
        ("vue", "vue/guides/queries", None),
        ("solid", f"solid/guides/query?{FROM_QUERIES}", "Query"),
        ("svelte", f"svelte/overview?{FROM_QUERIES}", "Svelte Overview"),
    ]


def test_version_alternatives_exclude_versions_without_a_copy(
    docs_from_files: DocsFromFiles,
) -> None:
    docs = docs_from_files(SWITCHES)
    recorder = DependencyRecorder()
    found = version_alternatives(ContentReader(docs, recorder), address("framework/react/guides/queries"))
    assert [(a.name, a.to.split("/docs/", 1)[1], a.title) for a in found] == [
        ("latest", "framework/react/guides/queries", None),
        ("v5", "framework/react/guides/queries", None),
        ("v4", "framework/react/guides/queries", None),
        ("v3", f"framework/react/guides/query-basics?{FROM_QUERIES}", "Queries"),
    ]
    assert "TanStack/query@v4#files" in recorder.cache_tags


@pytest.mark.parametrize("requested", ["framework/react/guide/querries", "guides/queries", "framework/react/queries"])
def test_nearest_page_of_a_missing_path_is_suggested(docs_from_files: DocsFromFiles, requested: str) -> None:
    docs = docs_from_files(SWITCHES)
    near = nearest_pages(ContentReader(docs), address(requested))
    assert near[0].to == "/query/latest/docs/framework/react/guides/queries"


def test_path_without_similarity_has_no_suggestions(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(SWITCHES)
    assert nearest_pages(ContentReader(docs), address("zzzz/9999")) == ()


def test_requested_paths_are_not_cached(bundled: DocsSnapshot) -> None:
    nearest_pages(ContentReader(bundled), address("guides/caching"))
    size = _candidate_words.cache_info().currsize
    for number in range(20):
        nearest_pages(ContentReader(bundled), address(f"guides/{'cachng' * 1000}{number}"))
    assert 0 < size == _candidate_words.cache_info().currsize


def test_redirect_from_names_former_paths_of_a_page(docs_from_files: DocsFromFiles) -> None:
    text = "---\ntitle: New\nredirect_from:\n  - /framework/react/old\n  - gone.md\n---\n"
    docs = docs_from_files({"TanStack/query/main/docs/framework/react/new.md": text})
    branch_docs = ContentReader(docs).branch(QUERY)
    assert branch_docs.redirect_target("docs", "framework/react/old") == "framework/react/new"
    assert branch_docs.redirect_target("docs", "gone") == "framework/react/new"
    assert branch_docs.redirect_target("docs", "framework/react/new") is None
