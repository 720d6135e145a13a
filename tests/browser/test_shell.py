"""What surrounds every page: navigation, theme, search button, and what is fetched before it is asked for."""

from __future__ import annotations

import contextlib
import itertools
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, ClassVar

import httpx
import pytest
from playwright.sync_api import expect
from tests.browser.conftest import WAIT_S, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route
    from tests.browser.conftest import Reader
    from tests.serving import Server

    Open = Callable[..., Reader]

DOCS = "/query/latest/docs/framework/react"
OVERVIEW = f"{DOCS}/overview"
PHONE = {"viewport": {"width": 375, "height": 700}, "has_touch": True}
FOCUSED = "document.activeElement.closest('[popover]')?.getAttribute('aria-label') ?? document.activeElement.outerHTML"
SHIFTS = """() => new Promise((done) => {
  const shifts = []
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => entry.value)))
    .observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => done(shifts), 300)
})"""
# Shown: in the first of two frames it is laid out, before the second it is painted.
SHOWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
LENGTH = "document.documentElement.innerHTML.length"
# A page that arrives slowly stops where something ends: a line that is half there is set once more, wherever it stands.
BLOCK = re.compile(rb"</(p|li|ul|h[1-3]|section|figure|table)>")
PIECES = 10
# What stands at the bottom of a card goes down a line when the next one in its row is longer. That is seen by nobody; a
# hundred times as much is what a page may move and still be called stable (web.dev/articles/cls).
STILL = 0.001


def menu_of(page: Page) -> list[str]:
    """The links of the library whose menu is open."""
    return page.locator(".library-menu a").all_inner_texts()


# Navigation


def test_the_navigation_leads_to_every_library_by_group_and_to_every_page_of_the_family(read: Open) -> None:
    nav = read("/", javascript=False).page.get_by_role("navigation", name="Site")
    expect(nav.get_by_role("heading")).to_have_text(
        ["Application Building", "Data and State Management", "Headless UI", "Other"]
    )
    libraries = ("Start", "Router", "Query", "Store", "Pacer", "Table", "Form", "Virtual", "Ranger", "Config")
    expect(nav.locator(".library-link")).to_have_text([re.compile(f"^{name}") for name in libraries])
    expect(nav.locator(".site-links a")).to_have_text(
        ["Support", "Learn", "Blog", "Ethos", "Merch", "Discord", "GitHub"]
    )


def test_badges_say_how_young_a_library_is(read: Open) -> None:
    nav = read("/", javascript=False).page.get_by_role("navigation", name="Site")
    badges = {
        link.inner_text().split()[0]: link.inner_text().split()[-1] for link in nav.locator(".library-link").all()
    }
    young = {name: badge for name, badge in badges.items() if name != badge}
    assert young == {"Start": "beta", "Store": "alpha", "Pacer": "alpha", "Form": "new"}


def test_only_the_library_one_looks_at_opens_its_menu(read: Open) -> None:
    assert menu_of(read("/blog").page) == []
    reader = read("/query/latest")
    assert menu_of(reader.page) == ["Examples", "Docs", "GitHub"]
    reader.start_app()
    reader.page.get_by_role("navigation", name="Site").get_by_role("link", name="Table", exact=True).click()
    expect(reader.page.locator(".library-link[aria-current]")).to_have_text("Table")
    assert menu_of(reader.page) == ["Examples", "Docs", "GitHub"]


