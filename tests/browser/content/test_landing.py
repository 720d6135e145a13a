"""Landing pages in Chromium: without JavaScript, framework selection, phone width, sandboxes on demand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize, expect
from tests.browser.axe import violations
from tests.browser.conftest import NO_SCRIPTS

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route
    from tests.browser.conftest import OpenPage

IDS = ("start", "router", "query", "table", "form", "virtual", "pacer", "store", "ranger", "config")
PHONE_VIEWPORT = ViewportSize(width=320, height=640)
# The drawings move all the time.
AT_REST = {"reduced_motion": "reduce"}
IS_LAID_OUT = """[...document.querySelectorAll('.section, .site-footer')].every(
    (element) => getComputedStyle(element).contentVisibility === 'visible')"""


def install_command(page: Page) -> str:
    """The visible installation command."""
    return page.get_by_role("region", name="Installation").locator("pre:visible").inner_text().strip()


def visible_code(page: Page) -> str:
    """The visible code example."""
    return page.get_by_role("region", name="Fetch a list").locator("pre:visible").inner_text()


@pytest.mark.parametrize("id", ["start", "config"])
def test_landing_page_without_demo_has_no_accessibility_violations(shared_tab: OpenPage, id: str) -> None:
    """The tests of demos check the others."""
    reader = shared_tab(f"/{id}/latest", **AT_REST)
    reader.interact()
    assert violations(reader.page) == []
    assert reader.console_errors == []


def test_landing_pages_fit_narrowest_phone(shared_page: OpenPage) -> None:
    reader = shared_page(NO_SCRIPTS, **AT_REST)
    reader.page.set_viewport_size(PHONE_VIEWPORT)
    widths = {}
    for id in IDS:
        reader.open(f"/{id}/latest")
        widths[id] = reader.page.evaluate("document.documentElement.scrollWidth")
    assert widths == dict.fromkeys(IDS, PHONE_VIEWPORT["width"])


def test_landing_page_is_complete_without_javascript(shared_page: OpenPage) -> None:
    page = shared_page("/query/latest", javascript=False, **AT_REST).page
    for name in ("What you get", "Fetch a list, then add to it", "On this site"):
        assert page.get_by_role("heading", name=name).is_visible()
    commands = page.get_by_role("region", name="Installation").locator("pre:visible").all_inner_texts()
    assert [text.strip() for text in commands] == [
        f"npm i @tanstack/{name}-query" for name in ("react", "solid", "vue", "svelte")
    ] + ["npm i @tanstack/angular-query-experimental"]
    page.get_by_text("Svelte", exact=True).click()
    assert "svelte-query" in visible_code(page)
    page.get_by_text("React", exact=True).click()


def test_sandbox_without_javascript_links_to_stackblitz(shared_page: OpenPage) -> None:
    page = shared_page("/query/latest", javascript=False, **AT_REST).page
    page.get_by_text("Run it here").first.click()
    link = page.get_by_role("link", name="Open StackBlitz in a new tab").first
    assert link.get_attribute("href") == "https://stackblitz.com/github/TanStack/query/tree/main/examples/react/basic"


def test_commands_and_links_follow_the_choices_of_the_reader(shared_tab: OpenPage) -> None:
    reader = shared_tab("/query/latest", **AT_REST)
    page = reader.page
    assert install_command(page) == "npm i @tanstack/react-query"
    page.get_by_text("Vue", exact=True).click()
    assert "@tanstack/vue-query" in visible_code(page)
    assert install_command(page) == "npm i @tanstack/vue-query"
    page.get_by_role("region", name="Installation").get_by_text("pnpm").locator("visible=true").first.click()
    start = page.get_by_role("link", name="Get started")
    expect(start).to_have_attribute("href", "/query/latest/docs/framework/vue/overview")
    docs = page.get_by_role("link", name="Docs", exact=True)
    expect(docs).to_have_attribute("href", "/query/latest/docs/framework/vue/overview")
    expect(page.get_by_role("link", name="Start with Vue")).to_be_visible()
    expect(page.get_by_role("link", name="Start with React")).to_be_hidden()
    reader.open("/table/latest")
    assert install_command(page) == "pnpm add @tanstack/vue-table@8"
    assert page.get_by_role("radio", name="Vue").is_checked()
    # Opening a page of another framework is no choice.
    reader.open("/query/latest/docs/framework/solid/overview")
    reader.open("/query/latest")
    expect(start).to_have_attribute("href", "/query/latest/docs/framework/vue/overview")
    # A library that lacks it says so; a choice there is for that library only.
    reader.open("/start/latest")
    expect(page.get_by_text("Start has no docs for Vue. This page shows React.")).to_be_visible()
    page.get_by_role("group", name="Framework").get_by_text("Solid", exact=True).click()
    expect(start).to_have_attribute("href", "/start/latest/docs/framework/solid/overview")
    page.reload()
    expect(start).to_have_attribute("href", "/start/latest/docs/framework/solid/overview")
    expect(page.get_by_text("Start has no docs for Vue.")).to_be_hidden()
    reader.open("/query/latest")
    expect(start).to_have_attribute("href", "/query/latest/docs/framework/vue/overview")
    assert reader.console_errors == []


def test_selected_framework_survives_hydration_and_navigation(shared_tab: OpenPage) -> None:
    reader = shared_tab("/query/latest", **AT_REST)
    reader.page.get_by_text("Solid", exact=True).click()
    reader.interact()
    assert reader.page.get_by_role("radio", name="Solid").is_checked()
    reader.page.locator("nav a[href='/store']").first.click()
    reader.page.get_by_role("heading", name="A basket and a total that stays in sync").wait_for()
    reader.wait_for("document.querySelector('[data-tab=solid]').checked")
    assert install_command(reader.page) == "npm i @tanstack/solid-store"
    assert reader.console_errors == []


def test_sandbox_loads_only_on_demand(shared_page: OpenPage) -> None:
    reader = shared_page(NO_SCRIPTS, **AT_REST)
    reader.page.emulate_media(color_scheme="dark")
    reader.open("/query/latest")
    external_urls: list[str] = []

    def fulfill(route: Route) -> None:
        external_urls.append(route.request.url)
        route.fulfill(body="An editor", content_type="text/html")

    reader.page.route(re.compile("^https://"), fulfill)
    reader.interact()
    reader.page.mouse.wheel(0, 20_000)
    reader.wait_for("scrollY > 0")
    assert [url for url in external_urls if "stackblitz" in url] == []
    reader.page.get_by_text("Run it here").first.click()
    reader.page.get_by_title("The example for React in StackBlitz").wait_for()
    reader.page.frame_locator("iframe").get_by_text("An editor").wait_for()
    assert [url for url in external_urls if "stackblitz" in url] == [
        "https://stackblitz.com/github/TanStack/query/tree/main/examples/react/basic?embed=1&preset=node&theme=dark"
    ]
    reader.page.get_by_text("Close the sandbox").first.click()
    reader.wait_for("!document.querySelector('iframe')")
    reader.page.emulate_media(color_scheme="light")


def test_drawing_animates_unless_reduced_motion_is_preferred(shared_page: OpenPage) -> None:
    page = shared_page("/query/latest", **AT_REST).page
    running = "document.getAnimations().filter(({ effect }) => effect.target.closest('.demo-drawing')).length > 0"
    assert not page.evaluate(running)
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(running)
    page.emulate_media(reduced_motion="reduce")
    assert not page.evaluate(running)


def test_page_of_older_version_names_described_version(shared_tab: OpenPage) -> None:
    page = shared_tab("/query/v4", javascript=False, **AT_REST).page
    assert page.get_by_text("This page describes v5").is_visible()
    # The bundled docs have one version, so links lead to it.
    assert page.get_by_role("link", name="Get started").first.get_attribute("href") == (
        "/query/latest/docs/framework/react/overview"
    )


def test_copy_button_does_not_change_code_height(open_page: OpenPage) -> None:
    """On touch screens the button is always visible. Scripts add it, and adding it must not shift the layout."""
    phone = {"viewport": {"width": 412, "height": 823}, "has_touch": True, "is_mobile": True}
    reader = open_page("/query/latest", **phone, **AT_REST)
    reader.wait_for("document.querySelector('.landing-install figure.code > .copy') !== null")
    height_with_button, height_without_button = reader.page.evaluate("""() => {
        const figure = document.querySelector('.landing-install figure.code:has(> .copy)')
        const heights = [figure.offsetHeight]
        figure.querySelector('.copy').remove()
        return [...heights, figure.offsetHeight]
    }""")
    assert height_with_button == height_without_button > 0


@pytest.mark.parametrize("path", ["/", "/query/latest"])
def test_whole_page_is_laid_out_after_first_screen(shared_page: OpenPage, path: str) -> None:
    """Screenshots and prints contain the whole page, at any scroll position."""
    shared_page(path, **AT_REST).wait_for(IS_LAID_OUT)


def test_page_height_is_restored_on_reload(shared_page: OpenPage) -> None:
    reader = shared_page(NO_SCRIPTS, **AT_REST)
    # Without web fonts, both loads use the system font. With them, the font depends on the load time.
    reader.page.route("**/*.woff2", lambda route: route.abort())
    reader.open("/query/latest")
    reader.wait_for(IS_LAID_OUT)
    height = reader.page.evaluate("document.body.scrollHeight")
    reader.page.reload(wait_until="domcontentloaded")
    assert reader.page.evaluate(IS_LAID_OUT)
    assert reader.page.evaluate("document.body.scrollHeight") == height
