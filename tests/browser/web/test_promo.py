"""Ad slots: promotions of our libraries by default, third-party ads with consent, and no layout shifts."""

from __future__ import annotations

import contextlib
import re
import shutil
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect
from tests.browser.ad_server import AdServer, run_ad_server
from tests.browser.axe import violations
from tests.browser.conftest import EMPTY_STORAGE, FAILED, NO_SCRIPTS, Reader, wait_until
from tests.servers.serving import LEAN, Server, serving

from kinfolk.config.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

DOCS = "/virtual/latest/docs/introduction"
OTHER_DOCS = "/virtual/latest/docs/installation"
WIDE = ViewportSize(width=1920, height=1200)
FOOTER = '.promo[data-slot="footer"]'
RAILS = '.promo[data-slot$="-rail"]'
AD = "p:text('Ad /1/site')"
# Layout shifts of the first ad slot and of the elements after it.
SHIFTS = """new Promise((done) => {
  const shifts = []
  const slot = document.querySelector('.promo')
  const follows = (node) => slot.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING
  const isLater = (node) => node && (slot === node || follows(node))
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries()) {
      for (const { node, previousRect, currentRect } of sources.filter(({ node }) => isLater(node))) {
        const rects = [previousRect, currentRect].map((rect) => JSON.stringify(rect))
        shifts.push([node.className ?? node.nodeName, ...rects].join(' '))
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => setTimeout(() => done(shifts), 100))
})"""

# Resolves after the tasks that React has scheduled: rendering and effects.
REACT_IDLE = """new Promise((done) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => done(true)
  port2.postMessage(null)
})"""
CLOCK_STEP_MS = 20

OpenReader = Callable[..., Reader]


class PausedClockReader(Reader):
    """A reader whose page clock is paused. Only `advance_clock` and `wait_until` advance it."""

    def __init__(self, page: Page, server: Server) -> None:
        super().__init__(page, server)
        now_s = time.time()
        # The clock runs until it is paused, and Playwright cannot pause it at a time in its past.
        page.clock.install(time=now_s - 3600)
        page.clock.pause_at(now_s)

    def wait_until(self, condition: Callable[[], bool], description: str) -> None:
        def advance_and_check() -> bool:
            self.page.clock.run_for(CLOCK_STEP_MS)
            return condition()

        super().wait_until(advance_and_check, description)


@pytest.fixture(scope="module")
def ad_server() -> Iterator[AdServer]:
    with run_ad_server() as ad_server:
        yield ad_server


@pytest.fixture
def valid_ad_server(ad_server: AdServer) -> AdServer:
    ad_server.mode, ad_server.request_count = "valid", 0
    return ad_server


@contextlib.contextmanager
def serve_with_promo(settings: Settings, folder: Path, promo: str) -> Iterator[Server]:
    """A server whose kinfolk.toml has these lines added to its [promo] table."""
    shutil.copytree(settings.site, folder / "data")
    site = folder / "data/kinfolk.toml"
    site.write_text(re.sub(r"(?m)^\[promo\]\n.*\n", lambda match: match[0] + promo, site.read_text(), count=1))
    with serving(folder, environment=LEAN | {"KINFOLK_SITE": str(folder / "data")}) as server:
        yield server


