"""The upgrade page and pinned versions in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import layout_shifts, overflowing_widths
from tests.browser.sample_library import write_library
from tests.servers.serving import Server, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import OpenPage

SECRET = "s3cret"
PACKAGE_JSON = json.dumps(
    {"name": SECRET, "dependencies": {"@tanstack/react-query": "^4.36.1", "@tanstack/react-table": "workspace:*"}}
)
PLAN = "/upgrade?packages=%40tanstack%2Freact-query%40%5E4.36.1%2C%40tanstack%2Freact-table%40workspace%3A"
TABS = "/docs/framework/react/guides/tabs"
LONG = "/docs/framework/react/guides/long"


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    content = write_library(tmp_path_factory.mktemp("library"))
    with serving(
        tmp_path_factory.mktemp("upgrade"),
        "--content",
        str(content),
        environment={"KINFOLK_SEARCH": "off", "KINFOLK_HIGHLIGHT": "off", "KINFOLK_PRERENDER": "off"},
    ) as server:
        yield server


def test_browser_sends_names_and_ranges_only(shared_tab: OpenPage) -> None:
    reader = shared_tab("/upgrade")
    page = reader.page
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    page.get_by_label("Your package.json").focus()
    page.keyboard.insert_text(PACKAGE_JSON)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your project", exact=True)).to_be_visible()
    assert reader.path() == PLAN
    assert [request for request in sent if SECRET in request] == []
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="TanStack Query"))
    expect(card).to_contain_text("You have v4, current is v5")
    expect(card.get_by_role("link", name="Docs of v4")).to_have_attribute("href", "/query/v4/docs")
    expect(page.get_by_text("from your workspace")).to_be_visible()
    assert violations(page) == []
    assert overflowing_widths(page, (320, 390, 768, 1280)) == []
    assert reader.console_errors == []


def test_error_names_the_line_and_a_chosen_file_is_read(shared_tab: OpenPage) -> None:
    reader = shared_tab("/upgrade")
    page = reader.page
    page.get_by_label("Your package.json").fill('{\n  "dependencies": {\n    "@tanstack/react-query": "^5",\n  }\n}')
    page.get_by_role("button", name="Show upgrades").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 4 is not valid JSON")
    expect(page.get_by_label("Your package.json")).to_be_focused()
    content = b"\xef\xbb\xbf" + PACKAGE_JSON.encode()
    files = [{"name": "package.json", "mimeType": "application/json", "buffer": content}]
    page.get_by_label("Choose a package.json").set_input_files(files)  # type: ignore[arg-type]
    expect(page.get_by_role("heading", name="Your project", exact=True)).to_be_visible()
    assert reader.path() == PLAN


def test_form_works_without_javascript(shared_tab: OpenPage) -> None:
    page = shared_tab("/upgrade", javascript=False).page
    expect(page.get_by_role("heading", name="My versions")).to_be_hidden()
    expect(page.get_by_label("Choose a package.json")).to_be_hidden()
    page.get_by_label("Your package.json").fill("lockfileVersion: '9.0'")
    page.get_by_role("button", name="Show upgrades").click()
    expect(page.get_by_role("alert")).to_contain_text("This is a lock file")
    page.get_by_label("Your package.json").fill(PACKAGE_JSON)
    page.get_by_role("button", name="Show upgrades").click()
    expect(page.get_by_text("You have v4, current is v5")).to_be_visible()
    expect(page.get_by_role("button", name="Pin v4")).to_be_hidden()
    assert SECRET not in page.url


def test_pinned_version_is_opened_until_the_pin_is_removed(shared_tab: OpenPage) -> None:
    reader = shared_tab(PLAN)
    page = reader.page
    pin = page.get_by_role("button", name="Pin v4")
    pin.click()
    expect(pin).to_have_attribute("aria-pressed", "true")
    pins = page.get_by_role("region", name="My versions")
    expect(pins.get_by_role("link", name="v4")).to_have_attribute("href", re.compile("/query/v4/docs$"))
    reader.open("/query/latest")
    page.get_by_role("link", name="Get started").first.click()
    reader.wait_for("location.pathname === '/query/v4/docs/framework/react/overview'")
    # The version menu is not about the pinned version.
    page.locator(".docs-menu summary").filter(has_text="Version").click()
    page.locator(".docs-menu .link-menu[open]").get_by_role("link", name="v5 (latest)").click()
    reader.wait_for("location.pathname === '/query/latest/docs/framework/react/overview'")
    # The pinned version has no such page.
    reader.visit(f"/query/latest{LONG}")
    reader.wait_for(f"location.pathname === '/query/latest{LONG}'")
    reader.visit(f"/query/latest{TABS}#tabs")
    reader.wait_for(f"location.pathname + location.hash === '/query/v4{TABS}#tabs'")
    page.reload()
    notice = page.locator("[data-pinned]")
    expect(notice).to_have_text(re.compile("^Pinned: ?v4 ?Unpin$"))
    assert layout_shifts(page, limit=0.002) == []
    assert violations(page, changed="[data-pinned]") == []
    notice.get_by_role("button", name="Unpin").press("Enter")
    expect(notice).to_be_hidden()
    expect(page.get_by_role("main")).to_be_focused()
    reader.open("/query/latest")
    page.get_by_role("link", name="Get started").first.click()
    reader.wait_for("location.pathname === '/query/latest/docs/framework/react/overview'")
    assert [error for error in reader.console_errors if "404" not in error] == []
