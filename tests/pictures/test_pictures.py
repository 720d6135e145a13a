"""Pages and their states look as the pictures in `expected/`, which `make pictures` replaces.

Pictures depend on the fonts and the rasterizer of the system, so they are compared with Debian's Chromium only.
"""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, FloatRect, Page, Route
from tests.browser.conftest import BOOT_ENDED, wait_until
from tests.inputs.search_index import wait_for_search_index
from tests.pictures.comparison import compact, compare
from tests.pictures.pictured_site import PICTURED_SITE
from tests.pictures.pictures import EXAMPLE, HEIGHTS, IN_ORDER, OVERVIEW, PICTURES, SCREEN, Action, Picture, may_follow
from tests.servers.serving import Server, serving
from tests.servers.shared_browser import CHROMIUM

from kinfolk.config.settings import ROOT

EXPECTED = Path(__file__).parent / "expected"
DIFFERENCES = ROOT / ".stamps" / "pictures"
"""Expected, actual and difference pictures of failed tests."""
ATTEMPTS = 4
"""A page is opened again while it differs: a font that loads too late is not used (`font-display: optional`)."""
WAIT_MS = 15_000
FINAL_S = 120.0
HIGHLIGHTED = '<span class="line">'
NOW = "2026-03-18T12:00:00Z"
# Random numbers of pages are a sequence that is the same each time: SplitMix32.
SEEDED = """
let seed = 7
Math.random = () => {
  seed = (seed + 0x9e3779b9) | 0
  let mixed = Math.imul(seed ^ (seed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296
}
"""
# The server chooses the gradient of the home page at random.
SAME_GRADIENT = ".home-hero, .home-backdrop { --from: #2b7fff !important; --to: #ad46ff !important }"
# Fonts are loaded, and the pictures of the screen decoded. The second frame starts after the first one is painted.
PAINTED = """async () => {
  await document.fonts.ready
  const shown = [...document.images].filter((image) => image.getBoundingClientRect().top < 2 * innerHeight)
  await Promise.allSettled(shown.map((image) => image.decode()))
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
}"""


def is_debian() -> bool:
    release = Path("/etc/os-release")
    return sys.platform == "linux" and release.exists() and "\nID=debian" in f"\n{release.read_text()}"


pytestmark = pytest.mark.skipif(
    not is_debian() or CHROMIUM is None or not CHROMIUM.startswith("/usr/bin/chromium"),
    reason="pictures are compared with the Chromium of Debian only",
)


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    site = PICTURED_SITE.folder()
    with serving(tmp_path_factory.mktemp("pictures"), "--content", str(site / "repos"), var=site / "var") as server:
        wait_for_search_index(server)
        wait_until_pages_are_final(server)
        yield server


def wait_until_pages_are_final(server: Server) -> None:
    """Request all pages until their code is highlighted, which happens in the background."""
    paths = {picture.path for picture in PICTURES}
    deadline = time.monotonic() + FINAL_S
    before: dict[str, str] = {}
    while (pages := {path: httpx.get(server.url + path).text for path in paths}) != before or not all(
        HIGHLIGHTED in pages[path] for path in (OVERVIEW, EXAMPLE)
    ):
        assert time.monotonic() < deadline, "the code is never highlighted"
        before = pages
        time.sleep(0.5)


@pytest.fixture(scope="module")
def contexts(browser: Browser, server: Server) -> Iterator[dict[int, BrowserContext]]:
    """A browser profile for each width."""
    opened = {}
    for width in sorted({picture.width for picture in PICTURES}):
        context = browser.new_context(
            # The fonts below and styles of pictures are not in the policy. Browser tests fail on violations.
            bypass_csp=True,
            base_url=server.url,
            viewport={"width": width, "height": HEIGHTS[width]},
            reduced_motion="reduce",
            device_scale_factor=1,
            has_touch=width < 500,
            locale="en-US",
            timezone_id="UTC",
        )
        context.set_default_timeout(WAIT_MS)
        context.add_init_script(SEEDED)
        context.clock.set_fixed_time(NOW)
        # Not functions, which would be called in this process for each request.
        origin = re.escape(server.url)
        context.route(re.compile(f"^(?!{origin}/)"), lambda route: route.abort())
        context.route(re.compile(f"^{origin}/(?!assets/)"), wait_for_fonts)
        opened[width] = context
        # The first docs page of a reader is painted without the web fonts, and fetches them at the first gesture.
        page = context.new_page()
        page.goto(OVERVIEW)
        wait_until(page, partial(page.evaluate, BOOT_ENDED), "the boot script has run")
        page.keyboard.press("Shift")
        wait_until(page, partial(has_stored_fonts, page), "the fonts are stored")
        page.close()
    yield opened
    for context in opened.values():
        context.close()


def wait_for_fonts(route: Route) -> None:
    """Answer with a page whose text waits for its fonts: `optional` ones are left out where the machine is busy."""
    if route.request.resource_type != "document":
        route.fallback()
        return
    response = route.fetch()
    route.fulfill(response=response, body=response.text().replace("font-display:optional", "font-display:block"))


