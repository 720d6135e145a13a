"""The example viewer in Chromium: without JavaScript, files, tree, lines, panels, full screen, list."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import httpx
import pytest
from lxml import html
from playwright.sync_api import Locator, Page, expect
from tests.browser.axe import violations
from tests.browser.conftest import NO_SCRIPTS, hold_requests, overflowing_widths, wait_for_first_paint, wait_until
from tests.servers.serving import Server, serving
from tests.sites.sample_var import HIGHLIGHTED_CODE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import OpenPage, Reader

TapEarly: TypeAlias = "Callable[[str, Callable[[Page], Locator]], Reader]"

EXAMPLES = "/query/latest/docs/examples"
BASIC = "/query/latest/docs/framework/react/examples/basic"
LARGE = "/query/latest/docs/framework/react/examples/large"
PHONE = {"has_touch": True, "is_mobile": True, "viewport": {"width": 375, "height": 700}}
ROOT = "examples/react/basic"
MAIN_FILE = "".join(f"export const line{number} = {number}\n" for number in range(1, 101))
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63f8cfc000000301010018dd8db00000000049454e44ae426082"
)
FILES: dict[str, bytes] = {
    "src/index.tsx": MAIN_FILE.encode(),
    "src/app/deep/deeper/bottom.ts": b"export const bottom = 5\n",
    "src/app/upper.ts": b"export const upper = 2\n",
    "public/pixel.png": PIXEL,
    "public/font.woff2": b"wOF2\0" + b"x" * 4995,
    "empty.txt": b"",
    "big.txt": b"a line of a file too big to show\n" * 20_000,
    "README.md": b"# Basic\n\nAn example for the tests.\n",
    "package.json": b'{"name": "basic"}\n',
}


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    content = tmp_path_factory.mktemp("examples")
    link = {"label": "Basic", "to": "framework/react/examples/basic"}
    section = {"label": "Examples", "children": [], "frameworks": [{"label": "react", "children": [link]}]}
    files = {f"{ROOT}/{name}": text for name, text in FILES.items()}
    files |= {f"examples/react/large/src/part-{number:03}.ts": b"export {}\n" for number in range(400)}
    files |= {"examples/vue/basic/src/App.vue": b"<template>Hello</template>\n"}
    files |= {"docs/config.json": json.dumps({"sections": [section]}).encode(), "docs/overview.md": b"# Overview\n"}
    for name, data in files.items():
        path = content / "TanStack/query/main" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    folder, var = tmp_path_factory.mktemp("serving"), HIGHLIGHTED_CODE.folder()
    with serving(folder, "--content", str(content), environment={"KINFOLK_SEARCH": "off"}, var=var) as server:
        yield server


REST_IS_INERT = (
    "document.querySelector('h1').closest('[inert]') !== null"
    " && !document.querySelector('.example-code').closest('[inert]')"
)


def file_url(file: str, example_url: str = BASIC) -> str:
    return f"{example_url}?path={f'{ROOT}/{file}'.replace('/', '%2F')}"


def tree_item(page: Page, name: str) -> Locator:
    return page.get_by_role("treeitem", name=name, exact=True)


def tree_names(page: Page) -> list[str]:
    return page.get_by_role("treeitem").all_inner_texts()


def called_functions(reader: Reader) -> list[str]:
    return [match[1] for call in reader.calls if (match := re.search(r"/_server/([a-z.]+)", call))]


# Without JavaScript


def test_printed_example_has_the_whole_file(shared_page: OpenPage) -> None:
    page = shared_page(BASIC, javascript=False).page
    page.set_viewport_size({"width": 718, "height": 600})
    page.emulate_media(media="print")
    box = page.locator("pre.example-code").bounding_box()
    viewer = page.locator(".example-viewer").bounding_box()
    assert box is not None
    assert viewer is not None
    assert box["height"] > MAIN_FILE.count("\n") * 16
    assert box["y"] + box["height"] <= viewer["y"] + viewer["height"]
    expect(page.get_by_role("tree")).to_be_hidden()
    page.emulate_media(media="null")


def test_files_are_links_without_javascript(shared_page: OpenPage) -> None:
    page = shared_page(BASIC, javascript=False).page
    expect(page.locator(".example-code code")).to_contain_text("export const line100 = 100")
    # Both links lead to the same URL, so only the navigation shows that a new page has loaded.
    for name in ("app", "bottom.ts"):
        with page.expect_navigation():
            tree_item(page, name).click()
    expect(page.locator(".example-code code")).to_have_text("export const bottom = 5")
    assert tree_names(page) == [
        "public",
        "src",
        "app",
        "deep",
        "deeper",
        "bottom.ts",
        "upper.ts",
        "index.tsx",
        "big.txt",
        "empty.txt",
        "package.json",
        "README.md",
    ]
    tree_item(page, "package.json").click()
    expect(page.locator(".example-code code")).to_have_text('{"name": "basic"}')


def test_line_number_links_to_its_line_without_javascript(shared_page: OpenPage) -> None:
    page = shared_page(BASIC, javascript=False).page
    page.get_by_role("link", name="40", exact=True).click()
    expect(page.locator("#L40:target")).to_be_in_viewport()


def test_tabs_and_sandbox_are_links_without_javascript(shared_page: OpenPage) -> None:
    page = shared_page(BASIC, javascript=False).page
    page.get_by_role("tab", name="Sandbox").click()
    link = page.get_by_role("link", name="Open StackBlitz in a new tab")
    expect(link).to_have_attribute("href", f"https://stackblitz.com/github/TanStack/query/tree/main/{ROOT}")
    expect(page.locator(".example-code")).to_be_hidden()


def test_examples_are_listed_and_filtered_by_links(shared_page: OpenPage) -> None:
    reader = shared_page(BASIC, javascript=False)
    reader.open(EXAMPLES)
    page, main = reader.page, reader.page.get_by_role("main")
    expect(main.get_by_role("heading", level=2)).to_have_text(["Basic", "Large"])
    expect(main.locator(".example-preview").first).to_contain_text("export const line1 = 1")
    page.get_by_role("navigation", name="Framework").get_by_role("link", name="Vue 1").click()
    expect(main.get_by_role("heading", level=1)).to_have_text("Query Vue Examples")
    expect(main.get_by_role("heading", level=2)).to_have_text(["Basic"])
    main.get_by_role("link", name="Basic", exact=True).click()
    expect(main.get_by_role("heading", level=1)).to_have_text("Vue Example: Basic")
    page.get_by_role("navigation", name="Breadcrumb").get_by_role("link", name="Examples").click()
    expect(main.get_by_role("heading", level=1)).to_have_text("Query Examples")


# Files


def response_html(server: Server, path: str) -> html.HtmlElement:
    return html.fromstring(httpx.get(server.url + path, follow_redirects=True).text)


def shown(page: html.HtmlElement, xpath: str) -> list[html.HtmlElement]:
    """The elements that are not hidden, and not within one that is."""
    return [found for found in page.xpath(xpath) if not found.xpath("ancestor-or-self::*[@hidden]")]


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("empty.txt", "This file is empty."),
        ("public/font.woff2", "This is a binary file (5.0 kB)."),
        ("big.txt", "This file is too large to show here (660.0 kB)."),
        ("src/gone.ts", "There is no file src/gone.ts in the example basic"),
    ],
)
def test_file_without_preview_shows_reason(server: Server, file: str, message: str) -> None:
    page = response_html(server, file_url(file))
    [panel] = shown(page, "//*[@role='tabpanel']")
    assert message in " ".join(panel.text_content().split())
    assert "README.md" in [item.text_content() for item in shown(page, "//*[@role='treeitem']")]


@pytest.mark.parametrize("query", ["?path=nonsense", "?panel=nonsense", f"?path={ROOT}%2F..%2Flarge", "?path="])
def test_invalid_query_parameter_shows_first_file(server: Server, query: str) -> None:
    page = response_html(server, BASIC + query)
    assert [item.text_content() for item in shown(page, "//*[@role='treeitem'][@aria-current='page']")] == ["index.tsx"]
    assert [tab.text_content() for tab in shown(page, "//*[@role='tab'][@aria-selected='true']")] == ["Code"]
    [code] = shown(page, "//*[contains(@class, 'example-code')]//code")
    assert "line1 = 1" in code.text_content()


def test_copied_code_has_no_line_numbers(open_page: OpenPage) -> None:
    page = open_page(BASIC, permissions=["clipboard-read", "clipboard-write"]).page
    # The label reverts after a delay. A paused clock keeps it until the assertion.
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied!")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == MAIN_FILE.removesuffix("\n")


def test_raw_file_and_zip_download(shared_page: OpenPage) -> None:
    reader = shared_page(BASIC)
    raw = reader.page.get_by_role("link", name="Raw").get_attribute("href")
    assert reader.page.request.get(f"{reader.server.url}{raw}").text() == MAIN_FILE
    with reader.page.expect_download() as download:
        reader.page.get_by_role("link", name="Download as a zip").click()
    assert download.value.suggested_filename == "query-react-basic.zip"


# Navigation between files


def test_file_is_prefetched_by_one_call_and_opened_in_place(shared_tab: OpenPage) -> None:
    # Files that other tests have opened are in the memory of the page that they share.
    reader = shared_tab(BASIC)
    reader.interact()
    reader.scroll_to(60)
    with reader.page.expect_response(lambda response: "example.file" in response.url):
        tree_item(reader.page, "package.json").hover()
    tree_item(reader.page, "package.json").click()
    expect(reader.page.locator(".example-code code")).to_have_text('{"name": "basic"}')
    assert reader.page.evaluate("scrollY") == 60
    assert reader.path() == file_url("package.json")
    assert called_functions(reader) == ["example.file"]
    reader.page.go_back()
    expect(reader.page.locator(".example-code code")).to_contain_text("line1 = 1")
    assert called_functions(reader) == ["example.file"]
    assert reader.console_errors == []


# The file tree


def test_tree_supports_keyboard(shared_page: OpenPage) -> None:
    reader = shared_page(BASIC)
    page = reader.page
    page.get_by_role("tab", name="Code").focus()
    reader.wait_for("window.__kinfolk?.hydrated === true")
    for _ in ("Download", "Full screen", "the tree, at the open file"):
        page.keyboard.press("Tab")
    expect(tree_item(page, "index.tsx")).to_be_focused()
    for key, name in (
        ("ArrowUp", "app"),
        ("ArrowRight", "app"),
        ("ArrowRight", "deep"),
        ("ArrowDown", "upper.ts"),
        ("ArrowLeft", "app"),
        ("ArrowLeft", "app"),
        ("End", "README.md"),
        ("Home", "public"),
        ("ArrowUp", "public"),
        ("e", "empty.txt"),
        ("p", "package.json"),
    ):
        page.keyboard.press(key)
        reader.wait_for(f"document.activeElement.textContent === {name!r}")
    page.keyboard.press("Enter")
    expect(page.locator(".example-code code")).to_have_text('{"name": "basic"}')
    expect(tree_item(page, "package.json")).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(tree_item(page, "pixel.png")).to_be_visible()
    page.keyboard.press("*")
    expect(tree_item(page, "upper.ts")).to_be_hidden()
    page.keyboard.press("Tab")
    expect(page.get_by_role("separator")).to_be_focused()


def test_click_toggles_folder_and_aria_expanded(shared_page: OpenPage) -> None:
    reader = shared_page(BASIC)
    reader.interact()
    folder = tree_item(reader.page, "public")
    expect(folder).to_have_attribute("aria-expanded", "false")
    folder.click()
    expect(folder).to_have_attribute("aria-expanded", "true")
    expect(tree_item(reader.page, "pixel.png")).to_have_attribute("aria-level", "2")
    folder.click()
    expect(tree_item(reader.page, "pixel.png")).to_be_hidden()
    assert reader.path() == BASIC


def test_large_tree_renders_only_visible_items(shared_tab: OpenPage) -> None:
    reader = shared_tab(LARGE)
    page = reader.page
    assert len(tree_names(page)) == 401
    reader.interact()
    reader.wait_for("document.querySelectorAll('[role=treeitem]').length < 100")
    tree_item(page, "part-000.ts").focus()
    page.keyboard.press("End")
    reader.wait_for("document.activeElement.textContent === 'part-399.ts'")
    expect(tree_item(page, "part-399.ts")).to_have_attribute("aria-posinset", "400")
    page.keyboard.press("Enter")
    reader.wait_for("location.search.includes('part-399.ts')")
    assert reader.console_errors == []


def test_open_file_is_visible_in_tree_before_and_after_hydration(shared_page: OpenPage) -> None:
    reader = shared_page(NO_SCRIPTS)
    reader.page.set_viewport_size({"width": 375, "height": 800})
    reader.open(f"{LARGE}?path=examples%2Freact%2Flarge%2Fsrc%2Fpart-300.ts")
    expect(tree_item(reader.page, "part-300.ts")).to_be_in_viewport()
    assert reader.page.evaluate("scrollY") == 0
    reader.interact()
    reader.wait_for("document.querySelectorAll('[role=treeitem]').length < 100")
    expect(tree_item(reader.page, "part-300.ts")).to_be_in_viewport()
    assert reader.console_errors == []


# The width of the tree


def test_tree_width_is_resizable_and_persists(shared_tab: OpenPage) -> None:
    reader = shared_tab(BASIC)
    page = reader.page
    splitter = page.get_by_role("separator", name="Width of the file tree")
    reader.interact()
    splitter.focus()
    page.keyboard.press("ArrowRight")
    expect(splitter).to_have_attribute("aria-valuenow", "256")
    box = splitter.bounding_box()
    assert box is not None
    page.mouse.move(box["x"], box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"] + 60)
    page.mouse.up()
    expect(splitter).not_to_have_attribute("aria-valuenow", "256")
    width = int(splitter.get_attribute("aria-valuenow") or 0)
    assert 340 <= width <= 370
    reader.open(BASIC)
    assert abs(page.locator("#example-tree").evaluate("tree => tree.offsetWidth") - width) <= 1


# Selected lines


def test_clicks_on_line_numbers_update_url_fragment(shared_page: OpenPage) -> None:
    reader = shared_page(BASIC)
    page = reader.page
    reader.interact()
    page.get_by_role("link", name="3", exact=True).click()
    expect(page).to_have_url(f"{reader.server.url}{BASIC}#L3")
    page.get_by_role("link", name="6", exact=True).click(modifiers=["Shift"])
    expect(page).to_have_url(f"{reader.server.url}{BASIC}#L3-L6")
    page.get_by_role("link", name="6", exact=True).press("ArrowDown")
    expect(page.get_by_role("link", name="7", exact=True)).to_be_focused()
    assert called_functions(reader) == []


def test_line_range_in_url_is_marked_and_visible_before_hydration(shared_tab: OpenPage) -> None:
    reader = shared_tab(f"{BASIC}#L80-L85")
    source = reader.page.locator(".example-code[data-marked]")
    expect(reader.page.locator("#L80")).to_be_in_viewport()
    assert source.evaluate("source => source.style.getPropertyValue('--count')") == "6"
    reader.interact()
    assert source.evaluate("source => source.style.getPropertyValue('--from')") == "80"
    assert reader.console_errors == []


# Panels and full screen


def test_tabs_support_keyboard_and_sandbox_loads_on_demand(shared_tab: OpenPage) -> None:
    # The focus starts the app.
    reader = shared_tab(BASIC)
    page = reader.page
    external_urls: list[str] = []
    page.on("request", lambda r: None if r.url.startswith(reader.server.url) else external_urls.append(r.url))
    page.route(re.compile("^https://"), lambda route: route.fulfill(body="<p>A sandbox</p>"))
    page.get_by_role("tab", name="Code").focus()
    reader.wait_for("window.__kinfolk?.hydrated === true")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Sandbox")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tab", name="Sandbox")).to_be_focused()
    assert reader.path() == f"{BASIC}?panel=sandbox"
    assert external_urls == []
    page.get_by_role("button", name="Start in StackBlitz").press("Enter")
    frame = page.get_by_title("React Example: Basic in StackBlitz")
    expect(frame).to_be_visible()
    assert "theme=light&file=src%2Findex.tsx" in str(frame.get_attribute("src"))
    page.get_by_role("tab", name="Sandbox").press("Home")
    expect(page.locator(".example-code")).to_be_visible()
    assert reader.path() == BASIC
    assert called_functions(reader) == []


def test_full_screen_makes_rest_inert_and_ends_on_escape(shared_page: OpenPage) -> None:
    reader = shared_page(BASIC)
    page = reader.page
    reader.interact()
    button = page.get_by_role("button", name="Full screen")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    reader.wait_for(REST_IS_INERT)
    box = page.locator(".example-viewer").bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    assert (box["width"], box["height"]) == (size["width"], size["height"])
    tree_item(page, "package.json").click()
    expect(page.locator(".example-code code")).to_have_text('{"name": "basic"}')
    page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-pressed", "false")
    reader.wait_for(f"!({REST_IS_INERT})")


# The first tap on a touch screen, before the boot script has arrived


@pytest.fixture
def tap_early(shared_page: OpenPage) -> TapEarly:
    """Open a page on a touch screen, and tap an element while the boot script is still on its way."""

    def tap(path: str, find: Callable[[Page], Locator]) -> Reader:
        reader = shared_page(NO_SCRIPTS, **PHONE)
        held = hold_requests(reader.page, "**/assets/boot-*.js")
        reader.page.goto(reader.server.url + path, wait_until="commit")
        wait_until(reader.page, lambda: bool(held), "the boot script is requested")
        wait_for_first_paint(reader.page)
        find(reader.page).tap()
        held[0].continue_()
        return reader

    return tap


def test_first_tap_opens_full_screen(tap_early: TapEarly) -> None:
    page = tap_early(BASIC, lambda page: page.get_by_role("button", name="Full screen")).page
    expect(page.get_by_role("button", name="Full screen")).to_have_attribute("aria-pressed", "true")


def test_first_tap_folds_the_folder_of_the_open_file(tap_early: TapEarly) -> None:
    reader = tap_early(BASIC, lambda page: tree_item(page, "src"))
    expect(tree_item(reader.page, "src")).to_have_attribute("aria-expanded", "false")
    assert reader.path() == BASIC


def test_first_tap_starts_the_sandbox(tap_early: TapEarly) -> None:
    page = tap_early(f"{BASIC}?panel=sandbox", lambda page: page.get_by_role("button", name="Start in StackBlitz")).page
    expect(page.get_by_title("React Example: Basic in StackBlitz")).to_be_attached()


def test_second_tap_on_a_waiting_toggle_does_not_undo_the_first(tap_early: TapEarly) -> None:
    def tapped_once(page: Page) -> Locator:
        toggle = page.get_by_role("button", name="Full screen")
        toggle.tap()
        expect(toggle).to_have_attribute("aria-busy", "true")
        return toggle

    page = tap_early(BASIC, tapped_once).page
    toggle = page.get_by_role("button", name="Full screen")
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(toggle).not_to_have_attribute("aria-busy", "true")


def test_tap_on_a_link_is_followed_if_the_boot_script_cannot_load(shared_page: OpenPage) -> None:
    reader = shared_page(NO_SCRIPTS, **PHONE)
    reader.page.route("**/assets/boot-*.js", lambda route: route.abort())
    reader.open(BASIC)
    tree_item(reader.page, "package.json").tap()
    expect(reader.page.locator(".example-code code")).to_have_text('{"name": "basic"}')


# The list of examples


def test_navigation_from_list_to_example_and_back_makes_no_function_call(shared_tab: OpenPage) -> None:
    reader = shared_tab(EXAMPLES)
    reader.interact()
    reader.page.get_by_role("link", name="Large", exact=True).click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("React Example: Large")
    reader.page.go_back()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Query Examples")
    assert called_functions(reader) == []
    assert reader.console_errors == []


# Accessibility and layout


@pytest.mark.parametrize(
    "path",
    [BASIC, file_url("public/pixel.png"), f"{BASIC}?panel=sandbox", EXAMPLES],
    ids=["code", "picture", "sandbox", "list"],
)
def test_example_page_is_accessible_and_does_not_overflow(shared_tab: OpenPage, path: str) -> None:
    reader = shared_tab(path)
    page = reader.page
    if "pixel" in path:
        expect(page.get_by_role("img", name="pixel.png")).to_be_visible()
        reader.wait_for("document.querySelector('.example-picture img').naturalWidth === 1")
    assert overflowing_widths(page, (320, 375, 768, 1024, 1440, 1920)) == []
    page.set_viewport_size({"width": 1280, "height": 720})
    reader.interact()
    assert violations(page) == []
