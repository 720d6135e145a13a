"""`make browsers`: every kind of page and the tasks of readers in Chromium, Firefox and WebKit.

    python -m tests.engines [--engine firefox] [--only /stats]

Each page is loaded once in an engine, and shown in three widths and both themes. Faults are messages of the console,
failed requests, violations that axe finds in Chromium, and elements that are elsewhere than in Chromium. The exit
status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from tests.browser.axe import violations
from tests.engines.chromium_page import ChromiumPage
from tests.engines.geometry import LANDMARKS, LOAD_FONTS, MEASURE, Element, differences, read_elements
from tests.engines.other_engines import OTHER_ENGINES
from tests.engines.page import EnginePage
from tests.engines.pages_by_route import MISSING, PAGES
from tests.engines.tasks import WALKS, Task, Visitor, walk
from tests.inputs.search_index import wait_for_search_index
from tests.servers.serving import PLAIN, Server, serving
from tests.servers.shared_browser import CHROMIUM, CHROMIUM_ARGS
from tests.sites.corpus_data import corpus_source
from tests.sites.query_site import QUERY_SITE
from tests.sites.sample_var import SAMPLE_VAR

WIDTHS = {390: 844, 834: 1112, 1280: 800}
THEMES = ("light", "dark")
SET_THEME = "(mode) => { window.__kinfolk?.setMode(mode) }"
ALL_FONTS = "/design"
EMPTY_STORAGE = "() => { localStorage.clear(); sessionStorage.clear() }"
UNHINTED = [*CHROMIUM_ARGS, "--font-render-hinting=none"]
"""Letters have the widths that their font gives them, as in the other engines."""
MOST_SHOWN = 5
"""Differences of one view."""

View = tuple[str, int, str]
"""A path, a width and a theme."""


class Report:
    """What was looked at, and the faults."""

    def __init__(self) -> None:
        self.console = Console(width=200, highlight=False)
        self.steps: Counter[str] = Counter()
        self.faults: list[tuple[str, str, str]] = []
        """Engine, place and fault."""

    def add(self, engine: str, where: str, faults: list[str]) -> None:
        self.steps[engine] += 1
        for fault in faults:
            self.faults.append((engine, where, fault))
            self.console.print(f"  [red]{engine} {escape(where)}:[/] {escape(fault[:600])}")

    def progress(self, text: str) -> None:
        self.console.print(escape(text), style="dim")

    def print_table(self) -> None:
        table = Table("Engine", "Views and tasks", "Faults", title="Browser engines")
        for engine, steps in self.steps.items():
            table.add_row(engine, str(steps), str(sum(found == engine for found, _, _ in self.faults)))
        self.console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.engines", description="Open all kinds of pages in all engines"
    )
    parser.add_argument("--engine", choices=OTHER_ENGINES, help="compare this engine only with Chromium")
    parser.add_argument("--only", default="", metavar="PATH", help="only pages whose address contains this")
    given = parser.parse_args()
    report = Report()
    expected: dict[View, list[Element]] = {}
    with site() as (server, has_tasks):
        for engine in ("chromium", *OTHER_ENGINES):
            if given.engine not in (None, engine) and engine != "chromium":
                continue
            with open_engine(engine, server.url, report) as page:
                if page is None:
                    continue
                look_at_pages(page, [path for path in PAGES.values() if given.only in path], expected, report)
                if has_tasks and not given.only:
                    do_tasks(page, report)
    report.print_table()
    return 1 if report.faults else 0


@contextlib.contextmanager
def site() -> Iterator[tuple[Server, bool]]:
    """The server, and whether its docs are those of the tasks: without them, it has the sample docs."""
    has_tasks = corpus_source() is not None
    var = QUERY_SITE.folder() / "var" if has_tasks else SAMPLE_VAR.folder()
    arguments = ("--content", str(QUERY_SITE.folder() / "repos")) if has_tasks else ()
    with (
        tempfile.TemporaryDirectory(prefix="kinfolk-engines-") as folder,
        serving(Path(folder), *arguments, environment=PLAIN, var=var) as server,
    ):
        wait_for_search_index(server)
        yield server, has_tasks


@contextlib.contextmanager
def open_engine(engine: str, origin: str, report: Report) -> Iterator[EnginePage | None]:
    """A page of an engine; None, and a fault, if it is not installed."""
    missing = "" if engine == "chromium" and CHROMIUM else OTHER_ENGINES.get(engine, ("Chromium is not installed",))[0]
    if missing:
        report.add(engine, "start", [missing])
        yield None
    elif engine == "chromium":
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=UNHINTED)
            yield ChromiumPage(browser.new_page(reduced_motion="reduce"), origin)
            browser.close()
    else:
        with OTHER_ENGINES[engine][1](origin) as page:
            yield page


def look_at_pages(page: EnginePage, paths: list[str], expected: dict[View, list[Element]], report: Report) -> None:
    # So that later pages begin with the fonts.
    page.open(ALL_FONTS)
    page.evaluate(LOAD_FONTS)
    page.take_faults()
    for at, path in enumerate(paths, 1):
        report.progress(f"{page.engine} [{at}/{len(paths)}] {path}")
        page.open(path)
        wait_for_text(page)
        for width, height in WIDTHS.items():
            page.resize(width, height)
            for theme in THEMES:
                page.evaluate(SET_THEME, theme)
                page.evaluate(LOAD_FONTS)
                elements = measure(page)
                faults = [one for one in page.take_faults() if not (path in MISSING and "404" in one)]
                place = path, width, theme
                if page.engine == "chromium":
                    expected[place] = elements
                elif place in expected:
                    faults += list(differences(expected[place], elements))[:MOST_SHOWN]
                report.add(page.engine, f"{path} {width} px {theme}", faults)
            if isinstance(page, ChromiumPage):
                page.evaluate(SET_THEME, "auto")
                report.add(page.engine, f"{path} {width} px axe", violations(page.page))
                page.take_faults()


def wait_for_text(page: EnginePage) -> None:
    """Pages of accounts show later who is signed in."""
    texts: list[object] = [None]

    def is_complete() -> bool:
        page.pause(0.3)
        texts.append(page.evaluate("() => document.body.textContent"))
        return texts[-1] == texts[-2]

    page.wait_until(is_complete, "the text is complete")


def measure(page: EnginePage) -> list[Element]:
    """The elements, as soon as two measurements agree."""
    found: list[list[Element]] = [read_elements(page.evaluate(MEASURE, LANDMARKS))]

    def is_stable() -> bool:
        found.append(read_elements(page.evaluate(MEASURE, LANDMARKS)))
        return found[-1] == found[-2]

    page.wait_until(is_stable, "the layout is stable")
    return found[-1]


def do_tasks(page: EnginePage, report: Report) -> None:
    for device, (width, height) in {"phone": (390, 844), "desktop": (1280, 800)}.items():
        page.resize(width, height)

        def done(task: Task, visitor: Visitor, device: str = device) -> None:
            report.progress(f"{page.engine} {device}: {task.name}")
            report.add(page.engine, f"{device}: {task.name}", visitor.page.take_faults())

        for tasks in WALKS:
            page.open("/")
            page.evaluate(EMPTY_STORAGE)
            page.open("/")
            try:
                walk(Visitor(page, phone=device == "phone"), tasks, done)
            except Exception as error:  # noqa: BLE001 - the other tasks still run
                report.add(page.engine, f"{device}: {tasks[0].name}", [f"{type(error).__name__}: {error}"])
                page.take_faults()


if __name__ == "__main__":
    sys.exit(main())