def has_stored_fonts(page: Page) -> bool:
    return page.evaluate("localStorage.getItem('font')") is not None


OpenPicture = Callable[[], Page]


@dataclass
class Opened:
    """The open page, and what its reader has done."""

    page: Page
    path: str
    width: int
    before: Action | None = None

    def can_show(self, picture: Picture) -> bool:
        return (self.path, self.width) == (picture.path, picture.width) and may_follow(self.before, picture.before)

    def show(self, picture: Picture) -> Page:
        """Put it into the theme of the picture, and do what its reader does before."""
        self.page.emulate_media(color_scheme=picture.theme)  # type: ignore[arg-type]
        if picture.before != self.before:
            assert picture.before is not None
            picture.before(self.page)
            self.before = picture.before
        return self.page


@pytest.fixture(scope="module")
def opened() -> list[Opened]:
    """The open page, if there is one."""
    return []


@pytest.fixture
def open_picture(contexts: dict[int, BrowserContext], opened: list[Opened], picture: Picture) -> OpenPicture:
    """Open the page of a picture."""
    context = contexts[picture.width]

    def open_page() -> Page:
        opened.clear()
        for earlier in (page for each in contexts.values() for page in each.pages):
            earlier.close()
        page = context.new_page()
        page.emulate_media(color_scheme=picture.theme)  # type: ignore[arg-type]
        page.goto(picture.path)
        wait_until(page, lambda: bool(page.evaluate("window.__kinfolk?.bootEnded")), "the boot script has run")
        found = Opened(page, picture.path, picture.width)
        found.show(picture)
        opened.append(found)
        return page

    return open_page


def reuse_page(opened: list[Opened], picture: Picture) -> Page | None:
    """The open page, if it can become that of the picture."""
    if not opened or not opened[0].can_show(picture):
        return None
    # If it cannot be changed, the next picture needs a new page.
    found = opened.pop()
    page = found.show(picture)
    opened.append(found)
    return page


def take(page: Page, picture: Picture) -> Image.Image:
    page.evaluate(PAINTED)
    style = SAME_GRADIENT + "".join(f"{selector} {{ visibility: hidden !important }}" for selector in picture.hidden)
    taken = page.screenshot(animations="disabled", caret="hide", style=style, clip=part(page, picture))
    return Image.open(BytesIO(taken)).convert("RGB")


def part(page: Page, picture: Picture) -> FloatRect | None:
    """The part of the screen with the element of a picture; the whole screen without one."""
    if picture.of == SCREEN:
        return None
    element = page.locator(picture.of).first
    element.evaluate("element => element.scrollIntoView({ block: 'start', behavior: 'instant' })")
    box = element.bounding_box()
    assert box is not None
    return {**box, "height": min(box["height"], HEIGHTS[picture.width] - box["y"])}


def take_twice(open_picture: OpenPicture, picture: Picture) -> Image.Image:
    """The first picture that two loads of the page agree on."""
    last = take(open_picture(), picture)
    for _ in range(ATTEMPTS):
        taken = take(open_picture(), picture)
        if compare(last, taken).share == 0:
            return taken
        last = taken
    raise AssertionError(f"{picture.name} never looks the same twice")


@pytest.mark.parametrize("picture", IN_ORDER, ids=[picture.name for picture in IN_ORDER])
def test_page_looks_as_expected(
    open_picture: OpenPicture, opened: list[Opened], picture: Picture, pytestconfig: pytest.Config
) -> None:
    file = EXPECTED / f"{picture.name}.png"
    if pytestconfig.getoption("--accept", default=False):
        accept(take_twice(open_picture, picture), picture, file)
        return
    if not file.exists():
        pytest.fail("not accepted yet: run `make pictures` and look at it")
    expected = Image.open(file).convert("RGB")
    for attempt in range(ATTEMPTS):
        page = reuse_page(opened, picture) if attempt == 0 else None
        actual = take(page or open_picture(), picture)
        difference = compare(expected, actual)
        if difference.share <= picture.tolerance:
            return
    folder = DIFFERENCES / picture.name
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, folder / "expected.png")
    actual.save(folder / "actual.png")
    difference.picture.save(folder / "difference.png")
    pytest.fail(
        f"{difference.share:.2%} of the pixels differ, at most {picture.tolerance:.2%} may: see {folder}. "
        "`make pictures` accepts the new pictures."
    )


def accept(taken: Image.Image, picture: Picture, file: Path) -> None:
    """Store a picture, unless the stored one is as good: antialiasing alone does not change files."""
    if file.exists():
        with Image.open(file) as expected:
            if compare(expected, taken).share <= picture.tolerance / 4:
                return
    file.parent.mkdir(exist_ok=True)
    compact(taken).save(file, optimize=True)


def test_pages_of_pictures_exist(server: Server) -> None:
    found = {picture.path: httpx.get(server.url + picture.path).status_code for picture in PICTURES}
    on_purpose = {picture.path for picture in PICTURES if picture.name.startswith(("missing", "unknown-library"))}
    assert {path: status for path, status in found.items() if status != 200} == dict.fromkeys(on_purpose, 404)
