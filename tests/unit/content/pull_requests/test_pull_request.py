"""Events of code hosts about pull requests."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinfolk.config.code_hosts import code_host
from kinfolk.content.pull_requests.pull_request import (
    LONGEST_TITLE,
    PullRequest,
    head_ref,
    parse_pull_request,
    pull_request_page,
)

HEAD = "0123456789abcdef0123456789abcdef01234567"
REQUEST = {
    "title": "Better words",
    "state": "open",
    "draft": False,
    "merged": False,
    "user": {"login": "ada"},
    "base": {"ref": "main"},
    "head": {"sha": HEAD},
}
GITHUB = {"action": "opened", "number": 7, "repository": {"full_name": "acme/tiles"}, "pull_request": REQUEST}
GITLAB = {
    "object_kind": "merge_request",
    "project": {"path_with_namespace": "acme/tiles"},
    "object_attributes": {
        "iid": 7,
        "title": "Better words",
        "state": "opened",
        "target_branch": "main",
        "last_commit": {"id": HEAD, "author": {"name": "ada"}},
    },
}
EXPECTED = PullRequest("acme/tiles", 7, "main", HEAD, "Better words", "ada", "open")

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from([*GITHUB, *REQUEST]), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("payload", [GITHUB, GITLAB], ids=["github and forgejo", "gitlab"])
def test_event_describes_the_pull_request(payload: object) -> None:
    assert parse_pull_request(payload) == EXPECTED


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        ({"draft": True}, "draft"),
        ({"state": "closed"}, "closed"),
        ({"state": "closed", "draft": True}, "closed"),
        ({"state": "closed", "merged": True}, "merged"),
    ],
)
def test_state_is_that_of_the_event(facts: dict[str, object], state: str) -> None:
    found = parse_pull_request(GITHUB | {"pull_request": REQUEST | facts})
    assert found is not None
    assert found.state == state


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        {"number": 7},
        GITHUB | {"number": 0},
        GITHUB | {"number": True},
        GITHUB | {"number": 10**10},
        GITHUB | {"pull_request": REQUEST | {"head": {"sha": "--upload-pack=x"}}},
        GITHUB | {"pull_request": REQUEST | {"head": {"sha": HEAD.upper()}}},
        GITHUB | {"pull_request": REQUEST | {"base": {"ref": ""}}},
        GITHUB | {"pull_request": REQUEST | {"state": "unknown"}},
        GITLAB | {"object_kind": "push"},
    ],
)
def test_other_payload_is_none(payload: object) -> None:
    assert parse_pull_request(payload) is None


def test_title_and_author_are_one_short_printable_line() -> None:
    title = "a\n\u202eb\x00  " + "x" * 10_000
    request = REQUEST | {"title": title, "user": {"login": "\x1b[31m\nada"}}
    found = parse_pull_request(GITHUB | {"pull_request": request})
    assert found is not None
    assert found.title == ("a b " + "x" * 10_000)[:LONGEST_TITLE]
    assert found.author == "[31m ada"


@settings(max_examples=30)
@given(values, values, values)
def test_no_payload_fails(number: object, repository: object, request: object) -> None:
    payload = {"number": number, "repository": repository, "pull_request": request}
    assert parse_pull_request(payload) is None


def test_addresses_of_hosts() -> None:
    assert [head_ref(kind, 7) for kind in ("github", "gitlab", "codeberg")] == [
        "refs/pull/7/head", "refs/merge-requests/7/head", "refs/pull/7/head"
    ]  # fmt: skip
    pages = [pull_request_page(code_host(kind), "acme/tiles", 7) for kind in ("github", "gitlab", "codeberg")]
    assert pages == [
        "https://github.com/acme/tiles/pull/7",
        "https://gitlab.com/acme/tiles/-/merge_requests/7",
        "https://codeberg.org/acme/tiles/pulls/7",
    ]
