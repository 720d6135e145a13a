"""The bytes of a page before the first interaction, which is all that most visits load."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.servers.serving import serving

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


def styles(html: str) -> dict[str, int]:
    """The stylesheets in the page: their URLs, and their bytes as files of their own."""
    return {
        href: len(text.encode()) for href, text in re.findall(r'<style data-href="([^"]+)"[^>]*>(.*?)</style>', html)
    }


def boot_script(html: str) -> str:
    found = re.search(r' data-boot="([^"]+)"', html)
    assert found is not None
    return found[1]


def fonts(html: str) -> list[str]:
    """Without those of italic text, which only pages with italic text load."""
    faces = [face for face in re.findall(r"@font-face{[^}]*", html) if "font-style:italic" not in face]
    return [address for face in faces for address in re.findall(r"url\((/assets/[^)]+\.woff2)\)", face)]


def test_docs_page_weight_is_within_budget(reader: httpx.Client) -> None:
    # The first response. Later ones are smaller: they are compressed again with more effort.
    answer = reader.get(DOC)
    html, page = answer.text, int(answer.headers["content-length"])
    script = weight(reader, boot_script(html))
    site = next(weight(reader, href) for href in styles(html) if "/site-" in href)
    of_fonts = {href: weight(reader, href) for href in fonts(html)}
    print(f"\npage {page}, boot_script {script}, site {site}, fonts {of_fonts}")
    assert len(of_fonts) == 2
    assert site <= 9 * KILO
    assert page + script <= 27 * KILO
    assert page + script + sum(of_fonts.values()) <= 60 * KILO


def test_first_paint_of_docs_page_waits_for_no_other_file(reader: httpx.Client) -> None:
    html = reader.get(DOC).text
    head = html[: html.index("</head>")]
    assert 'rel="stylesheet"' not in html
    assert "<script src" not in html
    assert ' src="/assets/' not in head
    assert 'rel="preload"' not in head
    assert fonts(re.sub(r"<noscript.*?</noscript>", "", html, flags=re.DOTALL)) == []


@pytest.mark.parametrize(("address", "scripts"), [("/", 1), ("/query/latest", 3)])
def test_parser_pauses_only_for_the_first_script_and_for_tabs(reader: httpx.Client, address: str, scripts: int) -> None:
    assert reader.get(address).text.count("<script>") == scripts


def test_search_dialog_weight_is_within_budget(reader: httpx.Client, built: Path) -> None:
    files = [*built.glob("client/assets/searchDialog-*.js"), *built.glob("client/assets/search-*.css")]
    assert len(files) == 2
    assert sum(weight(reader, f"/assets/{file.name}") for file in files) <= 60 * KILO


def test_body_font_is_preloaded_outside_the_docs(reader: httpx.Client) -> None:
    html = reader.get("/").text
    preloaded = re.findall(r'<link rel="preload" as="font"[^>]* href="([^"]+)"', html)
    assert len(preloaded) == 1
    assert preloaded[0] in fonts(html)
    answer = reader.get(preloaded[0])
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "font/woff2"


def test_stylesheet_of_the_site_precedes_those_of_its_parts(reader: httpx.Client) -> None:
    sheets = [
        [re.sub(r"-[0-9a-f]+\.css$", "", href) for href in styles(reader.get(path).text)] for path in (DOC, "/nope")
    ]
    assert sheets[0] == ["/assets/site", "/assets/promo"]
    assert sheets[1] == ["/assets/site", "/assets/web-fonts", "/assets/site-layout", "/assets/message-page"]
