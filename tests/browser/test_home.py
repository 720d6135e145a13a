"""The home page in Chromium: content, the animated backdrop, the sponsor pack and its embed page."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
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

    from tests.browser.conftest import OpenPage

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
BLOB_COUNT = "document.querySelectorAll('[data-backdrop] > i').length"
BLOB_TRANSFORMS = "[...document.querySelectorAll('[data-backdrop] > i')].map(({ style }) => style.transform).join()"
ANIMATIONS = """() => document.querySelector('[data-backdrop]').getAnimations({ subtree: true })
  .map((animation) => [animation.effect.getTiming().duration, animation.playState])"""
# The fake clock does not control animations. A minimal playback rate keeps them from ending during a test.
SLOW_ANIMATIONS = """{
  const { animate } = Element.prototype
  Element.prototype.animate = function (...parameters) {
    const animation = animate.apply(this, parameters)
    animation.playbackRate = 1e-6
    return animation
  }
}"""


@pytest.fixture(scope="module")
def server(built: Path, settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site with two sponsors in addition to the partners: one with an image, one without."""
    assert built
    folder = tmp_path_factory.mktemp("home")
    shutil.copytree(settings.data, folder / "data")
    (folder / "data/sponsors.toml").write_text(SPONSORS)
    environment = LEAN | {"KINFOLK_DATA": str(folder / "data")}
    with serving(folder, environment=environment) as server:
        yield server


@contextmanager
def isolated_context(browser: Browser, server: Server, **options: object) -> Iterator[tuple[BrowserContext, list[str]]]:
    """A browser context that blocks requests to other hosts, and the list of blocked URLs."""
    context = browser.new_context(**options)  # type: ignore[arg-type]
    blocked_urls: list[str] = []

    def block(route: Route) -> None:
        blocked_urls.append(route.request.url)
        route.abort()

    context.route(lambda url: not url.startswith(server.url), block)
    yield context, blocked_urls
    context.close()


# Content


@pytest.mark.parametrize("javascript", [True, False])
def test_home_page_is_complete_without_javascript_and_other_hosts(
    browser: Browser, server: Server, *, javascript: bool
) -> None:
    with isolated_context(browser, server, java_script_enabled=javascript) as (context, blocked_urls):
        page = context.new_page()
        page.goto(server.url)
        for section in SECTIONS:
            expect(page.get_by_role("heading", name=section, exact=True)).to_be_visible()
        assert page.get_by_role("list", name="Sponsors", exact=True).get_by_role("link").count() == 12
        assert page.locator(".home-card").count() == 10
        expect(page.get_by_label("The family in figures").get_by_text("libraries", exact=True)).to_be_visible()
        assert set(blocked_urls) <= {"https://pictures.example/grace.png"}


def test_libraries_are_grouped_and_link_to_their_pages(open_page: OpenPage) -> None:
    page = open_page("/", javascript=False).page
    headless = page.locator(".home-group").filter(has=page.get_by_role("heading", name="Headless UI"))
    links = headless.get_by_role("link").evaluate_all("links => links.map(({ pathname }) => pathname)")
    assert links == ["/table", "/form", "/virtual", "/ranger"]
    expect(headless.get_by_role("listitem").filter(has_text="Form state").locator(".home-ribbon")).to_have_text("new")


def test_hydration_and_scrolling_cause_no_layout_shift(open_page: OpenPage) -> None:
    reader = open_page("/")
    reader.wait_for(f"{BLOB_COUNT} === 4")
    reader.start_app()
    reader.page.mouse.wheel(0, 4000)
    reader.wait_for("scrollY > 0")
    assert reader.layout_shifts() == []
    assert [error for error in reader.console_errors if "ERR_NAME_NOT_RESOLVED" not in error] == []


def test_newsletter_form_posts_to_its_publisher(browser: Browser, server: Server) -> None:
    with isolated_context(browser, server) as (context, _):
        requests: list[tuple[str, str | None]] = []

        def fulfill(route: Route) -> None:
            requests.append((route.request.url, route.request.post_data))
            route.fulfill(status=200, body="Thank you", content_type="text/plain")

        context.route("https://bytes.dev/**", fulfill)
        page = context.new_page()
        page.goto(server.url)
        page.get_by_label("Your email address").fill("reader@example.com")
        page.get_by_role("button", name="Subscribe").click()
        expect(page.get_by_text("Thank you")).to_be_visible()
    assert requests == [("https://bytes.dev/api/bytes-optin-cors", "email=reader%40example.com&influencer=tanstack")]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/sponsors-embed"])
def test_page_has_no_accessibility_violations(open_page: OpenPage, path: str, theme: str) -> None:
    reader = open_page(path, color_scheme=theme)
    reader.start_app()
    assert violations(reader.page) == []


# The backdrop


@pytest.mark.parametrize(("theme", "opacity"), [("light", "0.1"), ("dark", "0.2")])
def test_four_blobs_fade_in_before_hydration(open_page: OpenPage, theme: str, opacity: str) -> None:
    reader = open_page("/", color_scheme=theme)
    reader.wait_for(f"{BLOB_COUNT} === 4")
    reader.wait_for(f"getComputedStyle(document.querySelector('[data-backdrop]')).opacity === '{opacity}'")
    assert reader.page.evaluate("window.__kinfolk.hydrated") is False


