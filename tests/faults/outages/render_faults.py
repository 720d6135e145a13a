"""Pages whose rendering in JavaScript never ends, or takes all memory, beside other readers."""

from __future__ import annotations

import shutil
import threading
from collections import Counter

import httpx
from tests.faults.outages.family_site import family_site
from tests.faults.outages.readers import named, reading, status_of, until
from tests.faults.site import ROOT, Server, Site, expect, fault

LOOPING, HOARDING = "/form/latest/docs/installation", "/virtual/latest/docs/installation"
HITS = 5
"""Requests of each of both pages."""
PAUSE_S = 4.0
MOST_P99_S = 8.0
"""A loop takes both isolates of a worker for at most five seconds."""
PATCH = """
;(() => {
  const built = __SSR
  const misbehave = {
    LOOPING: () => { for (;;); },
    HOARDING: () => { const kept = []; for (;;) kept.push(new Array(1e6).fill({})) },
  }
  __SSR = {
    ...built,
    start: (text) => {
      const fault = misbehave[JSON.parse(text).url?.split('?')[0]]
      if (fault === misbehave[HOARDING]) fault()
      if (fault) Promise.resolve().then(fault)
      return built.start(text)
    },
  }
})()
""".replace("LOOPING", repr(LOOPING)).replace("HOARDING", repr(HOARDING))
"""JavaScript after the bundle of the frontend: the loop is in a promise, which V8 does not end by itself."""


@fault("F6", "Endless loops and exhausted memory in renders, beside readers")
def failing_renders(site: Site) -> str:
    frontend = site.folder / "dist"
    site.folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "frontend" / "dist", frontend)
    with (frontend / "ssr" / "ssr.js").open("a") as bundle:
        bundle.write(PATCH)
    answers: Counter[tuple[str, int]] = Counter()
    unnamed: list[str] = []
    with family_site(site, {"KINFOLK_FRONTEND": str(frontend)}) as running:
        server = running.server
        with reading(server) as first:
            until(lambda: first.pages.total() >= 100)
        with reading(server) as before:
            until(lambda: before.pages.total() >= 200)
        with reading(server) as requested:
            hits = [
                threading.Thread(target=_hit, args=(server, path, answers, unnamed)) for path in (LOOPING, HOARDING)
            ]
            for hit in hits:
                hit.start()
            for hit in hits:
                hit.join()
            until(lambda: server.log.count('"isolate replaced"') >= 2 * HITS, within_s=20)
        replaced = server.log.count('"isolate replaced"')
        lost = server.log.count("worker is replaced")
        logged = named(server, "could not be rendered", LOOPING) and named(server, "could not be rendered", HOARDING)
        after = {status_of(server, f"/query/latest?{number}") for number in range(10)}
    hit_pages = ", ".join(
        f"{name} {sorted(status for path, status in answers if path == page)}"
        for name, page in (("the loop", LOOPING), ("exhausted memory", HOARDING))
    )
    figure = (
        f"{requested}, p99 {before.p99_s:.2f} -> {requested.p99_s:.2f} s; answers to {answers.total()} requests of the"
        f" pages: {hit_pages}, {len(unnamed)} without the id of the request; {replaced} isolates replaced, {lost}"
        f" workers; pages then {sorted(after)}; log {'names' if logged else 'does not name'} both"
    )
    fine = requested.failed == 0 and requested.unanswered == 0 and not unnamed and replaced >= HITS and lost == 0
    return expect(fine and after == {200} and logged and requested.p99_s <= MOST_P99_S, figure)


def _hit(server: Server, path: str, answers: Counter[tuple[str, int]], unnamed: list[str]) -> None:
    for _ in range(HITS):
        answer = httpx.get(server.url + path, timeout=40)
        answers[path, answer.status_code] += 1
        if answer.headers.get("x-request-id", "none") not in answer.text:
            unnamed.append(answer.text[:200])
        until(lambda: False, within_s=PAUSE_S)
