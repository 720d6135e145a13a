"""The home page in Chromium: content, the animated backdrop, the sponsor pack and its embed page."""

from __future__ import annotations

import io
import shutil
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, ViewportSize, expect
from tests.browser.axe import violations
from tests.browser.conftest import overflowing_widths, resize, wait_until
from tests.servers.serving import LEAN, Server, serving

from kinfolk.config.settings import Settings
from kinfolk.content.landing.landing import LogoSprite

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
LOW = ViewportSize(width=1024, height=300)
"""To draw the backdrop and the animated drawing in a low window takes less CPU time."""
AT_REST = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce"}
WITHOUT_SCRIPTS = {"javascript": False, "reduced_motion": "reduce"}
WIDTHS = (375, 768, 1024, 1280, 1440, 1920)
LIBRARIES = ["Start", "Router", "Query", "Store", "Pacer", "Table", "Form", "Virtual", "Ranger", "Config"]
ROOT_ENDS = """strands => strands.map((strand) => {
  const path = strand.querySelector('.home-roots path')
  const end = path.getPointAtLength(path.getTotalLength()).matrixTransform(path.getScreenCTM())
  return [strand.querySelector('a').pathname, [end.x, end.y]]
})"""
LEAVES_ARE_OPEN = """[...document.querySelectorAll('.home-leaf-tile')].every((tile) =>
  tile.getAnimations().every(({ playState }) => playState === 'finished'))"""
SECTIONS = ("Open-source libraries", "Partners", "Courses", "Sponsors", "Join the community", "Bytes by email")
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
    shutil.copytree(settings.site, folder / "data")
    (folder / "data/sponsors.toml").write_text(SPONSORS)
    environment = LEAN | {"KINFOLK_SITE": str(folder / "data")}
    with serving(folder, environment=environment) as server:
        yield server


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def boxes(elements: Locator) -> list[Box]:
    found = elements.evaluate_all(
        """elements => elements.map((element) => element.getBoundingClientRect())
      .map(({ left, top, right, bottom }) => [left, top, right, bottom])"""
    )
    return [tuple(box) for box in found]


def encloses(outer: Box, inner: Box) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@contextmanager
def isolated_context(browser: Browser, server: Server, **options: object) -> Iterator[tuple[BrowserContext, list[str]]]:
    """A browser context that blocks requests to other hosts, and the list of blocked URLs."""
    context = browser.new_context(reduced_motion="reduce", **options)  # type: ignore[arg-type]
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
        expect(page.get_by_text("This site documents 10 libraries")).to_be_visible()
        partners = page.get_by_role("region", name="Partners").get_by_role("link")
        assert partners.evaluate_all("links => links.map((link) => link.rel)") == ["noopener sponsored"] * 10
        # In the list of partners and among the circles of sponsors: no promotion repeats it.
        assert page.get_by_role("link", name="Clerk", exact=True).count() == 2
        assert page.locator(".promo").count() == 0
        assert set(blocked_urls) <= {"https://pictures.example/grace.png"}


def test_cards_name_their_groups_and_link_to_their_libraries(shared_page: OpenPage) -> None:
    page = shared_page("/", **WITHOUT_SCRIPTS).page
    cards = page.get_by_role("region", name="Open-source libraries").get_by_role("listitem")
    headless = cards.filter(has_text="Headless UI").get_by_role("link")
    assert headless.evaluate_all("links => links.map(({ pathname }) => pathname)") == [
        "/table",
        "/form",
        "/virtual",
        "/ranger",
    ]
    expect(cards.filter(has_text="Form state").locator(".badge")).to_have_text("new")
    # The first two libraries are featured.
    assert cards.locator(".home-card-description").count() == 2


# The drawing


def test_drawing_and_cards_fit_every_width(shared_page: OpenPage) -> None:
    page = shared_page("/", **WITHOUT_SCRIPTS).page
    wait_until(page, lambda: bool(page.evaluate(LEAVES_ARE_OPEN)), "the leaves have their sizes")
    for width in WIDTHS:
        resize(page, width, 900)
        assert_drawing_and_cards_fit(page, width)
    assert overflowing_widths(page, (320,)) == []


