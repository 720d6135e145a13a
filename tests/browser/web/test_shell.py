"""Parts that all pages share: navigation, theme, search button, prefetching, and layout stability."""

from __future__ import annotations

import contextlib
import itertools
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, ClassVar

import httpx
import pytest
from playwright.sync_api import expect
from tests.browser.conftest import EMPTY_STORAGE, WAIT_S, Reader, hold_requests, layout_shifts, resize, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from tests.browser.conftest import OpenPage
    from tests.servers.serving import Server

DOCS = "/query/latest/docs/framework/react"
OVERVIEW = f"{DOCS}/overview"
# The drawing of the home page moves all the time.
AT_REST = {"reduced_motion": "reduce"}
PHONE = {"viewport": {"width": 375, "height": 700}, "has_touch": True} | AT_REST
NO_JAVASCRIPT = {"javascript": False} | AT_REST
FOCUSED_POPOVER = (
    "document.activeElement.closest('[popover]')?.getAttribute('aria-label') ?? document.activeElement.outerHTML"
)
# Resolves after the page is painted: the first frame computes the layout, the second starts after the paint.
AFTER_PAINT = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
# Nothing of the page is below the developer tools: they do not float over it.
BELOW_PAGE = """() => {
  const [tools, main] = ['.devtools', 'main'].map((selector) => document.querySelector(selector))
  const { position } = getComputedStyle(tools)
  return position === 'static' && tools.getBoundingClientRect().top >= main.getBoundingClientRect().bottom
}"""
HTML_LENGTH = "document.documentElement.innerHTML.length"
# A page is split at the ends of elements only: the browser lays out an incomplete line again when its rest arrives.
BLOCK_END = re.compile(rb"</(p|li|ul|h[1-3]|section|figure|table)>")
CHUNKS = 10
# The bottom part of a card of this page moves down by a line when the next card of its row is taller. The limit allows
# that shift. web.dev/articles/cls calls a shift of up to 0.1 good.
SUPPORT = "/support"
MAX_SHIFT = 0.001


def expect_library_menu(page: Page, links: list[str]) -> None:
    """Expect the links of the open library menu. The menu may be updated after the current link."""
    expect(page.locator(".library-menu a:visible")).to_have_text(links)


# Navigation


def test_navigation_lists_libraries_by_group_with_their_badges_and_site_links(shared_tab: OpenPage) -> None:
    nav = shared_tab("/", **NO_JAVASCRIPT).page.get_by_role("navigation", name="Site")
    expect(nav.get_by_role("heading")).to_have_text(
        ["Application Building", "Data and State Management", "Headless UI", "Other"]
    )
    libraries = ("Start", "Router", "Query", "Store", "Pacer", "Table", "Form", "Virtual", "Ranger", "Config")
    expect(nav.locator(".library-link")).to_have_text([re.compile(f"^{name}") for name in libraries])
    words = [link.inner_text().split() for link in nav.locator(".library-link").all()]
    badged = {name: badges for name, *badges in words if badges}
    assert badged == {"Start": ["beta"], "Store": ["alpha"], "Pacer": ["alpha"], "Form": ["new"]}
    expect(nav.locator(".site-links a")).to_have_text(
        ["Sign in", "Dashboard", "Support", "Learn", "npm stats", "Blog", "Ethos", "Merch", "Discord", "GitHub"]
    )


def test_only_current_library_shows_its_menu(shared_tab: OpenPage) -> None:
    reader = shared_tab("/blog", **AT_REST)
    expect_library_menu(reader.page, [])
    reader.open("/query/latest")
    expect_library_menu(reader.page, ["Examples", "Docs", "GitHub"])
    reader.interact()
    reader.page.get_by_role("navigation", name="Site").get_by_role("link", name="Table", exact=True).click()
    expect(reader.page.locator(".library-link[aria-current]")).to_have_text("Table")
    expect_library_menu(reader.page, ["Examples", "Docs", "GitHub"])


