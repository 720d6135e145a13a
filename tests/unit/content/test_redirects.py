from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sites.sample_site import SITE

from kinfolk.content.redirects import Redirect, Redirects, load_redirects, redirect_errors

DATA = SITE
MERCH = "https://cottonbureau.com/people/tanstack"
REDIRECTS = load_redirects(DATA)


def target(path: str, query: str = "", *, missing: bool = False) -> str | None:
    found = REDIRECTS.match(path, query, missing=missing)
    return found.to if found else None


def redirects_from(tmp_path: Path, text: str) -> Redirects:
    (tmp_path / "redirects.toml").write_text(text)
    return load_redirects(tmp_path)


# React Query 3 pages with an unchanged path, now below docs/framework/react/.
V3_SAME_PATH = """
overview installation quick-start devtools comparison typescript graphql react-native
guides/important-defaults guides/queries guides/query-keys guides/query-functions
guides/network-mode guides/parallel-queries guides/dependent-queries
guides/background-fetching-indicators guides/window-focus-refetching guides/disabling-queries
guides/query-retries guides/paginated-queries guides/infinite-queries guides/placeholder-query-data
guides/initial-query-data guides/prefetching guides/mutations guides/query-invalidation
guides/invalidations-from-mutations guides/updates-from-mutation-responses guides/optimistic-updates
guides/query-cancellation guides/scroll-restoration guides/filters guides/ssr guides/caching
guides/default-query-function guides/suspense guides/testing guides/does-this-replace-client-state
guides/migrating-to-react-query-3 guides/migrating-to-react-query-4 examples/simple
examples/basic-graphql-request examples/auto-refetching examples/pagination
examples/load-more-infinite-scroll examples/suspense examples/default-query-function
examples/playground examples/prefetching examples/star-wars examples/rick-morty examples/nextjs
examples/react-native examples/offline examples/basic plugins/persistQueryClient
plugins/broadcastQueryClient reference/useQueries reference/useInfiniteQuery reference/useMutation
reference/useIsFetching reference/useIsMutating reference/QueryClientProvider
reference/useQueryClient reference/QueryErrorResetBoundary reference/useQueryErrorResetBoundary
reference/hydration reference/useQuery
""".split()

# The core classes left the React section.
V3_CORE = """
QueryCache MutationCache QueryObserver InfiniteQueryObserver QueriesObserver focusManager
onlineManager QueryClient
""".split()

# Pages without a successor of the same name.
V3_NEAREST = {
    "videos": "docs/community-resources",
    "community/tkdodos-blog": "docs/community-resources",
    "examples/custom-hooks": "docs/framework/react/examples/basic",
    "examples/focus-refetching": "docs/framework/react/guides/window-focus-refetching",
    "examples/optimistic-updates": "docs/framework/react/guides/optimistic-updates",
    "examples/optimistic-updates-typescript": "docs/framework/react/guides/optimistic-updates",
}

V3_REMOVED = {
    "guides/custom-logger": ("migrating-to-v5", "the-deprecated-custom-logger-has-been-removed"),
    "plugins/createWebStoragePersister": (
        "migrating-to-react-query-4",
        "persistqueryclient-and-the-corresponding-persister-plugins-are-no-longer-experimental-and-have-been-renamed",
    ),
    "plugins/createAsyncStoragePersister": (
        "migrating-to-react-query-4",
        "persistqueryclient-and-the-corresponding-persister-plugins-are-no-longer-experimental-and-have-been-renamed",
    ),
}

