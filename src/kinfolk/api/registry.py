"""The registry of API functions, and the four kinds of results.

The browser calls functions over HTTP, and the renderer calls them in the process. Input and output types are read from
annotations at registration: a missing annotation is an error at import, and `typescript` generates the client from the
types. JSON names are camelCase. Redirects, missing content and errors are values:

    {"kind": "ok", "data": ...}                      200
    {"kind": "redirect", "to": "/…", "status": 307}  200
    {"kind": "not_found", "message": "…"}            404
    {"kind": "error", "code": "…", "message": "…"}   400, 401, 403, 500 or 503
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import types
import typing
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from http import HTTPStatus
from typing import Any, Literal, cast

import structlog
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from kinfolk.accounts.account import Account
from kinfolk.api.content import SiteContent, SiteFacts
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.redirects import Redirect
from kinfolk.runtime.budget import time_limit
from kinfolk.runtime.cache import PRIVATE, Lifetime
from kinfolk.runtime.errors import Invalid, NotFound, Refused, SignInRequired, SiteError
from kinfolk.runtime.telemetry.spans import span
from kinfolk.site.site import Site

log = structlog.get_logger()

T = typing.TypeVar("T")


class Html(str):
    """Sanitized HTML. A page contains it once, in its body; hydration reads it from there (decisions/0003)."""

    __slots__ = ()


class PictureHtml(Html):
    """SVG of a file of the site folder. Its styles become rules of the page, because the operator wrote them."""

    __slots__ = ()


OMIT_EMPTY: Mapping[str, bool] = {"omit_empty": True}
"""Metadata of a field that JSON omits if it is empty, so that pages without it are not larger."""

_request_types: set[type] = set()


@typing.dataclass_transform(frozen_default=True)
def request_data(cls: type[T]) -> type[T]:
    """Make a frozen dataclass that is the input of a function: camelCase in JSON, unknown keys refused."""
    cls.__pydantic_config__ = ConfigDict(  # type: ignore[attr-defined]
        alias_generator=to_camel, extra="forbid", str_max_length=1024
    )
    made = dataclass(frozen=True)(cls)
    _request_types.add(made)
    return made


def is_request_data(cls: type) -> bool:
    """Whether a class was made by `request_data`: callers may omit its fields that have a default."""
    return cls in _request_types


@dataclass(frozen=True)
class Call:
    """The context of one call. `content` reads one docs snapshot; `set_cookies` are headers of the response.

    `client` is the address of the client as a key for limits, and `session_token` is of its cookie; both are empty for
    calls of this process.
    """

    site: SiteFacts
    content: SiteContent
    cookies: Mapping[str, str] = field(default_factory=dict)
    set_cookies: list[str] = field(default_factory=list)
    client: str = ""
    session_token: str = ""

    async def account(self) -> Account | None:
        """The account of the session; None without one."""
        if not self.session_token:
            return None
        return await asyncio.to_thread(self.site.accounts.account, self.session_token)

    async def require_account(self) -> Account:
        """The account of the session. Raises SignInRequired."""
        account = await self.account()
        if account is None:
            raise SignInRequired
        return account

    async def require_maintainer(self) -> Account:
        """The account of a maintainer's session. Raises SignInRequired and Refused."""
        account = await self.require_account()
        if account.role != "maintainer":
            raise Refused("Only maintainers may do this")
        return account

    @classmethod
    def begin(
        cls,
        site: Site,
        *,
        cookies: Mapping[str, str] | None = None,
        docs_snapshot: DocsSnapshot | None = None,
        today: date | None = None,
        client: str = "",
        session_token: str = "",
    ) -> Call:
        """A call on the current docs and date, or on those given."""
        content = SiteContent(site, docs_snapshot or site.content.publisher.docs, today=today)
        return cls(site, content, cookies or {}, client=client, session_token=session_token)

    @property
    def docs(self) -> ContentReader:
        return self.content.docs


@dataclass(frozen=True)
class FunctionResult:
    """The result of a call, its cache lifetime and its dependencies. `allow` is the right method after a wrong one."""

    kind: Literal["ok", "redirect", "not_found", "error"]
    data: object = None
    to: str = ""
    status: int = 200
    code: str = ""
    message: str = ""
    allow: str = ""
    cache: Lifetime = PRIVATE
    tags: frozenset[str] = frozenset()

    def envelope(self, *, html: Callable[[str], str] = str) -> dict[str, object]:
        """The JSON form. `html` gives what is written in place of each piece of HTML."""
        match self.kind:
            case "ok":
                return {"kind": "ok", "data": to_json(self.data, html)}
            case "redirect":
                return {"kind": "redirect", "to": self.to, "status": self.status}
            case "not_found":
                return {"kind": "not_found", "message": self.message}
            case "error":
                return {"kind": "error", "code": self.code, "message": self.message}

    @property
    def http_status(self) -> int:
        """The status of the response: 200 for a redirect too, because it is a value for the caller."""
        return 200 if self.kind in ("ok", "redirect") else self.status


@dataclass(frozen=True)
class Function:
    """A registered function."""

    id: str
    method: Literal["GET", "POST"]
    cache: Lifetime
    run: Callable[..., Awaitable[object]]
    input_type: Any
    output_types: tuple[Any, ...]
    adapter: TypeAdapter[Any]