@pytest.mark.parametrize("path", ["/", OVERVIEW])
def test_the_drawer_holds_the_focus_and_stops_the_page(read: Open, path: str) -> None:
    reader = read(path, **PHONE)
    page = reader.page
    button = page.get_by_role("button", name="Menu", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    drawer = page.locator("section[popover]")
    expect(drawer).to_be_visible()
    expect(page.locator("html")).to_have_css("overflow", "hidden")
    label = drawer.get_attribute("aria-label")
    seen = set()
    for _ in range(4):
        page.keyboard.press("Tab")
        seen.add(page.evaluate(FOCUSED))
    page.keyboard.press("Shift+Tab")
    assert seen == {label}
    # What lies behind cannot be reached at all.
    reader.wait_for("[...document.querySelectorAll('main, header')].every((part) => part.closest('[inert]'))")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(button).to_be_focused()
    expect(page.locator("html")).to_have_css("overflow", "visible")
    reader.wait_for("document.querySelector('[inert]') === null")


def test_the_drawer_closes_when_it_has_led_somewhere(read: Open) -> None:
    reader = read("/", **PHONE)
    page = reader.page
    page.get_by_role("button", name="Menu", exact=True).tap()
    page.locator("section[popover]").get_by_role("link", name="Query", exact=True).tap()
    expect(page).to_have_url(re.compile("/query/latest"))
    expect(page.locator("section[popover]")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    reader.wait_for("document.querySelector('[inert]') === null")


def test_the_drawer_opens_without_javascript(read: Open) -> None:
    page = read("/", javascript=False, **PHONE).page
    page.get_by_role("button", name="Menu", exact=True).tap()
    expect(page.locator("section[popover]").get_by_role("link", name="Query", exact=True)).to_be_visible()


# Theme


@pytest.mark.parametrize("path", ["/", OVERVIEW])
def test_the_theme_switch_is_a_button_of_its_size_that_says_what_it_did(read: Open, path: str) -> None:
    page = read(path).page
    switch = page.get_by_role("button", name=re.compile("Colour theme"))
    box = switch.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (48, 24)
    for mode in ("light", "dark", "auto"):
        switch.press("Enter")
        expect(page.locator("html")).to_have_attribute("data-theme", mode)
        expect(page.get_by_role("button", name=re.compile(f"Colour theme: {mode}", re.IGNORECASE))).to_be_focused()
        expect(page.locator("#announcer")).to_have_text(f"Colour theme: {mode}")


def test_the_browsers_own_bar_follows_the_switch(read: Open) -> None:
    page = read("/", color_scheme="light").page
    html = page.locator("html")
    bars = "[...document.querySelectorAll('meta[name=theme-color]')]"
    bar = f"{bars}.find((meta) => matchMedia(meta.media).matches).content"
    before = page.evaluate(bar)
    switch = page.get_by_role("button", name=re.compile("Colour theme"))
    switch.click()
    expect(html).to_have_attribute("data-theme", "light")
    assert page.evaluate(bar) == before
    switch.click()
    expect(html).to_have_attribute("data-theme", "dark")
    assert page.evaluate(bar) != before


# Search


@pytest.mark.parametrize(
    ("platform", "keys"), [("MacIntel", "⌘K"), ("iPhone", "⌘K"), ("Linux x86_64", "Ctrl K"), ("Win32", "Ctrl K")]
)
@pytest.mark.parametrize("path", ["/", OVERVIEW])
def test_the_search_button_shows_the_keys_of_the_system(read: Open, path: str, platform: str, keys: str) -> None:
    page = read(path).page
    page.add_init_script(f"Object.defineProperty(navigator, 'platform', {{ get: () => '{platform}' }})")
    page.reload()
    shown = [key.inner_text() for key in page.locator(".search-button kbd").all() if key.is_visible()]
    assert shown == [keys]


def test_the_search_button_asks_for_the_search(read: Open) -> None:
    page = read(OVERVIEW).page
    served = "event.preventDefault(); document.body.dataset.asked = ''"
    page.evaluate(f"document.addEventListener('kinfolk:search', (event) => {{ {served} }}, {{ once: true }})")
    page.get_by_role("link", name="Search").click()
    expect(page.locator("body")).to_have_attribute("data-asked", "")
    assert page.url.endswith(OVERVIEW)


@pytest.mark.parametrize("path", ["/", OVERVIEW])
def test_the_search_button_leads_to_a_page_where_nothing_opens_in_its_place(read: Open, path: str) -> None:
    page = read(path, javascript=False).page
    page.get_by_role("link", name="Search").click()
    expect(page).to_have_url(re.compile("/search$"))
    expect(page.get_by_role("main").get_by_role("link", name="TanStack Query")).to_be_visible()


def test_without_a_script_no_keys_are_promised(read: Open) -> None:
    page = read(OVERVIEW, javascript=False).page
    expect(page.get_by_role("link", name="Search")).to_be_visible()
    assert not any(key.is_visible() for key in page.locator(".search-button kbd").all())


# Moving


def test_a_slow_navigation_shows_a_spinner_that_waits_half_a_second(read: Open) -> None:
    reader = read(OVERVIEW)
    page = reader.page
    held: list[Route] = []
    reader.start_app()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/_server/docs.page*", hold)
    page.get_by_role("navigation", name="Docs").get_by_role("link", name="The Life of a Query").click()
    spinner = page.locator("body > .spinner")
    expect(spinner).to_be_attached()
    appear = spinner.evaluate(
        "e => e.getAnimations().map((each) => [each.animationName, each.effect.getTiming().delay])"
    )
    assert appear == [["appear", 500]]
    wait_until(page, lambda: bool(held), "the page is asked for")
    held[0].continue_()
    expect(page.get_by_role("heading", level=1)).to_have_text("The Life of a Query")
    expect(spinner).to_have_count(0)


def test_the_next_page_is_fetched_when_its_link_is_about_to_be_seen(read: Open) -> None:
    reader = read("/query/latest/docs/framework/react/guides/caching", viewport={"width": 1280, "height": 600})
    page = reader.page
    reader.start_app()
    link = page.get_by_role("link", name=re.compile("^Next"))
    assert link.bounding_box()["y"] > 700  # type: ignore[index]
    page.mouse.move(600, 300)
    page.mouse.wheel(0, 10)
    reader.wait_for("scrollY > 0")
    assert reader.calls == []
    page.mouse.wheel(0, link.bounding_box()["y"] - 690)  # type: ignore[index]
    reader.wait_for("performance.getEntriesByType('resource').some((entry) => entry.name.includes('docs.page'))")
    assert link.bounding_box()["y"] > 600  # type: ignore[index]


def test_the_developer_tools_of_the_router_are_on_its_own_pages_and_fetched_when_asked_for(read: Open) -> None:
    expect(read(OVERVIEW).page.get_by_role("button", name="Router devtools")).to_have_count(0)
    reader = read("/router/latest")
    page = reader.page
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    reader.start_app()
    assert not any("evtools" in url for url in fetched)
    page.get_by_role("button", name="Router devtools").click()
    expect(page.get_by_role("button", name="Matches", exact=True)).to_be_visible()
    assert any("evtools" in url for url in fetched)
    assert reader.complaints == []


def test_what_one_can_do_with_a_page_opens_on_the_screen(read: Open) -> None:
    reader = read(OVERVIEW, **PHONE)
    reader.page.locator("summary", has_text="More ways to read this page").click()
    box = reader.page.get_by_role("link", name="View as Markdown").bounding_box()
    assert box is not None
    assert 0 <= box["x"] < box["x"] + box["width"] <= 375


def test_the_menu_says_that_one_is_at_the_list_of_frameworks(read: Open) -> None:
    menu = read("/query/latest/docs/framework", javascript=False).page.get_by_role("navigation", name="Docs")
    expect(menu.locator("[aria-current=page]")).to_have_text("Frameworks")


# Nothing moves


@pytest.mark.parametrize("path", ["/", OVERVIEW, "/design", "/nope", "/blog", "/query/latest"])
@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_on_a_page_is_moved_by_what_comes_later(read: Open, path: str, width: int) -> None:
    reader = read(path, viewport={"width": width, "height": 800})
    assert reader.page.evaluate(SHIFTS) == []
    reader.start_app()
    assert reader.page.evaluate(SHIFTS) == []


class Slow(ThreadingHTTPServer):
    """The same site behind a line on which a page comes in pieces, one for each turn."""

    def __init__(self, origin: str) -> None:
        super().__init__(("127.0.0.1", 0), Piecemeal)
        self.origin = origin
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.turns = threading.Semaphore(0)


class Piecemeal(BaseHTTPRequestHandler):
    server: Slow
    # What says how the body is sent: here it is sent otherwise.
    DROPPED: ClassVar = {"connection", "content-length", "transfer-encoding"}

    def do_GET(self) -> None:
        asked = {name: value for name, value in self.headers.items() if name.lower() not in {"host", "connection"}}
        url = self.server.origin + self.path
        answer = httpx.get(url, headers=asked | {"Accept-Encoding": "identity"}, timeout=WAIT_S)
        self.send_response(answer.status_code)
        for name, value in answer.headers.multi_items():
            if name not in self.DROPPED:
                self.send_header(name, value)
        self.end_headers()
        for turn, piece in enumerate(pieces(answer)):
            if turn > 0:
                self.server.turns.acquire()
            # A page that was fetched ahead is not wanted any more when the test is over.
            with contextlib.suppress(BrokenPipeError):
                self.wfile.write(piece)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def pieces(answer: httpx.Response) -> list[bytes]:
    """A page up to its main part, from there to its footer's end a few blocks at a time, and the rest; else one."""
    body = answer.content
    if not answer.headers.get("content-type", "").startswith("text/html"):
        return [body]
    begin, end = body.index(b"<main"), max(body.index(b"</main>"), body.find(b"</footer>"))
    blocks = [begin, *(block.end() for block in BLOCK.finditer(body, begin, end))]
    cuts = [0, *sorted({blocks[len(blocks) * part // PIECES] for part in range(PIECES)}), len(body)]
    return [body[cut:following] for cut, following in itertools.pairwise(cuts)]


@pytest.fixture
def slow(server: Server) -> Iterator[Slow]:
    with Slow(server.url) as slow:
        thread = threading.Thread(target=slow.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield slow
        slow.turns.release(PIECES)
        slow.shutdown()
        thread.join()


def let_more_come(page: Page, slow: Slow) -> None:
    """The next piece, once what has come before is seen."""
    page.evaluate(SHOWN)
    before = page.evaluate(LENGTH)
    slow.turns.release()
    wait_until(page, lambda: bool(page.evaluate(LENGTH) > before), "the next piece has come")


@pytest.mark.parametrize("path", ["/", OVERVIEW, "/blog", "/query/latest", "/support", "/nope"])
@pytest.mark.parametrize("width", [375, 1280])
def test_a_page_that_arrives_in_pieces_moves_nothing(browser: Browser, slow: Slow, path: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(slow.url + path, wait_until="commit")
    for _ in range(PIECES):
        let_more_come(page, slow)
    page.wait_for_load_state()
    shifts = page.evaluate(SHIFTS)
    assert sum(shifts) < STILL, shifts
    page.close()
