"""Isolates that fail: they are replaced, and other renders continue. The failing pages are in fake_ssr_bundle.py.

`/spin` is an endless loop. `/block` takes as long, but no CPU time.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.suite.time_complexity import attempts_within
from tests.unit.rendering.fake_ssr_bundle import BUNDLE, MANIFEST

from kinfolk.rendering import Isolate, IsolateFailed, IsolatePool
from kinfolk.rendering.isolates.isolate_pool import TooBusy
from kinfolk.rendering.render_outcome import RenderedHtml, read_outcome
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.services.supervisor import Supervisor

pytestmark = pytest.mark.anyio

PATIENCE_S = 30.0
"""Sufficient for a replacement on a busy machine."""
TIMEOUT_S = 2.0
"""Sufficient for ten trivial pages on a busy machine."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def one() -> Iterator[IsolatePool]:
    """A pool of a single isolate, so that the next render needs its replacement."""
    made = IsolatePool(BUNDLE, MANIFEST, size=1, timeout_s=TIMEOUT_S, memory_mb=64, patience_s=PATIENCE_S)
    yield made
    made.close()


def request(path: str) -> str:
    return json.dumps({"url": path, "prefetched": {}})


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/block", "took longer than 2 s"),
        ("/throw", "thrown at once"),
        ("/heap", "ran out of memory|took longer"),
        ("/never", "gave no result"),
        ("/number", "gave no result"),
        ("/garbage", "cannot be read"),
        ("/shape", "cannot be read"),
        ("/outside", "cannot be read"),
    ],
)
async def test_isolate_without_valid_result_is_replaced(one: IsolatePool, path: str, reason: str) -> None:
    with pytest.raises(IsolateFailed, match=reason):
        await one.round(request(path))
    done = await one.round(request("/plain"))
    assert done.outcome == RenderedHtml(200, "<!DOCTYPE html><title>Test</title><p>plain</p>")
    assert one.replaced == 1


async def test_silent_heap_exhaustion_is_detected() -> None:
    roomy = await asyncio.to_thread(IsolatePool, BUNDLE, MANIFEST, size=1, timeout_s=30.0, memory_mb=64)
    with pytest.raises(IsolateFailed, match="ran out of memory"):
        await roomy.round(request("/heap"))
    roomy.close()


@pytest.mark.no_cover
async def test_endless_loop_ends_at_timeout() -> None:
    pool = await asyncio.to_thread(IsolatePool, BUNDLE, MANIFEST, size=1, timeout_s=1.0, patience_s=PATIENCE_S)
    for attempt in attempts_within(1.5):
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(IsolateFailed, match="took longer than 1 s") as failed:
                await pool.round(request("/spin"))
        assert failed.value.too_slow
        assert isinstance((await pool.round(request("/plain"))).outcome, RenderedHtml)
        assert pool.replaced == attempt + 1
    await asyncio.to_thread(pool.close)


async def test_reported_javascript_error_keeps_the_isolate(one: IsolatePool) -> None:
    await one.round(request("/error"))
    await one.round(request("/plain"))
    assert one.replaced == 0


async def test_console_output_is_returned_with_its_round(one: IsolatePool) -> None:
    assert (await one.round(request("/logs"))).logs == ("hydration trouble",)
    assert (await one.round(request("/plain"))).logs == ()


@pytest.mark.no_cover
async def test_isolate_with_memory_leak_is_replaced() -> None:
    hoarders = await asyncio.to_thread(IsolatePool, BUNDLE, MANIFEST, size=1, memory_mb=128, check_every_rounds=5)
    for _ in range(9):
        await hoarders.round(request("/hoard"))
    assert hoarders.replaced == 0, "five hoards of 8 MB are less than three eighths of 128 MB"
    await hoarders.round(request("/hoard"))
    await hoarders.round(request("/plain"))
    assert hoarders.replaced == 1
    hoarders.close()


