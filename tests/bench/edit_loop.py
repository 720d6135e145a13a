"""Time from saving a file to the change being visible in a browser, with `kinfolk dev`: median of 20 edits.

    .venv/bin/python tests/bench/edit_loop.py [SITE]

Without SITE, a new site is written to a temporary folder. Other servers are measured with --url and --file.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.serving import free_port

ROUNDS = 20
CHROMIUM = os.environ.get("KINFOLK_CHROMIUM", "/usr/bin/chromium-headless-shell")


@contextlib.contextmanager
def developing(site: Path) -> Iterator[str]:
    """The address of a running `kinfolk dev`."""
    port = free_port()
    command = [sys.executable, "-m", "kinfolk", "dev", "--site", str(site), "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("Open"):
                break
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def measure(page: Page, url: str, save: Callable[[str], None], rounds: int) -> list[float]:
    """Milliseconds from each save to the text being in the page."""
    page.goto(url, wait_until="load")
    page.wait_for_timeout(1500)
    taken = []
    for number in range(rounds):
        word = f"marker{number}x{time.time_ns()}"
        began = time.perf_counter()
        save(word)
        page.wait_for_function("word => document.documentElement?.innerHTML.includes(word)", arg=word, polling=10)
        taken.append((time.perf_counter() - began) * 1000)
        page.wait_for_timeout(300)
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--url", help="address of a page of another server")
    parser.add_argument("--file", type=Path, help="the Markdown file of that page")
    given = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        page = browser.new_page()
        if given.url:
            text = given.file.read_text()
            report(
                "page",
                measure(page, given.url, lambda word: given.file.write_text(f"{text}\n\n{word}\n"), given.rounds),
            )
            given.file.write_text(text)
            return
        with tempfile.TemporaryDirectory() as temporary:
            site = given.site or Path(temporary) / "site"
            if not given.site:
                subprocess.run([sys.executable, "-m", "kinfolk", "new", str(site), "--name", "Acme"], check=True)
            (site / "pages").mkdir(exist_ok=True)
            kinds = {
                "docs page": ("/acme/latest/docs/overview", site / "docs/overview.md", "\n\n{}\n"),
                "post": ("/blog/first-post", site / "blog/first-post.md", "\n\n{}\n"),
                "theme": ("/", site / "theme.css", "\n/* {} */\n"),
                "data": ("/", site / "kinfolk.toml", '\n[[footer]]\nlabel = "{}"\nto = "/blog"\n'),
            }
            with developing(site) as url:
                for kind, (path, file, form) in kinds.items():
                    text = file.read_text() if file.exists() else ""

                    def save(word: str, file: Path = file, text: str = text, form: str = form) -> None:
                        file.write_text(text + form.format(word))

                    report(kind, measure(page, url + path, save, given.rounds))


def report(kind: str, taken: list[float]) -> None:
    print(f"{kind}: median {statistics.median(taken):.0f} ms, slowest {max(taken):.0f} ms of {len(taken)}", flush=True)


if __name__ == "__main__":
    main()
