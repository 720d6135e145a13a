"""The home page and the sponsor pack: complete by themselves, and what moves behind the page."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from tests.browser.test_accessibility import violations
from tests.serving import LEAN, Server, serving

from kinfolk.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Reader

    Open = Callable[..., Reader]

SPONSORS = """
partners_weight = 100

[[sponsors]]
name = "Grace Example"
link_url = "https://grace.example"
image_url = "https://pictures.example/grace.png"
weight = 400

[[sponsors]]
name = "Small Example"
link_url = "https://small.example"
weight = 1
"""
SECTIONS = ("Open-source libraries", "Partners", "Courses", "Sponsors", "Come and talk", "Bytes, by email")
BLOBS = "document.querySelectorAll('[data-backdrop] > i').length"
PLACES = "[...document.querySelectorAll('[data-backdrop] > i')].map(({ style }) => style.transform).join()"
MOVING = """() => document.querySelector('[data-backdrop]').getAnimations({ subtree: true })
  .map((moving) => [moving.effect.getTiming().duration, moving.playState])"""
STEADY = """() => new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().map(({ value }) => value)))
    .observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve([]), 500)
})"""
# Animations go by the browser's own clock, which nobody turns: so slowly that none ends while a test looks at it.
SLOWLY = """{
  const { animate } = Element.prototype
  Element.prototype.animate = function (...moves) {
    const moving = animate.apply(this, moves)
    moving.playbackRate = 1e-6
    return moving
  }
}"""


@pytest.fixture(scope="module")
def server(built: Path, settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With sponsors of two kinds besides the partners."""
    assert built
    folder = tmp_path_factory.mktemp("home")
    shutil.copytree(settings.data, folder / "data")
    (folder / "data/sponsors.toml").write_text(SPONSORS)
    environment = LEAN | {"KINFOLK_DATA": str(folder / "data")}
    with serving(folder, environment=environment) as server:
        yield server


@contextmanager
def visiting(browser: Browser, server: Server, **options: object) -> Iterator[tuple[BrowserContext, list[str]]]:
    """A browser for which nobody else's server exists, and what it asked of them."""
    context = browser.new_context(**options)  # type: ignore[arg-type]
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    context.route(lambda url: not url.startswith(server.url), refuse)
    yield context, asked
    context.close()


# Complete by itself


@pytest.mark.parametrize("javascript", [True, False])
def test_the_page_is_complete_without_scripts_and_without_anybody_else(
    browser: Browser, server: Server, *, javascript: bool
) -> None:
    with visiting(browser, server, java_script_enabled=javascript) as (context, asked):
        page = context.new_page()
        page.goto(server.url)
        for section in SECTIONS:
            expect(page.get_by_role("heading", name=section, exact=True)).to_be_visible()
        assert page.get_by_role("list", name="Sponsors", exact=True).get_by_role("link").count() == 12
        assert page.locator(".home-card").count() == 10
        expect(page.get_by_label("The family in figures").get_by_text("libraries", exact=True)).to_be_visible()
        assert set(asked) <= {"https://pictures.example/grace.png"}


def test_every_library_is_in_its_group_and_leads_to_its_page(read: Open) -> None:
    page = read("/", javascript=False).page
    headless = page.locator(".home-group").filter(has=page.get_by_role("heading", name="Headless UI"))
    links = headless.get_by_role("link").evaluate_all("links => links.map(({ pathname }) => pathname)")
    assert links == ["/table", "/form", "/virtual", "/ranger"]
    expect(headless.get_by_role("listitem").filter(has_text="Form state").locator(".home-ribbon")).to_have_text("new")


def test_nothing_moves_that_the_reader_looks_at(read: Open) -> None:
    reader = read("/")
    reader.wait_for(f"{BLOBS} === 4")
    reader.start_app()
    reader.page.mouse.wheel(0, 4000)
    reader.wait_for("scrollY > 0")
    assert sum(reader.page.evaluate(STEADY)) == 0
    assert [words for words in reader.complaints if "ERR_NAME_NOT_RESOLVED" not in words] == []


def test_the_newsletter_is_sent_to_whoever_writes_it(browser: Browser, server: Server) -> None:
    with visiting(browser, server) as (context, _):
        sent: list[tuple[str, str | None]] = []

        def take(route: Route) -> None:
            sent.append((route.request.url, route.request.post_data))
            route.fulfill(status=200, body="Thank you", content_type="text/plain")

        context.route("https://bytes.dev/**", take)
        page = context.new_page()
        page.goto(server.url)
        page.get_by_label("Your email address").fill("reader@example.com")
        page.get_by_role("button", name="Subscribe").click()
        expect(page.get_by_text("Thank you")).to_be_visible()
    assert sent == [("https://bytes.dev/api/bytes-optin-cors", "email=reader%40example.com&influencer=tanstack")]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/sponsors-embed"])
def test_a_page_has_no_violations(read: Open, path: str, theme: str) -> None:
    reader = read(path, color_scheme=theme)
    reader.start_app()
    assert violations(reader.page) == []


# What moves behind it


@pytest.mark.parametrize(("theme", "opacity"), [("light", "0.1"), ("dark", "0.2")])
def test_four_blobs_fade_in_before_there_is_an_app(read: Open, theme: str, opacity: str) -> None:
    reader = read("/", color_scheme=theme)
    reader.wait_for(f"{BLOBS} === 4")
    reader.wait_for(f"getComputedStyle(document.querySelector('[data-backdrop]')).opacity === '{opacity}'")
    assert reader.page.evaluate("window.__kinfolk.hydrated") is False


