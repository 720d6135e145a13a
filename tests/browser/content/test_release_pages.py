"""The page of a release in a browser."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import overflowing_widths
from tests.servers.serving import Server, serving
from tests.sites.released_site import make_upstream, released_environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.browser.conftest import OpenPage

LONG = "x" * 200
CHANGELOG = f"""# Changelog

## 2.0.0

### Breaking Changes

- `lay{LONG}` takes an object (#12)

```ts
lay({{ rows: 2 }})
```

### Fixed

- A leak

## 1.0.0

- The first tiles
"""


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    folder = tmp_path_factory.mktemp("released")
    environment = released_environment(folder, partial(make_upstream, changelog=CHANGELOG))
    with serving(tmp_path_factory.mktemp("site"), environment=environment) as one:
        yield one


def test_reader_follows_releases_in_both_themes_and_on_a_phone(shared_tab: OpenPage) -> None:
    reader = shared_tab("/tiles/releases")
    page = reader.page
    page.get_by_role("link", name="2.0.0", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tiles 2.0.0")
    assert reader.path() == "/tiles/releases/2.0.0"
    page.get_by_text("2 packages").click()
    expect(page.get_by_text("@acme/solid-tiles")).to_be_visible()
    assert violations(page) == []
    assert overflowing_widths(page, (320, 390, 1280)) == []
    page.get_by_role("link", name="Previous release").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tiles 1.0.0")
    expect(page.get_by_role("heading", name="Release notes")).to_be_visible()
    assert reader.console_errors == []