async def test_waiting_rounds_fail_at_the_pool_timeout() -> None:
    busy = await asyncio.to_thread(IsolatePool, BUNDLE, MANIFEST, size=1, timeout_s=TIMEOUT_S, patience_s=0.2)
    outcomes = await asyncio.gather(*(busy.round(request("/block")) for _ in range(5)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [TooBusy] * 5
    assert busy.replaced == 0, "the isolate still renders the first page"
    await asyncio.to_thread(busy.close)


async def test_other_isolates_render_while_one_is_stuck() -> None:
    two = await asyncio.to_thread(IsolatePool, BUNDLE, MANIFEST, size=2, timeout_s=TIMEOUT_S, patience_s=PATIENCE_S)
    stuck = asyncio.create_task(two.round(request("/block")))
    for _ in range(10):
        await two.round(request("/plain"))
    assert not stuck.done()
    with pytest.raises(IsolateFailed):
        await stuck
    two.close()


async def test_isolates_are_started_when_none_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Isolate] = []

    class RecordedIsolate(Isolate):
        def __init__(self, bundle: str, manifest: str, *, timeout_s: float, memory_mb: int) -> None:
            started.append(self)
            super().__init__(bundle, manifest, timeout_s=timeout_s, memory_mb=memory_mb)

    monkeypatch.setattr("kinfolk.rendering.isolates.isolate_pool.Isolate", RecordedIsolate)
    pool = await asyncio.to_thread(IsolatePool, BUNDLE, MANIFEST, size=2, timeout_s=TIMEOUT_S, patience_s=PATIENCE_S)
    for _ in range(3):
        await pool.round(request("/plain"))
    assert (len(started), pool.ready) == (1, 2)
    stuck = [asyncio.create_task(pool.round(request("/block"))) for _ in range(3)]
    await asyncio.gather(*stuck, return_exceptions=True)
    assert len(started) - pool.replaced == 2
    pool.close()


async def test_isolate_that_does_not_start_fails_its_round_and_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    failures = iter([None, "no memory"])

    class FailingIsolate(Isolate):
        def __init__(self, bundle: str, manifest: str, *, timeout_s: float, memory_mb: int) -> None:
            if failure := next(failures, None):
                raise MemoryError(failure)
            super().__init__(bundle, manifest, timeout_s=timeout_s, memory_mb=memory_mb)

    monkeypatch.setattr("kinfolk.rendering.isolates.isolate_pool.Isolate", FailingIsolate)
    pool = await asyncio.to_thread(IsolatePool, BUNDLE, MANIFEST, size=2, timeout_s=TIMEOUT_S, patience_s=PATIENCE_S)
    stuck = (pool.round(request("/block")) for _ in range(2))
    outcomes = await asyncio.gather(*stuck, return_exceptions=True)
    assert sorted(map(str, outcomes)) == ["did not start: no memory", "took longer than 2 s"]
    assert isinstance((await pool.round(request("/plain"))).outcome, RenderedHtml)
    pool.close()


async def test_invalid_bundle_fails_at_the_start() -> None:
    with pytest.raises(Exception, match="broken bundle"):
        await asyncio.to_thread(IsolatePool, "throw new Error('broken bundle')", MANIFEST, size=2)


async def test_closed_pool_rejects_rounds_and_close_is_idempotent(one: IsolatePool) -> None:
    one.close()
    one.close()
    with pytest.raises(Unavailable):
        await one.round(request("/plain"))


async def test_bundle_can_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "ssr.js").write_text(BUNDLE, encoding="utf-8")
    (tmp_path / "manifest.json").write_text(MANIFEST, encoding="utf-8")
    made = await asyncio.to_thread(IsolatePool, tmp_path / "ssr.js", tmp_path / "manifest.json", size=1)
    assert isinstance((await made.round(request("/plain"))).outcome, RenderedHtml)
    made.close()


