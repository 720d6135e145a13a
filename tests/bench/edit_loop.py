"""Time from saving a file to the change being visible in a browser, with `kinfolk dev`: median of 20 edits.

    .venv/bin/python tests/bench/edit_loop.py [SITE] [--peer NAME URL FILE]...
    .venv/bin/python tests/bench/edit_loop.py [SITE] --component

Without SITE, a new site is written to a temporary folder. Each --peer is the running server of another program, the
address of one of its pages, and the Markdown file of that page. In each round, the docs page of all servers is edited
in turn, so that other load of the machine affects all of them. With --component, a text of a React component is
changed while `npm run dev` runs: median of 10.

A script in the page notes the time of the first mutation after which the document has the text, and of the next frame.
Requests to other hosts are refused: a script in the head that another host does not send would block the page.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.servers.serving import free_port

ROUNDS = 20
COMPONENT_ROUNDS = 10
FRONTEND = Path(__file__).parents[2] / "frontend"
COMPONENT = FRONTEND / "src/components/docs/DocsTopBar.tsx"
COMPONENT_TEXT = "On this page"
PAUSE_MS = 500
COMPONENT_PAUSE_MS = 4000
"""The bundles for the browser are built after the page shows the change."""
CHROMIUM = os.environ.get("KINFOLK_CHROMIUM", "/usr/bin/chromium-headless-shell")
# Added to each document, so that it also sees the text after a reload. The word is in the session storage of the tab.
OBSERVER = """
{
  const now = () => performance.timeOrigin + performance.now()
  const look = () => {
    const word = sessionStorage.getItem('word')
    if (!word || window.shown?.word === word || !document.documentElement?.textContent.includes(word)) return
    const shown = (window.shown = { word, changed: now(), visible: 0 })
    requestAnimationFrame(() => (shown.visible = now()))
  }
  window.expectWord = (word) => sessionStorage.setItem('word', word)
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
}
"""
SHOWN = "word => window.shown?.word === word && window.shown.visible > 0 && window.shown"


@dataclass
class EditedPage:
    """A page in its own tab, the way to change its file, and the milliseconds of each edit."""

    name: str
    page: Page
    save: Callable[[str], None]
    pause_ms: int = PAUSE_MS
    changed_ms: list[float] = field(default_factory=list)
    visible_ms: list[float] = field(default_factory=list)

    def edit(self, number: int) -> None:
        """Save a word that the page does not have, and wait until it is visible."""
        word = f"marker{number}x{time.time_ns()}"
        self.page.bring_to_front()
        self.page.evaluate("word => expectWord(word)", word)
        began_ms = time.time() * 1000
        self.save(word)
        shown = self.page.wait_for_function(SHOWN, arg=word, polling=50).json_value()
        self.changed_ms.append(shown["changed"] - began_ms)
        self.visible_ms.append(shown["visible"] - began_ms)
        self.page.wait_for_timeout(self.pause_ms)

    def report(self) -> None:
        changed, visible = statistics.median(self.changed_ms), statistics.median(self.visible_ms)
        print(
            f"{self.name}: visible after {visible:.0f} ms (median of {len(self.visible_ms)}, "
            f"slowest {max(self.visible_ms):.0f} ms); in the document after {changed:.0f} ms",
            flush=True,
        )


@contextlib.contextmanager
def developing(site: Path, frontend: Path = FRONTEND / "dist") -> Iterator[str]:
    """The address of a running `kinfolk dev`."""
    port = free_port()
    command = [sys.executable, "-m", "kinfolk", "dev", "--site", str(site), "--port", str(port)]
    with running(command, "Open", env={**os.environ, "KINFOLK_FRONTEND": str(frontend)}):
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def running(command: Sequence[str], started: str, **options: Any) -> Iterator[None]:
    """Run a program, after it has written a line that begins with `started`."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True, **options)
    try:
        assert process.stdout is not None
        next(line for line in process.stdout if line.startswith(started))
        yield
    finally:
        # With the processes that it has started: npm does not end those of its script.
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


def open_page(browser: Browser, url: str) -> Page:
    page = browser.new_page()
    page.add_init_script(OBSERVER)
    page.route("**/*", send_to_this_machine)
    page.goto(url, wait_until="load")
    page.wait_for_timeout(1500)
    return page


def send_to_this_machine(route: Route) -> None:
    if "://127.0.0.1:" in route.request.url:
        route.continue_()
    else:
        route.abort()


def measure(pages: Sequence[EditedPage], rounds: int) -> None:
    """Edit all pages in turn, and print the times of each."""
    for number in range(rounds):
        for page in pages:
            page.edit(number)
    for page in pages:
        page.report()


@contextlib.contextmanager
def editing(file: Path, edited: Callable[[str, str], str]) -> Iterator[Callable[[str], None]]:
    """A function that writes the file with a word, as `edited(text, word)`. The file is restored afterwards."""
    text = file.read_text() if file.exists() else None

    def save(word: str) -> None:
        file.write_text(edited(text or "", word))

    try:
        yield save
    finally:
        if text is None:
            file.unlink(missing_ok=True)
        else:
            file.write_text(text)


def with_form(form: str) -> Callable[[str, str], str]:
    """Adds a word in this form to the end of a text."""
    return lambda text, word: text + form.format(word)


APPENDED = with_form("\n\n{}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--peer", nargs=3, action="append", default=[], metavar=("NAME", "URL", "FILE"))
    parser.add_argument("--component", action="store_true", help="edit a React component instead of files of the site")
    given = parser.parse_args()
    with contextlib.ExitStack() as stack:
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=CHROMIUM)
        site = given.site or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "site"
        if not given.site:
            subprocess.run([sys.executable, "-m", "kinfolk", "new", str(site), "--name", "Acme"], check=True)
        (site / "pages").mkdir(exist_ok=True)
        if given.component:
            stack.enter_context(running(["npm", "run", "dev"], "Watching", cwd=FRONTEND))
        own = stack.enter_context(developing(site, FRONTEND / ("dist-dev" if given.component else "dist")))

        def edited(name: str, url: str, file: Path, edited: Callable[[str, str], str] = APPENDED) -> EditedPage:
            return EditedPage(name, open_page(browser, url), stack.enter_context(editing(file, edited)))

        docs_page = f"{own}/acme/latest/docs/overview"
        if given.component:
            page = edited("component", docs_page, COMPONENT, lambda text, word: text.replace(COMPONENT_TEXT, word))
            page.pause_ms = COMPONENT_PAUSE_MS
            measure([page], given.rounds or COMPONENT_ROUNDS)
            return
        rounds = given.rounds or ROUNDS
        peers = [edited(name, url, Path(file)) for name, url, file in given.peer]
        measure([edited("docs page", docs_page, site / "docs/overview.md"), *peers], rounds)
        measure([edited("post", f"{own}/blog/first-post", site / "blog/first-post.md")], rounds)
        measure([edited("theme", own, site / "theme.css", with_form("\n/* {} */\n"))], rounds)
        footer = with_form('\n[[footer]]\nlabel = "{}"\nto = "/blog"\n')
        measure([edited("data", own, site / "kinfolk.toml", footer)], rounds)


if __name__ == "__main__":
    main()
