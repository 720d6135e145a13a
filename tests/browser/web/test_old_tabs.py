"""Tabs that were opened before a deploy go on with the assets of their build."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.conftest import Reader
from tests.browser.search.search_dialog import PAGE, press_shortcut, search_box, search_for
from tests.inputs.search_index import wait_for_search_index
from tests.servers.renamed_build import renamed_build
from tests.servers.serving import PLAIN, free_port, serving
from tests.sites.sample_var import SAMPLE_VAR

from kinfolk.web.endpoints.files.asset_store import AssetStore

LINK = "/query/latest/docs/framework/react/guides/caching"
BUILD = "document.querySelector('script[data-boot]').dataset.boot"


@dataclass
class Tabs:
    """Tabs by their page, which an earlier build has rendered.

    `scripts` are the assets of the current build, `stored` those of former ones.
    """

    opened: dict[str, Reader]
    scripts: Path
    stored: Path

    def is_old(self, reader: Reader) -> bool:
        """Whether the page of a tab is of the earlier build."""
        name = str(reader.page.evaluate(BUILD)).rpartition("/")[2]
        return not (self.scripts / name).exists()

    def start_other_build(self, name: str) -> None:
        """Let the assets of another build be the last ones that were started."""
        source = self.stored.parent / f"build-{name}"
        source.mkdir(exist_ok=True)
        (source / f"app-{name}.js").write_text(name)
        assert AssetStore(self.stored, source, builds=3).store()


@pytest.fixture(scope="module")
def tabs(browser: Browser, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tabs]:
    """Tabs that were opened before a server of another build took over the port."""
    folder = tmp_path_factory.mktemp("deploys")
    port = free_port()
    frontend = renamed_build(built, folder / "frontend")
    environment = PLAIN | {"KINFOLK_ASSET_BUILDS": "3", "KINFOLK_PRERENDER": "off"}
    with ExitStack() as stack:
        former = stack.enter_context(ExitStack())
        before = former.enter_context(
            serving(folder, "--reuse-port", environment=environment, var=SAMPLE_VAR.folder(), port=port)
        )
        # They share a cache: what one of them has loaded, the others need not.
        context = stack.enter_context(browser.new_context())
        opened = {path: Reader(context.new_page(), before) for path in (LINK, PAGE)}
        for path, reader in opened.items():
            reader.open(path)
        environment |= {"KINFOLK_FRONTEND": str(frontend), "KINFOLK_VAR": str(folder / "var")}
        # Its log is not that of the other server, which says the same.
        after = stack.enter_context(serving(frontend, "--reuse-port", environment=environment, port=port))
        former.close()
        wait_for_search_index(after)
        yield Tabs(opened, frontend / "client" / "assets", folder / "var" / "assets")


def test_link_of_an_old_tab_opens_a_page_of_the_new_build(tabs: Tabs) -> None:
    reader = tabs.opened[LINK]
    assert tabs.is_old(reader)
    reader.visit(PAGE)
    reader.wait_until(lambda: reader.path() == PAGE and not tabs.is_old(reader), "the page is of the new build")
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Overview")
    assert reader.console_errors == []


def test_old_tab_loads_the_search_while_its_build_is_among_the_last_three(tabs: Tabs) -> None:
    tabs.start_other_build("third")
    reader = tabs.opened[PAGE]
    press_shortcut(reader.page)
    search_for(reader.page, "caching")
    assert tabs.is_old(reader)
    search_box(reader.page).press("Enter")
    reader.wait_until(lambda: reader.path() != PAGE and not tabs.is_old(reader), "the result is of the new build")
    assert reader.console_errors == []
