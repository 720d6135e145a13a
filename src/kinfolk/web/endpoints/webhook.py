"""`/_hooks/{host}`: a push to a repository refreshes its docs at once, a release its notes; a star changes its count on
GitHub, and a pull request gets a preview.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal
from urllib.parse import parse_qs

import orjson
import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kinfolk.config.catalog import Library
from kinfolk.config.code_hosts import HostKind
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.docs_source import refreshed_refs
from kinfolk.content.pull_requests.pull_request import PullRequest, parse_pull_request
from kinfolk.runtime.errors import SiteError
from kinfolk.runtime.upstream.upstream_client import is_count
from kinfolk.site.site import Site
from kinfolk.web.protocol.client_limits import read_body
from kinfolk.web.refusal_log import log_refusal

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MAX_BODY_BYTES = 5 << 20
"""A push of 2,048 commits, the maximum that GitHub sends, has about 3 MB."""

MAX_FORM_FIELDS = 16
"""GitHub sends one."""

_TAG = "refs/tags/"
STAR_ACTIONS = ("created", "deleted")


@dataclass(frozen=True)
class WebhookFormat:
    """How a code host proves that it sent a request, and how it names the event.

    `proof` is the kind of value in `proof_header`: the HMAC-SHA256 of the body in hexadecimal digits, or the secret.
    """

    event_header: str
    push_events: tuple[str, ...]
    pull_request_event: str
    release_event: str
    proof_header: str
    proof: Literal["signature", "secret"]
    proof_prefix: str = ""


WEBHOOK_FORMATS: Mapping[HostKind, WebhookFormat] = {
    "github": WebhookFormat(
        "x-github-event", ("push",), "pull_request", "release", "x-hub-signature-256", "signature", "sha256="
    ),
    "gitlab": WebhookFormat(
        "x-gitlab-event",
        ("Push Hook", "Tag Push Hook"),
        "Merge Request Hook",
        "Release Hook",
        "x-gitlab-token",
        "secret",
    ),
    # Forgejo sends the headers of Gitea, too.
    "codeberg": WebhookFormat("x-gitea-event", ("push",), "pull_request", "release", "x-gitea-signature", "signature"),
}
"""Sources: GitHub "Validating webhook deliveries", GitLab "Webhooks", Forgejo "Webhooks"."""


def webhook_routes() -> list[Route]:
    """The address for each kind of code host."""
    return [Route(f"/_hooks/{host}", partial(_answer_webhook, host), methods=["POST"]) for host in WEBHOOK_FORMATS]


async def _answer_webhook(host: HostKind, request: Request) -> Response:
    """Check the signature, and answer the event."""
    site: Site = request.app.state.site
    webhook_format = WEBHOOK_FORMATS[host]
    secret = site.settings.webhook_secret
    if not secret:
        return JSONResponse({"message": "The webhook is not set up"}, 404)
    try:
        body = await read_body(request, MAX_BODY_BYTES)
    except SiteError as failure:
        log_refusal("webhook", failure.code, address=_client(request))
        return JSONResponse({"message": failure.message}, failure.status)
    proof = secret
    if webhook_format.proof == "signature":
        proof = webhook_format.proof_prefix + await asyncio.to_thread(_signature, secret, body)
    if not hmac.compare_digest(proof.encode(), request.headers.get(webhook_format.proof_header, "").encode()):
        log_refusal("webhook", "signature", address=_client(request))
        return JSONResponse({"message": f"The {webhook_format.proof} does not fit"}, 403)
    event = request.headers.get(webhook_format.event_header, "")
    if host == "github" and event == "ping":
        return JSONResponse({"message": "pong"})
    if host == "github" and event == "star":
        return await _answer_star(request, site, body)
    if event == webhook_format.pull_request_event:
        return await _answer_pull_request(request, host, body)
    if event == webhook_format.release_event:
        return await _answer_release(request, host, body)
    return await _answer_push(request, host, body, is_push=event in webhook_format.push_events)


async def _answer_push(request: Request, host: HostKind, body: bytes, *, is_push: bool) -> Response:
    """Find the branch of a push in the catalog, and request a refresh; for a tag, of all branches of its repository."""
    named = await asyncio.to_thread(_pushed, request, body)
    if named is None:
        if is_push:
            log_refusal("webhook", "payload", address=_client(request))
        return JSONResponse({"message": "This is not a push"}, 400 if is_push else 200)
    refs = _pushed_refs(request.app.state.site, host, *named)
    if not is_push or not refs:
        return JSONResponse({"message": "Nothing here depends on that"})
    site: Site = request.app.state.site
    shown = site.content.publisher.docs.snapshot
    if not await asyncio.to_thread(refreshed_refs, site.settings, site.catalog, refs, shown):
        log.warning("push not fetched", ref=str(refs[0]), reason="this server has no mirror of it")
        return JSONResponse({"message": f"This server has no mirror of {refs[0]}. Run kinfolk sync."}, 503)
    log.info("push received", ref=str(refs[0]))
    releases = site.content.publisher.docs.releases
    if named[1].startswith(_TAG) and releases is not None:
        await asyncio.to_thread(releases.expect_new, refs[0].repo)
    request.app.state.refresher.wake(refs)
    return JSONResponse({"message": f"Looking at {refs[0]} now"}, 202)


async def _answer_pull_request(request: Request, host: HostKind, body: bytes) -> Response:
    """Store the pull request, and wake the queue that fetches it. Requests never fetch one."""
    found = await asyncio.to_thread(_pull_request, request, body)
    if found is None:
        log_refusal("webhook", "payload", address=_client(request))
        return JSONResponse({"message": "This is not a pull request"}, 400)
    site: Site = request.app.state.site
    previews = site.previews
    library = next(iter(_libraries_of(site, host, found.repository)), None)
    if previews is None or library is None:
        return JSONResponse({"message": "Nothing here depends on that"})
    repo = library.content_repo
    named = replace(found, repository=repo)
    if not previews.base_branches(named):
        return JSONResponse({"message": f"Nothing here depends on the branch {named.base[:80]}"})
    try:
        stored = await asyncio.to_thread(previews.store.put, named)
    except SiteError as failure:
        return JSONResponse({"message": failure.message}, failure.status)
    if not stored:
        return JSONResponse({"message": "Nothing here depends on that"})
    log.info("pull request received", repository=repo, number=named.number, head=named.head[:12], state=named.state)
    previews.request_update()
    return JSONResponse({"message": f"Looking at pull request {named.number} of {repo} now"}, 202)


async def _answer_release(request: Request, host: HostKind, body: bytes) -> Response:
    """Request the releases of the repository with the next look of the service that reads them."""
    repo = await asyncio.to_thread(_released, request, body)
    if repo is None:
        log_refusal("webhook", "payload", address=_client(request))
        return JSONResponse({"message": "This is not a release"}, 400)
    site: Site = request.app.state.site
    library = next(iter(_libraries_of(site, host, repo)), None)
    if library is None or not site.settings.release_notes:
        return JSONResponse({"message": "Nothing here depends on that"})
    try:
        await asyncio.to_thread(site.release_notes.request, library)
    except SiteError as failure:
        return JSONResponse({"message": failure.message}, failure.status)
    return JSONResponse({"message": f"Looking at the releases of {library.content_repo} now"}, 202)


def _pushed_refs(site: Site, host: HostKind, repo: str, pushed: str) -> list[Ref]:
    """The branches of the catalog on this host that a push has changed: for a tag, all of the repository."""
    libraries = _libraries_of(site, host, repo)
    refs = dict.fromkeys(library.ref(version.name) for library in libraries for version in library.versions)
    return [ref for ref in refs if pushed == f"refs/heads/{ref.branch}" or pushed.startswith(_TAG)]


def _libraries_of(site: Site, host: HostKind, repo: str) -> list[Library]:
    """The libraries whose docs are in a repository of this host."""
    on_host = (library for library in site.catalog.libraries if library.code_host and library.host == host)
    # The case of owner and repository varies in GitHub's events.
    return [library for library in on_host if library.content_repo.lower() == repo.lower()]


async def _answer_star(request: Request, site: Site, body: bytes) -> Response:
    """Store the stars of the repository: a star was given or removed."""
    starred = await asyncio.to_thread(_starred, request, body)
    if starred is None:
        log_refusal("webhook", "payload", address=_client(request))
        return JSONResponse({"message": "This is not a star"}, 400)
    action, repo, count = starred
    if action not in STAR_ACTIONS:
        return JSONResponse({"message": "Nothing here depends on that"})
    try:
        stale = await asyncio.to_thread(site.statistics.figures.put_stars, repo, count)
    except SiteError as failure:
        return JSONResponse({"message": failure.message}, failure.status)
    if stale is None:
        return JSONResponse({"message": "Nothing here depends on that"})
    if stale:
        site.content.publisher.purge(stale)
    return JSONResponse({"message": "The stars are stored"}, 202)


def _signature(secret: str, body: bytes) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def _pushed(request: Request, body: bytes) -> tuple[str, str] | None:
    """The repository and the ref of a push; None for any other body."""
    try:
        # A push has tens of thousands of values. orjson limits the depth by itself.
        match orjson.loads(_payload(request, body)):
            case {"repository": {"full_name": str(repo)}, "ref": str(ref)}:
                return repo, ref
            case {"project": {"path_with_namespace": str(repo)}, "ref": str(ref)}:
                return repo, ref
    except (ValueError, KeyError):
        pass
    return None


def _released(request: Request, body: bytes) -> str | None:
    """The repository of a release; None for any other body."""
    try:
        match orjson.loads(_payload(request, body)):
            case {"repository": {"full_name": str(repo)}, "release": dict()}:
                return repo
            case {"object_kind": "release", "project": {"path_with_namespace": str(repo)}}:
                return repo
    except (ValueError, KeyError):
        pass
    return None


def _pull_request(request: Request, body: bytes) -> PullRequest | None:
    """The pull request of an event; None for any other body."""
    try:
        return parse_pull_request(orjson.loads(_payload(request, body)))
    except (ValueError, KeyError):
        return None


def _starred(request: Request, body: bytes) -> tuple[str, str, int] | None:
    """The action of a star event, its repository and the stars of that; None for any other body."""
    try:
        match orjson.loads(_payload(request, body)):
            case {"action": str(action), "repository": {"full_name": str(repo), "stargazers_count": int(count)}}:
                return (action, repo, count) if is_count(count) else None
    except (ValueError, KeyError):
        pass
    return None


def _client(request: Request) -> str:
    return request.client.host if request.client else ""


def _payload(request: Request, body: bytes) -> bytes | str:
    """The JSON of an event: the body, or a form field, which is GitHub's default."""
    if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return parse_qs(body.decode(), max_num_fields=MAX_FORM_FIELDS)["payload"][0]
    return body
