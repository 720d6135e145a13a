"""From an address to a page: needs, answers, redirects, failures. The pages are in ssr_toy.py."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
import structlog
from structlog.testing import capture_logs
from tests.unit.ssr_toy import MANIFEST, TOY, answer

from kinfolk.cache import DOCS, EMBED, FILES, FOREVER, PRIVATE, Lifetime
from kinfolk.errors import SiteError, Unavailable
from kinfolk.rpc import Answer, Html
from kinfolk.ssr import Document, IsolatePool, Moved, V8Renderer, shortest
from kinfolk.ssr.bodies import Bodies
from kinfolk.ssr.isolate import Round
from kinfolk.ssr.outcome import Need
from kinfolk.ssr.pool import Lane

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class CountingPool(IsolatePool):
    rounds = 0

    async def round(self, request: str, lane: Lane = "real") -> Round:
        self.rounds += 1
        return await super().round(request, lane)


@pytest.fixture(scope="module")
def pool() -> Iterator[CountingPool]:
    pool = CountingPool(TOY, MANIFEST, size=2, timeout_s=20.0, memory_mb=64, patience_s=30.0)
    yield pool
    pool.close()


@pytest.fixture(scope="module")
def renderer(pool: CountingPool) -> V8Renderer:
    return V8Renderer(pool)


async def document(renderer: V8Renderer, url: str) -> Document:
    rendered = await renderer.render(url, answer)
    assert isinstance(rendered, Document)
    return rendered


async def test_a_page_without_questions_is_rendered_at_once(renderer: V8Renderer) -> None:
    page = await document(renderer, "/plain")
    assert (page.status, page.html) == (200, "<!DOCTYPE html><title>Toy</title><p>plain</p>")
    assert (page.tags, page.lifetime) == (frozenset(), DOCS)


async def test_a_body_stands_in_the_page_as_python_made_it(renderer: V8Renderer) -> None:
    page = await document(renderer, "/doc/kin")
    assert '<div data-html="0" class="prose"><p>Body of <b>kin</b></p></div>' in page.html
    assert page.tags == {"doc:kin"}


async def test_a_script_in_a_body_is_not_one_of_ours(renderer: V8Renderer) -> None:
    async def ask(id: str, data: object) -> Answer:
        return Answer("ok", data={"title": "t", "html": Html("<script>evil()</script>")}, cache=DOCS)

    page = await renderer.render("/doc/x", ask)
    assert isinstance(page, Document)
    assert page.html.count("<script>") == 2
    assert len(page.scripts) == 1


async def test_the_questions_of_one_round_are_answered_at_the_same_time(renderer: V8Renderer) -> None:
    both = asyncio.Barrier(2)

    async def ask(id: str, data: object) -> Answer:
        await both.wait()
        return await answer(id, data)

    async with asyncio.timeout(20):
        page = await renderer.render("/pair", ask)
    assert isinstance(page, Document)
    assert page.html.index("<b>b</b>") < page.html.index("<b>a</b>")
    assert page.tags == {"doc:a", "doc:b"}


async def test_an_answer_may_lead_to_another_question(renderer: V8Renderer) -> None:
    rendered = await renderer.render("/chain", _untitled_body)
    assert isinstance(rendered, Document)
    assert "Title of Title of first" in rendered.html


async def test_a_question_is_asked_once(renderer: V8Renderer) -> None:
    asked: list[object] = []

    async def ask(id: str, data: object) -> Answer:
        asked.append(data)
        return await _untitled_body(id, data)

    await renderer.render("/chain", ask)
    assert asked == [{"name": "first"}, {"name": "Title of first"}]


async def test_what_was_foreseen_takes_one_round(pool: CountingPool) -> None:
    renderer = V8Renderer(pool, foresee=lambda _: [Need.foreseen("doc", {"name": "kin"})])
    before = pool.rounds
    page = await document(renderer, "/doc/kin")
    assert pool.rounds - before == 1
    assert page == await document(V8Renderer(pool), "/doc/kin")


@pytest.mark.parametrize("url", ["/doc/kin", "/plain", "/moved/away"])
async def test_a_wrong_foresight_leaves_no_trace(pool: CountingPool, url: str) -> None:
    wrong = V8Renderer(pool, foresee=lambda _: [Need.foreseen("doc", {"name": "other"})])
    assert await wrong.render(url, answer) == await V8Renderer(pool).render(url, answer)


async def test_a_redirect_is_a_value(renderer: V8Renderer) -> None:
    rendered = await renderer.render("/moved/to/naïve", answer)
    assert rendered == Moved(307, "/to/na%C3%AFve", frozenset(), DOCS)


@pytest.mark.parametrize("url", ["/error", "/throw", "/again", "/endless", "/twice", "/unshown", "/never", "/shape"])
async def test_a_page_that_cannot_be_made_says_so_in_public_words(renderer: V8Renderer, url: str) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(0))
    with pytest.raises(SiteError) as failed, capture_logs() as logs:
        await renderer.render(url, answer)
    assert (failed.value.message, failed.value.status) == ("This page could not be rendered", 500)
    assert [(line["url"], bool(line["reason"])) for line in logs if line["log_level"] == "error"] == [(url, True)]


async def test_a_page_that_takes_too_long_is_unavailable() -> None:
    impatient = await asyncio.to_thread(IsolatePool, TOY, MANIFEST, size=1, timeout_s=0.5)
    with pytest.raises(Unavailable, match="too long"):
        await V8Renderer(impatient).render("/spin", answer)
    await asyncio.to_thread(impatient.close)


async def test_a_failed_page_keeps_its_status_and_is_never_shared(renderer: V8Renderer) -> None:
    page = await document(renderer, "/crashed")
    assert (page.status, page.lifetime) == (500, PRIVATE)


async def test_text_of_every_kind_survives_the_way_through_v8(renderer: V8Renderer) -> None:
    title = '\u2028 ` ${x} \\u0002 \\ " </script> é 🎈 \udfff \x00 \x020\x02'

    async def ask(id: str, data: object) -> Answer:
        return Answer("ok", data={"title": title, "html": Html("body")}, cache=DOCS)

    page = await renderer.render("/doc/x", ask)
    assert isinstance(page, Document)
    shown = title.replace('"', "&#34;").replace("<", "&#60;").replace(">", "&#62;").replace("\x02", "")
    assert f"<h1>{shown}</h1>" in page.html


async def test_overlapping_renders_never_mix_their_answers(renderer: V8Renderer) -> None:
    async def ask(id: str, data: object) -> Answer:
        for _ in range(sum(str(data).encode()) % 5):
            await asyncio.sleep(0)
        return await answer(id, data)

    names = [f"name-{n}" for n in range(30)]
    pages = await asyncio.gather(*(renderer.render(f"/doc/{name}", ask) for name in names))
    for name, page in zip(names, pages, strict=True):
        assert isinstance(page, Document)
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
def test_a_page_lives_as_long_as_the_most_cautious_of_its_answers(
    made_of: tuple[Lifetime, ...], whole: Lifetime
) -> None:
    assert shortest(made_of) == whole
    assert shortest(reversed(made_of)) == whole


def test_a_marker_counts_only_as_the_whole_content_of_its_element() -> None:
    bodies = Bodies()
    marker = bodies.stand_in("<i>body</i>")
    page = f'<title>{marker}</title><p title="{marker}"></p><div data-html="0">{marker}</div>'
    assert bodies.fill(page) == '<title>0</title><p title="0"></p><div data-html="0"><i>body</i></div>'


def test_an_error_page_need_not_show_the_body_it_asked_for() -> None:
    bodies = Bodies()
    bodies.stand_in("body")
    assert bodies.fill("<p>404</p>", complete=False) == "<p>404</p>"


def test_a_body_may_hold_what_looks_like_a_marker() -> None:
    bodies = Bodies()
    markers = [bodies.stand_in("\x021\x02"), bodies.stand_in("one")]
    page = "".join(f'<div data-html="{n}">{marker}</div>' for n, marker in enumerate(markers))
    assert bodies.fill(page) == '<div data-html="0">\x021\x02</div><div data-html="1">one</div>'


async def _untitled_body(id: str, data: object) -> Answer:
    assert isinstance(data, dict)
    return Answer("ok", data={"title": f"Title of {data['name']}"}, cache=DOCS)
