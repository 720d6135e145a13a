"""`kinfolk dev`: tabs that show an error wait for a change, and then show the page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from tests.servers.dev_tab import DevBrowser, Tab, dev_browser

from kinfolk.cli.check.content_check import check_served_content
from kinfolk.cli.dev.problems import Problem, content_problems
from kinfolk.cli.new.new_site import plan_site, site_files, write_site
from kinfolk.config.settings import Settings
from kinfolk.db.database import open_database
from kinfolk.site.site import open_site, upgrade_database

pytestmark = pytest.mark.anyio
OVERVIEW = "/acme/latest/docs/overview"
INVALID = "family = [\n"


@pytest.fixture
def dev_settings(settings: Settings, built: Path, tmp_path: Path) -> Settings:
    """A new site with a redirect to a page that does not exist."""
    folder = tmp_path / "acme"
    write_site(folder, site_files(plan_site("Acme", "teal", ()), today=date(2026, 11, 25), version="1"))
    (folder / "redirects.toml").write_text('[[rules]]\npath = "/moved"\nto = "/missing"\nstatus = 301\n')
    own = replace(settings, site=folder, content=folder / "repos", frontend=built, var=folder / "var", drafts=True)
    database = open_database(own)
    upgrade_database(database, own)
    database.close()
    return own


@pytest.fixture
async def dev(dev_settings: Settings) -> AsyncIterator[DevBrowser]:
    async with dev_browser(dev_settings) as browser:
        yield browser


async def see_two_edits(tab: Tab, file: Path) -> None:
    """Edit the page of a tab twice: when it has both edits, all tabs have been compared after the first one."""
    append(file, "First edit.")
    await tab.until(lambda tab: "First edit." in tab.html)
    append(file, "Second edit.")
    await tab.until(lambda tab: "Second edit." in tab.html)


def append(file: Path, text: str) -> None:
    file.write_text(f"{file.read_text()}\n{text}\n")


@pytest.mark.no_cover
async def test_error_page_is_loaded_again_only_after_its_change(dev: DevBrowser) -> None:
    overview, missing = await dev.open(OVERVIEW), await dev.open("/nope")
    missing_docs, invalid = await dev.open("/acme/latest/docs/framework/vue/nope"), await dev.open("/acme/v0/%zz")
    redirected = await dev.open("/moved")
    await see_two_edits(overview, dev.folder / "docs/overview.md")
    tabs = (overview, missing, missing_docs, invalid, redirected)
    assert [tab.navigations for tab in tabs] == [1, 1, 1, 1, 1]
    assert (missing.status, redirected.status, redirected.page) == (404, 404, "/missing")
    (dev.folder / "pages").mkdir()
    (dev.folder / "pages/nope.md").write_text("---\ntitle: Now a page\ndescription: It exists.\n---\n\nHello.\n")
    await missing.until(lambda tab: "Now a page" in tab.html)
    assert (missing.status, missing.navigations) == (200, 2)


async def test_page_of_a_deleted_file_waits_until_the_file_is_back(dev: DevBrowser) -> None:
    overview, guide = await dev.open(OVERVIEW), await dev.open("/acme/latest/docs/guides/writing")
    file = dev.folder / "docs/guides/writing.md"
    text = file.read_text()
    file.unlink()
    await guide.until(lambda tab: tab.navigations == 2)
    await see_two_edits(overview, dev.folder / "docs/overview.md")
    # The menu has changed once, and so has every page.
    assert (guide.navigations, overview.navigations) == (2, 2)
    file.write_text(text)
    await dev.open("/acme/latest/docs/guides/writing")


@pytest.mark.no_cover
async def test_invalid_menu_shows_an_error_until_it_is_mended(dev: DevBrowser) -> None:
    post, overview = await dev.open("/blog/first-post"), await dev.open(OVERVIEW)
    menu = dev.folder / "docs/config.json"
    menu.write_text("{")
    await overview.until(lambda tab: tab.status != 200)
    loaded = overview.navigations
    await see_two_edits(post, dev.folder / "blog/first-post.md")
    assert (overview.navigations, post.navigations) == (loaded, 1)
    menu.write_text('{"sections": [{"label": "All", "children": [{"label": "Overview", "to": "overview"}]}]}')
    await overview.until(lambda tab: tab.status == 200)


async def test_error_without_scripts_allows_the_one_that_follows_it(dev: DevBrowser) -> None:
    error = await dev.open("/acme/latest/docs/a%ff")
    assert error.status == 400
    assert error.html.rstrip().endswith("</script></html>")
    assert "script-src 'self'" in error.policy


async def test_page_of_a_library_that_disappears_waits_until_it_is_back(dev: DevBrowser) -> None:
    library = dev.folder / "libraries/acme.toml"
    text = library.read_text()
    overview = await dev.open(OVERVIEW)
    (dev.folder / "libraries/other.toml").write_text(text.replace("Acme", "Other"))
    await overview.until(lambda tab: tab.navigations == 2)
    library.unlink()
    await overview.until(lambda tab: tab.status == 404)
    loaded = overview.navigations
    post = await dev.open("/blog/first-post")
    await see_two_edits(post, dev.folder / "blog/first-post.md")
    assert overview.navigations == loaded
    library.write_text(text)
    await overview.until(lambda tab: tab.status == 200)


MISTAKES = """\
See [nothing](nothing.md), [no part](guides/writing.md#no-part) and ![a picture](gone.png).
"""


@pytest.mark.no_cover
async def test_faults_of_an_edited_page_are_shown_until_they_are_mended(dev: DevBrowser) -> None:
    overview = await dev.open(OVERVIEW)
    await overview.until(lambda tab: tab.problems == [])
    file = dev.folder / "docs/overview.md"
    text = file.read_text()
    line = text.count("\n") + 1
    file.write_text(text + MISTAKES)
    await overview.until(lambda tab: len(tab.problems) >= 3)
    shown = {(problem["file"], problem["line"], problem["reason"]) for problem in overview.problems}
    assert shown >= {
        ("docs/overview.md", line, "the link nothing.md leads nowhere"),
        (
            "docs/overview.md",
            line,
            "guides/writing.md#no-part names an anchor that docs/guides/writing.md does not have",
        ),
        ("docs/overview.md", line, "the image gone.png does not exist"),
    }
    assert f"docs/overview.md:{line}: the link nothing.md leads nowhere" in dev.lines
    file.write_text(text)
    await overview.until(lambda tab: tab.problems == [])
    file.write_text(text.replace("order: 1", "order: [1"))
    await overview.until(lambda tab: "front matter is not supported YAML" in str(tab.problems))
    file.write_text(text)
    await overview.until(lambda tab: tab.problems == [])


async def test_fault_that_an_edit_makes_on_another_page_is_shown(dev: DevBrowser) -> None:
    overview = await dev.open(OVERVIEW)
    append(dev.folder / "docs/overview.md", "See [code](guides/writing.md#code).")
    await overview.until(lambda tab: "names an anchor" in str(tab.problems))
    target = dev.folder / "docs/guides/writing.md"
    text = target.read_text()
    target.write_text(text + "\n## Code\n")
    await overview.until(lambda tab: tab.problems == [])
    target.unlink()
    await overview.until(lambda tab: "the link guides/writing.md leads nowhere" in str(tab.problems))
    target.write_text(text + "\n## Code\n")
    await overview.until(lambda tab: tab.problems == [])


@pytest.mark.no_cover
async def test_faults_are_those_of_the_check(dev: DevBrowser, dev_settings: Settings) -> None:
    post = await dev.open("/blog/first-post")
    menu = '{"sections": [{"label": "All", "children": [{"label": "Gone", "to": "gone"}]}]}'
    (dev.folder / "docs/config.json").write_text(menu)
    append(dev.folder / "blog/first-post.md", "See [nothing](/acme/latest/docs/nothing).")
    append(dev.folder / "kinfolk.toml", '[[footer]]\nlabel = "Nothing"\nto = "/nothing"')
    append(dev.folder / "docs/overview.md", "<Unknown />")
    append(dev.folder / "libraries/acme.toml", 'dialect = "vitepress"')
    faults = check_served_content(dev_settings).faults
    expected = content_problems(faults, open_site(dev_settings))
    assert len(expected) == 4
    await post.until(lambda tab: {str(Problem(**problem)) for problem in tab.problems} == set(map(str, expected)))


async def test_site_that_cannot_open_waits_for_its_configuration(dev_settings: Settings) -> None:
    configuration = dev_settings.site / "kinfolk.toml"
    valid = configuration.read_text()
    configuration.write_text(INVALID)
    async with dev_browser(dev_settings) as dev:
        home, post = await dev.open("/"), await dev.open("/blog/first-post")
        assert (home.status, "kinfolk.toml:" in home.html) == (500, True)
        configuration.write_text(INVALID + "zip = [\n")
        await home.until(lambda tab: len(tab.problems) > 0)
        configuration.write_text(valid)
        await home.until(lambda tab: tab.status == 200)
        await post.until(lambda tab: tab.status == 200)
        assert home.navigations <= 3
        configuration.unlink()
        await home.until(lambda tab: len(tab.problems) > 0)
        configuration.write_text(valid)
        await home.until(lambda tab: tab.problems == [])
        assert any(line.startswith("kinfolk.toml") for line in dev.lines)
