"""What the payloads of webhooks say: pushes, releases, stars and pull requests."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qs

import orjson
from starlette.requests import Request

from kinfolk.content.pull_requests.pull_request import PullRequest, parse_pull_request
from kinfolk.runtime.upstream.upstream_client import is_count

MAX_FORM_FIELDS = 16
"""GitHub sends one."""


class Pushed(NamedTuple):
    """A push; `commit` is the one that the branch or tag has since, in GitLab's and GitHub's words `after`."""

    repo: str
    ref: str
    commit: str


class Starred(NamedTuple):
    """A star that was given or removed, and the stars since."""

    action: str
    repo: str
    stars: int


def read_payload(request: Request, body: bytes) -> object:
    """The values of an event; None for a body that is none."""
    try:
        # A push has tens of thousands of values. orjson limits the depth by itself.
        return orjson.loads(_json(request, body))
    except (ValueError, KeyError):
        return None


def repository_of(payload: object) -> str:
    """The repository of an event; empty for an event without one."""
    match payload:
        case {"repository": {"full_name": str(repo)}} | {"project": {"path_with_namespace": str(repo)}}:
            return repo
    return ""


def parse_push(payload: object) -> Pushed | None:
    """The push that an event describes; None for any other payload."""
    match payload:
        case {"repository": {"full_name": str(repo)}, "ref": str(ref)}:
            pass
        case {"project": {"path_with_namespace": str(repo)}, "ref": str(ref)}:
            pass
        case _:
            return None
    match payload:
        case {"after": str(commit)}:
            return Pushed(repo, ref, commit)
    return Pushed(repo, ref, "")


def parse_release(payload: object) -> str | None:
    """The repository of a release; None for any other payload."""
    match payload:
        case {"repository": {"full_name": str(repo)}, "release": dict()}:
            return repo
        case {"object_kind": "release", "project": {"path_with_namespace": str(repo)}}:
            return repo
    return None


def parse_pull_request_event(payload: object) -> PullRequest | None:
    """The pull request of an event; None for any other payload, and for one with invalid values."""
    try:
        return parse_pull_request(payload)
    except (ValueError, KeyError):
        return None


def parse_star(payload: object) -> Starred | None:
    """The star of an event; None for any other payload."""
    match payload:
        case {"action": str(action), "repository": {"full_name": str(repo), "stargazers_count": int(count)}}:
            return Starred(action, repo, count) if is_count(count) else None
    return None


def _json(request: Request, body: bytes) -> bytes | str:
    """The JSON of an event: the body, or a form field, which is GitHub's default."""
    if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return parse_qs(body.decode(), max_num_fields=MAX_FORM_FIELDS)["payload"][0]
    return body
