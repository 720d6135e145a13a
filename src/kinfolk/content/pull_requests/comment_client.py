"""Writes one comment on a pull request, and replaces it later: on GitHub, GitLab (notes) and Forgejo.

GitHub: https://docs.github.com/en/rest/issues/comments
GitLab: https://docs.gitlab.com/api/notes/#merge-requests
Forgejo: https://codeberg.org/api/swagger#/issue
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, TypeAdapter, ValidationError

from kinfolk.config.code_hosts import CodeHost, HostKind
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.upstream.upstream_client import ANSWER_S, TIMEOUT_S, UpstreamClient

MOST_PAGES = 5
"""Pages of comments that are looked through. The comment of a preview is among the first 100."""
LONGEST_LIST = 8 << 20
"""Bytes of a page of comments: each may have 64 kB."""
MARK_DIGITS = 32


@dataclass(frozen=True)
class _CommentApi:
    """Paths below the API: of the comments of a pull request, and of one of them.

    `update` is the method that changes a comment. `prefix` stands before the token in the header `authorization`.
    """

    comments: str
    comment: str
    update: Literal["PATCH", "PUT"]
    parameters: Mapping[str, str | int]
    prefix: str


_ISSUE_COMMENTS = "repos/{repo}/issues/{number}/comments", "repos/{repo}/issues/comments/{id}"
_NOTES = "projects/{project}/merge_requests/{number}/notes"
_APIS: Mapping[HostKind, _CommentApi] = {
    "github": _CommentApi(*_ISSUE_COMMENTS, "PATCH", {"per_page": 100}, "Bearer"),
    "gitlab": _CommentApi(_NOTES, f"{_NOTES}/{{id}}", "PUT", {"per_page": 100, "sort": "asc"}, "Bearer"),
    "codeberg": _CommentApi(*_ISSUE_COMMENTS, "PATCH", {"limit": 50}, "token"),
}


class _Comment(BaseModel):
    id: int
    body: str | None = None


_COMMENTS: TypeAdapter[list[_Comment]] = TypeAdapter(list[_Comment])


class CommentClient:
    """For one thread. `tokens` are those of each server, by its name; a token is sent to its own server only.

    `secret` makes the marks of comments, so that the mark of a comment that does not exist yet cannot be guessed.
    """

    def __init__(
        self,
        tokens: Mapping[str, str],
        secret: str,
        *,
        now: Callable[[], datetime],
        github_api: str = "https://api.github.com",
        timeout_s: float = TIMEOUT_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        """`now` is in UTC, without a time zone. `github_api` is the API of github.com."""
        self._tokens = tokens
        self._secret = secret
        self._now = now
        self._github_api = github_api.rstrip("/")
        self._timeout_s = timeout_s
        self._answer_s = answer_s
        self._clients: dict[str, UpstreamClient] = {}

    def has_token(self, host: CodeHost) -> bool:
        """Whether there is a token for a host."""
        return urlsplit(host.base).netloc in self._tokens

    async def put(self, host: CodeHost, repository: str, number: int, text: str) -> bool:
        """Write the comment, or replace its text if it differs. Whether anything was written. `text` is Markdown.

        Raises RequestsRefused while the host limits the rate of requests, NotFound for a pull request that the token
        does not see, and Unavailable for all other failures.
        """
        api = _APIS[host.kind]
        client, base = self._client(host, api)
        names = {"repo": quote(repository), "project": quote(repository, safe=""), "number": number}
        address = f"{base}/{api.comments.format(**names)}"
        mark = self.mark(host, repository, number)
        body = f"{mark}\n{text}"
        known = await self._find(client, address, api, mark)
        if known is None:
            await client.send("POST", address, {"body": body})
        elif known.body != body:
            await client.send(api.update, f"{base}/{api.comment.format(**names, id=known.id)}", {"body": body})
        else:
            return False
        return True

    def mark(self, host: CodeHost, repository: str, number: int) -> str:
        """The first line of the comment on a pull request, which is not shown."""
        subject = f"{host.base}/{repository}#{number}".encode()
        digest = hmac.new(self._secret.encode(), subject, hashlib.sha256).hexdigest()
        return f"<!-- kinfolk preview {digest[:MARK_DIGITS]} -->"

    async def _find(self, client: UpstreamClient, address: str, api: _CommentApi, mark: str) -> _Comment | None:
        """The oldest comment with the mark. Others may have copied it since."""
        for page in range(1, MOST_PAGES + 1):
            answer = await client.get(address, {**api.parameters, "page": page})
            try:
                comments = _COMMENTS.validate_json(answer.body)
            except ValidationError as wrong:
                raise Unavailable(f"The list of comments of {client.name} is invalid") from wrong
            found = (each for each in sorted(comments, key=lambda each: each.id) if (each.body or "").startswith(mark))
            known = next(found, None)
            if known is not None or "next" not in answer.links:
                return known
        return None

    def _client(self, host: CodeHost, api: _CommentApi) -> tuple[UpstreamClient, str]:
        base = self._github_api if host.kind == "github" and host.is_public else host.api
        if base not in self._clients:
            token = self._tokens[urlsplit(host.base).netloc]
            self._clients[base] = UpstreamClient(
                host.label,
                now=self._now,
                headers={"accept": "application/json", "authorization": f"{api.prefix} {token}"},
                timeout_s=self._timeout_s,
                answer_s=self._answer_s,
                longest_answer=LONGEST_LIST,
            )
        return self._clients[base], base
