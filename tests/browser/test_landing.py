"""Landing pages as readers use them: without a script, in their framework, on a phone, and with a sandbox on demand."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.browser.test_accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route
    from tests.browser.conftest import Reader

    Open = Callable[..., Reader]

IDS = ("start", "router", "query", "table", "form", "virtual", "pacer", "store", "ranger", "config")
PHONE = {"width": 320, "height": 640}
LAID_OUT = """[...document.querySelectorAll('.section, .site-footer')].every(
    (part) => getComputedStyle(part).contentVisibility === 'visible')"""


def command(page: Page) -> str:
    """What one is told to type."""
    return page.get_by_role("region", name="Installation").locator("pre:visible").inner_text().strip()


def code(page: Page) -> str:
    """The code that is shown."""
    return page.get_by_role("region", name="A list from the server").locator("pre:visible").inner_text()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("id", ["query", "start", "config"])
def test_a_landing_page_has_no_violations(read: Open, id: str, theme: str) -> None:
    reader = read(f"/{id}/latest", color_scheme=theme, reduced_motion="reduce")
    reader.start_app()
    assert violations(reader.page) == []
    assert reader.complaints == []


@pytest.mark.parametrize("id", IDS)
def test_nothing_is_wider_than_the_narrowest_phone(read: Open, id: str) -> None:
    page = read(f"/{id}/latest", viewport=PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_everything_is_there_without_a_script(read: Open) -> None:
    page = read("/query/latest", javascript=False).page
    for name in ("What is in Query", "A list from the server, and a way to add to it", "On this site"):
        assert page.get_by_role("heading", name=name).is_visible()
    commands = page.get_by_role("region", name="Installation").locator("pre:visible").all_inner_texts()
    assert [text.strip() for text in commands] == [
        f"npm i @tanstack/{name}-query" for name in ("react", "solid", "vue", "svelte")
    ] + ["npm i @tanstack/angular-query-experimental"]
    page.get_by_text("Svelte", exact=True).click()
    assert "svelte-query" in code(page)


def test_a_framework_that_is_chosen_is_chosen_for_the_commands_and_the_docs_too(read: Open) -> None:
    reader = read("/query/latest")
    assert command(reader.page) == "npm i @tanstack/react-query"
    reader.page.get_by_text("Vue", exact=True).click()
    assert "@tanstack/vue-query" in code(reader.page)
    assert command(reader.page) == "npm i @tanstack/vue-query"
    reader.open("/store/latest")
    assert command(reader.page) == "npm i @tanstack/vue-store"
    assert reader.page.get_by_role("radio", name="Vue").is_checked()


def test_a_package_manager_that_is_chosen_is_chosen_everywhere(read: Open) -> None:
    reader = read("/query/latest")
    reader.page.get_by_role("region", name="Installation").get_by_text("pnpm").first.click()
    reader.open("/table/latest")
    assert command(reader.page) == "pnpm add @tanstack/react-table@8"


def test_the_chosen_framework_survives_the_start_of_the_app_and_a_navigation(read: Open) -> None:
    reader = read("/query/latest")
    reader.page.get_by_text("Solid", exact=True).click()
    reader.start_app()
    assert reader.page.get_by_role("radio", name="Solid").is_checked()
    reader.page.locator("nav a[href='/store']").first.click()
    reader.page.get_by_role("heading", name="What is in Store").wait_for()
    reader.wait_for("document.querySelector('[data-tab=solid]').checked")
    assert command(reader.page) == "npm i @tanstack/solid-store"
    assert reader.complaints == []


def test_a_sandbox_is_loaded_when_it_is_wanted_and_never_before(read: Open) -> None:
    reader = read("/query/latest", color_scheme="dark")
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(body="An editor", content_type="text/html")

    reader.page.context.route(re.compile("^https://"), answer)
    reader.start_app()
    reader.page.mouse.wheel(0, 20_000)
    reader.wait_for("scrollY > 0")
    assert [url for url in asked if "stackblitz" in url] == []
    reader.page.get_by_text("Run it here").first.click()
    reader.page.get_by_title("The example for React in StackBlitz").wait_for()
    reader.page.frame_locator("iframe").get_by_text("An editor").wait_for()
    assert [url for url in asked if "stackblitz" in url] == [
        "https://stackblitz.com/github/TanStack/query/tree/main/examples/react/basic?embed=1&preset=node&theme=dark"
    ]
    reader.page.get_by_text("Close the sandbox").first.click()
    reader.wait_for("!document.querySelector('iframe')")


def test_a_sandbox_that_is_opened_before_the_app_is_there_says_where_it_runs(read: Open) -> None:
    page = read("/query/latest", javascript=False).page
    page.get_by_text("Run it here").first.click()
    link = page.get_by_role("link", name="Open StackBlitz in a new tab").first
    assert link.get_attribute("href") == "https://stackblitz.com/github/TanStack/query/tree/main/examples/react/basic"


@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_a_drawing_moves_unless_the_reader_wants_no_motion(read: Open, motion: str, moves: bool) -> None:
    page = read("/query/latest", reduced_motion=motion).page
    running = "document.getAnimations().filter(({ effect }) => effect.target.closest('.landing-drawing')).length > 0"
    assert page.evaluate(running) is moves


def test_the_page_of_an_older_version_says_which_one_it_describes(read: Open) -> None:
    page = read("/query/v4").page
    assert page.get_by_text("This page describes v5").is_visible()
    # Of the bundled docs there is one version, and nothing leads to another.
    assert page.get_by_role("link", name="Get Started").first.get_attribute("href") == (
        "/query/latest/docs/framework/react/overview"
    )


def test_a_copy_button_has_its_room_before_it_comes(read: Open) -> None:
    """On a phone it is always there: what comes with the script must not move the page."""
    reader = read("/query/latest", viewport={"width": 412, "height": 823}, has_touch=True, is_mobile=True)
    reader.wait_for("document.querySelector('.landing-install figure.code > .copy') !== null")
    with_button, without = reader.page.evaluate("""() => {
        const figure = document.querySelector('.landing-install figure.code:has(> .copy)')
        const heights = [figure.offsetHeight]
        figure.querySelector('.copy').remove()
        return [...heights, figure.offsetHeight]
    }""")
    assert with_button == without > 0


@pytest.mark.parametrize("path", ["/", "/query/latest"])
def test_the_whole_page_is_laid_out_soon_after_the_first_screen(read: Open, path: str) -> None:
    """Also below: a picture or a print of the page has everything, wherever the reader is."""
    read(path).wait_for(LAID_OUT)


def test_a_page_one_returns_to_is_as_tall_as_it_was(read: Open) -> None:
    reader = read("/ethos")
    # It is set in our font or in the system's, by which comes in time: each time in the system's.
    reader.page.route("**/*.woff2", lambda route: route.abort())
    reader.open("/query/latest")
    reader.wait_for(LAID_OUT)
    tall = reader.page.evaluate("document.body.scrollHeight")
    reader.page.reload(wait_until="domcontentloaded")
    assert reader.page.evaluate(LAID_OUT)
    assert reader.page.evaluate("document.body.scrollHeight") == tall
