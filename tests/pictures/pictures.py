"""The table of pictures: what is shown, how wide, in which theme, and what a reader has done before.

Add a row for a new page or state and run `make pictures`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from playwright.sync_api import Page, expect
from tests.browser.conftest import REQUEST_APP, hold_requests, wait_until

PHONE, DESKTOP = 375, 1280
HEIGHTS = {PHONE: 812, DESKTOP: 900}
TOLERANCE = 0.0004
"""Share of pixels. A button that moves by 4 px changes 0.0015 of a phone's picture; another antialiasing changes 0."""
SCREEN = "the screen"

DOCS = "/query/latest/docs/framework/react"
OVERVIEW = f"{DOCS}/overview"
OLD = "/query/v4/docs/framework/react/guides/tabs"
EXAMPLE = f"{DOCS}/examples/basic"

Action = Callable[[Page], None]


@dataclass(frozen=True)
class Picture:
    """One picture: the screen, or the part of an element on it (a CSS selector).

    `hidden` are selectors of what changes from day to day.
    """

    name: str
    path: str
    width: int
    theme: str
    before: Action | None = None
    of: str = SCREEN
    hidden: tuple[str, ...] = ()
    tolerance: float = TOLERANCE


# What a reader does before


def scroll_a_screen(page: Page) -> None:
    page.evaluate("scrollTo({ top: innerHeight, behavior: 'instant' })")


def open_menu(page: Page) -> None:
    page.get_by_role("button", name="Menu", exact=True).click()
    expect(page.locator("[popover]:popover-open").first).to_be_visible()


def open_search(page: Page) -> None:
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Search")).to_be_focused()


def search_for(page: Page, text: str, found: str) -> None:
    field = page.get_by_role("combobox", name="Search")
    if not field.is_visible():
        open_search(page)
    field.fill(text)
    expect(page.locator("dialog output")).to_have_text(re.compile(rf"^{found} results?"))


def search_with_results(page: Page) -> None:
    search_for(page, "cache", r"[1-9]\d*")


def search_without_results(page: Page) -> None:
    search_for(page, "zzzzqqqq", "0")


SEARCH_STATES = (open_search, search_with_results, search_without_results)
"""A reader goes from each to the next ones. The page looks as if it had been opened for it."""


def may_follow(earlier: Action | None, later: Action | None) -> bool:
    """Whether a page on which a reader has done `earlier` can become that of `later`."""
    if earlier is None or earlier == later:
        return True
    if earlier not in SEARCH_STATES or later not in SEARCH_STATES:
        return False
    return SEARCH_STATES.index(earlier) < SEARCH_STATES.index(later)


def search_without_network(page: Page) -> None:
    open_search(page)
    page.route("**/1/indexes/**", lambda route: route.abort())
    page.get_by_role("combobox", name="Search").fill("cache")
    expect(page.locator("dialog").get_by_role("button", name="Try again")).to_be_visible()


def search_on_slow_line(page: Page) -> None:
    """Hold the responses until the page is closed."""
    open_search(page)
    hold_requests(page, "**/1/indexes/**")
    page.get_by_role("combobox", name="Search").fill("cache")
    expect(page.locator("dialog [aria-busy=true], dialog .skeleton").first).to_be_attached()


def hover(role: str, name: str) -> Action:
    def act(page: Page) -> None:
        page.get_by_role(role, name=re.compile(name)).first.hover()  # type: ignore[arg-type]

    return act


def start_app(page: Page) -> None:
    page.evaluate(REQUEST_APP)
    wait_until(page, lambda: bool(page.evaluate("window.__kinfolk?.hydrated === true")), "the app is started")
    expect(page.get_by_text("Loading…")).to_have_count(0)


# The table


def both_widths(name: str, path: str, *, themes: Iterable[str] = ("light",), **options: object) -> list[Picture]:
    return [
        Picture(f"{name}-{width}-{theme}", path, width, theme, **options)  # type: ignore[arg-type]
        for width in (PHONE, DESKTOP)
        for theme in themes
    ]


def one(name: str, path: str, width: int, theme: str = "light", **options: object) -> Picture:
    return Picture(f"{name}-{width}-{theme}", path, width, theme, **options)  # type: ignore[arg-type]


BOTH = ("light", "dark")
DESIGN_SECTIONS = (
    "buttons",
    "cards",
    "search-states",
    "docs-states",
    "demo-states",
    "example-states",
    "blog-states",
    "statistics-states",
    "figure-states",
    "dashboard-states",
)
PICTURES: tuple[Picture, ...] = (
    *both_widths("home", "/", themes=BOTH),
    one("home-second-screen", "/", DESKTOP, before=scroll_a_screen),
    one("home-menu", "/", PHONE, before=open_menu),
    *both_widths("landing-query", "/query/latest", themes=BOTH),
    one("landing-second-screen", "/query/latest", DESKTOP, before=scroll_a_screen),
    *both_widths("landing-form", "/form/latest"),
    one("landing-old", "/query/v4", DESKTOP),
    *both_widths("docs", OVERVIEW, themes=BOTH),
    one("docs-menu", OVERVIEW, PHONE, before=open_menu),
    one("docs-hover", OVERVIEW, DESKTOP, before=hover("link", "^Next|Quick Start")),
    one("reference", "/query/latest/docs/reference/classes/Timer", DESKTOP),
    *both_widths("old-version", OLD),
    *both_widths("frameworks", "/query/latest/docs/framework"),
    one("examples", f"{DOCS}/examples", DESKTOP),
    *both_widths("example", EXAMPLE),
    one("example", EXAMPLE, DESKTOP, "dark"),
    *both_widths("blog", "/blog"),
    *both_widths("post", "/blog/from-query-4-to-5"),
    one("post", "/blog/from-query-4-to-5", DESKTOP, "dark"),
    one("search-page", "/search?q=cache", DESKTOP),
    *both_widths("search-start", OVERVIEW, before=open_search),
    *both_widths("search-results", OVERVIEW, before=search_with_results),
    one("search-results", OVERVIEW, DESKTOP, "dark", before=search_with_results),
    one("search-nothing", OVERVIEW, DESKTOP, before=search_without_results),
    one("search-failed", OVERVIEW, DESKTOP, before=search_without_network),
    one("search-slow", OVERVIEW, DESKTOP, before=search_on_slow_line),
    one("stats", "/stats/npm", DESKTOP, hidden=("figure", "table")),
    *both_widths("support", "/support"),
    one("learn", "/learn", DESKTOP),
    one("ethos", "/ethos", DESKTOP, "dark"),
    one("sponsors", "/sponsors-embed", DESKTOP),
    *both_widths("login", "/login"),
    one("dashboard-signed-out", "/dashboard", DESKTOP, before=start_app),
    *both_widths("missing", "/query/latest/docs/framework/react/nothing-here"),
    one("unknown-library", "/nope/latest/docs", DESKTOP, "dark"),
    *(one(f"design-{section}", "/design", DESKTOP, of=f"#{section}") for section in DESIGN_SECTIONS),
    one("design-buttons", "/design", DESKTOP, "dark", of="#buttons"),
)


def _rank(picture: Picture) -> int:
    """Pictures of a page as it is first, then the search states, then what no other picture can follow."""
    if picture.before is None:
        return 0
    return 1 + (SEARCH_STATES.index(picture.before) if picture.before in SEARCH_STATES else len(SEARCH_STATES))


IN_ORDER = sorted(PICTURES, key=lambda picture: (picture.path, picture.width, _rank(picture)))
"""Each page is opened as few times as possible."""
