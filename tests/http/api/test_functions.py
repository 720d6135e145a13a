"""All API functions over HTTP: each response is one of the four envelopes.

{"kind": "ok", "data": …} · {"kind": "redirect", "to": …, "status": …} · {"kind": "not_found", "message": …}
· {"kind": "error", "code": …, "message": …}
"""

from __future__ import annotations

import json
import string
from collections.abc import Awaitable, Callable

import httpx
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from kinfolk.api.all_functions import registry
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.snapshots.version_docs import list_version_docs

pytestmark = pytest.mark.anyio
Fetch = Callable[..., Awaitable[httpx.Response]]

QUERY = {"repo": "TanStack/query", "branch": "main"}
SHAPES = {
    "ok": {"kind", "data"},
    "redirect": {"kind", "to", "status"},
    "not_found": {"kind", "message"},
    "error": {"kind", "code", "message"},
}
STATUSES = {"ok": {200}, "redirect": {200}, "not_found": {404}, "error": {400, 401, 403, 405, 413, 500, 503}}


def envelope(response: httpx.Response) -> dict[str, object]:
    """The envelope, after an assertion of its shape and status."""
    answer = response.json()
    assert set(answer) == SHAPES[answer["kind"]]
    assert response.status_code in STATUSES[answer["kind"]]
    return dict(answer)


async def test_markup_of_a_page_is_marked_as_html(fetch: Fetch) -> None:
    answer = envelope(await fetch("docs.page", QUERY | {"filePath": "docs/framework/react/overview.md"}))
    data = answer["data"]
    assert isinstance(data, dict)
    assert data["title"] == "Overview"
    assert data["html"]["$html"].startswith("<")


@pytest.mark.parametrize("branch", [{}, {"branch": ""}, {"branch": None}])
async def test_missing_branch_is_invalid(fetch: Fetch, branch: dict[str, str | None]) -> None:
    answer = envelope(await fetch("docs.page", {"repo": "TanStack/query", "filePath": "docs/x.md"} | branch))
    assert answer == {"kind": "error", "code": "invalid", "message": "Invalid branch"}


@pytest.mark.parametrize("function", ["docs.page", "repo.file"])
@pytest.mark.parametrize("path", [{}, {"filePath": ""}, {"filePath": None}])
async def test_missing_path_is_invalid(fetch: Fetch, function: str, path: dict[str, str | None]) -> None:
    answer = envelope(await fetch(function, QUERY | path))
    assert answer["message"] == "Invalid docPath"


async def test_error_names_the_unknown_library(fetch: Fetch) -> None:
    answer = envelope(await fetch("catalog.library", {"id": "nope"}))
    assert answer == {"kind": "not_found", "message": 'Library with id "nope" not found'}


async def test_missing_core_page_redirects_to_the_default_page(fetch: Fetch) -> None:
    answer = envelope(await fetch("docs.page", QUERY | {"filePath": "docs/nope.md", "version": "latest"}))
    to = "/query/latest/docs/framework/react/overview?from=/query/latest/docs/nope"
    assert answer == {"kind": "redirect", "to": to, "status": 307}


async def test_missing_framework_page_is_not_found(fetch: Fetch) -> None:
    answer = envelope(await fetch("docs.page", QUERY | {"filePath": "docs/framework/react/nope.md"}))
    assert answer["kind"] == "not_found"


async def test_moved_page_redirects(fetch: Fetch) -> None:
    wanted = {
        "repo": "TanStack/router",
        "branch": "main",
        "filePath": "docs/router/framework/react/guide/search-params.md",
    }
    answer = envelope(await fetch("docs.page", wanted))
    assert answer["to"] == "/router/latest/docs/guide/search-params"


@pytest.mark.parametrize(
    ("function", "data"),
    [
        ("docs.page", {"repo": "torvalds/linux", "branch": "master", "filePath": "docs/x.md"}),
        ("docs.page", QUERY | {"branch": "some-pull-request", "filePath": "docs/x.md"}),
        ("docs.page", QUERY | {"filePath": "packages/query-core/README.md"}),
        ("docs.config", QUERY | {"docsRoot": "packages"}),
        ("repo.file", QUERY | {"filePath": "package.json"}),
        ("repo.directory", QUERY | {"startingPath": ".github"}),
        ("repo.directory", QUERY | {"startingPath": "packages"}),
    ],
)
async def test_repository_outside_the_catalog_is_not_read(fetch: Fetch, function: str, data: object) -> None:
    assert (await fetch(function, data)).status_code in (400, 403)


async def test_directory_lists_folders_first(fetch: Fetch) -> None:
    answer = envelope(await fetch("repo.directory", QUERY | {"startingPath": "examples/react/basic"}))
    entries = answer["data"]
    assert isinstance(entries, list)
    assert [entry["type"] for entry in entries] == sorted(entry["type"] for entry in entries)
    assert any(entry["children"] for entry in entries)