TABLE_V7 = {
    "docs/api/overview": "docs/overview",
    "docs/api/useColumnOrder": "docs/api/features/column-ordering",
    "docs/api/useExpanded": "docs/api/features/expanding",
    "docs/api/useFilters": "docs/api/features/filters",
    "docs/api/useGlobalFilter": "docs/api/features/filters",
    "docs/api/useGroupBy": "docs/api/features/grouping",
    "docs/api/usePagination": "docs/api/features/pagination",
    "docs/api/useResizeColumns": "docs/api/features/column-sizing",
    "docs/api/useRowSelect": "docs/api/features/row-selection",
    "docs/api/useSortBy": "docs/api/features/sorting",
    "docs/api/useTable": "docs/guide/tables",
    "docs/examples/basic": "docs/framework/react/examples/basic",
    "docs/examples/filtering": "docs/framework/react/examples/filters",
    "docs/examples/footers": "docs/framework/react/examples/basic",
    "docs/examples/grouping": "docs/framework/react/examples/grouping",
    "docs/examples/pagination-controlled": "docs/framework/react/examples/pagination-controlled",
    "docs/examples/pagination": "docs/framework/react/examples/pagination",
    "docs/examples/sorting": "docs/framework/react/examples/sorting",
    "docs/examples/row-selection": "docs/framework/react/examples/row-selection",
    "docs/examples/row-selection-with-pagination": "docs/framework/react/examples/row-selection",
    "docs/examples/expanding": "docs/framework/react/examples/expanding",
    "docs/examples/editable-data": "docs/framework/react/examples/editable-data",
    "docs/examples/column-ordering": "docs/framework/react/examples/column-ordering",
    "docs/examples/column-hiding": "docs/framework/react/examples/column-visibility",
    "docs/examples/column-resizing": "docs/framework/react/examples/column-sizing",
    "docs/installation": "docs/installation",
    "docs/overview": "docs/introduction",
    "docs/quick-start": "docs/overview",
}


def legacy_addresses() -> list[tuple[str, str]]:
    v3, v7 = "/query/v3", "/table/v7"
    latest, note = "/query/latest", "?from=reactQueryV3"
    rows = [(f"{v3}/{page}", f"{latest}/docs/framework/react/{page}{note}") for page in V3_SAME_PATH]
    rows += [(f"{v3}/reference/{name}", f"{latest}/docs/reference/{name}{note}") for name in V3_CORE]
    rows += [(f"{v3}/{page}", f"{latest}/{now}{note}") for page, now in V3_NEAREST.items()]
    rows += [
        (f"{v3}/{page}", f"/query/v5/docs/framework/react/guides/{guide}{note}#{section}")
        for page, (guide, section) in V3_REMOVED.items()
    ]
    rows += [(f"{v7}/{page}", f"/table/v8/{now}?from=reactTableV7") for page, now in TABLE_V7.items()]
    return rows


def test_table_of_legacy_addresses_is_complete() -> None:
    assert len(V3_SAME_PATH) + len(V3_CORE) + len(V3_NEAREST) == 82
    assert {path for path, _ in legacy_addresses()} | {"/stats"} == {
        path for path, _ in REDIRECTS.moves() if not path.startswith("/blog/")
    }


def test_posts_of_the_public_blog_redirect_only_while_this_site_has_none_of_the_name() -> None:
    posts = [path for path, _ in REDIRECTS.moves() if path.startswith("/blog/")]
    assert "/blog/announcing-tanstack-query-v5" in posts
    assert [target(path) for path in posts] == [None] * len(posts)
    for path in posts:
        to = urlsplit(target(path, missing=True) or "")
        assert (to.path.startswith("/"), to.query) == (True, "from=tanstackBlog")