def test_nothing_moves_for_readers_who_do_not_want_it(read: Open) -> None:
    reader = read("/", reduced_motion="reduce")
    reader.start_app()
    assert reader.page.evaluate(BLOBS) == 0
    reader.page.emulate_media(reduced_motion="no-preference")
    reader.wait_for(f"{BLOBS} === 4")
    reader.page.emulate_media(reduced_motion="reduce")
    reader.wait_for(f"{BLOBS} === 0")


@pytest.fixture
def timed(browser: Browser, server: Server) -> Iterator[Page]:
    """The home page of a reader whose clock we turn, just after the colours have begun to fade in."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(SLOWLY)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.goto(server.url)
    page.clock.run_for(1000)
    yield page
    context.close()


def test_the_first_transition_takes_two_seconds_and_the_next_comes_two_minutes_later(timed: Page) -> None:
    assert [duration for duration, _ in timed.evaluate(MOVING)] == [2000]
    before = timed.evaluate(PLACES)
    timed.clock.run_for(120_000)
    assert timed.evaluate(PLACES) == before
    timed.clock.run_for(2500)
    after = timed.evaluate(PLACES)
    assert after != before
    assert [duration for duration, state in timed.evaluate(MOVING) if state == "running"][-4:] == [4000] * 4
    timed.clock.run_for(122_000)
    assert timed.evaluate(PLACES) == after
    timed.clock.run_for(2000)
    assert timed.evaluate(PLACES) != after


def hide(page: Page, *, hidden: bool) -> None:
    """As when the reader looks at another tab."""
    page.evaluate(
        """(hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }""",
        hidden,
    )


def test_a_hidden_tab_rests_and_goes_on_where_it_stopped(timed: Page) -> None:
    before = timed.evaluate(PLACES)
    hide(timed, hidden=True)
    assert {state for _, state in timed.evaluate(MOVING)} == {"paused"}
    timed.clock.run_for(600_000)
    assert timed.evaluate(PLACES) == before
    hide(timed, hidden=False)
    assert "paused" not in {state for _, state in timed.evaluate(MOVING)}
    timed.clock.run_for(119_000)
    assert timed.evaluate(PLACES) == before
    timed.clock.run_for(3000)
    assert timed.evaluate(PLACES) != before


def test_it_ends_with_the_page_and_begins_again_with_it(read: Open) -> None:
    reader = read("/")
    reader.wait_for(f"{BLOBS} === 4")
    reader.start_app()
    reader.page.get_by_role("link", name="Why we do this").click()
    reader.wait_for("location.pathname === '/ethos' && !document.querySelector('[data-backdrop]')")
    reader.page.go_back()
    reader.wait_for(f"{BLOBS} === 4")


# The sponsor pack


def test_a_sponsor_has_a_name_with_or_without_a_picture(browser: Browser, server: Server) -> None:
    with visiting(browser, server) as (context, _):
        page = context.new_page()
        page.goto(server.url)
        pack = page.get_by_role("list", name="Sponsors", exact=True)
        grace = pack.get_by_role("link", name="Grace Example")
        expect(grace.get_by_text("GE", exact=True)).to_be_visible()
        name = grace.get_by_text("Grace Example")
        expect(name).to_have_css("opacity", "0")
        grace.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        expect(grace).to_be_focused()
        expect(name).to_have_css("opacity", "1")


def test_no_two_sponsors_cover_each_other(read: Open) -> None:
    page = read("/", javascript=False, viewport={"width": 375, "height": 800}).page
    circles = page.locator(".pack > li").evaluate_all(
        """items => items.map((item) => item.getBoundingClientRect())
      .map(({ x, y, width, height }) => [x + width / 2, y + height / 2, width / 2])"""
    )
    assert len(circles) == 12
    for index, (x, y, r) in enumerate(circles):
        assert all(abs(complex(x - a, y - b)) > r + s for a, b, s in circles[:index])


@pytest.fixture
def elsewhere(server: Server) -> Iterator[str]:
    """Somebody else's site: a page with a frame for the path that its query names."""

    class Blog(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            frame = f'<iframe src="{server.url}{self.path.partition("?")[2]}" width="400" height="400"></iframe>'
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(f'<body style="background: rgb(1, 2, 3)">{frame}'.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Blog) as blog:
        thread = threading.Thread(target=blog.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{blog.server_port}/"
        blog.shutdown()
        thread.join()


def test_the_embedded_pack_shows_on_another_site_through_its_own_background(browser: Browser, elsewhere: str) -> None:
    page = browser.new_page()
    page.goto(f"{elsewhere}?/sponsors-embed")
    inside = page.frame_locator("iframe")
    expect(inside.get_by_role("link", name="Clerk")).to_be_visible()
    assert inside.locator(":root").evaluate("root => getComputedStyle(root).backgroundColor") == "rgba(0, 0, 0, 0)"
    page.close()


def test_no_other_page_shows_on_another_site(browser: Browser, elsewhere: str) -> None:
    page = browser.new_page()
    page.goto(f"{elsewhere}?/")
    assert page.frame_locator("iframe").get_by_role("heading", name="TanStack").count() == 0
    page.close()