async def test_example_file_is_text(fetch: Fetch) -> None:
    answer = envelope(await fetch("repo.file", QUERY | {"filePath": "examples/react/basic/package.json"}))
    assert json.loads(str(answer["data"]))["dependencies"]["@tanstack/react-query"]


async def test_dashboard_without_a_session_has_no_account(fetch: Fetch) -> None:
    assert envelope(await fetch("dashboard.load")) == {"kind": "ok", "data": {"account": None}}


async def test_missing_post_is_not_found(fetch: Fetch) -> None:
    assert envelope(await fetch("blog.post", {"path": "nope"}))["message"] == "Post not found."


async def test_blog_lists_newest_posts_first(fetch: Fetch) -> None:
    posts = envelope(await fetch("blog.list"))["data"]
    assert isinstance(posts, list)
    assert posts == sorted(posts, key=lambda post: post["published"], reverse=True)


async def test_sponsors_have_no_amounts(fetch: Fetch) -> None:
    pack = envelope(await fetch("sponsors.pack"))["data"]
    assert isinstance(pack, dict)
    assert set(pack) == {"circles", "others", "asOf", "becomeUrl", "marks"}
    assert {key for circle in pack["circles"] for key in circle} == {
        "name",
        "linkUrl",
        "imageUrl",
        "mark",
        "x",
        "y",
        "r",
    }


async def test_home_page_counts_the_docs(fetch: Fetch, bundled: DocsSnapshot) -> None:
    page = envelope(await fetch("home.page"))["data"]
    assert isinstance(page, dict)
    figures = page["figures"]
    assert figures["libraries"] == len(bundled.catalog.libraries)
    assert figures["pages"] == sum(len(one.pages()) for one in list_version_docs(ContentReader(bundled))) > 0
    assert figures["versions"] >= figures["libraries"]


async def test_home_page_has_a_random_number(fetch: Fetch) -> None:
    drawn = [envelope(await fetch("home.random"))["data"] for _ in range(5)]
    assert all(isinstance(number, float) and 0 <= number < 1 for number in drawn)
    assert len(set(drawn)) > 1


async def test_theme_is_stored_in_a_cookie(client: httpx.AsyncClient, fetch: Fetch) -> None:
    assert envelope(await fetch("theme.get"))["data"] == "auto"
    sent = await client.post("/_server/theme.set", json={"data": {"mode": "dark"}, "context": {}})
    assert envelope(sent)["data"] is None
    assert envelope(await fetch("theme.get"))["data"] == "dark"


async def test_form_has_the_context_as_a_field(client: httpx.AsyncClient) -> None:
    sent = await client.post("/_server/theme.set?createServerFn", data={"mode": "light", "context": "{}"})
    assert envelope(sent)["kind"] == "ok"
    files = {"mode": (None, "light"), "context": (None, "{}")}
    assert envelope(await client.post("/_server/theme.set", files=files))["kind"] == "ok"


async def test_invalid_theme_cookie_means_auto(client: httpx.AsyncClient, fetch: Fetch) -> None:
    client.cookies.set("theme", "purple")
    assert envelope(await fetch("theme.get"))["data"] == "auto"


async def test_other_sites_cannot_post(client: httpx.AsyncClient) -> None:
    headers = {"origin": "https://evil.example"}
    sent = await client.post("/_server/theme.set", json={"data": {"mode": "dark"}}, headers=headers)
    assert sent.status_code == 403


async def test_function_accepts_its_own_method_only(client: httpx.AsyncClient) -> None:
    assert envelope(await client.post("/_server/site.shell", json={"data": None}))["code"] == "method"
    refused = await client.get("/_server/theme.set")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert envelope(refused)["message"] == "theme.set must be called with POST"


async def test_public_answers_are_cacheable_and_private_ones_not(fetch: Fetch) -> None:
    shell = await fetch("site.shell")
    assert shell.headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert shell.headers["cdn-cache-control"] == "max-age=300, stale-while-revalidate=300, stale-if-error=86400"
    assert (await fetch("theme.get")).headers["cache-control"] == "private, no-store"
    assert (await fetch("catalog.library", {"id": "nope"})).headers["cache-control"] == "private, no-store"


async def test_unchanged_answer_is_not_modified(client: httpx.AsyncClient, fetch: Fetch) -> None:
    first = await fetch("site.shell")
    again = await client.get(str(first.url), headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "payload",
    [
        "{",
        "[]",
        '"x"',
        "17",
        '{"data": 1}',
        '{"data": {"id": 5}}',
        '{"data": {}}',
        '{"other": 1}',
        "[" * 5000,
        '"\\ud800"',
    ],
)
async def test_invalid_payload_is_rejected_with_its_field(client: httpx.AsyncClient, payload: str) -> None:
    answer = envelope(await client.get("/_server/catalog.library", params={"payload": payload}))
    assert answer["code"] == "invalid"


