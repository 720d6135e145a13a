"""The list of releases and the field in the version menu, for readers with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.servers.serving import Server, serving
from tests.sites.released_site import released_environment

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    folder = tmp_path_factory.mktemp("releases")
    with serving(folder, environment=released_environment(folder)) as server:
        yield server


def test_reader_opens_the_same_page_in_a_release_from_the_version_menu(open_page: OpenPage) -> None:
    page = open_page("/tiles/latest/docs/overview").page
    menu = page.locator(".link-menu", has_text="Version")
    menu.locator("summary").click()
    field = menu.get_by_role("textbox", name="Release of Tiles")
    field.fill("v1.0")
    assert violations(page, changed=".link-menu[open]") == []
    field.press("Enter")
    page.wait_for_url("**/tiles/1.0.0/docs/overview")
    expect(page.get_by_role("main")).to_contain_text("Overview of 1.0.")
    expect(page.get_by_role("complementary", name="Version of these docs")).to_contain_text("docs of release 1.0.0")
    # The next page is of the same release, without a reload.
    page.get_by_role("main").get_by_role("link", name="the guide").click()
    page.wait_for_url("**/tiles/1.0.0/docs/guide")
    page.get_by_role("link", name="Read v2").click()
    page.wait_for_url("**/tiles/latest/docs/guide")


def test_list_of_releases_works_without_scripts_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/tiles/releases", javascript=False, viewport=PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.get_by_text("Solid only, version 3").click()
    page.get_by_role("link", name="solid@3.2.0").click()
    page.wait_for_url("**/tiles/solid@3.2.0/docs/start")
    expect(page.locator("h1")).to_have_text("Start")


def test_missing_release_is_named_and_the_list_has_no_faults(open_page: OpenPage) -> None:
    page = open_page("/tiles/releases").page
    field = page.get_by_role("main").get_by_role("textbox", name="Release of Tiles")
    field.fill("7.7.7")
    field.press("Enter")
    page.wait_for_url("**/tiles/releases?release=7.7.7")
    expect(page.get_by_role("alert")).to_contain_text("no such release")
    assert violations(page) == []
