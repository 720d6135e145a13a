"""The bytes of a page before the first interaction, which is all that most visits load."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.serving import serving

DOC = "/query/latest/docs/framework/react/guides/caching"
KILO = 1000


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[httpx.Client]:
    assert built
    with (
        serving(tmp_path_factory.mktemp("weight"), environment={"KINFOLK_SEARCH": "off"}) as server,
        httpx.Client(base_url=server.url, timeout=30, headers={"accept-encoding": "br"}) as client,
    ):
        yield client


def weight(reader: httpx.Client, address: str) -> int:
    """Bytes on the wire."""
    answer = reader.get(address)
    assert answer.status_code == 200, address
    return int(answer.headers["content-length"])


def styles(html: str) -> list[str]:
    return re.findall(r'<link rel="stylesheet" href="([^"]+)"', html)


def boot_script(html: str) -> str:
    found = re.search(r'<script type="module"[^>]* src="([^"]+)"', html)
    assert found is not None
    return found[1]


def test_docs_page_weight_is_within_budget(reader: httpx.Client) -> None:
    html = reader.get(DOC).text
    page, script = weight(reader, DOC), weight(reader, boot_script(html))
    sheets = {href: weight(reader, href) for href in styles(html)}
    fonts = {
        href: weight(reader, href)
        for sheet in sheets
        for href in re.findall(r"url\((/assets/[^)]+\.woff2)\)", reader.get(sheet).text)
    }
    print(f"\npage {page}, boot_script {script}, styles {sheets}, fonts {fonts}")
    site = next(size for href, size in sheets.items() if "/site-" in href)
    assert site <= 9 * KILO
    assert page + script + sum(sheets.values()) <= 27 * KILO
    assert page + script + sum(sheets.values()) + sum(fonts.values()) <= 60 * KILO


def test_search_dialog_weight_is_within_budget(reader: httpx.Client, built: Path) -> None:
    files = [*built.glob("client/assets/searchDialog-*.js"), *built.glob("client/assets/search-*.css")]
    assert len(files) == 2
    assert sum(weight(reader, f"/assets/{file.name}") for file in files) <= 60 * KILO


def test_body_font_is_preloaded(reader: httpx.Client) -> None:
    html = reader.get(DOC).text
    preloaded = re.findall(r'<link rel="preload" as="font"[^>]* href="([^"]+)"', html)
    assert len(preloaded) == 1
    answer = reader.get(preloaded[0])
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "font/woff2"


def test_only_pages_outside_the_docs_load_the_site_layout(reader: httpx.Client) -> None:
    sheets = [
        [re.sub(r"-[\w-]{8}\.css$", "", href) for href in styles(reader.get(path).text)] for path in (DOC, "/nope")
    ]
    assert "/assets/site-layout" not in sheets[0]
    assert sheets[1] == ["/assets/site", "/assets/site-layout"]
