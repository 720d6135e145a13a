"""`/_server/{functionId}`: the registry of functions over HTTP (spec section 7)."""

from __future__ import annotations

import asyncio
import hashlib
import json

import brotli
import orjson
from starlette.datastructures import FormData
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from kinfolk.budget import OverBudget, check_shape, check_size
from kinfolk.cache import FOREVER, PRIVATE
from kinfolk.errors import Invalid, Refused, SiteError
from kinfolk.functions import registry
from kinfolk.rpc import Answer, Call
from kinfolk.site import Site
from kinfolk.ssr.page import preferred
from kinfolk.ssr.shared import shared_file
from kinfolk.web.limits import read_body
from kinfolk.web.refusals import refuse_log

BASE = "/_server"
SHARED = frozenset({"site.shell", "docs.config"})
"""Functions whose answers are the same for many pages and large."""
LARGEST_BODY = 64 << 10
LARGEST_PAYLOAD = 8 << 10
LONG = 100_000
"""Characters of an answer that are no longer written within a millisecond."""
CONTEXT = "context"
"""The extra field that carries the context when a form is sent."""


async def answer_function(request: Request) -> Response:
    """Call the function that the path names. Every outcome is one of the four envelopes of `rpc`."""
    site: Site = request.app.state.site
    call = Call.begin(site, cookies=request.cookies)
    id = request.path_params["id"]
    try:
        data = await _sent(request) if request.method == "POST" else _asked(request)
        method = "GET" if request.method == "HEAD" else request.method
        answer = await registry.call(id, data, call, method=method)
        body = await asyncio.to_thread(_written, answer) if _is_long(answer.data) else _written(answer)
        check_size("function", len(body))
    except SiteError as wrong:
        answer = Answer("error", status=wrong.status, code=wrong.code, message=wrong.message)
        body = _written(answer)
    if answer.code == OverBudget.code:
        refuse_log("function", "budget", function=id if id in registry.functions else "", message=answer.message)
    return _response(request, answer, body, call)


async def answer_shared(request: Request) -> Response:
    """The file that pages point into, as long as it still says what it said when they were made."""
    id = request.path_params["id"]
    try:
        data = _asked(request)
    except SiteError as wrong:
        return PlainTextResponse(wrong.message, wrong.status)
    answer = await registry.call(id, data, Call.begin(request.app.state.site)) if id in SHARED else None
    kept = answer is not None and answer.kind == "ok"
    digest, body = await asyncio.to_thread(shared_file, answer) if answer is not None and kept else ("", b"")
    if digest != request.path_params["digest"]:
        return PlainTextResponse("This says something else by now", 404, headers={"cache-control": "no-store"})
    headers = dict(FOREVER.headers()) | {"vary": "accept-encoding"}
    if preferred(request.headers.get("accept-encoding", "").encode()) == "br":
        body = await asyncio.to_thread(_packed, body)
        headers["content-encoding"] = "br"
    return Response(body, media_type="application/json", headers=headers)


def _packed(body: bytes) -> bytes:
    return bytes(brotli.compress(body, mode=brotli.MODE_TEXT, quality=5))


def _asked(request: Request) -> object:
    payload = request.query_params.get("payload")
    if payload is None:
        return None
    if len(payload) > LARGEST_PAYLOAD:
        raise Invalid(f"The payload is longer than {LARGEST_PAYLOAD} characters")
    return _data(_json(payload))


async def _sent(request: Request) -> object:
    origin = request.headers.get("origin")
    site: Site = request.app.state.site
    if origin is not None and origin not in (site.settings.origin, str(request.base_url).rstrip("/")):
        raise Refused("Other sites may not call this function")
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Refused("Other sites may not call this function")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await read_body(request, LARGEST_BODY)
    if kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
        return _form(await _parsed(request, body))
    if not body:
        return None
    try:
        return _data(_json(body.decode()))
    except UnicodeDecodeError:
        raise Invalid("The body is not UTF-8") from None


async def _parsed(request: Request, body: bytes) -> FormData:
    async def replay() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        return await Request(request.scope, replay).form(max_files=0, max_fields=100)
    except (ClientDisconnect, AssertionError):
        raise
    except Exception as broken:  # the form parser raises many kinds for a malformed body
        raise Invalid("The form could not be read") from broken


def _form(form: FormData) -> object:
    return {key: value for key, value in form.items() if key != CONTEXT and isinstance(value, str)}


def _json(text: str) -> object:
    """Raises Invalid for what is no JSON, and OverBudget for what is nested too deep or has too many values."""
    try:
        # This parser refuses depth by itself, before Python's recursion would end.
        value: object = orjson.loads(text)
    except ValueError:
        raise Invalid("The payload is not JSON") from None
    check_shape("function", value)
    return value


def _data(payload: object) -> object:
    """The `data` of `{data, context}`."""
    if payload is None:
        return None
    if not isinstance(payload, dict) or not set(payload) <= {"data", CONTEXT}:
        raise Invalid('The payload must be an object with "data" and "context"')
    return payload.get("data")


def _written(answer: Answer) -> bytes:
    text = json.dumps(answer.envelope(), ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="surrogatepass")


def _is_long(data: object) -> bool:
    """Whether to write the answer takes so long that it is done in a thread: the text of a file."""
    return isinstance(data, str) and len(data) > LONG


def _response(request: Request, answer: Answer, body: bytes, call: Call) -> Response:
    cache = answer.cache if answer.http_status == 200 else PRIVATE  # noqa: PLR2004
    response = Response(body, answer.http_status, media_type="application/json")
    for name, value in cache.headers():
        response.headers[name] = value
    if answer.allow:
        response.headers["allow"] = "GET, HEAD" if answer.allow == "GET" else answer.allow
    if cache.shared:
        etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
        response.headers["etag"] = etag
        if etag in request.headers.get("if-none-match", ""):
            return Response(None, 304, headers=dict(response.headers.items()) | {"content-length": "0"})
    for cookie in call.set_cookies:
        response.headers.append("set-cookie", cookie)
    return response
