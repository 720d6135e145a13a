"""The example viewer in a real browser: complete without JavaScript, and driven by keyboard alone with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.test_accessibility import violations
from tests.serving import Server, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Reader

    Open = Callable[..., Reader]

EXAMPLES = "/query/latest/docs/examples"
BASIC = "/query/latest/docs/framework/react/examples/basic"
LARGE = "/query/latest/docs/framework/react/examples/large"
ROOT = "examples/react/basic"
MAIN = "".join(f"export const line{number} = {number}\n" for number in range(1, 101))
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63f8cfc000000301010018dd8db00000000049454e44ae426082"
)
FILES: dict[str, bytes] = {
    "src/index.tsx": MAIN.encode(),
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
    for name, content_of in files.items():
        path = content / "TanStack/query/main" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content_of)
    with serving(tmp_path_factory.mktemp("serving"), "--content", str(content)) as server:
        yield server


OUT_OF_REACH = (
    "document.querySelector('h1').closest('[inert]') !== null && !document.querySelector('.source').closest('[inert]')"
)


def at(file: str, address: str = BASIC) -> str:
    return f"{address}?path={f'{ROOT}/{file}'.replace('/', '%2F')}"


def item(page: Page, name: str) -> Locator:
    return page.get_by_role("treeitem", name=name, exact=True)


def names(page: Page) -> list[str]:
    return page.get_by_role("treeitem").all_inner_texts()


def called(reader: Reader) -> list[str]:
    return [found[1] for call in reader.calls if (found := re.search(r"/_server/([a-z.]+)", call))]


# Without a script


def test_without_javascript_every_file_is_reached_by_links(read: Open) -> None:
    page = read(BASIC, javascript=False).page
    expect(page.locator(".source code")).to_contain_text("export const line100 = 100")
    # The second leads to where the first has led: only the navigation itself tells one page from the other.
    for name in ("app", "bottom.ts"):
        with page.expect_navigation():
            item(page, name).click()
    expect(page.locator(".source code")).to_have_text("export const bottom = 5")
    assert names(page) == [
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
    item(page, "package.json").click()
    expect(page.locator(".source code")).to_have_text('{"name": "basic"}')


def test_without_javascript_a_line_is_marked_by_its_number(read: Open) -> None:
    page = read(BASIC, javascript=False).page
    page.get_by_role("link", name="40", exact=True).click()
    expect(page.locator("#L40:target")).to_be_in_viewport()


def test_without_javascript_the_tabs_are_links_and_the_sandbox_is_one_too(read: Open) -> None:
    page = read(BASIC, javascript=False).page
    page.get_by_role("tab", name="Sandbox").click()
    link = page.get_by_role("link", name="Open StackBlitz in a new tab")
    expect(link).to_have_attribute("href", f"https://stackblitz.com/github/TanStack/query/tree/main/{ROOT}")
    expect(page.locator(".source")).to_be_hidden()


# Files


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("empty.txt", "This file is empty."),
        ("public/font.woff2", "This is a binary file of 5.0 kB."),
        ("big.txt", "This file has 660.0 kB, more than a page should show."),
        ("src/gone.ts", "There is no file src/gone.ts in the example basic"),
    ],
)
def test_a_file_that_cannot_be_shown_says_why(read: Open, file: str, words: str) -> None:
    page = read(at(file)).page
    expect(page.get_by_role("tabpanel")).to_contain_text(words)
    expect(item(page, "README.md")).to_be_visible()


def test_a_picture_is_shown(read: Open) -> None:
    reader = read(at("public/pixel.png"))
    expect(reader.page.get_by_role("img", name="pixel.png")).to_be_visible()
    reader.wait_for("document.querySelector('.example-picture img').naturalWidth === 1")


@pytest.mark.parametrize("query", ["?path=nonsense", "?panel=nonsense", f"?path={ROOT}%2F..%2Flarge", "?path="])
def test_a_search_parameter_that_makes_no_sense_shows_the_first_file(read: Open, query: str) -> None:
    page = read(BASIC + query).page
    expect(item(page, "index.tsx")).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("tab", name="Code")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".source code")).to_contain_text("line1 = 1")


def test_the_raw_file_and_the_zip_are_links(read: Open) -> None:
    reader = read(BASIC)
    raw = reader.page.get_by_role("link", name="Raw").get_attribute("href")
    assert reader.page.request.get(f"{reader.server.url}{raw}").text() == MAIN
    with reader.page.expect_download() as download:
        reader.page.get_by_role("link", name="Download as a zip").click()
    assert download.value.suggested_filename == "query-react-basic.zip"


def test_copying_gives_the_code_without_its_numbers(read: Open) -> None:
    page = read(BASIC, permissions=["clipboard-read", "clipboard-write"]).page
    # It is said for a while only: until somebody looks, no time passes.
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied!")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == MAIN.removesuffix("\n")


# Moving between files


def test_another_file_is_one_call_and_going_back_none(read: Open) -> None:
    reader = read(BASIC)
    reader.start_app()
    item(reader.page, "package.json").click()
    expect(reader.page.locator(".source code")).to_have_text('{"name": "basic"}')
    assert reader.path() == at("package.json")
    assert called(reader) == ["example.file"]
    reader.page.go_back()
    expect(reader.page.locator(".source code")).to_contain_text("line1 = 1")
    assert called(reader) == ["example.file"]
    assert reader.complaints == []


def test_pointing_at_a_file_fetches_it_ahead(read: Open) -> None:
    reader = read(BASIC)
    reader.start_app()
    with reader.page.expect_response(lambda response: "example.file" in response.url):
        item(reader.page, "package.json").hover()
    item(reader.page, "package.json").click()
    expect(reader.page.locator(".source code")).to_have_text('{"name": "basic"}')
    assert called(reader) == ["example.file"]


def test_a_file_is_opened_where_the_reader_has_scrolled_to(read: Open) -> None:
    reader = read(BASIC, viewport={"width": 1280, "height": 700})
    reader.start_app()
    reader.page.evaluate("scrollTo(0, 60)")
    item(reader.page, "package.json").click()
    expect(reader.page.locator(".source code")).to_have_text('{"name": "basic"}')
    assert reader.page.evaluate("scrollY") == 60


# The tree by keyboard


def test_the_tree_is_walked_by_keyboard_alone(read: Open) -> None:
    reader = read(BASIC)
    page = reader.page
    page.get_by_role("tab", name="Code").focus()
    reader.wait_for("window.__kinfolk?.hydrated === true")
    for _ in ("Download", "Full screen", "the tree, at the open file"):
        page.keyboard.press("Tab")
    expect(item(page, "index.tsx")).to_be_focused()
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
    expect(page.locator(".source code")).to_have_text('{"name": "basic"}')
    expect(item(page, "package.json")).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(item(page, "pixel.png")).to_be_visible()
    page.keyboard.press("*")
    expect(item(page, "upper.ts")).to_be_hidden()
    page.keyboard.press("Tab")
    expect(page.get_by_role("separator")).to_be_focused()


def test_a_folder_opens_and_closes_at_a_click_and_says_so(read: Open) -> None:
    reader = read(BASIC)
    reader.start_app()
    folder = item(reader.page, "public")
    expect(folder).to_have_attribute("aria-expanded", "false")
    folder.click()
    expect(folder).to_have_attribute("aria-expanded", "true")
    expect(item(reader.page, "pixel.png")).to_have_attribute("aria-level", "2")
    folder.click()
    expect(item(reader.page, "pixel.png")).to_be_hidden()
    assert reader.path() == BASIC


def test_of_a_large_tree_only_what_is_in_view_is_drawn(read: Open) -> None:
    reader = read(LARGE)
    page = reader.page
    assert len(names(page)) == 401
    reader.start_app()
    reader.wait_for("document.querySelectorAll('[role=treeitem]').length < 100")
    item(page, "part-000.ts").focus()
    page.keyboard.press("End")
    reader.wait_for("document.activeElement.textContent === 'part-399.ts'")
    expect(item(page, "part-399.ts")).to_have_attribute("aria-posinset", "400")
    page.keyboard.press("Enter")
    reader.wait_for("location.search.includes('part-399.ts')")
    assert reader.complaints == []


def test_the_open_file_is_in_view_in_its_tree_before_the_app_is_there_and_after(read: Open) -> None:
    reader = read(f"{LARGE}?path=examples%2Freact%2Flarge%2Fsrc%2Fpart-300.ts", viewport={"width": 375, "height": 800})
    expect(item(reader.page, "part-300.ts")).to_be_in_viewport()
    assert reader.page.evaluate("scrollY") == 0
    reader.start_app()
    reader.wait_for("document.querySelectorAll('[role=treeitem]').length < 100")
    expect(item(reader.page, "part-300.ts")).to_be_in_viewport()
    assert reader.complaints == []


# Its width


def test_the_width_of_the_tree_is_set_by_keys_and_by_hand_and_remembered(read: Open) -> None:
    reader = read(BASIC, viewport={"width": 1280, "height": 800})
    page = reader.page
    splitter = page.get_by_role("separator", name="Width of the file tree")
    reader.start_app()
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
    page.reload()
    assert abs(page.locator("#example-tree").evaluate("tree => tree.offsetWidth") - width) <= 1


# Lines


def test_lines_are_marked_by_clicks_and_by_the_address(read: Open) -> None:
    reader = read(BASIC, viewport={"width": 1280, "height": 800})
    page = reader.page
    reader.start_app()
    page.get_by_role("link", name="3", exact=True).click()
    expect(page).to_have_url(f"{reader.server.url}{BASIC}#L3")
    page.get_by_role("link", name="6", exact=True).click(modifiers=["Shift"])
    expect(page).to_have_url(f"{reader.server.url}{BASIC}#L3-L6")
    page.get_by_role("link", name="6", exact=True).press("ArrowDown")
    expect(page.get_by_role("link", name="7", exact=True)).to_be_focused()
    assert called(reader) == []


def test_a_range_in_the_address_is_marked_and_scrolled_to_before_the_app_is_there(read: Open) -> None:
    reader = read(f"{BASIC}#L80-L85", viewport={"width": 1280, "height": 800})
    source = reader.page.locator(".source[data-marked]")
    expect(reader.page.locator("#L80")).to_be_in_viewport()
    assert source.evaluate("source => source.style.getPropertyValue('--count')") == "6"
    reader.start_app()
    assert source.evaluate("source => source.style.getPropertyValue('--from')") == "80"
    assert reader.complaints == []


# Panels and full screen


def test_the_tabs_are_driven_by_keyboard_and_nothing_foreign_is_loaded_before_it_is_asked_for(read: Open) -> None:
    reader = read(BASIC)
    page = reader.page
    foreign: list[str] = []
    page.on("request", lambda r: None if r.url.startswith(reader.server.url) else foreign.append(r.url))
    page.context.route(re.compile("^https://"), lambda route: route.fulfill(body="<p>A sandbox</p>"))
    page.get_by_role("tab", name="Code").focus()
    reader.wait_for("window.__kinfolk?.hydrated === true")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Sandbox")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tab", name="Sandbox")).to_be_focused()
    assert reader.path() == f"{BASIC}?panel=sandbox"
    assert foreign == []
    page.get_by_role("button", name="Start in StackBlitz").press("Enter")
    frame = page.get_by_title("React Example: Basic in StackBlitz")
    expect(frame).to_be_visible()
    assert "theme=light&file=src%2Findex.tsx" in str(frame.get_attribute("src"))
    page.get_by_role("tab", name="Sandbox").press("Home")
    expect(page.locator(".source")).to_be_visible()
    assert reader.path() == BASIC
    assert called(reader) == []


def test_full_screen_hides_the_rest_and_ends_with_escape(read: Open) -> None:
    reader = read(BASIC)
    page = reader.page
    reader.start_app()
    button = page.get_by_role("button", name="Full screen")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    reader.wait_for(OUT_OF_REACH)
    box = page.locator(".example-frame").bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    assert (box["width"], box["height"]) == (size["width"], size["height"])
    item(page, "package.json").click()
    expect(page.locator(".source code")).to_have_text('{"name": "basic"}')
    page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-pressed", "false")
    reader.wait_for(f"!({OUT_OF_REACH})")


# The list


def test_all_examples_are_on_one_page_and_filtered_by_links(read: Open) -> None:
    page = read(EXAMPLES, javascript=False).page
    main = page.get_by_role("main")
    expect(main.get_by_role("heading", level=2)).to_have_text(["Basic", "Large"])
    expect(main.locator(".example-preview").first).to_contain_text("export const line1 = 1")
    page.get_by_role("navigation", name="Framework").get_by_role("link", name="Vue 1").click()
    expect(main.get_by_role("heading", level=1)).to_have_text("Query Vue Examples")
    expect(main.get_by_role("heading", level=2)).to_have_text(["Basic"])
    main.get_by_role("link", name="Basic", exact=True).click()
    expect(main.get_by_role("heading", level=1)).to_have_text("Vue Example: Basic")
    page.get_by_role("navigation", name="Breadcrumb").get_by_role("link", name="Examples").click()
    expect(main.get_by_role("heading", level=1)).to_have_text("Query Examples")


def test_from_the_list_to_an_example_and_back(read: Open) -> None:
    reader = read(EXAMPLES)
    reader.start_app()
    reader.page.get_by_role("link", name="Large", exact=True).click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("React Example: Large")
    assert sorted(called(reader)) == ["example.file", "example.files"]
    reader.page.go_back()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Query Examples")
    assert len(called(reader)) == 2
    assert reader.complaints == []


# For everybody


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "path",
    [BASIC, at("public/pixel.png"), f"{BASIC}?panel=sandbox", EXAMPLES],
    ids=["code", "picture", "sandbox", "list"],
)
def test_an_example_has_no_violations(read: Open, path: str, theme: str) -> None:
    reader = read(path, color_scheme=theme)
    reader.start_app()
    assert violations(reader.page) == []


@pytest.mark.parametrize("path", [BASIC, f"{BASIC}?panel=sandbox", EXAMPLES], ids=["code", "sandbox", "list"])
def test_no_page_of_examples_is_wider_than_its_window(read: Open, path: str) -> None:
    page = read(path).page
    for width in (320, 375, 768, 1024, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
