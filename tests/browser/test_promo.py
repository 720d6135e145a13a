"""What fills the ad slots: ours by default, somebody else's where the reader agrees, never in the way of the page."""

from __future__ import annotations

import contextlib
import re
import shutil
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect
from tests.browser.advertiser import Advertiser, advertising
from tests.browser.conftest import Reader, wait_until
from tests.browser.test_accessibility import violations
from tests.serving import LEAN, Server, serving

from kinfolk.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

DOCS = "/virtual/latest/docs/introduction"
OTHER_DOCS = "/virtual/latest/docs/installation"
WIDE = ViewportSize(width=1920, height=1200)
FOOTER = '.promo[data-slot="footer"]'
RAILS = '.promo[data-slot$="-rail"]'
AD = "p:text('Ad /1/site')"
# What has moved in a box, or after one.
SHIFTS = """new Promise((done) => {
  const moved = []
  const box = document.querySelector('.promo')
  const follows = (node) => box.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING
  const isLater = (node) => node && (box === node || follows(node))
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries()) {
      for (const { node, previousRect, currentRect } of sources.filter(({ node }) => isLater(node))) {
        const places = [previousRect, currentRect].map((place) => JSON.stringify(place))
        moved.push([node.className ?? node.nodeName, ...places].join(' '))
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => setTimeout(() => done(moved), 100))
})"""

# Until React has done what it puts off: drawing, and what begins once it has drawn.
DRAWN = """new Promise((done) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => done(true)
  port2.postMessage(null)
})"""
MOMENT_MS = 20

Visit = Callable[..., Reader]


class StillReader(Reader):
    """Whose page's clock stands still: it runs on by what is let pass, and by moments while something is waited for."""

    def __init__(self, page: Page, server: Server) -> None:
        super().__init__(page, server)
        now_s = time.time()
        # It runs until it is stopped, and cannot be stopped in its past.
        page.clock.install(time=now_s - 3600)
        page.clock.pause_at(now_s)

    def wait_for(self, claim: str) -> None:
        def comes() -> bool:
            self.page.clock.run_for(MOMENT_MS)
            return bool(self.page.evaluate(claim))

        wait_until(self.page, comes, f"{claim}; the console said {self.complaints}")


@pytest.fixture(scope="module")
def advertiser() -> Iterator[Advertiser]:
    with advertising() as advertiser:
        yield advertiser


@pytest.fixture
def well_behaved(advertiser: Advertiser) -> Advertiser:
    advertiser.manner, advertiser.asked = "well", 0
    return advertiser


@contextlib.contextmanager
def site_with(settings: Settings, folder: Path, promo: str) -> Iterator[Server]:
    """A site whose facts say more about promotions."""
    shutil.copytree(settings.data, folder / "data")
    site = folder / "data/site.toml"
    site.write_text(re.sub(r"(?m)^\[promo\]\n.*\n", lambda found: found[0] + promo, site.read_text(), count=1))
    with serving(folder, environment=LEAN | {"KINFOLK_DATA": str(folder / "data")}) as server:
        yield server


