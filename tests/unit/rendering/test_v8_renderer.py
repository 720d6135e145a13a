"""Rendering an address: pending queries, results, redirects, failures. The pages are in fake_ssr_bundle.py."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest
from tests.servers.captured_logs import captured_logs
from tests.unit.rendering.fake_ssr_bundle import BUNDLE, MANIFEST, run_query

from kinfolk.api.registry import FunctionResult, Html
from kinfolk.rendering import HtmlDocument, IsolatePool, PageRedirect, V8Renderer, shortest
from kinfolk.rendering.isolates.isolate import RenderRound
from kinfolk.rendering.isolates.round_input import RoundInput
from kinfolk.rendering.placeholders import MarkupPlaceholders
from kinfolk.rendering.render_outcome import PendingQuery
from kinfolk.runtime.cache import DOCS, EMBED, FILES, FOREVER, PRIVATE, Lifetime
from kinfolk.runtime.errors import SiteError, Unavailable

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class CountingPool(IsolatePool):
    rounds = 0

    async def round(self, request: RoundInput | str) -> RenderRound:
        self.rounds += 1
        return await super().round(request)


@pytest.fixture(scope="module")
def pool() -> Iterator[CountingPool]:
    pool = CountingPool(BUNDLE, MANIFEST, size=2, timeout_s=20.0, memory_mb=64, patience_s=30.0)
    yield pool
    pool.close()


@pytest.fixture(scope="module")
def renderer(pool: CountingPool) -> V8Renderer:
    return V8Renderer(pool)


async def document(renderer: V8Renderer, url: str) -> HtmlDocument:
    rendered = await renderer.render(url, run_query)
    assert isinstance(rendered, HtmlDocument)
    return rendered


@pytest.mark.parametrize("mark", ["data-needs-app", "data-loads-app", "data-shows"])
async def test_page_that_may_need_the_app_has_its_answers(renderer: V8Renderer, mark: str) -> None:
    html = (await document(renderer, f"/answers/{mark}")).html
    json_text = html.rpartition(' id="Site-answers">')[2].removesuffix("</script>")
    assert "<" not in json_text
    answers = json.loads(json_text)
    assert list(answers) == ['doc\n{"name":"<kin>"}']
    assert answers['doc\n{"name":"<kin>"}']["data"]["html"] == {"$html": "\x020\x02"}


async def test_other_page_has_no_answers(renderer: V8Renderer) -> None:
    html = (await document(renderer, "/answers/data-other")).html
    assert html.endswith('<script type="application/json" id="Site-answers"></script>')


async def test_page_without_queries_takes_one_round(renderer: V8Renderer) -> None:
    page = await document(renderer, "/plain")
    assert (page.status, page.html) == (200, "<!DOCTYPE html><title>Test</title><p>plain</p>")
    assert (page.tags, page.lifetime) == (frozenset(), DOCS)


async def test_markup_is_inserted_unchanged(renderer: V8Renderer) -> None:
    page = await document(renderer, "/doc/kin")
    assert '<div data-html="0" class="prose"><p>Body of <b>kin</b></p></div>' in page.html
    assert page.tags == {"doc:kin"}


async def test_script_in_markup_has_no_hash(renderer: V8Renderer) -> None:
    async def query(id: str, data: object) -> FunctionResult:
        return FunctionResult("ok", data={"title": "t", "html": Html("<script>evil()</script>")}, cache=DOCS)

    page = await renderer.render("/doc/x", query)
    assert isinstance(page, HtmlDocument)
    assert page.html.count("<script>") == 2
    assert len(page.scripts) == 1


async def test_queries_of_one_round_run_concurrently(renderer: V8Renderer) -> None:
    both = asyncio.Barrier(2)

    async def query(id: str, data: object) -> FunctionResult:
        await both.wait()
        return await run_query(id, data)

    async with asyncio.timeout(20):
        page = await renderer.render("/pair", query)
    assert isinstance(page, HtmlDocument)
    assert page.html.index("<b>b</b>") < page.html.index("<b>a</b>")
    assert page.tags == {"doc:a", "doc:b"}


async def test_result_can_cause_another_query(renderer: V8Renderer) -> None:
    rendered = await renderer.render("/chain", _untitled_body)
    assert isinstance(rendered, HtmlDocument)
    assert "Title of Title of first" in rendered.html


async def test_query_runs_once(renderer: V8Renderer) -> None:
    queried: list[object] = []

    async def query(id: str, data: object) -> FunctionResult:
        queried.append(data)
        return await _untitled_body(id, data)

    await renderer.render("/chain", query)
    assert queried == [{"name": "first"}, {"name": "Title of first"}]


async def test_prefetched_page_takes_one_round(pool: CountingPool) -> None:
    renderer = V8Renderer(pool, prefetch_hints=lambda _: [PendingQuery.of("doc", {"name": "kin"})])
    before = pool.rounds
    page = await document(renderer, "/doc/kin")
    assert pool.rounds - before == 1
    assert page == await document(V8Renderer(pool), "/doc/kin")


@pytest.mark.parametrize("url", ["/doc/kin", "/plain", "/moved/away"])
async def test_unused_prefetch_hint_does_not_change_the_page(pool: CountingPool, url: str) -> None:
    wrong = V8Renderer(pool, prefetch_hints=lambda _: [PendingQuery.of("doc", {"name": "other"})])
    assert await wrong.render(url, run_query) == await V8Renderer(pool).render(url, run_query)


async def test_redirect_of_prefetched_data_takes_no_round(pool: CountingPool) -> None:
    async def moved(_id: str, _data: object) -> FunctionResult:
        return FunctionResult("redirect", to="/to/naïve", status=307, cache=DOCS, tags=frozenset({"doc:kin"}))

    before = pool.rounds
    hinted = V8Renderer(pool, prefetch_hints=lambda _: [PendingQuery.of("doc", {"name": "kin"})])
    assert await hinted.render("/doc/kin", moved) == PageRedirect(307, "/to/na%C3%AFve", frozenset({"doc:kin"}), DOCS)
    assert pool.rounds == before


async def test_redirect_of_prefetched_data_to_no_address_is_an_error(pool: CountingPool) -> None:
    async def moved(_id: str, _data: object) -> FunctionResult:
        return FunctionResult("redirect", to="//evil.example", status=307, cache=DOCS)

    hinted = V8Renderer(pool, prefetch_hints=lambda _: [PendingQuery.of("doc", {"name": "kin"})])
    with pytest.raises(SiteError, match="could not be rendered"):
        await hinted.render("/doc/kin", moved)


async def test_redirect_is_a_result(renderer: V8Renderer) -> None:
    rendered = await renderer.render("/moved/to/naïve", run_query)
    assert rendered == PageRedirect(307, "/to/na%C3%AFve", frozenset(), DOCS)


@pytest.mark.parametrize("url", ["/error", "/throw", "/again", "/endless", "/twice", "/unshown", "/never", "/shape"])
async def test_render_failure_has_a_public_message(renderer: V8Renderer, url: str) -> None:
    with pytest.raises(SiteError) as failed, captured_logs("page could not be rendered") as logs:
        await renderer.render(url, run_query)
    assert (failed.value.message, failed.value.status) == ("This page could not be rendered", 500)
    assert [(line["log_level"], line["url"], bool(line["reason"])) for line in logs] == [("error", url, True)]


@pytest.mark.no_cover
async def test_render_timeout_is_unavailable() -> None:
    impatient = await asyncio.to_thread(IsolatePool, BUNDLE, MANIFEST, size=1, timeout_s=0.5)
    with pytest.raises(Unavailable, match="too long"):
        await V8Renderer(impatient).render("/spin", run_query)
    await asyncio.to_thread(impatient.close)


async def test_failed_page_keeps_its_status_and_is_private(renderer: V8Renderer) -> None:
    page = await document(renderer, "/crashed")
    assert (page.status, page.lifetime) == (500, PRIVATE)


async def test_unusual_text_passes_through_v8_unchanged(renderer: V8Renderer) -> None:
    title = '\u2028 ` ${x} \\u0002 \\ " </script> é 🎈 \udfff \x00 \x020\x02'

    async def query(id: str, data: object) -> FunctionResult:
        return FunctionResult("ok", data={"title": title, "html": Html("body")}, cache=DOCS)

    page = await renderer.render("/doc/x", query)
    assert isinstance(page, HtmlDocument)
    shown = title.replace('"', "&#34;").replace("<", "&#60;").replace(">", "&#62;").replace("\x02", "")
    assert f"<h1>{shown}</h1>" in page.html


async def test_concurrent_renders_do_not_mix_results(renderer: V8Renderer) -> None:
    async def query(id: str, data: object) -> FunctionResult:
        for _ in range(sum(str(data).encode()) % 5):
            await asyncio.sleep(0)
        return await run_query(id, data)

    names = [f"name-{n}" for n in range(30)]
    pages = await asyncio.gather(*(renderer.render(f"/doc/{name}", query) for name in names))
    for name, page in zip(names, pages, strict=True):
        assert isinstance(page, HtmlDocument)
        assert f"<h1>Title of {name}</h1>" in page.html
        assert f"<b>{name}</b>" in page.html
        assert page.html.count("name-") == 2
        assert page.tags == {f"doc:{name}"}


@pytest.mark.parametrize(
    ("made_of", "whole"),
    [
        ((), DOCS),
        ((DOCS, FILES), DOCS),
        ((FILES, FOREVER), DOCS),
        ((EMBED,), DOCS),
        ((DOCS, PRIVATE, FOREVER), PRIVATE),
        ((DOCS, Lifetime("max-age=0", "max-age=60")), Lifetime("max-age=0", "max-age=60")),
        ((Lifetime("public, max-age=60"),), PRIVATE),
    ],
)
def test_page_lifetime_is_the_shortest_of_its_answers(made_of: tuple[Lifetime, ...], whole: Lifetime) -> None:
    assert shortest(made_of) == whole
    assert shortest(reversed(made_of)) == whole


def test_marker_counts_only_as_content_of_its_element() -> None:
    placeholders = MarkupPlaceholders()
    marker = placeholders.add("<i>body</i>")
    page = f'<title>{marker}</title><p title="{marker}"></p><div data-html="0">{marker}</div>'
    assert placeholders.fill(page) == '<title>0</title><p title="0"></p><div data-html="0"><i>body</i></div>'


def test_error_page_can_omit_queried_markup() -> None:
    placeholders = MarkupPlaceholders()
    placeholders.add("body")
    assert placeholders.fill("<p>404</p>", complete=False) == "<p>404</p>"


def test_marker_in_markup_is_not_replaced() -> None:
    placeholders = MarkupPlaceholders()
    markers = [placeholders.add("\x021\x02"), placeholders.add("one")]
    page = "".join(f'<div data-html="{n}">{marker}</div>' for n, marker in enumerate(markers))
    assert placeholders.fill(page) == '<div data-html="0">\x021\x02</div><div data-html="1">one</div>'


async def _untitled_body(id: str, data: object) -> FunctionResult:
    assert isinstance(data, dict)
    return FunctionResult("ok", data={"title": f"Title of {data['name']}"}, cache=DOCS)
