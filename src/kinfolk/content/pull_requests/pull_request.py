"""A pull request, and the events of code hosts about one: GitHub, GitLab (merge requests) and Forgejo.

GitHub: https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request
GitLab: https://docs.gitlab.com/user/project/integrations/webhook_events/#merge-request-events
Forgejo: https://forgejo.org/docs/latest/user/webhooks/
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from kinfolk.config.code_hosts import CodeHost, HostKind

PullRequestState = Literal["open", "draft", "closed", "merged"]
MOST_NUMBER = 999_999_999
LONGEST_TITLE = 200
LONGEST_AUTHOR = 80
LONGEST_BRANCH = 255
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_EXTRA = re.compile(r"\s+")
_GITLAB_STATES: dict[str, PullRequestState] = {
    "opened": "open",
    "reopened": "open",
    # While GitLab merges it.
    "locked": "open",
    "closed": "closed",
    "merged": "merged",
}


@dataclass(frozen=True)
class PullRequest:
    """A pull request as its code host describes it. Title and author are one line of printable text each.

    `base` is the branch that it changes, `head` the id of its last commit.
    """

    repository: str
    number: int
    base: str
    head: str
    title: str
    author: str
    state: PullRequestState

    @property
    def is_open(self) -> bool:
        return self.state in ("open", "draft")


def parse_pull_request(payload: object) -> PullRequest | None:
    """The pull request that an event describes; None for any other payload, and for one with invalid values."""
    match payload:
        case {
            "number": int(number),
            "repository": {"full_name": str(repository)},
            "pull_request": {
                "title": str(title),
                "state": "open" | "closed" as state,
                "base": {"ref": str(base)},
                "head": {"sha": str(head)},
            } as request,
        }:
            found: PullRequestState = "closed" if state == "closed" else "open"
            if request.get("merged") is True:
                found = "merged"
            author = _named(request.get("user"), "login")
        case {
            "object_kind": "merge_request",
            "project": {"path_with_namespace": str(repository)},
            "object_attributes": {
                "iid": int(number),
                "title": str(title),
                "state": str(state),
                "target_branch": str(base),
                "last_commit": {"id": str(head)} as commit,
            } as request,
        } if state in _GITLAB_STATES:
            found = _GITLAB_STATES[state]
            author = _named(commit.get("author"), "name")
        case _:
            return None
    if found == "open" and (request.get("draft") is True or request.get("work_in_progress") is True):
        found = "draft"
    pull_request = PullRequest(
        repository,
        number,
        base,
        head,
        title=_line(title, LONGEST_TITLE),
        author=_line(author, LONGEST_AUTHOR),
        state=found,
    )
    return pull_request if _is_valid(pull_request) else None


def head_ref(kind: HostKind, number: int) -> str:
    """The ref of the head in the repository that the pull request changes: forks are not fetched."""
    return f"refs/merge-requests/{number}/head" if kind == "gitlab" else f"refs/pull/{number}/head"


def pull_request_page(host: CodeHost, repository: str, number: int) -> str:
    """The page of a pull request on its code host."""
    kind = "pulls" if host.kind == "codeberg" else "pull"
    return host.merge_request(repository, number) or f"{host.repository(repository)}/{kind}/{number}"


def _named(person: object, key: str) -> str:
    """A text of an object in a payload; empty without it."""
    name = person.get(key) if isinstance(person, dict) else None
    return name if isinstance(name, str) else ""


def _is_valid(found: PullRequest) -> bool:
    return (
        not isinstance(found.number, bool)
        and 0 < found.number <= MOST_NUMBER
        and 0 < len(found.base) <= LONGEST_BRANCH
        and _COMMIT.fullmatch(found.head) is not None
    )


def _line(text: str, most: int) -> str:
    """The text in one line, without characters that are not printable, such as marks of the direction."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * most])
    return _EXTRA.sub(" ", printable).strip()[:most]
