"""The registry refuses functions without types, and turns every result and error into a value."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from kinfolk.api.registry import OMIT_EMPTY, Call, Html, Registry, request_data, to_json
from kinfolk.api.typescript import typescript
from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import Collection
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.redirects import Redirect
from kinfolk.content.sources.snapshot import Snapshot
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.site.site import Site, open_site

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def site(settings: Settings) -> Site:
    return open_site(settings)


@pytest.fixture
def call(site: Site) -> Call:
    return Call.begin(site)


@request_data
class GreetingRequest:
    some_name: str
    count: int = 1


@dataclass(frozen=True)
class Greeting:
    some_name: str
    markup: Html


def test_function_without_annotations_cannot_be_registered() -> None:
    async def untyped(call: Call):  # type: ignore[no-untyped-def]  # noqa: ANN202
        return None

    with pytest.raises(TypeError, match="have all annotations"):
        Registry().function("x")(untyped)


def test_two_functions_cannot_share_a_name() -> None:
    registry = Registry()

    async def one(call: Call) -> str:
        return "one"

    registry.function("x")(one)
    with pytest.raises(TypeError, match="two functions are called x"):
        registry.function("x")(one)


async def test_input_and_output_are_in_camel_case(call: Call) -> None:
    registry = Registry()

    @registry.function("x")
    async def x(call: Call, request: GreetingRequest) -> Greeting:
        return Greeting(request.some_name * request.count, Html("<b>"))

    answer = await registry.call("x", {"someName": "a", "count": 2}, call)
    assert answer.envelope() == {"kind": "ok", "data": {"someName": "aa", "markup": {"$html": "<b>"}}}


async def test_html_can_be_replaced_by_a_placeholder(call: Call) -> None:
    assert to_json(Greeting("a", Html("<b>")), lambda _: "7") == {"someName": "a", "markup": {"$html": "7"}}


@dataclass(frozen=True)
class Labels:
    names: tuple[str, ...] = field(default=(), metadata=OMIT_EMPTY)
    count: int = 0


def test_field_that_is_omitted_if_empty_is_optional_for_the_frontend(call: Call) -> None:
    registry = Registry()

    @registry.function("x")
    async def x(call: Call) -> Labels:
        return Labels()

    assert [to_json(Labels()), to_json(Labels(("a",)))] == [{"count": 0}, {"count": 0, "names": ["a"]}]
    assert "  names?: string[]\n  count: number\n" in typescript(registry, {})


async def test_error_names_an_unknown_key(call: Call) -> None:
    registry = Registry()

    @registry.function("x")
    async def x(call: Call, request: GreetingRequest) -> str:
        return request.some_name

    answer = await registry.call("x", {"someName": "a", "other": 1}, call)
    assert answer.message == "x: other: Unexpected keyword argument"


@pytest.mark.parametrize(
    ("outcome", "kind", "status"),
    [
        (NotFound("No such thing"), "not_found", 404),
        (Unavailable("Away"), "error", 503),
        (ZeroDivisionError("secret"), "error", 500),
        (Redirect("/there", 301), "redirect", 200),
    ],
)
async def test_every_result_and_error_is_a_value(
    call: Call, outcome: Exception | Redirect, kind: str, status: int
) -> None:
    registry = Registry()

    @registry.function("x", cache=DOCS)
    async def x(call: Call) -> str | Redirect:
        if isinstance(outcome, Redirect):
            return outcome
        raise outcome

    answer = await registry.call("x", None, call)
    assert (answer.kind, answer.http_status) == (kind, status)
    assert "secret" not in str(answer.envelope())


async def test_tags_belong_to_one_call(call: Call) -> None:
    registry = Registry()

    @registry.function("x")
    async def x(call: Call, request: GreetingRequest) -> str:
        call.content.recorder.record(Collection(request.some_name))
        return "x"

    first = await registry.call("x", {"someName": "a"}, call)
    second = await registry.call("x", {"someName": "b"}, call)
    assert (first.tags, second.tags) == (frozenset("a"), frozenset("b"))


def test_type_with_the_name_of_a_browser_type_is_refused() -> None:
    @dataclass(frozen=True)
    class Location:
        path: str

    registry = Registry()

    async def x(call: Call) -> str:
        return ""

    x.__annotations__["return"] = Location
    registry.function("x")(x)
    with pytest.raises(TypeError, match="Location is the name of a browser type"):
        typescript(registry, {})


def test_call_keeps_the_snapshot_it_began_with(settings: Settings, bundled: DocsSnapshot) -> None:
    site = open_site(settings)
    call = Call.begin(site)
    before = site.content.publisher.docs
    site.content.publisher.docs = before.with_snapshot(Snapshot({}))
    assert call.docs.branches().keys() == before.branches.keys()
    assert not Call.begin(site).docs.branches()
