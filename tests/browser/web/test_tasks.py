"""Eleven tasks of new readers on the docs of a real library, on a phone and on a desktop, with the number of taps.

Each begins on the home page, finds things by role and name, and reaches its end without a way back: every page that it
opens is the right one. The tasks of a device share a tab, where each begins with empty storage. `pytest -s` prints the
table of docs/review.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, Response, expect
from tests.corpus.conftest import corpus
from tests.inputs.search_index import wait_for_search_index
from tests.servers.serving import PLAIN, Server, serving
from tests.sites.query_site import QUERY_SITE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import OpenPage

__all__ = ["corpus"]

LATEST = "/query/latest/docs/framework"
# Motion changes no task, and takes a fifth of the CPU time.
REDUCED_MOTION = {"reduced_motion": "reduce"}
PHONE = REDUCED_MOTION | {"viewport": {"width": 375, "height": 812}, "has_touch": True, "is_mobile": True}
DESKTOP = REDUCED_MOTION | {"viewport": {"width": 1440, "height": 900}}


class Visitor:
    """A reader who taps or clicks, and types. Counts both, and records each page that is not there."""

    def __init__(self, page: Page, *, touch: bool) -> None:
        self.page = page
        self.touch = touch
        self.taps = 0
        self.keys = 0
        self.missing: list[str] = []
        page.on("response", self._record)

    def tap(self, target: Locator) -> None:
        target.tap() if self.touch else target.click()
        self.taps += 1

    def type(self, text: str) -> None:
        """Enter a text at once. Tests of the search dialog and of the statistics press one key after the other."""
        self.page.keyboard.insert_text(text)
        self.keys += len(text)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keys += 1

    def open_menu(self) -> None:
        """The menu is always visible on a desktop."""
        if self.touch:
            self.tap(self.page.get_by_role("button", name="Menu", exact=True))

    def follow(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        scope = within if within is not None else self.page
        exact = isinstance(name, str)
        self.tap(scope.get_by_role("link", name=name, exact=exact).locator("visible=true").first)

    def go_to_library(self) -> None:
        self.open_menu()
        self.follow("Query", self.page.get_by_role("navigation", name="Site"))
        self.expect_page("/query/latest")

    def search(self, text: str, result: str) -> None:
        """Search, and open the first result, which leads to this path."""
        self.tap(self.page.get_by_role("link", name="Search").locator("visible=true").first)
        expect(self.page.get_by_role("combobox", name="Search")).to_be_focused()
        self.type(text)
        # Before the answer to the whole text, the list has the results of its beginning.
        expect(self.page.get_by_role("dialog").get_by_role("status")).to_have_text(re.compile(r"^\d+ results?$"))
        first = self.page.get_by_role("listbox", name="Results").get_by_role("option").first
        expect(first).to_have_attribute("href", re.compile(f"^{re.escape(result)}(#|$)"))
        self.tap(first)
        self.expect_page(result)

    def choose(self, menu: str, entry: str) -> None:
        """Choose a framework or a version of the docs."""
        self.open_menu()
        choices = self.page.locator("summary").filter(has_text=menu).locator("visible=true")
        self.tap(choices)
        self.follow(entry, choices.locator(".."))

    def expect_page(self, path: str) -> None:
        expect(self.page).to_have_url(re.compile(rf"^https?://[^/]+{re.escape(path)}(\?.*)?(#.*)?$"))
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def _record(self, response: Response) -> None:
        if response.status >= 400 and response.request.resource_type in ("document", "fetch"):
            self.missing.append(f"{response.status} {response.url}")


# The tasks


def cancel_a_query_in_vue(visitor: Visitor) -> None:
    visitor.search("cancel query vue", f"{LATEST}/vue/guides/query-cancellation")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Query Cancellation")


def find_query_keys(visitor: Visitor) -> None:
    visitor.search("query keys", f"{LATEST}/react/guides/query-keys")


def find_the_v3_page_of_a_v5_page(visitor: Visitor) -> None:
    visitor.choose("Version", "v3")
    visitor.expect_page("/query/v3/docs/framework/react/guides/query-keys")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Query Keys")


def download_an_example(visitor: Visitor) -> None:
    visitor.follow("Examples", visitor.page.get_by_role("main"))
    visitor.expect_page("/query/latest/docs/examples")
    visitor.follow(re.compile("Basic"), visitor.page.get_by_role("main"))
    visitor.expect_page(f"{LATEST}/react/examples/basic")
    with visitor.page.expect_download() as download:
        visitor.follow("Download as a zip")
    assert download.value.suggested_filename.endswith(".zip")


def report_a_wrong_page(visitor: Visitor) -> None:
    visitor.search("mutations", f"{LATEST}/react/guides/mutations")
    visitor.tap(visitor.page.get_by_text("Tell the maintainers more"))
    visitor.tap(visitor.page.get_by_label("What is missing, wrong or good?"))
    visitor.type("A link is broken.")
    visitor.tap(visitor.page.get_by_role("button", name="Send"))
    expect(visitor.page.get_by_text(re.compile("thank you|thanks", re.IGNORECASE)).first).to_be_visible()


def install_with_pnpm(visitor: Visitor) -> None:
    install = visitor.page.get_by_role("region", name="Installation")
    visitor.tap(install.get_by_text("pnpm", exact=True).locator("visible=true").first)
    expect(install.get_by_text("pnpm add @tanstack/react-query").locator("visible=true")).to_be_visible()


def switch_a_vue_guide_to_react(visitor: Visitor) -> None:
    visitor.search("vue query cancellation", f"{LATEST}/vue/guides/query-cancellation")
    visitor.choose("Framework", "React")
    visitor.expect_page(f"{LATEST}/react/guides/query-cancellation")


def find_the_reference_of_use_query(visitor: Visitor) -> None:
    visitor.search("useQuery", f"{LATEST}/react/reference/useQuery")


def compare_downloads_of_two_packages(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open_menu()
    visitor.follow("npm stats", page.get_by_role("navigation", name="Site"))
    visitor.expect_page("/stats/npm")
    for package in ("vue", "react"):
        visitor.tap(page.get_by_placeholder("Add a package"))
        visitor.type(package)
        # Readers choose what is suggested. Before the suggestions are loaded, Enter has no effect.
        expect(page.get_by_role("listbox").get_by_role("option").first).to_contain_text(package)
        visitor.press("Enter")
        expect(page.get_by_role("button", name=f"Color of {package}", exact=True)).to_be_visible()


def find_who_to_ask_about_a_security_problem(visitor: Visitor) -> None:
    visitor.search("security problem", "/support")
    # The part of the page that the result names, not its entry in the outline, which phones do not show.
    note = (
        visitor.page.get_by_role("main").get_by_role("paragraph").filter(has_text=re.compile("security", re.IGNORECASE))
    )
    expect(note.first).to_be_visible()


def read_a_page_as_markdown(visitor: Visitor) -> None:
    visitor.tap(visitor.page.locator("summary").filter(has_text="More ways to read this page"))
    visitor.follow("View as Markdown")
    expect(visitor.page.get_by_text(re.compile("^# Query Keys"))).to_be_visible()


def follow_an_old_bookmark(visitor: Visitor) -> None:
    visitor.page.goto(re.sub(r"/$", "", visitor.page.url) + "/query/v3/docs/guides/queries")
    visitor.follow("Read v5")
    visitor.expect_page(f"{LATEST}/react/guides/queries")


@dataclass(frozen=True)
class Task:
    """A task with the most taps and keys: on a phone, and the most clicks on a desktop."""

    name: str
    act: Callable[[Visitor], None]
    taps: int
    clicks: int
    keys: int = 0
    start: Callable[[Visitor], None] | None = None
    """The first part, which tasks share: each continues on the page to which it leads."""


TASKS = (
    Task("Find how to cancel a query in Vue", cancel_a_query_in_vue, taps=2, clicks=2, keys=16),
    Task("Open the v3 page of a v5 page", find_the_v3_page_of_a_v5_page, 5, 4, keys=10, start=find_query_keys),
    Task("Download an example", download_an_example, taps=5, clicks=4, start=Visitor.go_to_library),
    Task("Report a wrong page", report_a_wrong_page, taps=5, clicks=5, keys=26),
    Task("Find the install command for pnpm", install_with_pnpm, taps=3, clicks=2, start=Visitor.go_to_library),
    Task("Switch a Vue guide to React", switch_a_vue_guide_to_react, taps=5, clicks=4, keys=22),
    Task("Find the reference of useQuery", find_the_reference_of_use_query, taps=2, clicks=2, keys=8),
    Task("Compare the downloads of two packages", compare_downloads_of_two_packages, taps=4, clicks=3, keys=10),
    Task("Find where to report a security problem", find_who_to_ask_about_a_security_problem, 2, 2, keys=16),
    Task("Read a page as Markdown", read_a_page_as_markdown, 4, 4, keys=10, start=find_query_keys),
    Task("Reach the current page from an old bookmark", follow_an_old_bookmark, taps=1, clicks=1),
)


@pytest.fixture(scope="module")
def server(built: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The real docs of one library and its bundled examples, beside the bundled docs of the others."""
    assert built
    assert corpus
    site = QUERY_SITE.folder()
    folder = tmp_path_factory.mktemp("tasks")
    arguments = ("--content", str(site / "repos"))
    with serving(folder, *arguments, environment=PLAIN, var=site / "var") as server:
        wait_for_search_index(server)
        yield server