@pytest.mark.parametrize("path", ["/", OVERVIEW])
def test_drawer_traps_focus_and_locks_scrolling(shared_page: OpenPage, path: str) -> None:
    reader = shared_page(path, **PHONE)
    page = reader.page
    button = page.get_by_role("button", name="Menu", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    drawer = page.locator("section[popover]")
    expect(drawer).to_be_visible()
    expect(page.locator("html")).to_have_css("overflow", "hidden")
    label = drawer.get_attribute("aria-label")
    focused = set()
    for _ in range(4):
        page.keyboard.press("Tab")
        focused.add(page.evaluate(FOCUSED_POPOVER))
    page.keyboard.press("Shift+Tab")
    assert focused == {label}
    # The rest of the page is inert.
    reader.wait_for("[...document.querySelectorAll('main, header')].every((part) => part.closest('[inert]'))")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(button).to_be_focused()
    expect(page.locator("html")).to_have_css("overflow", "visible")
    reader.wait_for("document.querySelector('[inert]') === null")


def test_drawer_closes_after_navigation(shared_page: OpenPage) -> None:
    reader = shared_page("/", **PHONE)
    page = reader.page
    page.get_by_role("button", name="Menu", exact=True).tap()
    page.locator("section[popover]").get_by_role("link", name="Query", exact=True).tap()
    expect(page).to_have_url(re.compile("/query/latest"))
    expect(page.locator("section[popover]")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    reader.wait_for("document.querySelector('[inert]') === null")


def test_drawer_opens_without_javascript(open_page: OpenPage) -> None:
    page = open_page("/", javascript=False, **PHONE).page
    page.get_by_role("button", name="Menu", exact=True).tap()
    expect(page.locator("section[popover]").get_by_role("link", name="Query", exact=True)).to_be_visible()


def test_page_actions_menu_opens_within_viewport(shared_page: OpenPage) -> None:
    reader = shared_page(OVERVIEW, **PHONE)
    reader.page.locator("summary", has_text="More ways to read this page").click()
    box = reader.page.get_by_role("link", name="View as Markdown").bounding_box()
    assert box is not None
    assert 0 <= box["x"] < box["x"] + box["width"] <= 375


# Theme


THEME_COLOR = """() => [...document.querySelectorAll('meta[name=theme-color]')]
  .find((meta) => matchMedia(meta.media).matches).content"""


@pytest.mark.parametrize("path", ["/", OVERVIEW])
def test_theme_switch_has_fixed_size_announces_theme_and_changes_theme_color(shared_page: OpenPage, path: str) -> None:
    page = shared_page(path, **AT_REST).page
    switch = page.get_by_role("button", name=re.compile("Color theme"))
    box = switch.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (48, 24)
    light = page.evaluate(THEME_COLOR)
    for mode in ("light", "dark", "auto"):
        switch.press("Enter")
        expect(page.locator("html")).to_have_attribute("data-theme", mode)
        expect(page.get_by_role("button", name=re.compile(f"Color theme: {mode}", re.IGNORECASE))).to_be_focused()
        expect(page.locator("#Site-announcer")).to_have_text(f"Color theme: {mode}")
        assert (page.evaluate(THEME_COLOR) == light) is (mode != "dark"), mode


# Search


@pytest.mark.parametrize("path", ["/", OVERVIEW])
def test_search_button_shows_shortcut_of_platform(shared_page: OpenPage, path: str) -> None:
    """Unit tests of the inline script check the keys of other platforms."""
    page = shared_page(path, **AT_REST).page
    root = page.locator(":root")
    keys = root.get_attribute("data-keys")
    assert keys == ("mac" if page.evaluate("/Mac/.test(navigator.platform)") else "pc")
    for keys_of_platform, shortcut in (("mac", "⌘K"), ("pc", "Ctrl K"), (keys, "⌘K" if keys == "mac" else "Ctrl K")):
        root.evaluate("(root, keys) => { root.dataset.keys = keys }", keys_of_platform)
        visible = [key.inner_text() for key in page.locator(".search-button kbd").all() if key.is_visible()]
        assert visible == [shortcut], keys_of_platform


def test_search_button_dispatches_search_event(shared_tab: OpenPage) -> None:
    page = shared_tab(OVERVIEW, **AT_REST).page
    handler = "event.preventDefault(); document.body.dataset.searchEvent = ''"
    page.evaluate(f"document.addEventListener('kinfolk:search', (event) => {{ {handler} }}, {{ once: true }})")
    page.get_by_role("link", name="Search").click()
    expect(page.locator("body")).to_have_attribute("data-search-event", "")
    assert page.url.endswith(OVERVIEW)


@pytest.mark.parametrize("path", ["/", OVERVIEW])
def test_search_button_opens_search_page_and_shows_no_shortcut_without_javascript(
    shared_tab: OpenPage, path: str
) -> None:
    page = shared_tab(path, **NO_JAVASCRIPT).page
    assert not any(key.is_visible() for key in page.locator(".search-button kbd").all())
    page.get_by_role("link", name="Search").click()
    expect(page).to_have_url(re.compile("/search$"))
    expect(page.get_by_role("main").get_by_role("link", name="TanStack Query")).to_be_visible()


# Navigating


def test_slow_navigation_shows_progress_bar_after_150_ms(shared_page: OpenPage) -> None:
    reader = shared_page(OVERVIEW, **AT_REST)
    page = reader.page
    reader.interact()
    held = hold_requests(page, "**/guides/caching")
    page.get_by_role("navigation", name="Docs").get_by_role("link", name="The Life of a Query").click()
    spinner = page.locator("body > .spinner")
    expect(spinner).to_be_attached()
    animations = spinner.evaluate(
        "e => e.getAnimations().map((each) => [each.animationName, each.effect.getTiming().delay])"
    )
    assert animations == [["appear", 150]]
    wait_until(page, lambda: bool(held), "the page is requested")
    held[0].continue_()
    expect(page.get_by_role("heading", level=1)).to_have_text("The Life of a Query")
    expect(spinner).to_have_count(0)


def test_next_page_is_prefetched_when_its_link_approaches_viewport(shared_tab: OpenPage) -> None:
    reader = shared_tab("/query/latest/docs/framework/react/guides/caching", **AT_REST)
    page = reader.page
    page.set_viewport_size({"width": 1280, "height": 600})
    reader.interact()
    link = page.get_by_role("link", name=re.compile("^Next"))
    next_page = link.get_attribute("href") or ""
    assert link.bounding_box()["y"] > 700  # type: ignore[index]
    page.mouse.move(600, 300)
    page.mouse.wheel(0, 10)
    reader.wait_for("scrollY > 0")
    assert not any(url.endswith(next_page) for url in reader.loaded_urls)
    page.mouse.wheel(0, link.bounding_box()["y"] - 690)  # type: ignore[index]
    wait_until(page, lambda: any(url.endswith(next_page) for url in reader.loaded_urls), "the next page is prefetched")
    assert link.bounding_box()["y"] > 600  # type: ignore[index]


def test_router_devtools_load_on_click_on_router_pages_only(shared_tab: OpenPage, shared_page: OpenPage) -> None:
    expect(shared_page(OVERVIEW, **AT_REST).page.get_by_role("button", name="Router devtools")).to_have_count(0)
    reader = shared_tab("/router/latest", **AT_REST)
    page = reader.page
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    reader.interact()
    assert not any("evtools" in url for url in requested)
    button = page.get_by_role("button", name="Router devtools")
    assert page.evaluate(BELOW_PAGE)
    button.click()
    matches = page.get_by_role("button", name="Matches", exact=True)
    expect(matches).to_be_visible()
    assert any("evtools" in url for url in requested)
    # The button that closes the panel has no name.
    page.locator(".TanStackRouterDevtools button").first.click()
    expect(matches).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    expect(matches).to_be_visible()
    assert reader.console_errors == []


def test_docs_menu_marks_list_of_frameworks_as_current(shared_tab: OpenPage) -> None:
    menu = shared_tab("/query/latest/docs/framework", **NO_JAVASCRIPT).page.get_by_role("navigation", name="Docs")
    expect(menu.locator("[aria-current=page]")).to_have_text("Frameworks")


# Layout stability


class ChunkingProxy(ThreadingHTTPServer):
    """A proxy that sends each opened page in chunks. After the first, each release of `permits` lets one chunk pass."""

    def __init__(self, origin: str) -> None:
        super().__init__(("127.0.0.1", 0), ChunkingHandler)
        self.origin = origin
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.permits = threading.Semaphore(0)
        self.client = httpx.Client(timeout=WAIT_S)

    def server_close(self) -> None:
        super().server_close()
        self.client.close()


class ChunkingHandler(BaseHTTPRequestHandler):
    server: ChunkingProxy
    # Headers about the transfer of the body: the proxy transfers it differently.
    TRANSFER_HEADERS: ClassVar = {"connection", "content-length", "transfer-encoding"}

    def do_GET(self) -> None:
        headers = {name: value for name, value in self.headers.items() if name.lower() not in {"host", "connection"}}
        url = self.server.origin + self.path
        response = self.server.client.get(url, headers=headers | {"Accept-Encoding": "identity"})
        self.send_response(response.status_code)
        for name, value in response.headers.multi_items():
            if name not in self.TRANSFER_HEADERS:
                self.send_header(name, value)
        self.end_headers()
        # Other requests for pages prefetch them.
        is_opened = headers.get("Sec-Fetch-Dest") == "document"
        for index, chunk in enumerate(split_html(response.content) if is_opened else [response.content]):
            if index > 0:
                self.server.permits.acquire()
            # The browser cancels requests of a page that it leaves.
            with contextlib.suppress(BrokenPipeError):
                self.wfile.write(chunk)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def split_html(body: bytes) -> list[bytes]:
    """Split an HTML page: up to <main>, CHUNKS parts to the end of the footer, the rest."""
    start, end = body.index(b"<main"), max(body.index(b"</main>"), body.find(b"</footer>"))
    blocks = [start, *(block.end() for block in BLOCK_END.finditer(body, start, end))]
    cuts = [0, *sorted({blocks[len(blocks) * part // CHUNKS] for part in range(CHUNKS)}), len(body)]
    return [body[left:right] for left, right in itertools.pairwise(cuts)]


@pytest.fixture
def proxy(server: Server) -> Iterator[ChunkingProxy]:
    with ChunkingProxy(server.url) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield proxy
        proxy.permits.release(CHUNKS)
        proxy.shutdown()
        thread.join()


def release_next_chunk(page: Page, proxy: ChunkingProxy) -> None:
    """Let the next chunk pass after the previous one is painted, and wait for it."""
    page.evaluate(AFTER_PAINT)
    before = page.evaluate(HTML_LENGTH)
    proxy.permits.release()
    wait_until(page, lambda: bool(page.evaluate(HTML_LENGTH) > before), "the next chunk has arrived")


@pytest.mark.parametrize("width", [375, 1280])
def test_page_that_arrives_in_chunks_has_no_layout_shift_before_and_after_hydration(
    browser: Browser, proxy: ChunkingProxy, width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, reduced_motion="reduce")
    # Each page loads its fonts, as the first page of a reader does.
    page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
    reader = Reader(page, proxy)
    for path in ("/", OVERVIEW, "/design", "/nope", "/blog", "/query/latest", SUPPORT):
        page.goto(proxy.url + path, wait_until="commit")
        for _ in range(CHUNKS):
            release_next_chunk(page, proxy)
        page.wait_for_load_state()
        assert layout_shifts(page, limit=MAX_SHIFT if path == SUPPORT else 0) == [], path
        if path != SUPPORT:
            reader.start_app()
            assert layout_shifts(page) == [], path
        page.evaluate(EMPTY_STORAGE)
    page.context.close()


SET_LONG_NAMES = """() => {
  const names = '.site-name, .docs-title > *, .link-menu-value, .framework-label, nav :is(a, summary, h2, small)'
  const inMenus = ['.site-bar', '.docs-bar', '.site-menu', '.docs-menu'].map((bar) => `${bar} :is(${names})`).join()
  let index = 0
  for (const element of document.querySelectorAll(inMenus)) {
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE) continue
      index++
      node.textContent = index % 2 ? 'Poimandres Starlight Observatory of Prague' : 'release-candidate-of-autumn-2026'
    }
  }
}"""
OUTSIDE_OF_MENUS = """() => {
  const menu = document.querySelector('.site-menu, .docs-menu')
  if (innerWidth < 1024) menu.showPopover()
  const outside = ['.site-bar', '.docs-bar', '.site-menu', '.docs-menu'].flatMap((name) => {
    const bar = document.querySelector(name)?.getBoundingClientRect()
    if (!bar?.width) return []
    return [...document.querySelectorAll(`${name} :is(a, button, summary, sup, small, .badge)`)].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      if (!width || element.closest('.sr-only, .link-menu > ul')) return false
      return left < bar.left - 0.5 || right > bar.right + 0.5
    })
  })
  const wide = document.documentElement.scrollWidth > innerWidth ? [document.documentElement] : []
  return [...outside, ...wide].map((element) => `${element.tagName} ${element.textContent.slice(0, 30)}`)
}"""


@pytest.mark.parametrize("path", ["/router", "/router/latest/docs/framework/react/overview"])
def test_bars_and_menus_hold_long_names(shared_tab: OpenPage, path: str) -> None:
    page = shared_tab(path, **NO_JAVASCRIPT).page
    page.evaluate(SET_LONG_NAMES)
    for width in (320, 390, 768, 1024, 1280, 1920):
        resize(page, width, 900)
        assert page.evaluate(OUTSIDE_OF_MENUS) == [], width


@pytest.mark.violates_policy
@pytest.mark.parametrize(
    "script",
    [
        "document.createElement('div').innerHTML = '<img>'",
        "document.body.insertAdjacentHTML('beforeend', '<img>')",
        "new DOMParser().parseFromString('<img>', 'text/html')",
        "document.createElement('script').src = '/assets/a.js'",
        "document.createElement('script').textContent = 'window.ran = 1'",
        "trustedTypes.createPolicy('page', { createHTML: (html) => html })",
        "trustedTypes.createPolicy('other', { createHTML: (html) => html })",
    ],
)
def test_page_refuses_html_and_scripts_that_are_strings(shared_page: OpenPage, script: str) -> None:
    page = shared_page(OVERVIEW).page
    refused = page.evaluate(
        "(script) => { try { script() } catch ({ name }) { return name } }".replace("script()", script)
    )
    assert refused == "TypeError"


@pytest.mark.violates_policy
def test_page_refuses_styles_that_markup_brings(shared_page: OpenPage) -> None:
    page = shared_page(OVERVIEW).page
    color = page.evaluate("""() => {
      const element = document.createElement('p')
      element.setAttribute('style', 'color: rgb(1, 2, 3)')
      const style = document.createElement('style')
      style.textContent = 'p { background: rgb(1, 2, 3) }'
      document.body.append(style, element)
      const { color, backgroundColor } = getComputedStyle(element)
      style.remove()
      element.remove()
      return [color, backgroundColor]
    }""")
    assert "rgb(1, 2, 3)" not in color