def assert_drawing_and_cards_fit(page: Page, width: int) -> None:
    drawing = page.get_by_role("navigation", name="Libraries")
    leaves = drawing.get_by_role("link")
    assert leaves.evaluate_all("links => links.map((link) => link.textContent)") == [
        f"TanStack {library}" for library in LIBRARIES
    ]
    expect(drawing.locator(".home-leaf-name").filter(visible=True)).to_have_count(len(LIBRARIES))
    tiles = boxes(drawing.locator(".home-leaf-tile"))
    logos = boxes(drawing.locator(".library-logo"))
    assert all(encloses(tile, logo) for tile, logo in zip(tiles, logos, strict=True))
    assert all(encloses((0, 0, width, 3000), box) for box in boxes(leaves))
    assert all(right - left >= 44 and bottom - top >= 44 for left, top, right, bottom in boxes(leaves))
    assert not any(overlap(one, other) for one, other in combinations(tiles, 2))
    assert page.evaluate("document.documentElement.scrollWidth") == width
    # Each row of cards reaches from edge to edge.
    cards = boxes(page.locator(".home-card"))
    rows = {round(top): [card for card in cards if round(card[1]) == round(top)] for _, top, _, _ in cards}
    assert {(round(row[0][0]), round(row[-1][2])) for row in rows.values()} == {
        (round(min(card[0] for card in cards)), round(max(card[2] for card in cards)))
    }
    assert {len(row) for row in rows.values()} == ({1} if width < 700 else {2} if width < 1200 else {2, 4})


COVERED_TEXT = """(name) => {
  const heading = document.querySelector('h1')
  heading.firstChild.textContent = name
  const words = name.split(/[\\s-]+/).map((word) => word.length)
  heading.style.setProperty('--longest-word', Math.max(...words) * 0.6)
  const boxes = (nodes) => [...nodes].flatMap((node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return [...range.getClientRects()]
  })
  const texts = boxes(document.querySelectorAll('.home-name, .home-hero > .home-claim, .home-introduction :is(p, a)'))
  const leaves = [...document.querySelectorAll('.home-leaf')].map((leaf) => leaf.getBoundingClientRect())
  const covered = texts.filter((text) => leaves.some((leaf) => leaf.left < text.right && text.left < leaf.right
    && leaf.top < text.bottom && text.top < leaf.bottom))
  return covered.length + texts.filter(({ right }) => right > innerWidth).length
}"""


def test_drawing_covers_no_name_of_a_family(shared_page: OpenPage) -> None:
    page = shared_page("/", **WITHOUT_SCRIPTS).page
    for width in (320, 600, 959, 1024, 1224, 1300, 1440, 1920, 2560):
        resize(page, width, 900)
        for name in ("Poimandres", "Poimandres Starlight", "Observatory of the Poimandres of Prague", "M" * 40):
            assert page.evaluate(COVERED_TEXT, name) == 0, (width, name)
    page.reload()


BROKEN_NAMES = """(name) => [...document.querySelectorAll('.home-leaf-name')].filter((label) => {
  label.lastChild.data = name
  const range = document.createRange()
  range.selectNodeContents(label.lastChild)
  return new Set([...range.getClientRects()].map(({ top }) => top)).size > name.split(/[\\s-]/).length
}).length"""


def test_names_of_libraries_break_between_words_only(shared_page: OpenPage) -> None:
    page = shared_page("/", **WITHOUT_SCRIPTS).page
    for width in (320, 390, 959, 1280, 1440):
        resize(page, width, 900)
        for name in ("Zustand", "react-spring", "TypeScriptESLint"):
            assert page.evaluate(BROKEN_NAMES, name) == 0, (width, name)
    page.reload()


def test_loose_ends_run_to_their_cards(shared_page: OpenPage) -> None:
    page = shared_page("/", **WITHOUT_SCRIPTS).page
    resize(page, 1440, 900)
    ends = dict(page.locator(".home-strand").evaluate_all(ROOT_ENDS))
    cards = page.locator(".home-card").evaluate_all(
        """cards => cards.map((card) => {
      const { left, top, right } = card.getBoundingClientRect()
      return [card.querySelector('a').pathname, left, top, right]
    })"""
    )
    first_row = min(top for _, _, top, _ in cards)
    for path, left, _, right in cards:
        x, y = ends[path]
        assert left < x < right
        assert abs(y - first_row) < 2


