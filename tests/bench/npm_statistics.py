"""`make bench-statistics`: measures /stats/npm with 11 packages, each day of ten years.

Budgets: answer of the server p50 <= 20 ms with an empty cache and <= 120 kB compressed, scripts of the page <= 40 kB
compressed over those of the shell, a step of the crosshair and of the height <= 16 ms of the main thread at p75. The
lines are in the HTML.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

import brotli
import httpx
from playwright.sync_api import CDPSession, Page, sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.conftest import REQUEST_APP
from tests.servers.serving import LEAN, serving
from tests.servers.shared_browser import CHROMIUM, CHROMIUM_ARGS
from tests.sites.sample_site import read_settings

from kinfolk.db.database import Database, open_database
from kinfolk.db.schema import upgrade
from kinfolk.statistics.histories.history_store import HistoryStore, years_of
from kinfolk.statistics.histories.sample import sample_history

NAMES = tuple(f"made-up-{number}" for number in range(11))
REQUESTS = 60
STEPS = 60
YEARS = 10


def fill(database: Database) -> None:
    """Store ten years of made-up counts, as if they came from npm."""
    today = datetime.now(UTC).date()
    store = HistoryStore(database)
    for name in NAMES:
        history = sample_history(name, today - timedelta(days=1))
        years = [year for year in years_of(history) if year.year >= today.year - YEARS]
        store.put([type(year)(**(vars(year) | {"source": "npm"})) for year in years])


@contextmanager
def site() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        environment = LEAN | {"KINFOLK_VAR": folder, "KINFOLK_MIRROR": "off", "KINFOLK_NPM_IMPORT": "off"}
        database = open_database(read_settings(environment))
        upgrade(database)
        fill(database)
        database.close()
        with serving(Path(folder), environment=environment) as server:
            yield server.url


def query(height: int) -> str:
    """A query that no cache has, because of its height."""
    groups = json.dumps([{"packages": [{"name": name}]} for name in NAMES], separators=(",", ":"))
    return urlencode({"packageGroups": groups, "range": "all-time", "binningOption": "daily", "height": height})


def answers(url: str) -> tuple[list[float], int]:
    """Milliseconds of answers of the function, and bytes of one (Brotli)."""
    times = []
    with httpx.Client(base_url=url, headers={"accept-encoding": "br"}) as client:
        for number in range(REQUESTS):
            data = {"search": query(400 + number), "packages": ""}
            payload = json.dumps({"data": data, "context": {}})
            began_s = time.perf_counter()
            response = client.get("/_server/npm.comparison", params={"createServerFn": "", "payload": payload})
            times.append((time.perf_counter() - began_s) * 1000)
            response.raise_for_status()
    return times, len(brotli.compress(response.content, quality=5))


def pages(url: str) -> tuple[list[float], int, int]:
    """Milliseconds of pages, the bytes of one (Brotli), and the lines in it."""
    times = []
    with httpx.Client(base_url=url) as client:
        for number in range(REQUESTS // 3):
            began_s = time.perf_counter()
            response = client.get(f"/stats/npm?{query(1000 + number)}", headers={"accept-encoding": "identity"})
            times.append((time.perf_counter() - began_s) * 1000)
            response.raise_for_status()
    return times, len(brotli.compress(response.content, quality=5)), response.text.count('class="chart-line"')


def script_bytes(page: Page, url: str) -> int:
    """Compressed bytes of the scripts that a page loads until React has taken over."""
    urls: set[str] = set()
    page.on("request", lambda request: urls.add(request.url))
    page.goto(url, wait_until="networkidle")
    page.evaluate(REQUEST_APP)
    page.wait_for_function("() => window.__kinfolk.hydrated")
    page.wait_for_load_state("networkidle")
    scripts = [address for address in urls if address.endswith(".js")]
    return sum(len(brotli.compress(httpx.get(address).content)) for address in scripts)


def step_ms(page: Page, session: CDPSession, step: Callable[[int], None]) -> list[float]:
    """Milliseconds that the main thread works for each step, up to its second frame."""
    times = []
    for number in range(STEPS):
        before = _task_s(session)
        step(number)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        times.append((_task_s(session) - before) * 1000)
    return times


def _task_s(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def interactions(page: Page, session: CDPSession) -> tuple[list[float], list[float], list[float]]:
    """Steps of nothing (the cost of the measurement), of the crosshair and of the height."""
    box = page.locator(".chart-pointer").first.bounding_box()
    assert box is not None
    x, y = box["x"] + 20, box["y"] + box["height"] / 2
    idle = step_ms(page, session, lambda _: None)
    crosshair = step_ms(page, session, lambda number: page.mouse.move(x + 9 * number, y))
    page.mouse.move(0, 0)
    page.get_by_role("slider", name="Height of the chart").focus()
    height = step_ms(page, session, lambda number: page.keyboard.press("ArrowUp" if number % 20 < 10 else "ArrowDown"))
    return idle, crosshair, height


def frame_ms(page: Page, key: str) -> list[float]:
    """Milliseconds between frames while a key is pressed again and again."""
    page.evaluate(
        """() => { window.frames_ = []; const note = (at) => { window.frames_.push(at); requestAnimationFrame(note) }
        requestAnimationFrame(note) }"""
    )
    for _ in range(STEPS):
        page.keyboard.press(key)
    times = page.evaluate("() => window.frames_")
    return [after - before for before, after in pairwise(times)]


def p75(times: list[float]) -> float:
    return quantiles(times, n=4)[2]


def main() -> None:
    table = Table("Figure", "Measured", "Budget")
    with site() as url:
        times, answer_bytes = answers(url)
        table.add_row("Answer, p50 (an empty cache)", f"{median(times):.1f} ms", "20 ms")
        table.add_row("Answer, Brotli", f"{answer_bytes / 1000:.1f} kB", "120 kB")
        times, page_bytes, lines = pages(url)
        table.add_row("Page, p50 (an empty cache)", f"{median(times):.1f} ms", "")
        table.add_row("Page, Brotli", f"{page_bytes / 1000:.1f} kB", "120 kB")
        table.add_row("Lines in the HTML", str(lines), str(len(NAMES)))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
            shell = script_bytes(browser.new_page(bypass_csp=True), f"{url}/ethos")
            page = browser.new_page(bypass_csp=True, viewport={"width": 1280, "height": 900})
            scripts = script_bytes(page, f"{url}/stats/npm?{query(400)}")
            table.add_row("Scripts over the shell, Brotli", f"{(scripts - shell) / 1000:.1f} kB", "40 kB")
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable")
            idle, crosshair, height = interactions(page, session)
            table.add_row("Main thread, no step, p75", f"{p75(idle):.1f} ms", "")
            table.add_row("Main thread, step of the crosshair, p75", f"{p75(crosshair):.1f} ms", "16 ms")
            table.add_row("Main thread, step of the height, p75", f"{p75(height):.1f} ms", "16 ms")
            table.add_row(
                "Frames while a key changes the height, p75", f"{p75(frame_ms(page, 'ArrowUp')):.1f} ms", "16.7 ms"
            )
            browser.close()
    Console().print(table)


if __name__ == "__main__":
    main()