@pytest.fixture(scope="module")
def selling(
    built: Path, settings: Settings, advertiser: Advertiser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A site with an advertiser and a tag manager."""
    assert built
    promo = (
        f'\n[promo.provider]\nkind = "google-publisher-tag"\nname = "Some Ads"\n'
        f'script = "{advertiser.script}"\naccount = "/1/site"\n'
        f'\n[promo.tag_manager]\nid = "T-1"\nname = "Some Ads"\nscript = "{advertiser.tags}"\n'
    )
    with site_with(settings, tmp_path_factory.mktemp("selling"), promo) as server:
        yield server


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Open a page of a server with a clock that can be moved: `visit(server, path, consent="yes", **options)`."""
    contexts: list[BrowserContext] = []

    def open_page(
        server: Server, path: str, *, consent: str | None = None, still: bool = False, **options: object
    ) -> Reader:
        context = browser.new_context(**({"viewport": WIDE} | options))  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(15_000)
        if consent:
            context.add_init_script(f"localStorage.setItem('consent', '{consent}')")
        page = context.new_page()
        if still:
            reader: Reader = StillReader(page, server)
        else:
            reader = Reader(page, server)
            page.clock.install()
        reader.open(path)
        return reader

    yield open_page
    for context in contexts:
        context.close()


def look_at(page: Page, selector: str) -> None:
    page.locator(selector).first.scroll_into_view_if_needed()


def names(page: Page, selector: str) -> list[str]:
    return page.locator(f"{selector} strong").all_text_contents()


def wait_out(reader: Reader, ms: int) -> None:
    """Let the page's clock run on, from where all has begun that what is seen leads to, and until that is drawn."""
    reader.page.evaluate(DRAWN)
    reader.page.clock.run_for(ms)
    reader.page.evaluate(DRAWN)


# Ours


def test_the_boxes_of_a_page_are_whole_without_javascript(server: Server, browser: Browser) -> None:
    with browser.new_context(java_script_enabled=False, viewport=WIDE) as context:
        page = context.new_page()
        page.goto(server.url + DOCS)
        assert len(names(page, RAILS)) == 2
        assert len(set(names(page, ".promo"))) == 3
        for box, size in ((RAILS, (300, 250)), (FOOTER, (728, 90))):
            place = page.locator(f"{box} .promo-box").first.bounding_box()
            assert place is not None
            assert (round(place["width"]), round(place["height"])) == size


@pytest.mark.parametrize("size", [WIDE, ViewportSize(width=375, height=800)])
def test_boxes_move_nothing(visit: Visit, server: Server, size: ViewportSize) -> None:
    reader = visit(server, DOCS, viewport=size)
    moved = {}
    for path in (DOCS, "/", "/virtual/latest"):
        reader.open(path)
        look_at(reader.page, ".promo:visible")
        reader.start_app()
        expect(reader.page.get_by_role("button", name="Hold").first).to_be_visible()
        moved[path] = reader.page.evaluate(SHIFTS)
    assert moved == {DOCS: [], "/": [], "/virtual/latest": []}
    assert reader.complaints == []


def test_nobody_is_asked_and_nothing_of_others_is_loaded_where_nobody_else_may_fill_a_box(
    visit: Visit, server: Server
) -> None:
    reader = visit(server, DOCS)
    strangers: list[str] = []
    reader.page.on("request", lambda r: None if r.url.startswith(server.url) else strangers.append(r.url))
    reader.open(DOCS)
    look_at(reader.page, FOOTER)
    reader.start_app()
    wait_out(reader, 60_000)
    assert strangers == []
    expect(reader.page.get_by_role("region", name="May we load")).to_have_count(0)


def test_a_rail_shows_another_library_every_five_minutes(visit: Visit, server: Server) -> None:
    reader = visit(server, DOCS, still=True)
    reader.start_app()
    expect(reader.page.locator(f"{RAILS}[data-seen]")).to_have_count(2)
    before = names(reader.page, RAILS)
    wait_out(reader, 290_000)
    assert names(reader.page, RAILS) == before
    wait_out(reader, 20_000)
    after: list[str] = []

    def changed() -> bool:
        after[:] = names(reader.page, RAILS)
        return all(now != then for now, then in zip(after, before, strict=True))

    wait_until(reader.page, changed, "another library in each rail")
    assert "TanStack Virtual" not in before + after


def test_the_box_below_the_text_changes_every_45_seconds_while_it_is_seen(visit: Visit, server: Server) -> None:
    reader = visit(server, DOCS, still=True)
    reader.start_app()
    before = names(reader.page, FOOTER)
    wait_out(reader, 100_000)
    assert names(reader.page, FOOTER) == before
    look_at(reader.page, FOOTER)
    expect(reader.page.locator(f"{FOOTER}[data-seen]")).to_be_visible()
    wait_out(reader, 44_000)
    assert names(reader.page, FOOTER) == before
    wait_out(reader, 2_000)
    wait_until(reader.page, lambda: names(reader.page, FOOTER) != before, "another library below the text")


def test_what_is_held_stays(visit: Visit, server: Server) -> None:
    reader = visit(server, DOCS)
    reader.start_app()
    look_at(reader.page, FOOTER)
    expect(reader.page.locator(f"{FOOTER}[data-seen]")).to_be_visible()
    before = names(reader.page, FOOTER)
    reader.page.locator(FOOTER).get_by_role("button", name="Hold").click()
    wait_out(reader, 200_000)
    assert names(reader.page, FOOTER) == before


def test_nothing_changes_by_itself_where_movement_is_not_wanted(visit: Visit, server: Server) -> None:
    reader = visit(server, DOCS, reduced_motion="reduce")
    reader.start_app()
    look_at(reader.page, FOOTER)
    expect(reader.page.locator(f"{FOOTER}[data-seen]")).to_be_visible()
    before = names(reader.page, ".promo")
    wait_out(reader, 400_000)
    assert names(reader.page, ".promo") == before
    expect(reader.page.get_by_role("button", name="Hold")).to_have_count(0)


# Somebody else's


def test_a_reader_is_asked_once_and_nothing_is_loaded_before_the_answer(
    visit: Visit, selling: Server, well_behaved: Advertiser
) -> None:
    reader = visit(selling, DOCS)
    look_at(reader.page, FOOTER)
    reader.start_app()
    question = reader.page.get_by_role("region", name="May we load scripts of Some Ads?")
    expect(question).to_be_visible()
    assert well_behaved.asked == 0
    question.get_by_role("button", name="No, thank you").click()
    expect(question).to_have_count(0)
    reader.open(DOCS)
    reader.start_app()
    wait_out(reader, 60_000)
    expect(question).to_have_count(0)
    assert well_behaved.asked == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_boxes_and_the_question_have_no_violations(visit: Visit, selling: Server, theme: str) -> None:
    reader = visit(selling, DOCS, color_scheme=theme)
    reader.start_app()
    expect(reader.page.get_by_role("region", name="May we load")).to_be_visible()
    assert violations(reader.page) == []


def test_a_browser_that_says_no_for_its_reader_is_not_asked(
    visit: Visit, selling: Server, well_behaved: Advertiser
) -> None:
    reader = visit(selling, DOCS)
    reader.page.add_init_script("Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })")
    reader.open(DOCS)
    reader.start_app()
    wait_out(reader, 1_000)
    expect(reader.page.get_by_role("region", name="May we load")).to_have_count(0)
    assert well_behaved.asked == 0


def test_who_agrees_sees_ads_in_boxes_of_the_same_size(visit: Visit, selling: Server, well_behaved: Advertiser) -> None:
    reader = visit(selling, DOCS)
    look_at(reader.page, FOOTER)
    reader.start_app()
    before = reader.page.locator(FOOTER).bounding_box()
    reader.page.get_by_role("button", name="Allow").click()
    expect(reader.page.locator(f"{FOOTER} {AD}").first).to_have_text("Ad /1/site 728x90")
    expect(reader.page.locator(f"{RAILS} {AD}").first).to_have_text("Ad /1/site 300x250")
    assert reader.page.locator(FOOTER).bounding_box() == before
    assert well_behaved.asked == 1
    assert reader.complaints == []


def test_an_ad_is_renewed_after_45_seconds_and_after_a_navigation_and_is_there_once(
    visit: Visit, selling: Server, well_behaved: Advertiser
) -> None:
    assert well_behaved.manner == "well"
    reader = visit(selling, DOCS, consent="yes")
    page = reader.page
    reader.start_app()
    rail = "div-gpt-ad-right-rail"

    def drawn(times: int) -> None:
        reader.wait_for(f"window.shown?.filter((id) => id === '{rail}').length === {times}")
        # Whoever fills the boxes leaves a second copy with each drawing.
        expect(page.locator(f"#{rail}")).to_have_count(1)

    drawn(1)
    wait_out(reader, 46_000)
    drawn(2)
    page.evaluate(f"__kinfolk.app.navigate(location.origin + '{OTHER_DOCS}')")
    expect(page.get_by_role("heading", level=1)).to_have_text("Installation")
    drawn(3)


def test_a_tag_manager_is_told_who_we_are_once_the_reader_has_agreed(
    visit: Visit, selling: Server, well_behaved: Advertiser
) -> None:
    assert well_behaved.manner == "well"
    refused, agreed = visit(selling, DOCS, consent="no"), visit(selling, DOCS, consent="yes")
    for reader in (refused, agreed):
        reader.start_app()
    agreed.wait_for("window.tagged === '/tags.js?id=T-1'")
    assert agreed.page.evaluate("dataLayer.map(({ event }) => event)") == ["gtm.js"]
    assert refused.page.evaluate("'dataLayer' in window || 'tagged' in window") is False


def test_carbon_has_one_ad_in_a_rail_and_another_one_after_a_navigation(
    visit: Visit, settings: Settings, advertiser: Advertiser, tmp_path: Path
) -> None:
    advertiser.manner = "as Carbon"
    promo = (
        f'\n[promo.provider]\nkind = "carbon"\nname = "Carbon"\n'
        f'script = "{advertiser.script}"\naccount = "serve=1&placement=site"\n'
    )
    with site_with(settings, tmp_path, promo) as server:
        reader = visit(server, DOCS, consent="yes")
        reader.start_app()
        ad = reader.page.locator(f"{RAILS}[data-filled] [id^=carbonads]")
        expect(ad).to_have_text("Ad by Carbon")
        reader.page.evaluate(f"__kinfolk.app.navigate(location.origin + '{OTHER_DOCS}')")
        expect(reader.page.get_by_role("heading", level=1)).to_have_text("Installation")
        reader.wait_for("window.refreshed === 2")
        expect(ad).to_have_count(1)


def words(page: Page) -> str:
    """What the page says, once all is there that comes by itself: the app's buttons, and those of the starter."""
    expect(page.locator(f"{FOOTER}[data-seen]")).to_be_visible()
    expect(page.get_by_role("button", name="Hold")).to_have_count(3)
    expect(page.locator("[data-markup] figure.code:not(:has(> .copy))")).to_have_count(0)
    return page.locator("body").inner_text()


def test_an_advertiser_that_misbehaves_changes_nothing(visit: Visit, selling: Server, advertiser: Advertiser) -> None:
    refused = visit(selling, DOCS, consent="no")
    refused.start_app()
    look_at(refused.page, FOOTER)
    whole = words(refused.page)
    agreed = visit(selling, DOCS, consent="yes")
    for manner in ("with nothing", "throwing", "throwing later", "with words", "missing", "never"):
        advertiser.manner, advertiser.asked = manner, 0
        agreed.open(DOCS)
        agreed.start_app()
        look_at(agreed.page, FOOTER)
        assert words(agreed.page) == whole, manner
        wait_until(agreed.page, lambda: advertiser.asked == 1, f"they are asked, and answer {manner}")
        agreed.page.wait_for_timeout(300)  # time to do harm, or to be asked again
        assert advertiser.asked == 1, manner
        assert words(agreed.page) == whole, manner
        assert agreed.page.locator(".promo[data-filled]").count() == 0, manner
        agreed.page.evaluate(f"__kinfolk.app.navigate(location.origin + '{OTHER_DOCS}')")
        expect(agreed.page.get_by_role("heading", level=1)).to_have_text("Installation")
    # What they say themselves on the console is theirs.
    theirs = ("an error of theirs", "Unexpected identifier", "404")
    assert [said for said in agreed.complaints if not any(word in said for word in theirs)] == []


def test_an_answer_can_be_taken_back_on_the_privacy_page(
    visit: Visit, selling: Server, well_behaved: Advertiser
) -> None:
    reader = visit(selling, "/privacy")
    reader.start_app()
    reader.page.get_by_role("button", name="Allow").click()
    expect(reader.page.get_by_role("region", name="May we load")).to_have_count(0)
    reader.open("/privacy")
    reader.start_app()
    choice = reader.page.get_by_role("region", name="Your answer")
    expect(choice).to_contain_text("Scripts of Some Ads: you allowed them.")
    with reader.page.expect_event("load"):
        choice.get_by_role("button", name="Take it back").click()
    reader.start_app()
    expect(choice).to_contain_text("not allowed, and not loaded")
    assert reader.page.evaluate("localStorage.getItem('consent')") == "no"