def test_pointed_leaf_shows_its_tagline_in_place_of_the_claim(shared_page: OpenPage) -> None:
    reader = shared_page("/", **AT_REST)
    claim = reader.page.get_by_text("worked out in the open")
    tagline = reader.page.locator(".home-claim").get_by_text("Server state that fetches")
    leaf = reader.page.get_by_role("navigation", name="Libraries").get_by_role("link", name="Query")
    wash = leaf.locator("xpath=../*[contains(@class, 'home-wash')]")
    expect(tagline).to_have_css("opacity", "0")
    leaf.hover()
    for shown in (tagline, wash):
        expect(shown).to_have_css("opacity", "1")
    expect(claim).to_have_css("opacity", "0")
    reader.page.mouse.move(2, 2)
    expect(claim).to_have_css("opacity", "1")
    reader.page.get_by_role("navigation", name="Libraries").get_by_role("link", name="Router").focus()
    reader.page.keyboard.press("Tab")
    expect(leaf).to_be_focused()
    expect(tagline).to_have_css("opacity", "1")
    # The accessible text of the page is the same all the time.
    assert tagline.get_attribute("aria-hidden") == "true"
    assert reader.layout_shifts() == []


def test_click_pulls_the_strand_and_backdrop_runs_on_this_page_only(open_page: OpenPage) -> None:
    reader = open_page("/", viewport=LOW)
    reader.wait_for(f"{BLOB_COUNT} === 4")
    leaf = reader.page.get_by_role("navigation", name="Libraries").get_by_role("link", name="Table")
    leaf.click(no_wait_after=True)
    assert reader.page.locator(".home-strand[data-pulled]").count() == 1
    reader.wait_for("location.pathname.startsWith('/table') && !document.querySelector('.home-hero')")
    reader.page.go_back()
    reader.wait_for(f"{BLOB_COUNT} === 4")
    reader.page.get_by_role("link", name="Why we do this").click()
    reader.wait_for("location.pathname === '/ethos' && !document.querySelector('[data-backdrop]')")
    reader.page.go_back()
    reader.wait_for(f"{BLOB_COUNT} === 4")
    leaf.press("Enter")
    reader.wait_for("location.pathname.startsWith('/table')")


def test_modified_clicks_and_reduced_motion_follow_links_at_once(shared_page: OpenPage) -> None:
    reader = shared_page("/", **AT_REST)
    arrives = """(leaf, init) => {
      let arrived = false
      const keep = (event) => {
        arrived = !event.defaultPrevented
        event.preventDefault()
      }
      leaf.addEventListener('click', keep, { once: true })
      leaf.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }))
      leaf.removeEventListener('click', keep)
      return arrived
    }"""
    leaf = reader.page.get_by_role("navigation", name="Libraries").get_by_role("link", name="Table")
    reader.wait_for("document.readyState === 'complete'")
    assert leaf.evaluate(arrives, {})
    reader.page.set_viewport_size(LOW)
    reader.page.emulate_media(reduced_motion="no-preference")
    assert all(leaf.evaluate(arrives, {modifier: True}) for modifier in ("ctrlKey", "metaKey", "shiftKey"))
    assert not leaf.evaluate(arrives, {})
    # The strand is pulled, then the link is followed. Another test must not begin before.
    reader.wait_for("location.pathname.startsWith('/table') && !document.querySelector('.home-hero')")
    reader.page.emulate_media(reduced_motion="reduce")


def test_reduced_motion_removes_backdrop(shared_page: OpenPage) -> None:
    reader = shared_page("/", **AT_REST)
    reader.interact()
    assert reader.page.evaluate(BLOB_COUNT) == 0
    reader.page.set_viewport_size(LOW)
    reader.page.emulate_media(reduced_motion="no-preference")
    reader.wait_for(f"{BLOB_COUNT} === 4")
    reader.page.emulate_media(reduced_motion="reduce")
    reader.wait_for(f"{BLOB_COUNT} === 0")


def test_sponsor_without_loaded_image_shows_initials_and_name_on_focus(shared_page: OpenPage) -> None:
    page = shared_page("/", **AT_REST).page
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


