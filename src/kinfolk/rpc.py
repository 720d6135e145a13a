"""The registry of functions: what the frontend may ask, and the four shapes that an answer can have.

The same registry answers the browser over HTTP and the renderer inside a page. Input and output types are read from
annotations when a function is registered, so a missing one is an import error, and `typescript` writes the client
from them. On the wire names are camelCase; redirects, missing things and failures are values:

    {"kind": "ok", "data": ...}                      200
    {"kind": "redirect", "to": "/…", "status": 307}  200
    {"kind": "not_found", "message": "…"}            404
    {"kind": "error", "code": "…", "message": "…"}   400, 403, 500 or 503
"""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from http import HTTPStatus
from typing import Any, Literal, cast

import structlog
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from kinfolk.budget import time_limit
from kinfolk.cache import PRIVATE, Lifetime
from kinfolk.docs import Docs
from kinfolk.errors import Invalid, NotFound, SiteError
from kinfolk.redirects import Redirect
from kinfolk.site import Site

log = structlog.get_logger()

T = typing.TypeVar("T")


DAY = "day"
"""The tag of what is true until midnight, in UTC."""


class Html(str):
    """Sanitised markup. Travels once: in a page it stands in the body, and hydration takes it from there."""

    __slots__ = ()


_payloads: set[type] = set()


@typing.dataclass_transform(frozen_default=True)
def payload(cls: type[T]) -> type[T]:
    """A frozen dataclass that a function takes as input: camelCase on the wire, unknown keys refused."""
    cls.__pydantic_config__ = ConfigDict(  # type: ignore[attr-defined]
        alias_generator=to_camel, extra="forbid", str_max_length=1024
    )
    made = dataclass(frozen=True)(cls)
    _payloads.add(made)
    return made


def is_payload(cls: type) -> bool:
    """Whether a class was marked with `payload`: what it has defaults for may be left out by the caller."""
    return cls in _payloads


@dataclass
class Call:
    """One call's surroundings.

    `docs` is pinned when the page or request begins; `tags` collects what this function read; `set_cookies` is for
    the response. What depends on `today`, a day in UTC, has the tag DAY.
    """

    site: Site
    docs: Docs
    cookies: Mapping[str, str] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)
    set_cookies: list[str] = field(default_factory=list)
    today: date = field(default_factory=lambda: datetime.now(UTC).date())

    @classmethod
    def begin(cls, site: Site, *, cookies: Mapping[str, str] | None = None) -> Call:
        """A call on what is current now."""
        return cls(site, site.editions.docs, cookies or {})


@dataclass(frozen=True)
class Answer:
    """An outcome, its lifetime and what it was made of. `allow` is the method that would have been right."""

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
        """The JSON shape. `html` says what to write in place of each piece of markup."""
        match self.kind:
            case "ok":
                return {"kind": "ok", "data": plain(self.data, html)}
            case "redirect":
                return {"kind": "redirect", "to": self.to, "status": self.status}
            case "not_found":
                return {"kind": "not_found", "message": self.message}
            case "error":
                return {"kind": "error", "code": self.code, "message": self.message}

    @property
    def http_status(self) -> int:
        """Of the answer itself: a redirect is a value for the caller, so it is a 200."""
        return 200 if self.kind in ("ok", "redirect") else self.status


@dataclass(frozen=True)
class Function:
    """A registered function."""

    id: str
    method: Literal["GET", "POST"]
    cache: Lifetime
    run: Callable[..., Awaitable[object]]
    takes: Any
    gives: tuple[Any, ...]
    adapter: TypeAdapter[Any]


class Registry:
    """Functions by id."""

    def __init__(self) -> None:
        self.functions: dict[str, Function] = {}

    def function(
        self, id: str, *, method: Literal["GET", "POST"] = "GET", cache: Lifetime = PRIVATE
    ) -> Callable[[Callable[..., Awaitable[object]]], Callable[..., Awaitable[object]]]:
        """Register an async function of (call) or (call, wanted)."""

        def register(run: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
            if id in self.functions:
                raise TypeError(f"two functions are called {id}")
            hints = typing.get_type_hints(run)
            wanted = list(inspect.signature(run).parameters)[1:]
            if "return" not in hints or any(name not in hints for name in wanted) or len(wanted) > 1:
                raise TypeError(f"{id} must take (call) or (call, wanted), all annotated, and say what it gives")
            takes = hints[wanted[0]] if wanted else None
            gives = tuple(t for t in _alternatives(hints["return"]) if t is not Redirect)
            self.functions[id] = Function(id, method, cache, run, takes, gives, TypeAdapter(takes or type(None)))
            return run

        return register

    async def call(self, id: str, data: object, call: Call, *, method: str | None = None) -> Answer:
        """Answer one call. Never raises: every failure becomes a value here and nowhere else."""
        function = self.functions.get(id)
        if function is None:
            return Answer("not_found", status=404, message=f"There is no function {id[:80]!r}")
        if method is not None and method != function.method:
            return Answer(
                "error",
                status=405,
                code="method",
                message=f"{id} must be called with {function.method}",
                allow=function.method,
            )
        mine = dataclasses.replace(call, tags=set())
        try:
            if function.takes is None and data not in (None, {}):
                raise Invalid(f"{id} takes no data")
            wanted = () if function.takes is None else (function.adapter.validate_python(data),)
            async with time_limit("function"):
                given = await function.run(mine, *wanted)
        except ValidationError as wrong:
            return Answer("error", status=400, code="invalid", message=_first_reason(id, wrong))
        except NotFound as missing:
            tags = frozenset(mine.tags)
            return Answer("not_found", status=404, message=missing.message, cache=function.cache, tags=tags)
        except SiteError as known:
            if known.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                log.warning("function failed", function=id, code=known.code, reason=known.message)
            return Answer("error", status=known.status, code=known.code, message=known.message)
        except Exception:
            log.exception("function crashed", function=id)
            return Answer("error", status=500, code="internal", message="Something went wrong on our side")
        tags = frozenset(mine.tags)
        if isinstance(given, Redirect):
            return Answer("redirect", to=given.to, status=given.status, cache=function.cache, tags=tags)
        return Answer("ok", data=given, cache=function.cache, tags=tags)


def plain(value: object, html: Callable[[str], str] = str) -> object:
    """A value as JSON knows it: dataclasses become objects with camelCase keys, markup becomes `{"$html": …}`."""
    # A page has hundreds of values, nearly all of them text and dataclasses: what is quick to tell comes first.
    if isinstance(value, str):
        return {"$html": html(value)} if isinstance(value, Html) else value
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(item, html) for item in value]
    if dataclasses.is_dataclass(value):
        return {wire: plain(getattr(value, name), html) for name, wire in _fields(cast(Hashable, type(value)))}
    if isinstance(value, Mapping):
        return {str(key): plain(item, html) for key, item in value.items()}
    raise TypeError(f"{type(value).__name__} cannot be sent")


@cache
def _fields(cls: Hashable) -> tuple[tuple[str, str], ...]:
    return tuple((f.name, to_camel(f.name)) for f in dataclasses.fields(cast(Any, cls)))


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return typing.get_args(annotation)
    return (annotation,)


def _first_reason(id: str, wrong: ValidationError) -> str:
    first = wrong.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "data"
    # The library's own words name our class.
    reason = "should be an object" if first["type"] == "dataclass_type" else first["msg"]
    return f"{id}: {where[:120]}: {reason}"