def test_reduced_motion_removes_backdrop(open_page: OpenPage) -> None:
    reader = open_page("/", reduced_motion="reduce")
    reader.interact()
    assert reader.page.evaluate(BLOB_COUNT) == 0
    reader.page.emulate_media(reduced_motion="no-preference")
    reader.wait_for(f"{BLOB_COUNT} === 4")
    reader.page.emulate_media(reduced_motion="reduce")
    reader.wait_for(f"{BLOB_COUNT} === 0")


@pytest.fixture
def home_page(browser: Browser, server: Server) -> Iterator[Page]:
    """The home page with a fake clock, just after the blobs have started to fade in."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(SLOW_ANIMATIONS)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.goto(server.url)
    page.clock.run_for(1000)
    yield page
    context.close()


def test_blobs_move_every_two_minutes_after_first_transition(home_page: Page) -> None:
    assert [duration for duration, _ in home_page.evaluate(ANIMATIONS)] == [2000]
    before = home_page.evaluate(BLOB_TRANSFORMS)
    home_page.clock.run_for(120_000)
    assert home_page.evaluate(BLOB_TRANSFORMS) == before
    home_page.clock.run_for(2500)
    after = home_page.evaluate(BLOB_TRANSFORMS)
    assert after != before
    assert [duration for duration, state in home_page.evaluate(ANIMATIONS) if state == "running"][-4:] == [4000] * 4
    home_page.clock.run_for(122_000)
    assert home_page.evaluate(BLOB_TRANSFORMS) == after
    home_page.clock.run_for(2000)
    assert home_page.evaluate(BLOB_TRANSFORMS) != after


def set_hidden(page: Page, *, hidden: bool) -> None:
    """Set `document.hidden`, as the browser does for a background tab."""
    page.evaluate(
        """(hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }""",
        hidden,
    )


def test_hidden_tab_pauses_and_resumes_backdrop(home_page: Page) -> None:
    before = home_page.evaluate(BLOB_TRANSFORMS)
    set_hidden(home_page, hidden=True)
    assert {state for _, state in home_page.evaluate(ANIMATIONS)} == {"paused"}
    home_page.clock.run_for(600_000)
    assert home_page.evaluate(BLOB_TRANSFORMS) == before
    set_hidden(home_page, hidden=False)
    assert "paused" not in {state for _, state in home_page.evaluate(ANIMATIONS)}
    home_page.clock.run_for(119_000)
    assert home_page.evaluate(BLOB_TRANSFORMS) == before
    home_page.clock.run_for(3000)
    assert home_page.evaluate(BLOB_TRANSFORMS) != before


def test_backdrop_stops_on_navigation_and_restarts_on_return(open_page: OpenPage) -> None:
    reader = open_page("/")
    reader.wait_for(f"{BLOB_COUNT} === 4")
    reader.interact()
    reader.page.get_by_role("link", name="Why we do this").click()
    reader.wait_for("location.pathname === '/ethos' && !document.querySelector('[data-backdrop]')")
    reader.page.go_back()
    reader.wait_for(f"{BLOB_COUNT} === 4")


# The sponsor pack


def test_sponsor_without_loaded_image_shows_initials_and_name_on_focus(browser: Browser, server: Server) -> None:
    with isolated_context(browser, server) as (context, _):
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


def test_sponsor_circles_do_not_overlap(open_page: OpenPage) -> None:
    page = open_page("/", javascript=False, viewport={"width": 375, "height": 800}).page
    circles = page.locator(".sponsor-pack > li").evaluate_all(
        """items => items.map((item) => item.getBoundingClientRect())
      .map(({ x, y, width, height }) => [x + width / 2, y + height / 2, width / 2])"""
    )
    assert len(circles) == 12
    for index, (x, y, r) in enumerate(circles):
        assert all(abs(complex(x - a, y - b)) > r + s for a, b, s in circles[:index])


@pytest.fixture
def embedding_site(server: Server) -> Iterator[str]:
    """URL of another site. Its page has a frame for the path that follows `?`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            frame = f'<iframe src="{server.url}{self.path.partition("?")[2]}" width="400" height="400"></iframe>'
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(f'<body style="background: rgb(1, 2, 3)">{frame}'.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Write no access log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http_server:
        thread = threading.Thread(target=http_server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{http_server.server_port}/"
        http_server.shutdown()
        thread.join()


def test_sponsors_embed_is_framed_with_transparent_background(browser: Browser, embedding_site: str) -> None:
    page = browser.new_page()
    page.goto(f"{embedding_site}?/sponsors-embed")
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("link", name="Clerk")).to_be_visible()
    assert frame.locator(":root").evaluate("root => getComputedStyle(root).backgroundColor") == "rgba(0, 0, 0, 0)"
    page.close()


def test_other_pages_cannot_be_framed(browser: Browser, embedding_site: str) -> None:
    page = browser.new_page()
    page.goto(f"{embedding_site}?/")
    assert page.frame_locator("iframe").get_by_role("heading", name="TanStack").count() == 0
    page.close()
