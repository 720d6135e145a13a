"""Landing pages and logos over HTTP, and the files that a new library needs."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import httpx
import pytest
from tests.servers.serving import LEAN, serving

from kinfolk.api.all_functions import registry
from kinfolk.api.functions.libraries import LibraryPage
from kinfolk.api.registry import Call
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.sources.snapshot import FileHistory, Snapshot, Tree
from kinfolk.site.site import Site

pytestmark = pytest.mark.anyio
Fetch = Callable[..., Awaitable[httpx.Response]]

ATLAS = """
id = "atlas"
name = "Acme Atlas"
short_name = "Atlas"
to = "/atlas"
order = 11
group = "other"
tagline = "Maps that fold themselves"
description = "Atlas draws maps."
og_image = "https://pictures.example/atlas.png"

repo = "Acme/atlas"
latest_version = "v1"
latest_branch = "main"
frameworks = ["react"]

color_from = "rose-500"
color_to = "indigo-600"
text_color = "rose-600"
bg_style = "rose-500"
text_style = "rose-500"
card_styles = { light = "rose-600", dark = "rose-400" }

[[versions]]
name = "v1"
branch = "main"

[[versions]]
name = "v0"
branch = "never-mirrored"

[[menu]]
label = "Docs"
to = "/atlas/latest/docs/overview"
icon = "book-open"

