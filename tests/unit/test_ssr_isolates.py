"""What happens to isolates that misbehave. The pages that misbehave are in ssr_toy.py."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.ssr_toy import MANIFEST, TOY

from kinfolk.errors import Unavailable
from kinfolk.ssr import Isolate, IsolatePool, RenderFailed
from kinfolk.ssr.outcome import Finished, read_outcome
from kinfolk.ssr.pool import Lane, TooBusy

pytestmark = pytest.mark.anyio

PATIENCE_S = 30.0
"""Long enough for a replacement on a machine that is busy with other things."""
TIMEOUT_S = 3.0
"""Long enough for a page that does nothing, there too."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def one() -> Iterator[IsolatePool]:
    """A pool of a single isolate, so that the next render needs its replacement."""
    made = IsolatePool(TOY, MANIFEST, size=1, timeout_s=TIMEOUT_S, memory_mb=64, patience_s=PATIENCE_S)
    yield made
    made.close()


def request(path: str) -> str:
    return json.dumps({"url": path, "known": {}})


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/spin", "took longer than 3 s"),
        ("/throw", "thrown at once"),
        ("/heap", "ran out of memory|took longer"),
        ("/never", "gave no result"),
        ("/number", "gave no result"),
        ("/garbage", "cannot be read"),
        ("/shape", "cannot be read"),
        ("/outside", "cannot be read"),
    ],
)
async def test_an_isolate_without_a_clean_result_is_replaced(one: IsolatePool, path: str, reason: str) -> None:
    with pytest.raises(RenderFailed, match=reason):
        await one.round(request(path))
    done = await one.round(request("/plain"))
    assert done.outcome == Finished(200, "<!DOCTYPE html><title>Toy</title><p>plain</p>")
    assert one.replaced == 1


async def test_a_heap_that_blows_up_quietly_is_noticed() -> None:
    roomy = await asyncio.to_thread(IsolatePool, TOY, MANIFEST, size=1, timeout_s=30.0, memory_mb=64)
    with pytest.raises(RenderFailed, match="ran out of memory"):
        await roomy.round(request("/heap"))
    roomy.close()


async def test_an_endless_loop_ends_at_its_timeout(one: IsolatePool) -> None:
    began = time.process_time()
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(RenderFailed) as failed:
            await one.round(request("/spin"))
    assert failed.value.too_slow
    assert time.process_time() - began < TIMEOUT_S + 0.5


async def test_an_error_that_javascript_reports_itself_costs_no_isolate(one: IsolatePool) -> None:
    await one.round(request("/error"))
    await one.round(request("/plain"))
    assert one.replaced == 0


async def test_what_was_written_to_the_console_comes_with_its_own_round(one: IsolatePool) -> None:
    assert (await one.round(request("/logs"))).logs == ("hydration trouble",)
    assert (await one.round(request("/plain"))).logs == ()


async def test_an_isolate_that_keeps_what_it_made_is_replaced() -> None:
    hoarders = await asyncio.to_thread(IsolatePool, TOY, MANIFEST, size=1, memory_mb=128, checkup_every=5)
    for _ in range(9):
        await hoarders.round(request("/hoard"))
    assert hoarders.replaced == 0, "five hoards of 8 MB are less than three eighths of 128 MB"
    await hoarders.round(request("/hoard"))
    await hoarders.round(request("/plain"))
    assert hoarders.replaced == 1
    hoarders.close()