def test_newsletter_form_posts_to_its_publisher(shared_page: OpenPage) -> None:
    page = shared_page("/", **AT_REST).page
    requests: list[tuple[str, str | None]] = []

    def fulfill(route: Route) -> None:
        requests.append((route.request.url, route.request.post_data))
        route.fulfill(status=200, body="Thank you", content_type="text/plain")

    page.route("https://bytes.dev/**", fulfill)
    page.get_by_label("Your email address").fill("reader@example.com")
    page.get_by_role("button", name="Subscribe").click()
    expect(page.get_by_text("Thank you")).to_be_visible()
    assert requests == [("https://bytes.dev/api/bytes-optin-cors", "email=reader%40example.com&influencer=tanstack")]


@pytest.mark.parametrize("path", ["/", "/sponsors-embed"])
def test_page_has_no_accessibility_violations(shared_tab: OpenPage, path: str) -> None:
    reader = shared_tab(path, **AT_REST)
    reader.start_app()
    assert violations(reader.page) == []


# Demos


def test_proof_pane_shows_code_beside_its_result_without_javascript(shared_page: OpenPage) -> None:
    page = shared_page("/", **WITHOUT_SCRIPTS).page
    for width in (375, 1440):
        resize(page, width, 900)
        pane = page.get_by_role("group", name="Library")
        assert pane.get_by_role("radio").count() > 1
        assert pane.locator(".home-proof:visible").count() == 1
        expect(pane.get_by_role("radio").first).to_be_checked()
        pane.get_by_text("Table", exact=True).click()
        expect(pane.locator(".home-proof-code:visible")).to_contain_text("useReactTable")
        assert pane.locator(".home-proof:visible").count() == 1
        code, result = boxes(pane.locator(":is(.home-proof-code, .demo-frame):visible"))
        box = boxes(pane)[0]
        assert encloses(box, result)
        assert encloses(box, code)
        assert not overlap(code, result)
        pane.get_by_text("Router", exact=True).click()


def test_demo_of_the_pane_runs_without_layout_shift(shared_tab: OpenPage) -> None:
    reader = shared_tab("/", **AT_REST)
    pane = reader.page.get_by_role("group", name="Library")
    pane.get_by_role("radio").first.focus()
    reader.page.keyboard.press("ArrowRight")
    expect(pane.get_by_role("radio").nth(1)).to_be_checked()
    pane.get_by_text("Table", exact=True).click()
    frame = pane.locator("[data-demo=table]")
    frame.scroll_into_view_if_needed()
    before = boxes(frame)
    frame.get_by_role("button", name="Try it").click()
    expect(frame.get_by_role("columnheader", name="Moon")).to_be_visible()
    (left, top, right, bottom), (new_left, new_top, new_right, new_bottom) = *before, *boxes(frame)
    assert (new_left, new_right - new_left, new_bottom - new_top) == (left, right - left, bottom - top)
    assert reader.layout_shifts() == []


# The backdrop


def test_four_blobs_of_two_hues_fade_in_before_hydration_without_layout_shift(open_page: OpenPage) -> None:
    reader = open_page("/", viewport={"width": 1280, "height": 300})
    reader.wait_for(f"{BLOB_COUNT} === 4")
    reader.wait_for(
        "[...document.querySelectorAll('[data-backdrop] > i')].every((b) => getComputedStyle(b).opacity === '1')"
    )
    card = reader.page.locator(".home-card").last
    for theme in ("light", "dark"):
        reader.page.emulate_media(color_scheme=theme)
        reader.wait_for(f"document.documentElement.classList.contains('dark') === {str(theme == 'dark').lower()}")
        backgrounds = reader.page.locator("[data-backdrop] > i").evaluate_all(
            "blobs => blobs.map((blob) => getComputedStyle(blob).backgroundImage)"
        )
        assert len(set(backgrounds)) == 2, theme
        # Cards are translucent, so that the colors continue behind them.
        alpha = "card => Number(/[/,] ([\\d.]+)\\)$/.exec(getComputedStyle(card).backgroundColor)?.[1])"
        assert card.evaluate(alpha) < 0.9, theme
    assert reader.page.evaluate("window.__kinfolk.hydrated") is False
    reader.start_app()
    reader.page.mouse.wheel(0, 4000)
    reader.wait_for("scrollY > 0")
    assert reader.layout_shifts() == []
    assert [error for error in reader.console_errors if "ERR_NAME_NOT_RESOLVED" not in error] == []