[[feature_highlights]]
title = "Folds"
icon = "layers"
description = "Along the lines you choose."
"""
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2z"/></svg>'
NAVIGATION = {
    "sections": [
        {
            "label": "Getting Started",
            "children": [{"label": "Overview", "to": "overview"}],
            "frameworks": [
                {"label": "react", "children": [{"label": "Quick Start", "to": "framework/react/quick-start"}]}
            ],
        }
    ]
}
DOCS = {
    "docs/config.json": json.dumps(NAVIGATION),
    "docs/overview.md": "---\ntitle: Overview\n---\n\nAtlas draws maps.\n",
    "docs/framework/react/quick-start.md": (
        "---\ntitle: Quick Start\nredirect_from:\n  - framework/react/begin\n---\n\nUnfold it.\n"
    ),
    "examples/react/basic/src/main.tsx": "export const atlas = 1\n",
}
REDIRECTS = {
    "/atlas": "/atlas/latest",
    "/atlas/v7": "/atlas/latest?from=/atlas/v7",
    "/atlas/latest/docs": "/atlas/latest/docs/overview",
    "/atlas/latest/docs/nowhere": "/atlas/latest/docs/overview?from=/atlas/latest/docs/nowhere",
    "/atlas/latest/docs/framework/react/begin": "/atlas/latest/docs/framework/react/quick-start",
    "/api/md/atlas/latest/docs/framework/react/begin": "/api/md/atlas/latest/docs/framework/react/quick-start",
}
PAGES = {
    "/atlas/latest": "Maps that fold themselves",
    "/atlas/v1": "Maps that fold themselves",
    "/atlas/latest/docs/overview": "Atlas draws maps.",
    "/atlas/latest/docs/framework": "React",
    "/atlas/latest/docs/framework/react": "Quick Start",
    "/atlas/latest/docs/framework/react/quick-start": "Unfold it.",
    "/atlas/latest/docs/framework/react/examples/basic": "main.tsx",
    "/atlas/latest/docs/overview.md": "Atlas draws maps.",
    "/atlas/latest/llms.txt": "Quick Start",
    "/sitemap-atlas-latest.xml": "/atlas/latest/docs/overview",
}


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory, settings: Settings, built: Path) -> Iterator[httpx.Client]:
    """The family with one more library, which consists of a data file, docs and a logo."""
    assert built
    folder = tmp_path_factory.mktemp("extended")
    data = shutil.copytree(settings.site, folder / "data")
    content = shutil.copytree(settings.content, folder / "repos")
    (data / "libraries/atlas.toml").write_text(ATLAS)
    (data / "libraries/atlas").mkdir()
    (data / "libraries/atlas/logo.svg").write_text(LOGO)
    for file, text in DOCS.items():
        path = content / "Acme/atlas/main" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    environment = LEAN | {"KINFOLK_SITE": str(data)}
    with (
        serving(folder, "--content", str(content), environment=environment) as server,
        httpx.Client(base_url=server.url, timeout=30) as client,
    ):
        yield client


@pytest.mark.parametrize(("path", "words"), PAGES.items())
def test_new_library_needs_only_a_data_file_docs_and_a_logo(extended: httpx.Client, path: str, words: str) -> None:
    answer = extended.get(path)
    assert answer.status_code == 200
    assert words in answer.text


@pytest.mark.parametrize(("path", "target"), REDIRECTS.items())
def test_new_library_has_the_usual_redirects(extended: httpx.Client, path: str, target: str) -> None:
    answer = extended.get(path)
    assert (answer.is_redirect, answer.headers["location"]) == (True, target)


@pytest.mark.parametrize(
    "path",
    [
        "/atlas/v0",
        "/atlas/latest",
        "/atlas/latest/docs/framework",
        "/atlas/latest/docs/framework/react",
        "/atlas/latest/docs/examples",
        "/atlas/latest/docs/framework/react/examples",
        "/atlas/latest/docs/overview",
    ],
)
def test_pages_do_not_link_to_docs_of_a_version_without_a_copy(extended: httpx.Client, path: str) -> None:
    assert "/atlas/v0/docs" not in extended.get(path).text


def test_landing_page_of_a_version_without_a_copy_explains_it(extended: httpx.Client) -> None:
    assert "There is no copy of the docs of v0 here." in extended.get("/atlas/v0").text


def test_configured_share_image_is_used(extended: httpx.Client) -> None:
    html = extended.get("/atlas/latest").text
    assert '<meta property="og:image" content="https://pictures.example/atlas.png"/>' in html
    assert "og:image:width" not in html


@pytest.mark.parametrize("page", ["/", "/query/latest", "/atlas/latest", "/blog"])
def test_new_library_is_in_all_menus_with_its_colors(extended: httpx.Client, page: str) -> None:
    html = (extended.get(page)).text
    assert 'href="/atlas"' in html
    # The palette steps of the library's file, as colors.toml defines them.
    assert "--from:#ff2056;--to:#4f39f6" in html


def test_logo_of_a_new_library_is_in_the_sprite(extended: httpx.Client, settings: Settings) -> None:
    address = re.search(r"--logos:url\((.+?)\)", extended.get("/atlas/latest").text)
    assert address
    logos = ET.fromstring(extended.get(address[1]).text)  # noqa: S314 - a file of this project
    assert len(logos) == len(list(settings.site.glob("libraries/*.toml"))) + 1
    assert any(path.get("d", "").startswith("M3 6l6-2 6 2") for path in logos.iter("{http://www.w3.org/2000/svg}path"))
    assert [row.get("y") for row in logos] == [str(48 * row) for row in range(len(logos))]


def test_new_library_has_an_icon_and_a_pattern_by_its_id(extended: httpx.Client) -> None:
    for address in ("/_icons/atlas.svg", "/_patterns/atlas.svg"):
        assert extended.get(address).headers["content-type"].startswith("image/svg+xml")


def test_new_library_has_a_share_image(extended: httpx.Client) -> None:
    answer = extended.get("/og/atlas.jpg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg")


@pytest.mark.parametrize("sprite", ["logos", "frameworkLogos"])
async def test_logo_sprite_is_immutable_and_runs_no_scripts(
    client: httpx.AsyncClient, fetch: Fetch, sprite: str
) -> None:
    shell = (await fetch("site.shell")).json()["data"]
    logo = await client.get(shell[sprite])
    assert logo.headers["content-type"].startswith("image/svg+xml")
    assert "immutable" in logo.headers["cache-control"]
    assert "default-src 'none'" in logo.headers["content-security-policy"]
    assert logo.headers["content-encoding"] == "gzip"
    old = shell[sprite].partition("?")[0] + "?v=old"
    assert "immutable" not in (await client.get(old)).headers["cache-control"]


async def test_partner_marks_are_immutable_and_used_by_home_page_and_sponsor_pack(
    client: httpx.AsyncClient, fetch: Fetch
) -> None:
    home, pack = [(await fetch(name)).json()["data"] for name in ("home.page", "sponsors.pack")]
    assert home["partnerMarks"] == pack["marks"]
    marks = await client.get(pack["marks"])
    assert "immutable" in marks.headers["cache-control"]
    assert "default-src 'none'" in marks.headers["content-security-policy"]
    names = [partner["name"] for partner in home["partners"]]
    assert names == sorted(names, key=str.casefold)
    assert len(names) == len({partner["mark"] for partner in home["partners"]}) == marks.text.count('<svg y="')
    assert {circle["name"]: circle["mark"] for circle in pack["circles"]} == {
        partner["name"]: partner["mark"] for partner in home["partners"]
    }
    assert home["sponsors"]["circles"] == pack["circles"]


async def test_library_has_its_own_partners_only(fetch: Fetch) -> None:
    names = {
        id: [partner["name"] for partner in (await fetch("catalog.library", {"id": id})).json()["data"]["partners"]]
        for id in ("table", "ranger", "pacer")
    }
    assert names == {"table": ["AG Grid"], "ranger": [], "pacer": ["Unkey"]}


async def test_figures_are_those_of_the_requested_version(fetch: Fetch) -> None:
    latest = (await fetch("catalog.library", {"id": "query"})).json()["data"]["figures"]
    assert latest == {"pages": 30, "examples": 5, "frameworks": 5, "versions": 1, "updated": None}
    old = (await fetch("catalog.library", {"id": "query", "version": "v4"})).json()["data"]
    assert old["figures"] is None  # there is no copy of this version: the page is about the latest one
    assert [link["to"] for link in old["start"]][:1] == ["/query/latest/docs/framework/react/overview"]


class DatedTree:
    """A tree with the given dates of files."""

    def __init__(self, tree: Tree, updated: Mapping[str, datetime]) -> None:
        self.ref, self.revision, self.files, self.changed_at = tree.ref, tree.revision, tree.files, tree.changed_at
        self.read, self.size = tree.read, tree.size
        self.left_out, self.broken_links, self.linked_paths = tree.left_out, tree.broken_links, tree.linked_paths
        self._updated = updated

    def history(self, path: str) -> FileHistory | None:
        return FileHistory(self._updated[path], ("Ann",)) if path in self._updated else None


async def test_last_change_is_the_newest_date_of_the_librarys_pages(site: Site) -> None:
    docs = site.content.publisher.docs
    dates = {
        "docs/start/framework/react/overview.md": datetime(2025, 3, 17, tzinfo=UTC),
        "docs/start/framework/react/quick-start.md": datetime(2025, 3, 18, tzinfo=UTC),
        "docs/router/overview.md": datetime(2025, 4, 1, tzinfo=UTC),
        "examples/react/start-basic/README.md": datetime(2025, 5, 1, tzinfo=UTC),
    }
    trees = {ref: DatedTree(tree, dates) for ref, tree in docs.snapshot.trees.items()}
    call = Call.begin(site, docs_snapshot=docs.with_snapshot(Snapshot(trees)))
    answer = await registry.call("catalog.library", {"id": "start"}, call)
    assert isinstance(answer.data, LibraryPage)
    assert answer.data.figures
    assert answer.data.figures.updated == "2025-03-18"
    assert "TanStack/router@main#dates" in answer.tags


async def test_libraries_of_one_repository_count_their_own_examples(fetch: Fetch) -> None:
    counts = {
        id: (await fetch("catalog.library", {"id": id})).json()["data"]["figures"]["examples"]
        for id in ("start", "router")
    }
    assert counts == {"start": 2, "router": 2}


async def test_sample_links_to_its_example_and_sandbox(fetch: Fetch) -> None:
    samples = (await fetch("catalog.library", {"id": "start"})).json()["data"]["samples"]
    solid = next(sample for sample in samples if sample["framework"] == "solid")
    assert solid["example"] == "/start/latest/docs/framework/solid/examples/start-basic"
    assert solid["sandbox"]["editor"] == "codesandbox"
    assert "/TanStack/router/tree/main/examples/solid/start-basic?" in solid["sandbox"]["embed"]


async def test_demo_is_the_file_that_the_build_compiles(fetch: Fetch, settings: Settings) -> None:
    proofs = {proof["id"]: proof for proof in (await fetch("home.page")).json()["data"]["proofs"]}
    assert list(proofs) == ["router", "query", "table", "form", "virtual", "pacer", "store", "ranger"]
    for id, proof in proofs.items():
        page = (await fetch("catalog.library", {"id": id})).json()["data"]
        assert (proof["title"], proof["code"], proof["drawing"]) == ("demo.tsx", page["demo"], page["drawing"])
        shown = html.unescape(re.sub(r"<[^>]+>", "", proof["code"]["$html"]))
        assert (settings.site / f"libraries/{id}/demo.tsx").read_text().strip() in shown


async def test_older_version_has_no_demo(site: Site) -> None:
    docs = site.content.publisher.docs
    main = docs.snapshot.trees[Ref("TanStack/query", "main")]
    old = Snapshot({**docs.snapshot.trees, Ref("TanStack/query", "v4"): main})
    call = Call.begin(site, docs_snapshot=docs.with_snapshot(old))
    answer = await registry.call("catalog.library", {"id": "query", "version": "v4"}, call)
    assert isinstance(answer.data, LibraryPage)
    assert (answer.data.figures is not None, answer.data.demo) == (True, None)


def test_landing_page_shows_the_code_of_the_demo_and_names_its_files(extended: httpx.Client, built: Path) -> None:
    text = extended.get("/ranger/latest").text
    assert "The code of this demo" in text
    files = re.search(r'data-demo="ranger" data-files="([^"]+)"', text)
    assert files
    assert all((built / f"client{file}").exists() for file in files[1].split())
    assert 'data-files="' not in extended.get("/config/latest").text


async def test_unknown_version_is_invalid(fetch: Fetch) -> None:
    answer = (await fetch("catalog.library", {"id": "query", "version": "v9"})).json()
    assert answer == {"kind": "error", "code": "invalid", "message": "Could not resolve version for TanStack Query"}
