"""The registry refuses what is not fully typed, and turns every outcome into a value."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from kinfolk.cache import DOCS
from kinfolk.docs import Docs
from kinfolk.errors import NotFound, Unavailable
from kinfolk.redirects import Redirect
from kinfolk.rpc import Call, Html, Registry, payload, plain
from kinfolk.settings import Settings
from kinfolk.site import open_site
from kinfolk.typescript import typescript

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def call(settings: Settings) -> Call:
    return Call.begin(open_site(settings))


@payload
class Wanted:
    some_name: str
    count: int = 1


@dataclass(frozen=True)
class Given:
    some_name: str
    markup: Html


def test_a_function_without_annotations_cannot_be_registered() -> None:
    async def silent(call: Call):  # type: ignore[no-untyped-def]  # noqa: ANN202
        return None

    with pytest.raises(TypeError, match="all annotated"):
        Registry().function("x")(silent)


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
    async def x(call: Call, wanted: Wanted) -> Given:
        return Given(wanted.some_name * wanted.count, Html("<b>"))

    answer = await registry.call("x", {"someName": "a", "count": 2}, call)
    assert answer.envelope() == {"kind": "ok", "data": {"someName": "aa", "markup": {"$html": "<b>"}}}


async def test_markup_can_be_replaced_by_something_that_stands_for_it(call: Call) -> None:
    assert plain(Given("a", Html("<b>")), lambda _: "7") == {"someName": "a", "markup": {"$html": "7"}}


async def test_an_unknown_key_is_named(call: Call) -> None:
    registry = Registry()

    @registry.function("x")
    async def x(call: Call, wanted: Wanted) -> str:
        return wanted.some_name

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
async def test_every_outcome_is_a_value(call: Call, outcome: Exception | Redirect, kind: str, status: int) -> None:
    registry = Registry()

    @registry.function("x", cache=DOCS)
    async def x(call: Call) -> str | Redirect:
        if isinstance(outcome, Redirect):
            return outcome
        raise outcome

    answer = await registry.call("x", None, call)
    assert (answer.kind, answer.http_status) == (kind, status)
    assert "secret" not in str(answer.envelope())


async def test_tags_of_one_call_do_not_leak_into_the_next(call: Call) -> None:
    registry = Registry()

    @registry.function("x")
    async def x(call: Call, wanted: Wanted) -> str:
        call.tags.add(wanted.some_name)
        return "x"

    first = await registry.call("x", {"someName": "a"}, call)
    second = await registry.call("x", {"someName": "b"}, call)
    assert (first.tags, second.tags) == (frozenset("a"), frozenset("b"))


def test_a_type_with_the_name_of_a_browser_type_is_refused() -> None:
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


def test_docs_are_pinned_when_a_call_begins(settings: Settings, bundled: Docs) -> None:
    site = open_site(settings)
    call = Call.begin(site)
    before = call.docs
    site.editions.docs = before.succeed(before.snapshot)
    assert call.docs is before
    assert Call.begin(site).docs is not before