class Registry:
    """Functions by id."""

    def __init__(self) -> None:
        self.functions: dict[str, Function] = {}

    def function(
        self, id: str, *, method: Literal["GET", "POST"] = "GET", cache: Lifetime = PRIVATE
    ) -> Callable[[Callable[..., Awaitable[object]]], Callable[..., Awaitable[object]]]:
        """Register an async function of (call) or (call, request). Raises TypeError for a missing annotation."""

        def register(run: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
            if id in self.functions:
                raise TypeError(f"two functions are called {id}")
            hints = typing.get_type_hints(run)
            inputs = list(inspect.signature(run).parameters)[1:]
            if "return" not in hints or any(name not in hints for name in inputs) or len(inputs) > 1:
                raise TypeError(f"{id} must take (call) or (call, request) and have all annotations")
            input_type = hints[inputs[0]] if inputs else None
            output_types = tuple(t for t in _alternatives(hints["return"]) if t is not Redirect)
            adapter: TypeAdapter[Any] = TypeAdapter(input_type or type(None))
            self.functions[id] = Function(id, method, cache, run, input_type, output_types, adapter)
            return run

        return register

    async def call(self, id: str, data: object, call: Call, *, method: str | None = None) -> FunctionResult:
        """The result of one call. Never raises: this is the only place that turns errors into values."""
        function = self.functions.get(id)
        if function is None:
            return FunctionResult("not_found", status=404, message=f"There is no function {id[:80]!r}")
        if method is not None and method != function.method:
            message = f"{id} must be called with {function.method}"
            return FunctionResult("error", status=405, code="method", message=message, allow=function.method)
        own_call = dataclasses.replace(call, content=call.content.for_next_call())
        try:
            output = await _run(function, data, own_call)
        except Exception as error:  # noqa: BLE001 - _failure logs what it does not know
            return _failure(function, error, own_call.content.recorder.cache_tags)
        tags = own_call.content.recorder.cache_tags
        if isinstance(output, Redirect):
            return FunctionResult("redirect", to=output.to, status=output.status, cache=function.cache, tags=tags)
        return FunctionResult("ok", data=output, cache=function.cache, tags=tags)


async def _run(function: Function, data: object, call: Call) -> object:
    if function.input_type is None and data not in (None, {}):
        raise Invalid(f"{function.id} takes no data")
    request = () if function.input_type is None else (function.adapter.validate_python(data),)
    with span(f"function {function.id}"):
        async with time_limit("function"):
            return await function.run(call, *request)


def _failure(function: Function, error: Exception, tags: frozenset[str]) -> FunctionResult:
    """The result of a call that raised. Only "not found" depends on content, and is cached."""
    match error:
        case ValidationError():
            message = _first_reason(function.id, error)
            return FunctionResult("error", status=400, code="invalid", message=message)
        case NotFound():
            return FunctionResult("not_found", status=404, message=error.message, cache=function.cache, tags=tags)
        case SiteError():
            if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                log.warning("function failed", function=function.id, code=error.code, reason=error.message)
            return FunctionResult("error", status=error.status, code=error.code, message=error.message)
        case _:
            log.error("function crashed", function=function.id, exc_info=error)
            return FunctionResult("error", status=500, code="internal", message="Something went wrong on our side")


registry = Registry()
"""All functions of the API. Importing `kinfolk.api.all_functions` registers them."""


def to_json(value: object, html: Callable[[str], str] = str) -> object:
    """A value as JSON types: dataclasses become objects with camelCase keys, HTML becomes `{"$html": …}`."""
    # A page has hundreds of values, most of them strings and dataclasses: the cheap checks come first.
    if isinstance(value, str):
        return {"$html": html(value)} if isinstance(value, Html) else value
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [to_json(item, html) for item in value]
    if dataclasses.is_dataclass(value):
        fields = _fields(cast(Hashable, type(value)))
        sent = {wire: to_json(getattr(value, name), html) for name, wire in fields.always}
        for name, wire in fields.unless_empty:
            if item := getattr(value, name):
                sent[wire] = to_json(item, html)
        return sent
    if isinstance(value, Mapping):
        return {str(key): to_json(item, html) for key, item in value.items()}
    raise TypeError(f"{type(value).__name__} cannot be sent")


@dataclass(frozen=True)
class _SentFields:
    """Names of the fields of a class, each with that in JSON."""

    always: tuple[tuple[str, str], ...]
    unless_empty: tuple[tuple[str, str], ...]


@cache
def _fields(cls: Hashable) -> _SentFields:
    fields = dataclasses.fields(cast(Any, cls))
    always, unless_empty = (
        tuple((each.name, to_camel(each.name)) for each in fields if is_omitted_if_empty(each) is omitted)
        for omitted in (False, True)
    )
    return _SentFields(always, unless_empty)


def is_omitted_if_empty(field: dataclasses.Field[Any]) -> bool:
    return "omit_empty" in field.metadata


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return typing.get_args(annotation)
    return (annotation,)


def _first_reason(id: str, wrong: ValidationError) -> str:
    first = wrong.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "data"
    # pydantic's message contains the name of the class.
    reason = "should be an object" if first["type"] == "dataclass_type" else first["msg"]
    return f"{id}: {where[:120]}: {reason}"