@pytest.mark.parametrize(("path", "to"), legacy_addresses())
def test_legacy_address_redirects_to_its_page(path: str, to: str) -> None:
    assert REDIRECTS.match(path) == Redirect(to, 301)


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/stats", "/stats/npm"),
        ("/stats/", "/stats/npm"),
        ("/merch", MERCH),
        ("/router/latest/docs/framework/react/start", "/start/latest/docs/framework/react"),
        ("/router/latest/docs/framework/react/start/overview", "/start/latest/docs/framework/react/overview"),
        (
            "/router/v1/docs/framework/solid/start/guide/hosting",
            "/start/latest/docs/framework/solid/guide/hosting",
        ),
        (
            "/router/latest/docs/framework/react/examples/start-basic",
            "/start/latest/docs/framework/react/examples/start-basic",
        ),
        ("/router/latest/docs/start", "/start/latest/docs"),
        ("/router/latest/docs/start/framework/react/overview", "/start/latest/docs/framework/react/overview"),
        ("/query/v4/docs/react/overview", "/query/v4/docs/framework/react/overview"),
        ("/query/latest/docs/vue/guides/queries", "/query/latest/docs/framework/vue/guides/queries"),
        ("/query/latest/docs/angular/overview", "/query/latest/docs/framework/angular/overview"),
        ("/form/latest/docs/svelte/quick-start", "/form/latest/docs/framework/svelte/quick-start"),
        ("/form/latest/docs/solid/react/vue", "/form/latest/docs/framework/solid/react/vue"),
        ("/query/v3/overview/", "/query/latest/docs/framework/react/overview?from=reactQueryV3"),
        (
            "/query/v3/guides/queries/more",
            "/query/latest/docs/framework/react/guides/queries?from=reactQueryV3",
        ),
    ],
)
def test_old_address_redirects_to_the_new_one(path: str, to: str) -> None:
    assert target(path) == to


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "",
        "/stats/npm",
        "/statsx",
        "/merch/shirts",
        "/query/v3",
        "/query/v3/docs",
        "/query/v3/docs/framework/react/overview",
        "/query/v3/overviews",
        "/query/v3/guides",
        "/query/v4/overview",
        "/table/v8/docs/overview",
        "/table/v7/docs/overviews",
        "/router/latest/docs/framework/react/starter",
        "/router/latest/docs/framework/react/guide/start",
        "/router/latest/docs/framework/react/examples/start-",
        "/router/latest/docs/framework/react/examples/basic",
        "/start/latest/docs/framework/react/start",
        "/query/latest/docs/lit/overview",
        "/query/latest/docs/react",
        "/query/latest/docs/reactive/overview",
        "/query/latest/docs/guides/react/overview",
        "/query/latest/docs/react//overview",
        "/query/latest/docs/react/../overview",
    ],
)
def test_current_address_is_not_redirected(path: str) -> None:
    assert REDIRECTS.match(path) is None


def test_status_of_permanent_and_temporary_redirects() -> None:
    found = [REDIRECTS.match(path) for path in ("/merch", "/stats", "/query/v3/overview")]
    assert [redirect.status for redirect in found if redirect] == [301, 307, 301]


def test_missing_framework_page_of_router_redirects_to_the_common_page() -> None:
    path = "/router/v1/docs/framework/react/guide/data-loading"
    assert target(path) is None
    assert REDIRECTS.match(path, missing=True) == Redirect("/router/v1/docs/guide/data-loading", 307)


def test_missing_example_is_not_redirected_to_docs() -> None:
    assert target("/router/v1/docs/framework/react/examples/nope", missing=True) is None


def test_missing_page_follows_the_rules_for_all_pages() -> None:
    assert target("/stats", missing=True) == "/stats/npm"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("a=1&b=2", "?a=1&b=2&from=reactQueryV3"),
        ("from=reactQueryV3", "?from=reactQueryV3"),
        ("from=elsewhere&a=1", "?a=1&from=reactQueryV3"),
        ("q=a%20b+c&flag", "?q=a%20b+c&flag&from=reactQueryV3"),
        ("x=\r\nSet-Cookie: a", "?x=%0D%0ASet-Cookie:%20a&from=reactQueryV3"),
    ],
)
def test_query_string_stays_and_parameters_are_added(query: str, expected: str) -> None:
    assert target("/query/v3/overview", query) == f"/query/latest/docs/framework/react/overview{expected}"


