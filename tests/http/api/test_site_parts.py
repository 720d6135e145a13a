"""Which parts of a site its pages link to: menus, features, and links of the configuration."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import cast

import pytest
from tests.sites.other_sites import ACME, MINIMAL, Files, write_site

from kinfolk.api.all_functions import registry
from kinfolk.api.functions.shell import Shell, ShownAnnouncement
from kinfolk.api.registry import Call
from kinfolk.config.settings import read_settings
from kinfolk.content.dependencies import BLOG, BLOG_EXISTS, DAY, PAGE_LIST, purge_tags
from kinfolk.site.site import Site, open_site

pytestmark = pytest.mark.anyio
_OFF = dict.fromkeys(("MIRROR", "HIGHLIGHT", "SEARCH", "NPM_IMPORT", "LINK_CHECK", "FIGURES", "RELEASE_NOTES"), "off")


def opened(folder: Path, files: Files, **settings: str) -> Site:
    site = write_site(folder / "site", files)
    variables = {f"KINFOLK_{name}": value for name, value in {**_OFF, **settings}.items()}
    return open_site(read_settings({**variables, "KINFOLK_SITE": str(site), "KINFOLK_VAR": str(folder / "var")}))


async def shell_of(site: Site, today: date | None = None) -> tuple[Shell, frozenset[str]]:
    answer = await registry.call("site.shell", None, Call.begin(site, today=today))
    return cast(Shell, answer.data), frozenset(answer.tags)


async def test_pages_and_parts_follow_the_links_of_the_configuration(tmp_path: Path) -> None:
    menu = '[[menu]]\nlabel = "Chat"\nto = "https://chat.example"\n'
    shell, _ = await shell_of(opened(tmp_path, {**ACME, "kinfolk.toml": ACME["kinfolk.toml"] + menu}))
    assert [link.label for link in shell.menu] == ["Chat", "Guides", "About", "Blog"]
    assert [link.to for link in shell.footer] == ["/about", "/privacy"]


async def test_link_to_a_part_that_the_site_lacks_is_left_out(tmp_path: Path) -> None:
    menu = '[[menu]]\nlabel = "Blog"\nto = "/blog"\n\n[[footer]]\nlabel = "npm"\nto = "/stats/npm"\n'
    shell, _ = await shell_of(opened(tmp_path, {**MINIMAL, "kinfolk.toml": MINIMAL["kinfolk.toml"] + menu}))
    assert (shell.menu, shell.footer) == ((), ())


async def test_libraries_with_npm_packages_are_compared(tmp_path: Path) -> None:
    library = MINIMAL["libraries/widgets.toml"] + 'npm_packages = ["acme-widgets"]\n'
    site = opened(tmp_path, {**MINIMAL, "libraries/widgets.toml": library})
    shell, _ = await shell_of(site)
    assert shell.features.statistics
    assert [link.label for link in shell.menu] == ["npm stats"]


@pytest.mark.parametrize(
    ("settings", "is_linked"),
    [
        ({}, True),
        ({"ORIGIN": "https://docs.acme.example", "SECRET": "s" * 40}, False),
        (
            {
                "ORIGIN": "https://docs.acme.example",
                "SECRET": "s" * 40,
                "SMTP": "smtp://mail.acme.example",
                "MAIL_FROM": "docs@acme.example",
            },
            True,
        ),
    ],
    ids=["development", "no way to sign in", "mail"],
)
async def test_sign_in_is_linked_where_readers_can_sign_in(
    tmp_path: Path, settings: dict[str, str], is_linked: bool
) -> None:
    shell, _ = await shell_of(opened(tmp_path, MINIMAL, **settings))
    assert shell.features.sign_in is is_linked


async def test_privacy_link_leads_to_the_page_of_that_name(tmp_path: Path) -> None:
    shell, _ = await shell_of(opened(tmp_path / "acme", ACME))
    assert (shell.links.privacy, shell.links.about, shell.links.funding) == ("/privacy", "/about", None)
    assert (await shell_of(opened(tmp_path / "minimal", MINIMAL)))[0].links.privacy is None


async def test_shell_depends_on_the_list_of_pages_and_not_on_posts(tmp_path: Path) -> None:
    _, tags = await shell_of(opened(tmp_path, ACME))
    assert purge_tags([PAGE_LIST, BLOG_EXISTS]) <= tags
    assert not purge_tags([BLOG]) & tags


async def test_first_post_makes_all_pages_stale_and_the_second_one_does_not(tmp_path: Path) -> None:
    site = opened(tmp_path, MINIMAL)
    post = ACME["blog/first.md"].replace("[anvil]", "[]")
    write_site(tmp_path / "site", {"blog/one.md": post})
    assert site.content.blog.refresh() == {BLOG, BLOG_EXISTS}
    write_site(tmp_path / "site", {"blog/two.md": post})
    assert site.content.blog.refresh() == {BLOG}


async def test_announcement_is_shown_on_its_days(tmp_path: Path) -> None:
    bar = '\n[announcement]\ntext = "Widgets 2"\nhref = "/blog"\nstarts = 2026-12-02\nends = 2026-12-03\n'
    site = opened(tmp_path, {**MINIMAL, "kinfolk.toml": MINIMAL["kinfolk.toml"] + bar})
    shown = []
    for day in range(1, 5):
        shell, tags = await shell_of(site, date(2026, 12, day))
        assert purge_tags([DAY]) <= tags
        shown.append(shell.announcement)
    assert shown[0] is shown[3] is None
    assert shown[1] == shown[2] == ShownAnnouncement("373ac870", "Widgets 2", "/blog")


async def test_pages_with_an_announcement_without_days_do_not_depend_on_the_day(tmp_path: Path) -> None:
    bar = '\n[announcement]\ntext = "Widgets 2"\n'
    shell, tags = await shell_of(opened(tmp_path, {**MINIMAL, "kinfolk.toml": MINIMAL["kinfolk.toml"] + bar}))
    assert shell.announcement is not None
    assert (shell.announcement.text, shell.announcement.href) == ("Widgets 2", None)
    assert not purge_tags([DAY]) & tags


async def test_docs_without_an_overview_begin_at_the_first_page_of_the_menu(tmp_path: Path) -> None:
    site = opened(tmp_path, MINIMAL)
    answer = await registry.call("docs.home", {"library": "widgets", "version": "latest"}, Call.begin(site))
    assert answer.data == "install"
