"""`/_server/{functionId}`: the API functions over HTTP (spec section 7)."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable

import brotli
import orjson
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from kinfolk.api.all_functions import registry
from kinfolk.api.registry import Call, FunctionResult
from kinfolk.config.base_path import BasePath
from kinfolk.rendering.shared_results import shared_file
from kinfolk.runtime.budget import OverBudget, check_shape, check_size
from kinfolk.runtime.cache import FOREVER, PRIVATE
from kinfolk.runtime.errors import Invalid, SiteError
from kinfolk.site.site import Site
from kinfolk.web.endpoints.accounts.session_cookie import SessionCookies
from kinfolk.web.protocol.client_address import request_client
from kinfolk.web.protocol.client_limits import read_body
from kinfolk.web.refusal_log import log_refusal
from kinfolk.web.responses import NO_STORE, accepted_encoding, cache_headers, is_not_modified, parse_form, text_error
from kinfolk.web.same_origin import check_same_origin

BASE = "/_server"
SHARED = frozenset({"site.shell", "docs.config"})
"""Functions whose answers are large and the same for many pages."""
MAX_BODY_BYTES = 64 << 10
MAX_PAYLOAD = 8 << 10
THREADED_LENGTH = 100_000
"""Answers with more characters take more than a millisecond to serialize, and are serialized in a thread."""
CONTEXT = "context"
"""The form field with the context of the call."""


async def answer_function(request: Request) -> Response:
    """Call the function in the path. Every outcome is one of the four envelopes of `api.registry`."""
    site: Site = request.app.state.site
    rewrite = BasePath.of(site.settings.origin).add_to_html
    call = Call.begin(
        site,
        cookies=request.cookies,
        client=request_client(request, site.settings),
        session_token=SessionCookies(site.settings).session_token(request.cookies),
    )
    id = request.path_params["id"]
    try:
        data = await _posted_data(request) if request.method == "POST" else _query_data(request)
        method = "GET" if request.method == "HEAD" else request.method
        answer = await registry.call(id, data, call, method=method)
        is_long = _is_long(answer.data)
        body = await asyncio.to_thread(_serialize, answer, rewrite) if is_long else _serialize(answer, rewrite)
        check_size("function", len(body))
    except SiteError as failure:
        answer = FunctionResult("error", status=failure.status, code=failure.code, message=failure.message)
        body = _serialize(answer, rewrite)
    if answer.code == OverBudget.code:
        log_refusal("function", "budget", function=id if id in registry.functions else "", message=answer.message)
    return _response(request, answer, body, call)


async def answer_shared(request: Request) -> Response:
    """A file with the answer of a function, while the content has the digest in the address."""
    id = request.path_params["id"]
    try:
        data = _query_data(request)
    except SiteError as failure:
        return text_error(failure)
    answer = await registry.call(id, data, Call.begin(request.app.state.site)) if id in SHARED else None
    digest, body = "", b""
    if answer is not None and answer.kind == "ok":
        digest, body = await asyncio.to_thread(shared_file, answer)
    if digest != request.path_params["digest"]:
        return PlainTextResponse("This says something else by now", 404, headers=NO_STORE)
    headers = {**cache_headers(FOREVER), "vary": "accept-encoding"}
    if accepted_encoding(request) == "br":
        body = await asyncio.to_thread(_compress, body)
        headers["content-encoding"] = "br"
    return Response(body, media_type="application/json", headers=headers)


def _compress(body: bytes) -> bytes:
    return bytes(brotli.compress(body, mode=brotli.MODE_TEXT, quality=5))


def _query_data(request: Request) -> object:
    payload = request.query_params.get("payload")
    if payload is None:
        return None
    if len(payload) > MAX_PAYLOAD:
        raise Invalid(f"The payload is longer than {MAX_PAYLOAD} characters")
    return _payload_data(_parse_json(payload))


async def _posted_data(request: Request) -> object:
    settings = request.app.state.site.settings
    check_same_origin(request, settings, strict=bool(SessionCookies(settings).session_token(request.cookies)))
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await read_body(request, MAX_BODY_BYTES)
    if kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
        return _form_data(await parse_form(request, body))
    if not body:
        return None
    try:
        return _payload_data(_parse_json(body.decode()))
    except UnicodeDecodeError:
        raise Invalid("The body is not UTF-8") from None


def _form_data(form: FormData) -> object:
    return {key: value for key, value in form.items() if key != CONTEXT and isinstance(value, str)}


def _parse_json(text: str) -> object:
    """Raises Invalid for text that is not JSON, and OverBudget for too many levels or values."""
    try:
        # orjson limits the depth by itself, below the recursion limit of Python.
        value: object = orjson.loads(text)
    except ValueError:
        raise Invalid("The payload is not JSON") from None
    check_shape("function", value)
    return value


def _payload_data(payload: object) -> object:
    """The `data` of `{data, context}`."""
    if payload is None:
        return None
    if not isinstance(payload, dict) or not set(payload) <= {"data", CONTEXT}:
        raise Invalid('The payload must be an object with "data" and "context"')
    return payload.get("data")


def _serialize(answer: FunctionResult, rewrite_html: Callable[[str], str]) -> bytes:
    text = json.dumps(answer.envelope(html=rewrite_html), ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="surrogatepass")


def _is_long(data: object) -> bool:
    """Whether an answer is serialized in a thread: the text of a large file."""
    return isinstance(data, str) and len(data) > THREADED_LENGTH


def _response(request: Request, answer: FunctionResult, body: bytes, call: Call) -> Response:
    cache = answer.cache if answer.http_status == 200 else PRIVATE  # noqa: PLR2004
    response = Response(body, answer.http_status, media_type="application/json")
    for name, value in cache.headers():
        response.headers[name] = value
    if answer.allow:
        response.headers["allow"] = "GET, HEAD" if answer.allow == "GET" else answer.allow
    if cache.shared:
        digest = hashlib.sha256(body).hexdigest()[:24]
        response.headers["etag"] = f'"{digest}"'
        if is_not_modified(request, digest):
            return Response(None, 304, headers=dict(response.headers.items()) | {"content-length": "0"})
    for cookie in call.set_cookies:
        response.headers.append("set-cookie", cookie)
    return response