async def test_payload_errors_use_names_of_the_wire(fetch: Fetch) -> None:
    answer = envelope(await fetch("docs.page"))
    assert answer["message"] == "docs.page: data: should be an object"


async def test_too_large_body_is_not_read(client: httpx.AsyncClient) -> None:
    sent = await client.post("/_server/theme.set", content=b"x" * 100_000)
    assert envelope(sent)["code"] == "too_large"


async def test_malformed_form_is_invalid(client: httpx.AsyncClient) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert (await client.post("/_server/theme.set", content=b"garbage", headers=headers)).status_code == 400


async def test_unknown_function_is_not_found(fetch: Fetch) -> None:
    assert envelope(await fetch("no.such"))["kind"] == "not_found"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
HOSTILE = st.sampled_from(
    [
        "docs/x.md",
        "docs/../../etc/passwd",
        "../" * 30,
        "docs/\0.md",
        "docs/%2e%2e/x",
        "-rf",
        "",
        "main",
        "v4",
        "é" * 300,
    ]
) | st.text(alphabet=string.printable + "\0\x7fé\u202e", max_size=60)
LIKE_REAL = st.fixed_dictionaries(
    {},
    optional={
        "repo": st.sampled_from(["TanStack/query", "TanStack/router", "tanstack/query"]) | HOSTILE,
        "branch": st.sampled_from(["main", "v8"]) | HOSTILE,
        "filePath": HOSTILE,
        "docsRoot": HOSTILE,
        "startingPath": HOSTILE,
        "version": HOSTILE,
        "id": HOSTILE,
        "path": HOSTILE,
        "mode": HOSTILE,
    },
)


@pytest.mark.no_cover
@hypothesis_settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    function=st.sampled_from(sorted(registry.functions)) | st.text(max_size=20),
    data=JSON | LIKE_REAL,
    post=st.booleans(),
)
async def test_fuzzed_payload_gets_an_envelope(
    client: httpx.AsyncClient, function: str, data: object, post: bool
) -> None:
    name = function if function in registry.functions else "x" + "".join(c for c in function if c.isalnum())
    body = json.dumps({"data": data, "context": {}})
    if post:
        headers = {"content-type": "application/json"}
        response = await client.post(f"/_server/{name}", content=body, headers=headers)
    else:
        response = await client.get(f"/_server/{name}", params={"createServerFn": "", "payload": body})
    answer = envelope(response)
    assert answer.get("code") != "internal"
    assert "/etc" not in str(answer.get("data"))


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        ("[" * 100_000, 413, "too_large"),
        ("[" * 30_000 + "]" * 30_000, 400, "invalid"),
        ("[" * 500 + "]" * 500, 503, "over_budget"),
        (f"[{','.join('1' * 20_000)}]", 503, "over_budget"),
        ("NaN", 400, "invalid"),
        ('"\\ud800"', 400, "invalid"),
    ],
)
async def test_payload_depth_and_size_are_limited(client: httpx.AsyncClient, data: str, status: int, code: str) -> None:
    body = f'{{"data": {data}}}'.encode()
    answer = await client.post("/_server/theme.set", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["kind"], answer.json()["code"]) == (status, "error", code)


async def test_changed_pages_are_those_with_another_text(client: httpx.AsyncClient, fetch: Fetch) -> None:
    request = {"repo": "TanStack/query", "branch": "main", "filePath": "docs/framework/react/overview.md"}
    page = envelope(await fetch("docs.page", request))["data"]
    assert isinstance(page, dict)
    address = "/query/latest/docs/framework/react/overview"
    known = [
        {"address": address, "digest": page["digest"]},
        {"address": f"{address}?x=1", "digest": ""},
        {"address": "/query/latest/docs/no-such-page", "digest": "0" * 16},
        {"address": "/nope/latest/docs/a", "digest": "0" * 16},
        {"address": "/query/latest/docs/../../etc/passwd", "digest": "0" * 16},
        {"address": "https://evil.example", "digest": "0" * 16},
        {"address": address.replace("react/", "react/quick-start/../"), "digest": ""},
        {"address": "/query/latest/docs/framework/react/quick-start", "digest": "0" * 16},
    ]
    answer = await client.post("/_server/docs.changed", json={"data": {"pages": known}, "context": {}})
    states = [state["state"] for state in answer.json()["data"]]
    assert states == ["same", *["missing"] * 6, "changed"]


async def test_too_many_known_pages_are_refused(client: httpx.AsyncClient) -> None:
    pages = [{"address": f"/query/latest/docs/{n}", "digest": ""} for n in range(61)]
    answer = await client.post("/_server/docs.changed", json={"data": {"pages": pages}, "context": {}})
    assert answer.status_code == 400