def test_fragment_follows_the_query_string() -> None:
    to = urlsplit(target("/query/v3/guides/custom-logger", "a=1") or "")
    assert (to.query, to.fragment) == (
        "a=1&from=reactQueryV3",
        "the-deprecated-custom-logger-has-been-removed",
    )


def test_query_string_is_not_sent_to_other_sites() -> None:
    assert target("/merch", "session=1") == MERCH


def test_parameters_of_a_path_are_escaped() -> None:
    assert target("/query/v4/docs/react/a b\r\n?#é") == "/query/v4/docs/framework/react/a%20b%0D%0A%3F%23%C3%A9"


# Addresses near the patterns, with harmful characters in between.
SEGMENT = st.one_of(
    st.sampled_from("query router v3 docs framework react start examples start-x stats merch".split()),
    st.sampled_from(". .. \\ \\evil.example evil.example %2e%2e %2F javascript:x {page}".split()),
    st.sampled_from(["", "a\r\nb: c"]),
    st.text(max_size=6),
)
PATH = st.one_of(
    st.lists(SEGMENT, max_size=9).map(lambda steps: "/" + "/".join(steps)),
    st.sampled_from(sorted(path for path, _ in REDIRECTS.moves())),
    st.tuples(SEGMENT, SEGMENT, SEGMENT).map(lambda s: f"/{s[0]}/{s[1]}/docs/react/{s[2]}"),
    st.tuples(SEGMENT, SEGMENT, SEGMENT).map(lambda s: f"/router/{s[0]}/docs/framework/{s[1]}/start/{s[2]}"),
    st.text(),
)


@given(path=PATH, query=st.one_of(st.text(), st.just("//evil.example"), st.just("a=\\&b")), missing=st.booleans())
def test_no_address_redirects_off_the_site_or_splits_headers(*, path: str, query: str, missing: bool) -> None:
    to = target(path, query, missing=missing)
    if to and to != MERCH:
        assert re.fullmatch(r"/[\x21-\x5b\x5d-\x7e]+", to)
        assert not to.startswith("//")
        assert urlsplit(urljoin("https://site.example/", to)).netloc == "site.example"


@given(path=PATH)
def test_redirects_end_after_two_steps(path: str) -> None:
    steps = [path]
    while (to := target(steps[-1])) and to != MERCH:
        steps.append(urlsplit(to).path)
    assert len(steps) <= 3


ROW = '[[rules]]\npath = "{}"\nto = "{}"\nstatus = 301\n'
TREE = '[[trees]]\npath = "/old"\nto = "/new"\nstatus = 301\n[trees.moves]\n"{}" = "{}"\n'


@pytest.mark.parametrize(
    "text",
    [
        ROW.format("/a", "//evil.example"),
        ROW.format("/a", "/\\\\evil.example"),
        ROW.format("/a", "/b\\r\\nSet-Cookie: x"),
        ROW.format("/a", "javascript:alert(1)"),
        ROW.format("/a", "http://evil.example/"),
        ROW.format("/a", "https://evil.example/"),
        ROW.format("/a", "http://evil.example/") + "external = true\n",
        ROW.format("/a", "/b") + "external = true\n",
        ROW.format("/a", "/b?c=d"),
        ROW.format("/a", "/b/../c"),
        ROW.format("/a", "/b/{name}"),
        ROW.format("/a/{name}", "/b/{name"),
        ROW.format("/a/{name}/{name}", "/b/{name}"),
        ROW.format("/a/{name...}/b", "/b/{name}"),
        ROW.format("/a/{name}", "/b/{name}") + 'unless = ["x"]\n',
        ROW.format("a", "/b"),
        ROW.format("/a", "/a"),
        ROW.format("/a", "/b") + ROW.format("/b", "/c"),
        ROW.format("/a", "/b") + ROW.format("/a", "/c"),
        ROW.format("/a", "/b").replace("301", "200"),
        ROW.format("/a", "/b") + "permanent = true\n",
        TREE.format("/x", "y"),
        TREE.format("x", "/y"),
        TREE.format("x", "../y"),
        TREE.format("x", "y z"),
        TREE.format("x", "y#\\u0007"),
        ROW.format("/old/x", "/b") + TREE.format("x", "y"),
        ROW.format("/a", "/b") + 'params = { from = "nowhere" }\n',
        TREE.format("x", "y").replace("[trees.moves]", 'params = { from = "nowhere" }\n[trees.moves]'),
        '[[notices]]\nname = "a"\n',
        '[[notices]]\nname = "a"\ntext = "A"\n' * 2,
        "[[rules]]\npath = ",
    ],
)
def test_inconsistent_redirect_is_rejected(tmp_path: Path, text: str) -> None:
    redirects_from(tmp_path, text)
    assert redirect_errors(tmp_path)


