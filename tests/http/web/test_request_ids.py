"""Request ids: in responses, on error pages and in the log."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from io import StringIO
from ipaddress import ip_network

import httpx
import orjson
import pytest
import structlog

from kinfolk.rendering.v8_renderer import HtmlDocument, QueryFunction, RenderResult
from kinfolk.runtime.cache import PRIVATE
from kinfolk.runtime.logging_config import set_up_logs
from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.anyio

ID = "edge-0123456789"
PAGE = "/ranger/latest/docs/overview"
HEADER = "x-request-id"


class FailingRenderer:
    """Fails, or renders the error page of the frontend."""

    def __init__(self, page: str = "") -> None:
        self._page = page

    async def render(self, url: str, run_query: QueryFunction) -> RenderResult:
        if not self._page:
            raise ZeroDivisionError
        await run_query("no.function", None)
        structlog.get_logger().error("page shows an error", url=url)
        return HtmlDocument(500, self._page, frozenset(), PRIVATE)


@pytest.fixture
def app(site: Site) -> SiteApp:
    return SiteApp(replace(site, settings=replace(site.settings, trusted_proxies=(ip_network("127.0.0.1"),))))


@pytest.fixture
async def proxy(app: SiteApp) -> AsyncIterator[httpx.AsyncClient]:
    """A client at a trusted address."""
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://site.test") as client:
        yield client


Lines = Callable[[], list[dict[str, object]]]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """The lines of the log so far."""
    file, before = StringIO(), structlog.get_config()
    set_up_logs("json", file)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(0))
    yield lambda: [orjson.loads(line) for line in file.getvalue().splitlines()]
    structlog.configure(**before)


async def test_response_has_the_id_of_a_trusted_proxy(proxy: httpx.AsyncClient) -> None:
    response = await proxy.get("/_server/no.function", headers={HEADER: ID})
    assert (response.status_code, response.headers[HEADER]) == (404, ID)


async def test_response_to_another_peer_has_a_new_id(app: SiteApp) -> None:
    transport = httpx.ASGITransport(app, client=("203.0.113.7", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://site.test") as client:
        response = await client.get("/_server/no.function", headers={HEADER: ID})
    assert re.fullmatch("[0-9a-f]{32}", response.headers[HEADER])


async def test_search_error_has_an_id_that_other_sites_can_read(proxy: httpx.AsyncClient) -> None:
    response = await proxy.post("/1/indexes/none/query", headers={HEADER: ID})
    assert (response.status_code, response.headers[HEADER]) == (403, ID)
    assert HEADER in response.headers["access-control-expose-headers"]


async def test_page_that_crashes_names_the_id_of_its_log_lines(
    app: SiteApp, proxy: httpx.AsyncClient, lines: Lines
) -> None:
    app.pages.renderer = FailingRenderer()
    response = await proxy.get(PAGE, headers={HEADER: ID})
    assert response.status_code == 500
    assert f"Request ID: <code>{ID}</code>" in response.text
    found = {line["event"] for line in lines() if line["request_id"] == ID}
    assert found >= {"page crashed", "request failed"}


async def test_error_page_of_the_frontend_names_the_request(
    app: SiteApp, proxy: httpx.AsyncClient, lines: Lines
) -> None:
    app.pages.renderer = FailingRenderer("<code>{request-id}</code>")
    first = await proxy.get(PAGE, headers={HEADER: ID})
    second = await proxy.get(PAGE, headers={HEADER: ID + "2"})
    assert (first.text, second.text) == (f"<code>{ID}</code>", f"<code>{ID}2</code>")
    rendered = [line["request_id"] for line in lines() if line["event"] == "page shows an error"]
    assert rendered == [ID, ID + "2"]


async def test_line_of_a_request_names_its_trace(app: SiteApp, proxy: httpx.AsyncClient, lines: Lines) -> None:
    app.pages.renderer = FailingRenderer()
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    await proxy.get(PAGE, headers={HEADER: ID, "traceparent": f"00-{trace}-00f067aa0ba902b7-01"})
    assert {line["trace_id"] for line in lines()} == {trace}
