"""`/_hooks/github`: a push to a repository of the family makes the site look at it at once."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from urllib.parse import parse_qs

import orjson
import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kinfolk.errors import SiteError
from kinfolk.site import Site, family_refs
from kinfolk.web.limits import read_body
from kinfolk.web.refusals import refuse_log

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LARGEST_BODY = 5 << 20
"""A push of 2,048 commits, the most GitHub sends, has about 3 MB."""

MOST_FIELDS = 16
"""Of a form: GitHub sends one."""


async def github_webhook(request: Request) -> Response:
    """Check the signature, find the branch in the registry, and ask for a refresh of it."""
    site: Site = request.app.state.site
    secret = site.settings.webhook_secret
    if not secret:
        return JSONResponse({"message": "The webhook is not set up"}, 404)
    try:
        body = await read_body(request, LARGEST_BODY)
    except SiteError as wrong:
        refuse_log("webhook", wrong.code, address=_client(request))
        return JSONResponse({"message": wrong.message}, wrong.status)
    expected = "sha256=" + await asyncio.to_thread(_signature, secret, body)
    if not hmac.compare_digest(expected.encode(), request.headers.get("x-hub-signature-256", "").encode()):
        refuse_log("webhook", "signature", address=_client(request))
        return JSONResponse({"message": "The signature does not fit"}, 403)
    event = request.headers.get("x-github-event", "")
    if event == "ping":
        return JSONResponse({"message": "pong"})
    named = await asyncio.to_thread(_pushed, request, body)
    if named is None:
        if event == "push":
            refuse_log("webhook", "payload", address=_client(request))
        return JSONResponse({"message": "This is not a push"}, 200 if event != "push" else 400)
    repo, pushed = named
    # GitHub's spelling of an owner changes with who typed it; names of branches are exact.
    refs = [
        r for r in family_refs(site.catalog) if r.repo.lower() == repo.lower() and pushed == f"refs/heads/{r.branch}"
    ]
    if event != "push" or not refs:
        return JSONResponse({"message": "Nothing here depends on that"})
    log.info("push received", ref=str(refs[0]))
    request.app.state.refresher.wake(refs)
    return JSONResponse({"message": f"Looking at {refs[0]} now"}, 202)


def _signature(secret: str, body: bytes) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def _pushed(request: Request, body: bytes) -> tuple[str, str] | None:
    """The repository and the ref of a push; None for a body that is no such event."""
    try:
        # A push has tens of thousands of values. This parser refuses depth by itself.
        match orjson.loads(_payload(request, body)):
            case {"repository": {"full_name": str(repo)}, "ref": str(ref)}:
                return repo, ref
    except (ValueError, KeyError):
        pass
    return None


def _client(request: Request) -> str:
    return request.client.host if request.client else ""


def _payload(request: Request, body: bytes) -> bytes | str:
    """The JSON of an event: the body or, as GitHub sends it unless told otherwise, a field of a form."""
    if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return parse_qs(body.decode(), max_num_fields=MOST_FIELDS)["payload"][0]
    return body