def test_invalid_redirect_is_reported_with_key_and_reason(tmp_path: Path) -> None:
    (tmp_path / "redirects.toml").write_text(ROW.format("/a", "https://evil.example/") + TREE.format("x", "../y"))
    assert [(fault.key, fault.reason) for fault in redirect_errors(tmp_path)] == [
        ("rules[0]", "to leads to another site, which needs external = true"),
        ('trees[0].moves."x"', "should be a plain path, such as guides/queries"),
    ]


def test_first_of_two_patterns_wins(tmp_path: Path) -> None:
    redirects = redirects_from(tmp_path, ROW.format("/a/{x}/c", "/first/{x}") + ROW.format("/{y}/b/c", "/second/{y}"))
    assert redirects.match("/a/b/c") == Redirect("/first/b", 301)


def test_exact_address_wins_over_a_pattern(tmp_path: Path) -> None:
    redirects = redirects_from(tmp_path, ROW.format("/a/{x}", "/pattern/{x}") + ROW.format("/a/b", "/exact"))
    assert redirects.match("/a/b") == Redirect("/exact", 301)


@pytest.mark.parametrize(
    ("text", "path", "to"),
    [
        (ROW.format("/a%23b", "/c%3Fd%25"), "/a#b", "/c%3Fd%25"),
        (ROW.format("/%24id/{x}", "/%7Bx%7D/{x}"), "/$id/$1", "/%7Bx%7D/$1"),
        (ROW.format("/%2Aa/{x...}", "/größe/{x}"), "/*a/1#/2?", "/gr%C3%B6%C3%9Fe/1%23/2%3F"),
        (ROW.format("/größe", "/a%20b#c"), "/größe", "/a%20b#c"),
        (TREE.format("%5Bid%5D", "%28x%29"), "/old/[id]/more", "/new/(x)"),
    ],
)
def test_percent_encoded_characters_of_a_path_are_those_of_the_address(
    tmp_path: Path, text: str, path: str, to: str
) -> None:
    found = redirects_from(tmp_path, text).match(path)
    assert redirect_errors(tmp_path) == []
    assert found == Redirect(to, 301)


@pytest.mark.parametrize(
    "path", ["/a*", "/:a", "/[a]", "/(a)", "/a%2Fb", "/%2e%2E/a", "/a%ff", "/a%0A", "/a%5C", "/a%2", "/$a"]
)
def test_other_characters_of_a_path_are_errors(tmp_path: Path, path: str) -> None:
    redirects_from(tmp_path, ROW.format(path, "/b") + ROW.format("/c", path))
    assert [fault.key for fault in redirect_errors(tmp_path)] == ["rules[0]", "rules[1]"]


def test_deepest_entry_of_a_tree_wins(tmp_path: Path) -> None:
    redirects = redirects_from(tmp_path, TREE.format("x", "shallow") + '"x/y" = "deep"\n')
    assert redirects.match("/old/x/y/z") == Redirect("/new/deep", 301)