@pytest.fixture(scope="module")
def server_with_ads(
    built: Path, settings: Settings, ad_server: AdServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server with an ad provider and a tag manager."""
    assert built
    promo = (
        f'\n[promo.provider]\nkind = "google-publisher-tag"\nname = "Some Ads"\n'
        f'script = "{ad_server.script_url}"\naccount = "/1/site"\n'
        f'\n[promo.tag_manager]\nid = "T-1"\nname = "Some Ads"\nscript = "{ad_server.tag_manager_url}"\n'
    )
    with serve_with_promo(settings, tmp_path_factory.mktemp("ads"), promo) as server:
        yield server


def new_reader(
    browser: Browser, server: Server, *, consent: str | None = None, paused_clock: bool = False, **options: object
) -> Reader:
    """A tab with a fake clock in a new profile."""
    context = browser.new_context(**({"viewport": WIDE} | options))  # type: ignore[arg-type]
    context.set_default_timeout(15_000)
    if consent:
        context.add_init_script(f"localStorage.setItem('consent', '{consent}')")
    page = context.new_page()
    if paused_clock:
        return PausedClockReader(page, server)
    page.clock.install()
    return Reader(page, server)


@pytest.fixture
def open_reader(browser: Browser) -> Iterator[OpenReader]:
    """Open a page with a fake clock: `open_reader(server, path, consent="yes", **options)`."""
    contexts: list[BrowserContext] = []

    def open_page(server: Server, path: str, **options: object) -> Reader:
        reader = new_reader(browser, server, **options)  # type: ignore[arg-type]
        contexts.append(reader.page.context)
        reader.open(path)
        return reader

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def shared_readers() -> Iterator[list[Reader]]:
    """The tab that tests share, once it is open."""
    readers: list[Reader] = []
    yield readers
    for reader in readers:
        reader.page.context.close()


@pytest.fixture
def shared_reader(
    request: pytest.FixtureRequest, browser: Browser, shared_readers: list[Reader]
) -> Iterator[OpenReader]:
    """Open a page with a fake clock in a tab that tests share, with empty storage: `shared_reader(server, path)`."""

    def open_page(server: Server, path: str, *, consent: str | None = None) -> Reader:
        if not shared_readers:
            shared_readers.append(new_reader(browser, server))
        [reader] = shared_readers
        reader.server = server
        reader.page.set_viewport_size(WIDE)
        reader.page.mouse.move(0, 0)
        reader.open(NO_SCRIPTS)
        reader.page.evaluate(EMPTY_STORAGE)
        if consent:
            reader.page.evaluate("(consent) => localStorage.setItem('consent', consent)", consent)
        reader.forget()
        reader.open(path)
        return reader

    yield open_page
    if request.node.stash.get(FAILED, False):
        for reader in shared_readers:
            reader.page.context.close()
        shared_readers.clear()


def scroll_to(page: Page, selector: str) -> None:
    page.locator(selector).first.scroll_into_view_if_needed()


def promoted_names(page: Page, selector: str) -> list[str]:
    return page.locator(f"{selector} strong").all_text_contents()


def advance_clock(reader: Reader, ms: int) -> None:
    """Advance the page's clock. React renders before and after, so that timers exist and their results are visible."""
    reader.page.evaluate(REACT_IDLE)
    reader.page.clock.run_for(ms)
    reader.page.evaluate(REACT_IDLE)


# Promotions of our libraries


def test_ad_slots_show_promotions_without_javascript(server: Server, browser: Browser) -> None:
    with browser.new_context(java_script_enabled=False, viewport=WIDE) as context:
        page = context.new_page()
        page.goto(server.url + DOCS)
        assert len(promoted_names(page, RAILS)) == 2
        assert len(set(promoted_names(page, ".promo"))) == 3
        for slot, size in ((RAILS, (300, 250)), (FOOTER, (728, 90))):
            rect = page.locator(f"{slot} .promo-box").first.bounding_box()
            assert rect is not None
            assert (round(rect["width"]), round(rect["height"])) == size


def test_ad_slots_cause_no_layout_shift(shared_reader: OpenReader, server: Server) -> None:
    reader = shared_reader(server, DOCS)
    for size in (WIDE, ViewportSize(width=375, height=800)):
        reader.page.set_viewport_size(size)
        shifts = {}
        for path in (DOCS, "/query/latest", "/virtual/latest"):
            reader.open(path)
            scroll_to(reader.page, ".promo:visible")
            reader.interact()
            expect(reader.page.get_by_role("button", name="Pause").first).to_be_visible()
            shifts[path] = reader.page.evaluate(SHIFTS)
        assert shifts == {DOCS: [], "/query/latest": [], "/virtual/latest": []}, size
    assert reader.console_errors == []


def test_no_consent_request_and_no_third_party_request_without_ad_provider(
    shared_reader: OpenReader, server: Server
) -> None:
    reader = shared_reader(server, "/_missing")
    third_party_urls: list[str] = []
    reader.page.on("request", lambda r: None if r.url.startswith(server.url) else third_party_urls.append(r.url))
    reader.open(DOCS)
    scroll_to(reader.page, FOOTER)
    reader.interact()
    advance_clock(reader, 60_000)
    assert third_party_urls == []
    expect(reader.page.get_by_role("region", name="Allow scripts from")).to_have_count(0)


def test_rail_rotates_every_five_minutes_and_footer_slot_every_45_seconds_while_visible(
    open_reader: OpenReader, server: Server
) -> None:
    reader = open_reader(server, DOCS, paused_clock=True)
    reader.interact()
    expect(reader.page.locator(f"{RAILS}[data-seen]")).to_have_count(2)
    before, before_in_footer = promoted_names(reader.page, RAILS), promoted_names(reader.page, FOOTER)
    advance_clock(reader, 290_000)
    assert promoted_names(reader.page, RAILS) == before
    assert promoted_names(reader.page, FOOTER) == before_in_footer
    advance_clock(reader, 20_000)
    after: list[str] = []

    def all_changed() -> bool:
        after[:] = promoted_names(reader.page, RAILS)
        return all(new != old for new, old in zip(after, before, strict=True))

    wait_until(reader.page, all_changed, "each rail shows another library")
    assert "TanStack Virtual" not in before + after
    scroll_to(reader.page, FOOTER)
    expect(reader.page.locator(f"{FOOTER}[data-seen]")).to_be_visible()
    advance_clock(reader, 44_000)
    assert promoted_names(reader.page, FOOTER) == before_in_footer
    advance_clock(reader, 2_000)
    wait_until(
        reader.page,
        lambda: promoted_names(reader.page, FOOTER) != before_in_footer,
        "the footer slot shows another library",
    )


def test_held_promotion_does_not_rotate(shared_reader: OpenReader, server: Server) -> None:
    reader = shared_reader(server, DOCS)
    reader.interact()
    scroll_to(reader.page, FOOTER)
    expect(reader.page.locator(f"{FOOTER}[data-seen]")).to_be_visible()
    before = promoted_names(reader.page, FOOTER)
    reader.page.locator(FOOTER).get_by_role("button", name="Pause").click()
    advance_clock(reader, 200_000)
    assert promoted_names(reader.page, FOOTER) == before


def test_promotions_do_not_rotate_with_reduced_motion(open_reader: OpenReader, server: Server) -> None:
    reader = open_reader(server, DOCS, reduced_motion="reduce")
    reader.interact()
    scroll_to(reader.page, FOOTER)
    expect(reader.page.locator(f"{FOOTER}[data-seen]")).to_be_visible()
    before = promoted_names(reader.page, ".promo")
    advance_clock(reader, 400_000)
    assert promoted_names(reader.page, ".promo") == before
    expect(reader.page.get_by_role("button", name="Pause")).to_have_count(0)


# Third-party ads


def test_consent_is_requested_once_and_no_script_of_ads_or_tags_loads_without_it(
    shared_reader: OpenReader, server_with_ads: Server, valid_ad_server: AdServer
) -> None:
    reader = shared_reader(server_with_ads, DOCS)
    scroll_to(reader.page, FOOTER)
    reader.interact()
    consent_request = reader.page.get_by_role("region", name="Allow scripts from Some Ads?")
    expect(consent_request).to_be_visible()
    assert valid_ad_server.request_count == 0
    assert violations(reader.page) == []
    consent_request.get_by_role("button", name="No thanks").click()
    expect(consent_request).to_have_count(0)
    reader.open(DOCS)
    reader.interact()
    advance_clock(reader, 60_000)
    expect(consent_request).to_have_count(0)
    assert valid_ad_server.request_count == 0
    assert reader.page.evaluate("'dataLayer' in window || 'tagManagerPath' in window") is False


def test_global_privacy_control_refuses_consent_without_request(
    open_reader: OpenReader, server_with_ads: Server, valid_ad_server: AdServer
) -> None:
    reader = open_reader(server_with_ads, "/_missing")
    reader.page.add_init_script("Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })")
    reader.open(DOCS)
    reader.interact()
    advance_clock(reader, 1_000)
    expect(reader.page.get_by_role("region", name="Allow scripts from")).to_have_count(0)
    assert valid_ad_server.request_count == 0


def test_consent_loads_ads_in_slots_of_unchanged_size(
    shared_reader: OpenReader, server_with_ads: Server, valid_ad_server: AdServer
) -> None:
    reader = shared_reader(server_with_ads, DOCS)
    scroll_to(reader.page, FOOTER)
    reader.interact()
    before = reader.page.locator(FOOTER).bounding_box()
    reader.page.get_by_role("button", name="Allow").click()
    expect(reader.page.locator(f"{FOOTER} {AD}").first).to_have_text("Ad /1/site 728x90")
    expect(reader.page.locator(f"{RAILS} {AD}").first).to_have_text("Ad /1/site 300x250")
    assert reader.page.locator(FOOTER).bounding_box() == before
    assert valid_ad_server.request_count == 1
    assert reader.console_errors == []


def test_ad_refreshes_after_45_seconds_and_after_navigation_without_duplicates(
    shared_reader: OpenReader, server_with_ads: Server, valid_ad_server: AdServer
) -> None:
    assert valid_ad_server.mode == "valid"
    reader = shared_reader(server_with_ads, DOCS, consent="yes")
    page = reader.page
    reader.interact()
    rail = "div-gpt-ad-right-rail"

    def expect_refreshes(times: int) -> None:
        reader.wait_for(f"window.drawnSlots?.filter((id) => id === '{rail}').length === {times}")
        # The fake ad script adds a second copy of the ad at each refresh.
        expect(page.locator(f"#{rail}")).to_have_count(1)

    expect_refreshes(1)
    # The tag manager loads with its id after consent, too.
    reader.wait_for("window.tagManagerPath === '/tags.js?id=T-1'")
    assert page.evaluate("dataLayer.map(({ event }) => event)") == ["gtm.js"]
    advance_clock(reader, 46_000)
    expect_refreshes(2)
    reader.visit(OTHER_DOCS)
    expect(page.get_by_role("heading", level=1)).to_have_text("Installation")
    expect_refreshes(3)


def test_carbon_shows_one_ad_in_rail_and_refreshes_it_after_navigation(
    open_reader: OpenReader, settings: Settings, ad_server: AdServer, tmp_path: Path
) -> None:
    ad_server.mode = "Carbon"
    promo = (
        f'\n[promo.provider]\nkind = "carbon"\nname = "Carbon"\n'
        f'script = "{ad_server.script_url}"\naccount = "serve=1&placement=site"\n'
    )
    with serve_with_promo(settings, tmp_path, promo) as server:
        reader = open_reader(server, DOCS, consent="yes")
        reader.interact()
        ad = reader.page.locator(f"{RAILS}[data-filled] [id^=carbonads]")
        expect(ad).to_have_text("Ad by Carbon")
        reader.visit(OTHER_DOCS)
        expect(reader.page.get_by_role("heading", level=1)).to_have_text("Installation")
        reader.wait_for("window.refreshCount === 2")
        expect(ad).to_have_count(1)


def page_text(page: Page) -> str:
    """The text of the page after scripts have added their buttons."""
    expect(page.locator(f"{FOOTER}[data-seen]")).to_be_visible()
    expect(page.get_by_role("button", name="Pause")).to_have_count(3)
    expect(page.locator("[data-markup] figure.code:not(:has(> .copy))")).to_have_count(0)
    return page.locator("body").inner_text()


def test_faulty_ad_script_leaves_page_unchanged(
    shared_reader: OpenReader, server_with_ads: Server, ad_server: AdServer
) -> None:
    refused = shared_reader(server_with_ads, DOCS, consent="no")
    refused.interact()
    scroll_to(refused.page, FOOTER)
    expected = page_text(refused.page)
    # This closes the page above.
    agreed = shared_reader(server_with_ads, DOCS, consent="yes")
    for mode in ("empty", "throws", "throws later", "not JavaScript", "not found", "no response"):
        ad_server.mode, ad_server.request_count = mode, 0
        agreed.open(DOCS)
        agreed.interact()
        scroll_to(agreed.page, FOOTER)
        assert page_text(agreed.page) == expected, mode
        wait_until(agreed.page, lambda: ad_server.request_count == 1, f"the ad script is requested: {mode}")
        agreed.page.wait_for_timeout(300)  # time for the script to run and for a second request
        assert ad_server.request_count == 1, mode
        assert page_text(agreed.page) == expected, mode
        assert agreed.page.locator(".promo[data-filled]").count() == 0, mode
        agreed.visit(OTHER_DOCS)
        expect(agreed.page.get_by_role("heading", level=1)).to_have_text("Installation")
    # Console messages of the ad script are not defects of the page.
    ad_script_messages = ("an error of the ad server", "Unexpected identifier", "404")
    assert [
        message for message in agreed.console_errors if not any(text in message for text in ad_script_messages)
    ] == []


def test_consent_can_be_withdrawn_on_privacy_page(
    shared_reader: OpenReader, server_with_ads: Server, valid_ad_server: AdServer
) -> None:
    reader = shared_reader(server_with_ads, "/privacy")
    reader.interact()
    reader.page.get_by_role("button", name="Allow").click()
    expect(reader.page.get_by_role("region", name="Allow scripts from")).to_have_count(0)
    reader.open("/privacy")
    reader.interact()
    decision = reader.page.get_by_role("region", name="Your answer")
    expect(decision).to_contain_text("Scripts from Some Ads: you allowed them.")
    reader.loaded_urls.clear()
    with reader.page.expect_event("load"):
        decision.get_by_role("button", name="Withdraw").click()
    reader.interact()
    expect(decision).to_contain_text("not allowed, and not loaded")
    assert reader.page.evaluate("localStorage.getItem('consent')") == "no"
