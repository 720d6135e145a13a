"""What readers are told who were led to another page than the one that a link or a menu named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.dependencies import DependencyRecorder
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.other_pages.arrival_notice import arrival_notice
from kinfolk.content.docs.other_pages.nearest_page import (
    framework_alternatives,
    version_alternatives,
    without_framework_error,
)

DocsFromFiles = Callable[[dict[str, str]], DocsSnapshot]


def titled(title: str) -> str:
    return f"---\ntitle: {title}\n---\n"


MAIN, V4, V3 = (f"TanStack/query/{branch}/docs" for branch in ("main", "v4", "v3"))
FILES = {
    f"{MAIN}/framework/react/overview.md": titled("Overview"),
    f"{MAIN}/framework/react/guides/queries.md": titled("Queries"),
    f"{MAIN}/framework/vue/overview.md": titled("Vue Overview"),
    f"{MAIN}/framework/vue/guides/queries.md": titled("Queries"),
    f"{MAIN}/framework/vue/guides/custom-client.md": titled("Custom Client"),
    f"{MAIN}/framework/vue/reactivity.md": titled("Reactivity"),
    f"{MAIN}/framework/svelte/overview.md": titled("Svelte Overview"),
    f"{MAIN}/framework/lit/guides/ssr.md": titled("Server Rendering"),
    f"{MAIN}/reference/client.md": titled("QueryClient"),
    f"{V4}/framework/react/overview.md": titled("Overview"),
    f"{V4}/framework/react/guides/queries.md": titled("Queries"),
    f"{V4}/framework/react/guides/custom-logger.md": titled("Custom Logger"),
    f"{V4}/framework/svelte/overview.md": titled("Svelte Overview"),
    f"{V4}/framework/svelte/reactivity.md": titled("Reactivity"),
    f"{V4}/framework/lit/guides/directives.md": titled("Directives"),
    f"{V3}/framework/react/overview.md": titled("Overview"),
    f"{V3}/framework/react/guides/queries.md": titled("Queries"),
    "TanStack/table/v8/docs/introduction.md": titled("Introduction"),
}
LATEST = "/query/latest/docs"


@pytest.fixture
def docs(docs_from_files: DocsFromFiles) -> ContentReader:
    return ContentReader(docs_from_files(FILES))


def page(path: str, version: str = "latest") -> DocsAddress:
    return DocsAddress("query", version, path)


# Where a switch of version or framework leads


@pytest.mark.parametrize(
    ("source", "target", "to", "title"),
    [
        ("v4/docs/framework/react/guides/queries", "latest", "framework/react/guides/queries", None),
        ("v4/docs/framework/react/guides/custom-logger", "latest", "framework/react/overview", "Overview"),
        ("v4/docs/framework/svelte/reactivity", "latest", "framework/svelte/overview", "Svelte Overview"),
        ("v4/docs/framework/lit/guides/directives", "latest", "framework/lit", "Docs for Lit"),
        ("latest/docs/framework/vue/guides/queries", "v3", "framework/react/guides/queries", "Queries (React)"),
        ("latest/docs/framework/vue/reactivity", "v3", "framework/react/overview", "Overview (React)"),
        ("latest/docs/reference/client", "v3", "framework/react/overview", "Overview (React)"),
        ("v4/docs/framework/react/guides/querys", "latest", "framework/react/guides/queries", "Queries"),
    ],
)
def test_version_switch_stays_in_the_framework_or_names_the_other_one(
    docs: ContentReader, source: str, target: str, to: str, title: str | None
) -> None:
    version, _, path = source.partition("/docs/")
    found = {each.name: each for each in version_alternatives(docs, page(path, version))}[target]
    origin = f"?from=/query/{source}" if title else ""
    assert (found.to, found.title) == (f"/query/{target}/docs/{to}{origin}", title)


def test_framework_switch_without_a_page_to_begin_with_leads_to_the_list_of_pages(docs: ContentReader) -> None:
    (found,) = framework_alternatives(docs, page("framework/vue/reactivity"), ("lit",))
    assert found.title == "Docs for Lit"
    assert found.to == f"{LATEST}/framework/lit?from={LATEST}/framework/vue/reactivity"


@pytest.mark.parametrize(
    ("version", "path", "corrected"),
    [
        ("latest", "guides/queries", "framework/react/guides/queries"),
        ("v3", "guides/queries", "framework/react/guides/queries"),
        ("latest", "guides/ssr", "framework/lit/guides/ssr"),
        ("latest", "framework/vue/reference/client", "reference/client"),
        ("latest", "framework/react/guides/ssr", None),
        ("latest", "guides/nope", None),
    ],
)
def test_address_that_is_wrong_in_its_framework_only_names_a_page(
    docs: ContentReader, version: str, path: str, corrected: str | None
) -> None:
    found = without_framework_error(docs, page(path, version))
    assert (found and found.path) == corrected


# Notices


@pytest.mark.parametrize(
    ("here", "origin", "text", "links"),
    [
        (
            page("framework/react/guides/queries"),
            "reactQueryV3",
            "You followed a link to v3. This is v5.",
            {"Read the v3 page": "/query/v3/docs/framework/react/guides/queries"},
        ),
        (
            page("framework/vue/guides/custom-client", "v5"),
            "reactQueryV3",
            "You followed a link to v3. This is v5.",
            {"Read “Overview (React)” in v3": "/query/v3/docs/framework/react/overview"},
        ),
        (
            page("framework/react/overview"),
            "/query/v4/docs/framework/react/overview",
            "You followed a link to v4. This is v5.",
            {"Read the v4 page": "/query/v4/docs/framework/react/overview"},
        ),
        (
            page("framework/react/overview"),
            "/query/v4/docs/framework/react/nope",
            "You followed a link to v4. This is v5.",
            {"Read the v4 docs": "/query/v4/docs"},
        ),
        (
            page("framework/react/overview"),
            "/query/v9/docs/framework/react/overview",
            "You followed a link to v9, which has no docs here. This is v5.",
            {},
        ),
        (
            page(""),
            "/query/buy-now",
            "Your link names a version that has no docs here. This is v5.",
            {},
        ),
        (
            page("framework/react/overview"),
            "/query/v9/docs/guides/querys",
            "You followed a link to v9, which has no docs here. This is v5.",
            {"Queries (React)": f"{LATEST}/framework/react/guides/queries"},
        ),
        (
            page("framework/react/overview"),
            "/query/v4/docs/framework/react/guides/custom-logger",
            "v5 has no “Custom Logger” page for React. This is the nearest one.",
            {"Back to v4": "/query/v4/docs/framework/react/guides/custom-logger"},
        ),
        (
            page("framework/svelte/overview"),
            "/query/v4/docs/framework/svelte/reactivity",
            "v5 has no “Reactivity” page for Svelte. This is the nearest one.",
            {
                "Back to v4": "/query/v4/docs/framework/svelte/reactivity",
                "Read it for Vue": f"{LATEST}/framework/vue/reactivity",
            },
        ),
        (
            page("framework/react/overview", "v3"),
            f"{LATEST}/framework/vue/reactivity",
            "v3 has no docs for Vue. This page is for React.",
            {"Back to v5": f"{LATEST}/framework/vue/reactivity"},
        ),
        (
            page("framework/react/overview"),
            f"{LATEST}/framework/vue/reactivity",
            "There is no “Reactivity” page for React. This is the nearest one.",
            {"Back to Vue": f"{LATEST}/framework/vue/reactivity"},
        ),
        (
            page("framework/react/guides/queries"),
            f"{LATEST}/guides/queries",
            "Your link names no framework. This page is for React.",
            {"Vue": f"{LATEST}/framework/vue/guides/queries"},
        ),
        (
            page("framework/react/overview"),
            f"{LATEST}/guides/querys",
            "That page is gone.",
            {"Queries (React)": f"{LATEST}/framework/react/guides/queries"},
        ),
        (
            page("framework/react/overview"),
            f"{LATEST}/some_old-Words <b>",
            "That page is gone.",
            {"Search the docs": "/search?q=some+old+Words+b&library=query"},
        ),
    ],
)
def test_notice_says_where_the_reader_is_and_links_to_what_was_meant(
    docs: ContentReader, here: DocsAddress, origin: str, text: str, links: dict[str, str]
) -> None:
    notice = arrival_notice(docs, here, origin)
    assert notice is not None
    assert (notice.text, {link.title: link.to for link in notice.links}) == (text, links)


@pytest.mark.parametrize(
    ("here", "origin"),
    [
        (page("framework/react/overview"), "newsletter"),
        (page("framework/react/overview"), "reactTableV7"),
        (page("framework/react/overview", "v3"), "reactQueryV3"),
        (page("framework/react/overview"), f"{LATEST}/framework/react/overview"),
        (page("framework/react/overview"), "/table/v8/docs/nope"),
        (page("framework/react/overview"), "/query"),
        (page("framework/react/overview"), "/nope/v1/docs/x"),
        (page("framework/react/overview"), LATEST),
        (page("framework/lit/guides/ssr"), f"{LATEST}/guides/ssr"),
        (page("reference/client"), f"{LATEST}/framework/vue/reference/client"),
        (page("framework/react/overview"), f"{LATEST}/reference/client"),
        (None, "reactQueryV3"),
        (None, f"{LATEST}/nope"),
    ],
)
def test_reader_who_is_where_the_link_leads_gets_no_notice(
    docs: ContentReader, here: DocsAddress | None, origin: str
) -> None:
    assert arrival_notice(docs, here, origin) is None


def test_docs_of_a_version_that_is_not_here_are_linked_where_they_are(docs: ContentReader) -> None:
    here = DocsAddress("table", "latest", "introduction")
    for origin in ("reactTableV7", "/table/v7/docs/nope"):
        notice = arrival_notice(docs, here, origin)
        assert notice is not None
        assert [link.title for link in notice.links] == ["Read the v7 docs on GitHub"]


def test_notice_about_a_post_is_shown_on_all_pages(docs: ContentReader) -> None:
    notices = {arrival_notice(docs, here, "tanstackBlog") for here in (None, page("framework/react/overview"))}
    assert [notice and notice.text for notice in notices] == [
        "That post is not published on this site. This page covers its subject."
    ]


def test_notice_depends_on_the_pages_of_both_versions(docs_from_files: DocsFromFiles) -> None:
    recorder = DependencyRecorder()
    here, origin = page("framework/react/overview"), "/query/v4/docs/framework/react/guides/custom-logger"
    arrival_notice(ContentReader(docs_from_files(FILES), recorder), here, origin)
    assert {"TanStack/query@v4#files", "TanStack/query@main#files"} <= set(recorder.cache_tags)
