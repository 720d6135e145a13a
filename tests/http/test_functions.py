"""Every function over HTTP: the four envelopes, and no way to get anything else.

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

from kinfolk.docs import Docs
from kinfolk.docs.listing import volumes
from kinfolk.functions import registry

pytestmark = pytest.mark.anyio
Ask = Callable[..., Awaitable[httpx.Response]]

QUERY = {"repo": "TanStack/query", "branch": "main"}
SHAPES = {
    "ok": {"kind", "data"},
    "redirect": {"kind", "to", "status"},
    "not_found": {"kind", "message"},
    "error": {"kind", "code", "message"},
}
STATUSES = {"ok": {200}, "redirect": {200}, "not_found": {404}, "error": {400, 403, 405, 413, 500, 503}}


def envelope(response: httpx.Response) -> dict[str, object]:
    """The answer, after proving that it has one of the four shapes and the status that belongs to it."""
    answer = response.json()
    assert set(answer) == SHAPES[answer["kind"]]
    assert response.status_code in STATUSES[answer["kind"]]
    return dict(answer)


async def test_a_page_is_answered_with_its_markup_marked_as_such(ask: Ask) -> None:
    answer = envelope(await ask("docs.page", QUERY | {"filePath": "docs/framework/react/overview.md"}))
    data = answer["data"]
    assert isinstance(data, dict)
    assert data["title"] == "Overview"
    assert data["html"]["$html"].startswith("<")


@pytest.mark.parametrize("branch", [{}, {"branch": ""}, {"branch": None}])
async def test_a_missing_branch_is_an_invalid_branch(ask: Ask, branch: dict[str, str | None]) -> None:
    answer = envelope(await ask("docs.page", {"repo": "TanStack/query", "filePath": "docs/x.md"} | branch))
    assert answer == {"kind": "error", "code": "invalid", "message": "Invalid branch"}


@pytest.mark.parametrize("function", ["docs.page", "repo.file"])
@pytest.mark.parametrize("path", [{}, {"filePath": ""}, {"filePath": None}])
async def test_a_missing_path_is_an_invalid_path(ask: Ask, function: str, path: dict[str, str | None]) -> None:
    answer = envelope(await ask(function, QUERY | path))
    assert answer["message"] == "Invalid docPath"


async def test_an_unknown_library_is_named(ask: Ask) -> None:
    answer = envelope(await ask("catalog.library", {"id": "nope"}))
    assert answer == {"kind": "not_found", "message": 'Library with id "nope" not found'}


async def test_a_missing_core_page_leads_to_the_default_page(ask: Ask) -> None:
    answer = envelope(await ask("docs.page", QUERY | {"filePath": "docs/nope.md", "version": "latest"}))
    assert answer == {"kind": "redirect", "to": "/query/latest/docs/framework/react/overview", "status": 307}


async def test_a_missing_page_of_a_framework_is_missing(ask: Ask) -> None:
    answer = envelope(await ask("docs.page", QUERY | {"filePath": "docs/framework/react/nope.md"}))
    assert answer["kind"] == "not_found"


async def test_a_page_that_only_moved_leads_to_where_it_is(ask: Ask) -> None:
    wanted = {
        "repo": "TanStack/router",
        "branch": "main",
        "filePath": "docs/router/framework/react/guide/search-params.md",
    }
    answer = envelope(await ask("docs.page", wanted))
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
async def test_what_the_registry_does_not_name_is_not_read(ask: Ask, function: str, data: object) -> None:
    assert (await ask(function, data)).status_code in (400, 403)


async def test_a_folder_is_answered_at_any_depth_with_folders_first(ask: Ask) -> None:
    answer = envelope(await ask("repo.directory", QUERY | {"startingPath": "examples/react/basic"}))
    entries = answer["data"]
    assert isinstance(entries, list)
    assert [entry["type"] for entry in entries] == sorted(entry["type"] for entry in entries)
    assert any(entry["children"] for entry in entries)


async def test_a_file_of_an_example_is_answered_as_text(ask: Ask) -> None:
    answer = envelope(await ask("repo.file", QUERY | {"filePath": "examples/react/basic/package.json"}))
    assert json.loads(str(answer["data"]))["dependencies"]["@tanstack/react-query"]


async def test_the_dashboard_sends_a_visitor_who_is_not_signed_in_to_the_login_page(ask: Ask) -> None:
    assert envelope(await ask("dashboard.load")) == {"kind": "redirect", "to": "/login", "status": 307}


async def test_a_post_that_does_not_exist_is_not_found(ask: Ask) -> None:
    assert envelope(await ask("blog.post", {"path": "nope"}))["message"] == "Post not found."


async def test_the_blog_lists_its_posts_newest_first(ask: Ask) -> None:
    posts = envelope(await ask("blog.list"))["data"]
    assert isinstance(posts, list)
    assert posts == sorted(posts, key=lambda post: post["published"], reverse=True)


async def test_sponsors_are_names_links_and_circles_and_never_amounts(ask: Ask) -> None:
    pack = envelope(await ask("sponsors.pack"))["data"]
    assert isinstance(pack, dict)
    assert set(pack) == {"circles", "others", "asked", "becomeUrl"}
    assert {key for circle in pack["circles"] for key in circle} == {"name", "linkUrl", "imageUrl", "x", "y", "r"}


async def test_the_home_page_counts_the_docs_that_are_served(ask: Ask, bundled: Docs) -> None:
    page = envelope(await ask("home.page"))["data"]
    assert isinstance(page, dict)
    figures = page["figures"]
    assert figures["libraries"] == len(bundled.catalog.libraries)
    assert figures["pages"] == sum(len(one.pages()) for one in volumes(bundled)) > 0
    assert figures["versions"] >= figures["libraries"]


async def test_the_home_page_is_drawn_by_a_number_from_0_up_to_1(ask: Ask) -> None:
    drawn = [envelope(await ask("home.random"))["data"] for _ in range(5)]
    assert all(isinstance(number, float) and 0 <= number < 1 for number in drawn)
    assert len(set(drawn)) > 1


async def test_the_theme_that_was_set_is_the_theme_that_is_read(client: httpx.AsyncClient, ask: Ask) -> None:
    assert envelope(await ask("theme.get"))["data"] == "auto"
    sent = await client.post("/_server/theme.set", json={"data": {"mode": "dark"}, "context": {}})
    assert envelope(sent)["data"] is None
    assert envelope(await ask("theme.get"))["data"] == "dark"


async def test_a_form_is_taken_as_it_is_with_the_context_as_one_more_field(client: httpx.AsyncClient) -> None:
    sent = await client.post("/_server/theme.set?createServerFn", data={"mode": "light", "context": "{}"})
    assert envelope(sent)["kind"] == "ok"
    files = {"mode": (None, "light"), "context": (None, "{}")}
    assert envelope(await client.post("/_server/theme.set", files=files))["kind"] == "ok"


async def test_a_theme_cookie_with_nonsense_means_auto(client: httpx.AsyncClient, ask: Ask) -> None:
    client.cookies.set("theme", "purple")
    assert envelope(await ask("theme.get"))["data"] == "auto"


async def test_other_sites_cannot_post(client: httpx.AsyncClient) -> None:
    headers = {"origin": "https://evil.example"}
    sent = await client.post("/_server/theme.set", json={"data": {"mode": "dark"}}, headers=headers)
    assert sent.status_code == 403


async def test_a_function_is_called_with_its_own_method_only(client: httpx.AsyncClient) -> None:
    assert envelope(await client.post("/_server/site.shell", json={"data": None}))["code"] == "method"
    refused = await client.get("/_server/theme.set")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert envelope(refused)["message"] == "theme.set must be called with POST"


async def test_answers_may_be_kept_by_a_cdn_but_private_ones_by_nobody(ask: Ask) -> None:
    shell = await ask("site.shell")
    assert shell.headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert shell.headers["cdn-cache-control"] == "max-age=300, stale-while-revalidate=300"
    assert (await ask("theme.get")).headers["cache-control"] == "private, no-store"
    assert (await ask("catalog.library", {"id": "nope"})).headers["cache-control"] == "private, no-store"


async def test_an_answer_that_has_not_changed_is_not_sent_again(client: httpx.AsyncClient, ask: Ask) -> None:
    first = await ask("site.shell")
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
async def test_a_payload_that_makes_no_sense_is_refused_by_name(client: httpx.AsyncClient, payload: str) -> None:
    answer = envelope(await client.get("/_server/catalog.library", params={"payload": payload}))
    assert answer["code"] == "invalid"


async def test_what_is_wrong_with_a_payload_is_said_in_words_of_the_wire(ask: Ask) -> None:
    answer = envelope(await ask("docs.page"))
    assert answer["message"] == "docs.page: data: should be an object"


async def test_a_body_that_is_too_large_is_not_read(client: httpx.AsyncClient) -> None:
    sent = await client.post("/_server/theme.set", content=b"x" * 100_000)
    assert envelope(sent)["code"] == "too_large"


async def test_a_form_that_is_broken_is_invalid(client: httpx.AsyncClient) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert (await client.post("/_server/theme.set", content=b"garbage", headers=headers)).status_code == 400


async def test_an_unknown_function_is_not_found(ask: Ask) -> None:
    assert envelope(await ask("no.such"))["kind"] == "not_found"


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


@hypothesis_settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    function=st.sampled_from(sorted(registry.functions)) | st.text(max_size=20),
    data=JSON | LIKE_REAL,
    post=st.booleans(),
)
async def test_whatever_is_sent_the_answer_is_an_envelope_and_never_a_crash(
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
async def test_what_is_sent_to_a_function_has_a_limited_shape(
    client: httpx.AsyncClient, data: str, status: int, code: str
) -> None:
    body = f'{{"data": {data}}}'.encode()
    answer = await client.post("/_server/theme.set", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["kind"], answer.json()["code"]) == (status, "error", code)