@pytest.fixture
def home_page(browser: Browser, server: Server) -> Iterator[Page]:
    """The home page with a fake clock, just after the blobs have started to fade in."""
    context = browser.new_context(viewport=LOW)
    page = context.new_page()
    page.add_init_script(SLOW_ANIMATIONS)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.goto(server.url)
    page.clock.run_for(1000)
    yield page
    context.close()


def test_blobs_move_every_two_minutes_after_first_transition(home_page: Page) -> None:
    assert [duration for duration, _ in home_page.evaluate(ANIMATIONS)] == [2000] * 4
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


# The sponsor pack


def test_sponsor_circles_do_not_overlap(shared_tab: OpenPage) -> None:
    page = shared_tab("/sponsors-embed", **WITHOUT_SCRIPTS).page
    page.set_viewport_size({"width": 375, "height": 800})
    # Marks of partners are above their names.
    assert page.get_by_role("link", name="Clerk", exact=True).locator(".partner-mark").count() == 1
    circles = page.locator(".sponsor-pack > li").evaluate_all(
        """items => items.map((item) => item.getBoundingClientRect())
      .map(({ x, y, width, height }) => [x + width / 2, y + height / 2, width / 2])"""
    )
    assert len(circles) == 12
    for index, (x, y, r) in enumerate(circles):
        assert all(abs(complex(x - a, y - b)) > r + s for a, b, s in circles[:index])


SHOW_MARKS = """([sprite, sizes, row]) => document.body.replaceChildren(
  ...['library-logo', 'framework-logo', 'partner-mark'].flatMap((name) => sizes.map((size) => {
    const mark = document.createElement('span')
    mark.className = name
    mark.style = `--row: ${row}; --logos: ${sprite}; --framework-logos: ${sprite}; --partner-marks: ${sprite};
      display: block; background: #000; font-size: ${size}px`
    return mark
  })))"""


def test_marks_show_nothing_of_their_neighbors_in_the_sprite(shared_tab: OpenPage) -> None:
    full = '<svg><path d="M0 0h24v24H0z"/></svg>'
    sprite = LogoSprite.of({"full": full, "empty": "<svg/>", "last": full})
    address = f"url(data:image/svg+xml;base64,{b64encode(sprite.svg.encode()).decode()})"
    sizes = [9.7, 13.33, 14.5, 17.37, 22.4, 33.3, 41.9, 57.7]
    page = shared_tab("/sponsors-embed", **WITHOUT_SCRIPTS).page
    page.set_viewport_size({"width": 100, "height": 700})
    devtools = page.context.new_cdp_session(page)
    for scale in (1, 1.25, 1.5, 2):
        metrics = {"width": 100, "height": 700, "deviceScaleFactor": scale, "mobile": False}
        devtools.send("Emulation.setDeviceMetricsOverride", metrics)
        numbers_of_colors = []
        for row in range(3):
            page.evaluate(SHOW_MARKS, [address, sizes, row])
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
            # Playwright's own screenshots are scaled to the scale with which the page was opened.
            screenshot = Image.open(io.BytesIO(b64decode(devtools.send("Page.captureScreenshot")["data"])))
            assert screenshot.size == (100 * scale, 700 * scale)
            numbers_of_colors.append(len(screenshot.convert("RGB").getcolors() or []))
        assert [number > 1 for number in numbers_of_colors] == [True, False, True], scale
    devtools.send("Emulation.clearDeviceMetricsOverride")


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


def test_only_sponsors_embed_is_framed_with_transparent_background(browser: Browser, embedding_site: str) -> None:
    page = browser.new_page(reduced_motion="reduce")
    page.goto(f"{embedding_site}?/sponsors-embed")
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("link", name="Clerk")).to_be_visible()
    assert frame.locator(":root").evaluate("root => getComputedStyle(root).backgroundColor") == "rgba(0, 0, 0, 0)"
    page.goto(f"{embedding_site}?/")
    assert frame.get_by_role("heading", name="TanStack").count() == 0
    page.context.close()
