"""Eleven tasks of new readers on the docs of a real library, on a phone and on a desktop, with the number of taps.

Each begins on the home page, finds things by role and name, and reaches its end without a way back: every page that it
opens is the right one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.engines.page import EnginePage, Target, Text

LATEST = "/query/latest/docs/framework"
MAIN = Target("main")
SITE_MENU = Target("navigation", "Site")
INSTALLATION = Target("region", "Installation")
RESULTS = Target("listbox", "Results")


class Visitor:
    """A reader who taps or clicks, and types. Counts both."""

    def __init__(self, page: EnginePage, *, phone: bool) -> None:
        self.page = page
        self.phone = phone
        self.taps = 0
        self.keys = 0

    def tap(self, target: Target) -> None:
        self.page.tap(target)
        self.taps += 1

    def type(self, text: str) -> None:
        """Enter a text at once. Tests of the search dialog and of the statistics press one key after the other."""
        self.page.type(text)
        self.keys += len(text)

    def press(self, key: str) -> None:
        self.page.press(key)
        self.keys += 1

    def open_menu(self) -> None:
        """The menu is always visible on a desktop."""
        if self.phone:
            self.tap(Target("button", "Menu"))

    def follow(self, name: Text, within: Target | None = None) -> None:
        self.tap(Target("link", name, within=within))

    def go_to_library(self) -> None:
        self.open_menu()
        self.follow("Query", SITE_MENU)
        self.expect_page("/query/latest")

    def search(self, text: str, result: str) -> None:
        """Search, and open the first result, which leads to this path."""
        self.tap(Target("link", "Search"))
        self.page.wait_for(Target("combobox", "Search"), lambda seen: seen.focused)
        self.type(text)
        # Before the answer to the whole text, the list has the results of its beginning.
        count = re.compile(r"^\d+ results?$")
        self.page.wait_for(Target("status", text=count, within=Target("dialog")))
        leads_to = re.compile(f"^{re.escape(result)}(#|$)")
        first = Target("option", within=RESULTS)
        self.page.wait_for(first, lambda seen: leads_to.match(seen.href or "") is not None)
        self.tap(first)
        self.expect_page(result)

    def choose(self, menu: str, entry: str) -> None:
        """Choose a framework or a version of the docs."""
        self.open_menu()
        choices = re.compile(re.escape(menu))
        self.tap(Target(css="summary", text=choices))
        self.follow(entry, Target(css="summary", text=choices, is_parent=True))

    def expect_page(self, path: str) -> None:
        self.page.wait_for_path(path)
        self.page.wait_for(Target(css="h1"))

    def expect_title(self, title: str) -> None:
        self.page.wait_for(Target(css="h1", text=title))


# The tasks


def cancel_a_query_in_vue(visitor: Visitor) -> None:
    visitor.search("cancel query vue", f"{LATEST}/vue/guides/query-cancellation")
    visitor.expect_title("Query Cancellation")


def find_query_keys(visitor: Visitor) -> None:
    visitor.search("query keys", f"{LATEST}/react/guides/query-keys")


def find_the_v3_page_of_a_v5_page(visitor: Visitor) -> None:
    visitor.choose("Version", "v3")
    visitor.expect_page("/query/v3/docs/framework/react/guides/query-keys")
    visitor.expect_title("Query Keys")


def download_an_example(visitor: Visitor) -> None:
    page = visitor.page
    visitor.follow("Examples", MAIN)
    visitor.expect_page("/query/latest/docs/examples")
    visitor.follow(re.compile("Basic"), MAIN)
    visitor.expect_page(f"{LATEST}/react/examples/basic")
    page.downloads.clear()
    visitor.follow("Download as a zip")

    def is_zip() -> bool:
        page.collect()
        return any(name.endswith(".zip") for name in page.downloads)

    page.wait_until(is_zip, "a zip is downloaded")


def report_a_wrong_page(visitor: Visitor) -> None:
    visitor.search("mutations", f"{LATEST}/react/guides/mutations")
    visitor.tap(Target(text="Tell the maintainers more"))
    visitor.tap(Target("textbox", "What is missing, wrong or good?"))
    visitor.type("A link is broken.")
    visitor.tap(Target("button", "Send"))
    visitor.page.wait_for(Target(text=re.compile("thank you|thanks", re.IGNORECASE)))


def install_with_pnpm(visitor: Visitor) -> None:
    visitor.tap(Target(text="pnpm", within=INSTALLATION))
    visitor.page.wait_for(Target(text=re.compile("pnpm add @tanstack/react-query"), within=INSTALLATION))


def switch_a_vue_guide_to_react(visitor: Visitor) -> None:
    visitor.search("vue query cancellation", f"{LATEST}/vue/guides/query-cancellation")
    visitor.choose("Framework", "React")
    visitor.expect_page(f"{LATEST}/react/guides/query-cancellation")


def find_the_reference_of_use_query(visitor: Visitor) -> None:
    visitor.search("useQuery", f"{LATEST}/react/reference/useQuery")


def compare_downloads_of_two_packages(visitor: Visitor) -> None:
    visitor.open_menu()
    visitor.follow("npm stats", SITE_MENU)
    visitor.expect_page("/stats/npm")
    for package in ("vue", "react"):
        visitor.tap(Target(css="[placeholder^='Add a package']"))
        visitor.type(package)
        # Readers choose what is suggested. Before the suggestions are loaded, Enter has no effect.
        suggestion = Target("option", within=Target("listbox"))
        visitor.page.wait_for(suggestion, lambda seen, package=package: package in seen.text)  # type: ignore[misc]
        visitor.press("Enter")
        visitor.page.wait_for(Target("button", f"Color of {package}"))


def find_who_to_ask_about_a_security_problem(visitor: Visitor) -> None:
    visitor.search("security problem", "/support")
    # The part of the page that the result names, not its entry in the outline, which phones do not show.
    visitor.page.wait_for(Target("paragraph", text=re.compile("security", re.IGNORECASE), within=MAIN))


def read_a_page_as_markdown(visitor: Visitor) -> None:
    visitor.tap(Target(css="summary", text=re.compile("More ways to read this page")))
    visitor.follow("View as Markdown")
    visitor.page.wait_for(Target(text=re.compile("^# Query Keys")))


def follow_an_old_bookmark(visitor: Visitor) -> None:
    visitor.page.open("/query/v3/docs/guides/queries")
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
WALKS = [[task for task in TASKS if task.start == start] for start in (find_query_keys, Visitor.go_to_library)]
WALKS += [[task] for task in TASKS if task.start is None]
"""Tasks that share their first part."""
Counts = Callable[[Task, Visitor], None]


def walk(visitor: Visitor, tasks: list[Task], done: Counts) -> None:
    """Do the tasks of a walk from the home page, which is open."""
    page = visitor.page
    if tasks[0].start:
        tasks[0].start(visitor)
    begun_at, taps, keys = page.url, visitor.taps, visitor.keys
    for task in tasks:
        if page.url != begun_at:
            page.load(begun_at)
        visitor.taps, visitor.keys = taps, keys
        task.act(visitor)
        done(task, visitor)
