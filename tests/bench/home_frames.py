"""Measures how smoothly the home page draws at a CPU that is four times slower, and what it loads before a touch.

Usage: python tests/bench/home_frames.py [URL]. Without a URL it serves the bundled docs. Needs Chromium.

Frames are the intervals between callbacks of `requestAnimationFrame`. The page is served as a cross-origin isolated
one: for others, Chromium rounds times to 0.1 ms, and 60 frames a second are intervals of up to 16.8 ms. An empty page
is measured in the same browser: on a loaded machine, what exceeds it is the page's own.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, CDPSession, Page, Route, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.servers.serving import LEAN, serving
from tests.servers.shared_browser import CHROMIUM, CHROMIUM_ARGS

SLOWDOWN = 4
FRAME_MS = 16.7
"""The longest interval of the 95th percentile that is 60 frames a second."""
IDLE_S = 1.0
"""After the `load` event, the main thread has nothing to do within this time."""
SCRIPTS_KB = 60
EMPTY = "/empty"
RUNS = 3
SCENE_MS = 4000

RECORD_FRAMES = """(duration) => new Promise((resolve) => {
  const times = []
  const end = performance.now() + duration
  const record = (time) => {
    times.push(time)
    if (performance.now() < end) requestAnimationFrame(record)
    else resolve(times.slice(1).map((each, index) => each - times[index]))
  }
  requestAnimationFrame(record)
})"""
LONG_TASKS = """new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) (window.longTasks ??= []).push(startTime + duration)
}).observe({ type: 'longtask', buffered: true })"""
LAST_TASK = """() => {
  const load = performance.getEntriesByType('navigation')[0].loadEventEnd
  return Math.max(0, ...(window.longTasks ?? []).map((end) => end - load)) / 1000
}"""
MOVE_BLOBS = """() => {
  for (const blob of document.querySelectorAll('[data-backdrop] > i')) {
    const moved = `translate(${Math.random() * 100}vw, ${Math.random() * 100}vh) scale(3)`
    blob.animate({ transform: [blob.style.transform, moved] }, { duration: 4000, easing: 'ease-in-out' })
  }
}"""
RUNNING = "document.getAnimations().filter(({ playState }) => playState === 'running').length"


def percentile(intervals: list[float], share: float) -> float:
    return sorted(intervals)[min(len(intervals) - 1, int(len(intervals) * share))]


def isolate(route: Route) -> None:
    """Serve the page with the headers that give scripts exact times; `/empty` is an empty page."""
    exact = {"cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp"}
    if route.request.url.endswith(EMPTY):
        route.fulfill(body="<!doctype html><title>Empty</title>", content_type="text/html", headers=exact)
    elif route.request.is_navigation_request():
        response = route.fetch()
        route.fulfill(response=response, headers=response.headers | exact)
    else:
        route.continue_()


def start(page: Page, *, slowdown: int) -> CDPSession:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    return session


def frames(page: Page, scene: str) -> list[float]:
    """Intervals of frames, in ms, while something happens on the page."""
    page.evaluate(f"window.frames_ = ({RECORD_FRAMES})({SCENE_MS})")
    if scene == "hover":
        for leaf in page.locator(".home-leaf").all():
            leaf.hover()
            page.wait_for_timeout(300)
    if scene == "blobs":
        page.evaluate(MOVE_BLOBS)
    result: list[float] = page.evaluate("window.frames_")
    return result


def measure(browser: Browser, url: str) -> dict[str, list[float]]:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    start(page, slowdown=SLOWDOWN)
    found: dict[str, list[float]] = {}
    page.route("**/*", isolate)
    page.goto(url.rstrip("/") + EMPTY)
    found["empty page"] = frames(page, "rest")
    page.goto(url)
    page.locator("[data-backdrop] > i").first.wait_for(state="attached")
    page.wait_for_timeout(2500)
    for scene in ("rest", "hover", "blobs"):
        found[scene] = frames(page, scene)
    page.close()
    return found


def measure_load(browser: Browser, url: str, *, slowdown: int) -> tuple[float, dict[str, int]]:
    """When the last long task ended, in seconds after `load`, and the compressed bytes of scripts."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(LONG_TASKS)
    session = start(page, slowdown=slowdown)
    session.send("Network.enable")
    scripts: dict[str, str] = {}
    sizes: dict[str, int] = {}
    session.on(
        "Network.responseReceived",
        lambda e: scripts.update({e["requestId"]: e["response"]["url"]}) if e["type"] == "Script" else None,
    )
    session.on(
        "Network.loadingFinished",
        lambda e: (
            sizes.update({scripts[e["requestId"]]: int(e["encodedDataLength"])}) if e["requestId"] in scripts else None
        ),
    )
    page.goto(url)
    page.wait_for_timeout(4000)
    last: float = page.evaluate(LAST_TASK)
    context.close()
    return last, sizes


def is_still(browser: Browser, url: str) -> bool:
    """Whether nothing moves for readers who prefer reduced motion."""
    page = browser.new_page(reduced_motion="reduce")
    page.goto(url)
    page.wait_for_timeout(1500)
    still = page.evaluate(RUNNING) == 0 and page.locator("[data-backdrop] > i").count() == 0
    page.close()
    return bool(still)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        if len(sys.argv) > 1:
            report(browser, sys.argv[1])
        else:
            with serving(Path(folder), environment=LEAN) as server:
                report(browser, server.url)


def report(browser: Browser, url: str) -> None:
    runs = [measure(browser, url) for _ in range(RUNS)]
    print(f"Frames at a CPU {SLOWDOWN} times slower, medians of {RUNS} runs; the aim is a p95 of {FRAME_MS} ms")
    for scene in runs[0]:
        for name, value in (
            ("p50", median(percentile(run[scene], 0.5) for run in runs)),
            ("p95", median(percentile(run[scene], 0.95) for run in runs)),
            ("max", median(max(run[scene]) for run in runs)),
            (
                "longer than a frame and a half",
                median(sum(each > FRAME_MS * 1.5 for each in run[scene]) for run in runs),
            ),
        ):
            print(f"  {scene:<12} {name:<32} {value:7.1f}")
    for slowdown in (1, SLOWDOWN):
        last, sizes = measure_load(browser, url, slowdown=slowdown)
        print(f"Last long task at a CPU {slowdown} times slower: {last:.2f} s after load; the aim is {IDLE_S} s")
    print(f"Scripts before a touch: {sum(sizes.values()) / 1000:.1f} kB of {SCRIPTS_KB} kB")
    print(f"Nothing moves under reduced motion: {is_still(browser, url)}")
    browser.close()


if __name__ == "__main__":
    main()