@pytest.fixture(scope="module")
def counts() -> Iterator[dict[str, dict[str, str]]]:
    """What each task took, by device. Printed as a table at the end."""
    found: dict[str, dict[str, str]] = {}
    yield found
    print("\n\n| Task | Taps on a phone | Clicks on a desktop |\n| --- | --- | --- |")
    for name, by_device in sorted(found.items(), key=lambda item: [task.name for task in TASKS].index(item[0])):
        print(f"| {name} | {by_device.get('phone', '')} | {by_device.get('desktop', '')} |")


WALKS = [[task for task in TASKS if task.start == start] for start in (find_query_keys, Visitor.go_to_library)]
WALKS += [[task] for task in TASKS if task.start is None]


@pytest.mark.parametrize(
    ("device", "tasks"),
    [
        pytest.param(device, tasks, id=f"{device}-{'-'.join(task.act.__name__ for task in tasks)}")
        for device in ("phone", "desktop")
        for tasks in WALKS
    ],
)
def test_task_of_a_new_reader_needs_few_taps(
    shared_page: OpenPage, counts: dict[str, dict[str, str]], tasks: list[Task], device: str
) -> None:
    touch = device == "phone"
    page = shared_page("/", **(PHONE if touch else DESKTOP)).page
    visitor = Visitor(page, touch=touch)
    if tasks[0].start:
        tasks[0].start(visitor)
    begun_at, taps, keys = page.url, visitor.taps, visitor.keys
    for task in tasks:
        if page.url != begun_at:
            page.goto(begun_at)
        visitor.taps, visitor.keys = taps, keys
        task.act(visitor)
        found = str(visitor.taps) + (f" and {visitor.keys} keys" * bool(visitor.keys))
        counts.setdefault(task.name, {})[device] = found
        assert visitor.missing == [], task.name
        assert visitor.taps <= (task.taps if touch else task.clicks), task.name
        assert visitor.keys <= task.keys, task.name