async def test_nobody_waits_longer_than_the_patience_of_the_pool() -> None:
    busy = await asyncio.to_thread(IsolatePool, TOY, MANIFEST, size=1, timeout_s=2 * TIMEOUT_S, patience_s=0.2)
    began = time.process_time()
    outcomes = await asyncio.gather(*(busy.round(request("/spin")) for _ in range(5)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [TooBusy] * 5
    assert busy.replaced == 0, "the isolate still renders the first page"
    assert time.process_time() - began < 1.5
    await asyncio.to_thread(busy.close)


async def test_renders_work_on_while_one_isolate_is_stuck() -> None:
    two = await asyncio.to_thread(IsolatePool, TOY, MANIFEST, size=2, timeout_s=2 * TIMEOUT_S, patience_s=PATIENCE_S)
    stuck = asyncio.create_task(two.round(request("/spin")))
    for _ in range(10):
        await two.round(request("/plain"))
    assert not stuck.done()
    with pytest.raises(RenderFailed):
        await stuck
    two.close()


async def test_invented_pages_take_one_isolate_and_wait_behind_real_ones() -> None:
    pool = await asyncio.to_thread(IsolatePool, TOY, MANIFEST, size=1, timeout_s=0.5, patience_s=PATIENCE_S)
    ended: list[str] = []

    async def ask(path: str, lane: Lane) -> None:
        with contextlib.suppress(RenderFailed):
            await pool.round(request(path), lane)
        ended.append(lane)

    busy = asyncio.create_task(ask("/spin", "real"))
    await asyncio.sleep(0)
    others = [asyncio.create_task(ask("/plain", lane)) for lane in ("invented", "invented", "real", "real")]
    await asyncio.gather(busy, *others)
    assert ended == ["real", "real", "real", "invented", "invented"]
    pool.close()


async def test_stuck_invented_pages_leave_an_isolate_to_real_ones() -> None:
    two = await asyncio.to_thread(IsolatePool, TOY, MANIFEST, size=2, timeout_s=2 * TIMEOUT_S, patience_s=PATIENCE_S)
    stuck = [asyncio.create_task(two.round(request("/spin"), "invented")) for _ in range(2)]
    for _ in range(10):
        await two.round(request("/plain"))
    assert not any(task.done() for task in stuck)
    for task in stuck:
        task.cancel()
    await asyncio.gather(*stuck, return_exceptions=True)
    two.close()


async def test_a_bundle_that_cannot_be_loaded_is_told_at_the_start() -> None:
    with pytest.raises(Exception, match="broken bundle"):
        await asyncio.to_thread(IsolatePool, "throw new Error('broken bundle')", MANIFEST, size=2)


async def test_a_closed_pool_refuses_and_may_be_closed_again(one: IsolatePool) -> None:
    one.close()
    one.close()
    with pytest.raises(Unavailable):
        await one.round(request("/plain"))


async def test_a_bundle_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "ssr.js").write_text(TOY, encoding="utf-8")
    (tmp_path / "manifest.json").write_text(MANIFEST, encoding="utf-8")
    made = await asyncio.to_thread(IsolatePool, tmp_path / "ssr.js", tmp_path / "manifest.json", size=1)
    assert isinstance((await made.round(request("/plain"))).outcome, Finished)
    made.close()


def test_an_isolate_can_be_closed_in_the_middle_of_an_endless_loop() -> None:
    isolate = Isolate(TOY, MANIFEST, timeout_s=0.2, memory_mb=64)
    with pytest.raises(RenderFailed):
        isolate.render(request("/spin"))
    began = time.process_time()
    isolate.close()
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize(
    "ending",
    [
        "",
        "raise SystemExit(3)",
        "raise RuntimeError('uncaught')",
        "pool.close()",
        "asyncio.run(asyncio.wait_for(pool.round(spin), 0.05))",
    ],
)
def test_the_interpreter_ends_though_nobody_closed_the_pool(ending: str) -> None:
    script = f"""
import asyncio, json
from kinfolk.ssr import IsolatePool, RenderFailed
from tests.unit.ssr_toy import MANIFEST, TOY
pool = IsolatePool(TOY, MANIFEST, size=2, timeout_s=0.3)
spin = json.dumps({{"url": "/spin", "known": {{}}}})
try:
    asyncio.run(pool.round(spin))
except RenderFailed:
    print("failed as expected", flush=True)
{ending}
"""
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, timeout=30, check=False
    )
    assert "failed as expected\n" in ended.stdout
    assert "Event loop is closed" not in ended.stderr


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[]",
        '{"type": "html", "status": 200, "html": ""}',
        '{"type": "html", "status": 99, "html": "x"}',
        '{"type": "needs", "needs": []}',
        '{"type": "needs", "needs": [{"id": "a"}]}',
        '{"type": "redirect", "status": 200, "location": "/"}',
        '{"type": "redirect", "status": 302, "location": "//evil.example"}',
        '{"type": "redirect", "status": 302, "location": "/\\\\evil.example"}',
        '{"type": "redirect", "status": 302, "location": "javascript:alert(1)"}',
        '{"type": "redirect", "status": 302, "location": "/a\\r\\nset-cookie: b"}',
    ],
)
def test_what_the_bundle_should_not_have_said_is_not_an_outcome(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_outcome(text)