async def test_closed_pool_closes_isolates_that_wait_for_replacement(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[Isolate] = []

    class RecordedIsolate(Isolate):
        def close(self) -> None:
            closed.append(self)
            super().close()

    class IdleSupervisor(Supervisor):
        def start(self, *_: object, **__: object) -> None:
            """Start nothing, as if the thread had no time to run."""

    monkeypatch.setattr("kinfolk.rendering.isolates.isolate_pool.Isolate", RecordedIsolate)
    pool = await asyncio.to_thread(IsolatePool, BUNDLE, MANIFEST, size=2, supervisor=IdleSupervisor())
    with pytest.raises(IsolateFailed):
        await pool.round(request("/throw"))
    await pool.round(request("/plain"))
    assert closed == []
    await asyncio.to_thread(pool.close)
    assert len(set(closed)) == 2


def test_isolate_closes_during_an_endless_loop() -> None:
    before = set(threading.enumerate())
    for _ in attempts_within(2.0):
        isolate = Isolate(BUNDLE, MANIFEST, timeout_s=0.2, memory_mb=64)
        with pytest.raises(IsolateFailed):
            isolate.render(request("/spin"))
        isolate.close()
    assert [thread for thread in threading.enumerate() if thread.name == "v8" and thread not in before] == []


ENDINGS = (
    "",
    "raise SystemExit(3)",
    "raise RuntimeError('uncaught')",
    "pool.close()",
    "asyncio.run(asyncio.wait_for(pool.round(spin), 0.05))",
)
EXIT_S = 30
_SCRIPT = """
import asyncio, json, os, pathlib, signal, sys
from kinfolk.rendering import IsolatePool, IsolateFailed
from tests.unit.rendering.fake_ssr_bundle import MANIFEST, BUNDLE
endings = json.loads(sys.argv[1])
# Each ending is that of a fork, which ends as any interpreter. The imports take longer than the rest.
for number, ending in enumerate(endings):
    if os.fork() == 0:
        break
    pathlib.Path(f"{number}.status").write_text(str(os.waitstatus_to_exitcode(os.wait()[1])))
else:
    os._exit(0)
signal.alarm(int(sys.argv[2]))
for descriptor, name in ((1, "output"), (2, "errors")):
    os.dup2(os.open(f"{number}.{name}", os.O_WRONLY | os.O_CREAT), descriptor)
pool = IsolatePool(BUNDLE, MANIFEST, size=2, timeout_s=0.1)
spin = json.dumps({"url": "/spin", "prefetched": {}})
try:
    asyncio.run(pool.round(spin))
except IsolateFailed:
    print("failed as expected", flush=True)
exec(ending)
"""


@pytest.fixture(scope="module")
def exits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the exit status, output and errors of an interpreter for each of ENDINGS."""
    folder = tmp_path_factory.mktemp("exits")
    command = [sys.executable, "-c", _SCRIPT, json.dumps(ENDINGS), str(EXIT_S)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])}
    subprocess.run(command, cwd=folder, env=environment, timeout=EXIT_S * (len(ENDINGS) + 1), check=True)
    return folder


@pytest.mark.parametrize("ending", ENDINGS)
def test_interpreter_exits_with_an_open_pool(exits: Path, ending: str) -> None:
    status, output, errors = (
        (exits / f"{ENDINGS.index(ending)}.{name}").read_text() for name in ("status", "output", "errors")
    )
    assert int(status) != -signal.SIGALRM, "the interpreter hangs"
    # The thread that replaces isolates may log between the text and its line end.
    assert "failed as expected" in output
    assert "Event loop is closed" not in errors


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[]",
        '{"type": "html", "status": 200, "html": ""}',
        '{"type": "html", "status": 99, "html": "x"}',
        '{"type": "pending", "queries": []}',
        '{"type": "pending", "queries": [{"id": "a"}]}',
        '{"type": "redirect", "status": 200, "location": "/"}',
        '{"type": "redirect", "status": 302, "location": "//evil.example"}',
        '{"type": "redirect", "status": 302, "location": "/\\\\evil.example"}',
        '{"type": "redirect", "status": 302, "location": "javascript:alert(1)"}',
        '{"type": "redirect", "status": 302, "location": "/a\\r\\nset-cookie: b"}',
    ],
)
def test_invalid_outcome_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_outcome(text)
