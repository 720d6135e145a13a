"""Landing pages of versions, their links by framework, figures that agree, and addresses of the sitemap."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from lxml import html
from lxml.html import HtmlElement
from starlette.testclient import TestClient
from tests.inputs.search_index import wait_for_search_index
from tests.servers.serving import PLAIN, serving

from kinfolk.config.settings import Settings
from kinfolk.search.docs_index.generations import index_folder
from kinfolk.search.docs_index.index_build import build, only_builder
from kinfolk.search.open_search import open_searchable_content
from kinfolk.web.app import create_app

REPO = "TanStack/query"
EXAMPLES_ON_GITHUB = f"https://github.com/{REPO}/tree/v4/examples"
NAVIGATION = {
    "sections": [
        {
            "label": "Start",
            "children": [],
            "frameworks": [
                {
                    "label": "react",
                    "children": [
                        {"label": "Overview", "to": "framework/react/overview"},
                        {"label": "Basic", "to": "framework/react/examples/basic"},
                    ],
                },
                {"label": "svelte", "children": [{"label": "Overview", "to": "framework/svelte/overview"}]},
                {"label": "lit", "children": [{"label": "Setup", "to": "framework/lit/setup"}]},
            ],
        }
    ]
}
OLD_DOCS = {
    "docs/config.json": json.dumps(NAVIGATION),
    "docs/framework/react/overview.md": "# Overview\n\n[Basic](./examples/basic)\n",
    "docs/framework/svelte/overview.md": "# Overview\n",
    "docs/framework/lit/setup.md": "# Setup\n",
}
GUIDE = "framework/react/guides/migrating-to-v5"


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory, settings: Settings, built: Path) -> Iterator[httpx.Client]:
    """The bundled docs, and docs of v4 of Query without example files."""
    assert built
    folder = tmp_path_factory.mktemp("versions")
    content = shutil.copytree(settings.content, folder / "repos")
    (content / REPO / f"main/docs/{GUIDE}.md").write_text("# Migrating to v5\n")
    for file, text in OLD_DOCS.items():
        path = content / REPO / "v4" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    # In this process: the server would start one that imports all of the server.
    changed = dataclasses.replace(settings, content=content, var=folder / "var")
    with only_builder(index_folder(changed.var)):
        build(index_folder(changed.var), open_searchable_content(changed))
    with (
        serving(folder, "--content", str(content), environment=PLAIN) as server,
        httpx.Client(base_url=server.url, timeout=30) as client,
    ):
        wait_for_search_index(server)
        yield client


def page_of(client: httpx.Client | TestClient, path: str) -> HtmlElement:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return html.fromstring(answer.text)


def call(client: httpx.Client, function: str, data: object) -> Any:
    payload = json.dumps({"data": data, "context": {}})
    answer = client.get(f"/_server/{function}", params={"createServerFn": "", "payload": payload})
    return answer.json()["data"]


def links(part: HtmlElement, label: str) -> list[str]:
    """The targets of the links with this text, those of the first framework first."""
    return [str(link.get("href")) for link in part.iter("a") if " ".join(link.text_content().split()) == label]


@pytest.fixture
def old(versions: httpx.Client) -> HtmlElement:
    return page_of(versions, "/query/v4")


@pytest.mark.no_cover
def test_landing_page_of_a_version_links_to_its_own_docs(old: HtmlElement) -> None:
    assert links(old, "Get started") == [
        "/query/v4/docs/framework/react/overview",
        "/query/v4/docs/framework/lit",  # has no overview
        "/query/v4/docs/framework/svelte/overview",
    ]
    assert links(old, "Docs") == links(old, "Read the v4 docs") == links(old, "Get started")
    inside = {link for _, _, link, _ in old.iterlinks() if link.startswith("/query/latest/docs")}
    assert inside == {f"/query/latest/docs/{GUIDE}"}


def test_landing_page_of_a_version_installs_it(old: HtmlElement) -> None:
    commands = {pre.text_content().strip() for pre in old.cssselect(".landing-install pre")}
    assert {"npm i @tanstack/react-query@4", "bun add @tanstack/svelte-query@4"} <= commands
    assert not [command for command in commands if not command.endswith("@4")]


def test_landing_page_of_a_version_names_the_current_one_and_the_guide_to_it(old: HtmlElement) -> None:
    notice = old.cssselect(".landing-version-notice")[0]
    assert "This page is about v4. The current version is v5." in notice.text_content()
    assert links(notice, "Go to v5") == ["/query/latest"]
    assert links(notice, "Migrate to v5") == [f"/query/latest/docs/{GUIDE}"]


def test_landing_page_of_a_version_has_its_frameworks_and_samples(old: HtmlElement) -> None:
    listed = [link.get("data-choose-framework") for link in old.cssselect(".frameworks a")]
    assert listed == ["react", "lit", "svelte"]
    assert "isPending" not in old.text_content()
    assert str(old.cssselect("link[rel=canonical]")[0].get("href")).endswith("/query/v4")


def test_links_to_examples_without_files_lead_to_github(versions: httpx.Client, old: HtmlElement) -> None:
    assert links(old, "Examples") == [EXAMPLES_ON_GITHUB] * 2
    docs = page_of(versions, "/query/v4/docs/framework/react/overview")
    assert links(docs, "Basic") == [f"{EXAMPLES_ON_GITHUB}/react/basic"] * 2
    assert f"({EXAMPLES_ON_GITHUB}/react/basic)" in versions.get("/query/v4/llms.txt").text


def test_library_without_examples_has_no_link_to_them(tmp_path: Path, settings: Settings, built: Path) -> None:
    assert built
    repo = "TanStack/ranger/main/docs"
    (tmp_path / repo).mkdir(parents=True)
    (tmp_path / repo / "overview.md").write_text("# Overview\n")
    app = create_app(dataclasses.replace(settings, content=tmp_path))
    with TestClient(app, follow_redirects=False) as client:
        landing = page_of(client, "/ranger/latest")
        assert links(landing, "Examples") == []
        assert links(landing, "GitHub") != []
        assert "examples" not in client.get("/sitemap-ranger-latest.xml").text


def test_call_to_action_names_the_framework_of_its_link(versions: httpx.Client) -> None:
    landing = page_of(versions, "/query/latest")
    base = "/query/latest/docs/framework"
    assert links(landing, "Start with Vue") == [f"{base}/vue/quick-start"]
    assert links(landing, "Start with React") == [f"{base}/react/quick-start"]


def test_landing_page_says_which_frameworks_the_library_lacks(versions: httpx.Client) -> None:
    missing = page_of(versions, "/start/latest").cssselect(".missing-framework > p")
    sentences = {paragraph.get("data-framework"): paragraph.text_content() for paragraph in missing}
    assert sentences["vue"] == "Start has no docs for Vue. This page shows React."
    assert "solid" not in sentences
    missing = page_of(versions, "/query/v4").cssselect(".missing-framework > [data-framework=vue]")
    assert [paragraph.text_content() for paragraph in missing] == [
        "Query v4 has no docs for Vue. This page shows React."
    ]


def test_landing_page_says_for_which_frameworks_it_has_no_code(versions: httpx.Client) -> None:
    lit = page_of(versions, "/query/v4").cssselect(".missing-framework > [data-framework=lit]")
    assert [paragraph.text_content() for paragraph in lit] == [
        "Query v4 has docs for Lit. The code on this page is for React."
    ]


def libraries_of(client: httpx.Client) -> list[dict[str, Any]]:
    return list(call(client, "site.shell", None)["libraries"])


def number(landing: HtmlElement, label: str) -> int:
    """A number in the figures of a landing page; 0 where it is not shown."""
    # An item has a link for each framework.
    for first in landing.xpath("//*[@class='landing-stats']/li/descendant::*[strong][1]"):
        words = " ".join(first.text_content().split())
        if found := re.fullmatch(rf"([\d,]+) (?:docs |documented )?{label}s?", words):
            return int(found[1].replace(",", ""))
    return 0


def test_figures_of_pages_agree(versions: httpx.Client) -> None:
    totals = {"pages": 0, "versions": 0, "examples": 0}
    frameworks: set[str] = set()
    for library in libraries_of(versions):
        for version in ["latest", *([] if library["id"] != "query" else ["v4"])]:
            base = f"/{library['id']}/{version}"
            landing, listed = page_of(versions, base), page_of(versions, f"{base}/docs/framework")
            cards = [str(card.get("data-choose-framework")) for card in listed.cssselect(".frameworks a")]
            menu = listed.cssselect(".docs-menu [data-choose-framework]")
            assert number(landing, "framework") == len(cards), base
            assert [entry.get("data-choose-framework") for entry in menu] == cards, base
            frameworks |= set(cards)
            totals["pages"] += number(landing, "page")
            totals["examples"] += number(landing, "example")
        totals["versions"] += number(landing, "version")
        entries = listed.cssselect(".docs-menu-choices details:last-child li")
        assert len(entries) == number(landing, "version"), library["id"]
    home = call(versions, "home.page", None)["figures"]
    assert home == totals | {"libraries": len(libraries_of(versions)), "frameworks": len(frameworks)}


def test_search_offers_the_frameworks_of_a_library(versions: httpx.Client) -> None:
    for library in ("query", "table", "pacer"):
        landing = page_of(versions, f"/{library}/latest")
        found = page_of(versions, f"/search?q={library}&library={library}")
        chips = found.cssselect("nav[aria-label=Frameworks] a")
        assert len(chips) == number(landing, "framework"), library


@pytest.mark.parametrize("latest", ["latest", "v5"])
def test_version_menu_has_one_entry_for_the_latest_version(versions: httpx.Client, latest: str) -> None:
    page = page_of(versions, f"/query/{latest}/docs/framework/react/overview")
    entries = page.cssselect(".docs-menu-choices details:last-child li a")
    assert [(entry.text_content(), entry.get("aria-current")) for entry in entries] == [
        ("v5 (latest)", "true"),
        ("v4", None),
    ]
    assert entries[0].get("href") == "/query/latest/docs/framework/react/overview"


def test_all_addresses_of_the_sitemaps_are_pages(versions: httpx.Client) -> None:
    def addresses(path: str) -> list[str]:
        return re.findall(r"<loc>https?://[^/]+(/[^<]*)</loc>", versions.get(path).text)

    pages = [address for sitemap in addresses("/sitemap.xml") for address in addresses(sitemap)]
    assert len(pages) > 150
    answers = {path: versions.get(path) for path in pages}
    assert {path: status for path, answer in answers.items() if (status := answer.status_code) != 200} == {}
    assert [path for path, answer in answers.items() if not is_indexed(answer)] == []
    assert "/query/v4/docs/framework/lit/setup" in pages


def is_indexed(answer: httpx.Response) -> bool:
    """Whether search engines may list a page."""
    return "x-robots-tag" not in answer.headers and '<meta name="robots"' not in answer.text


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("/query/v4/docs/framework/svelte/overview", "/query/latest/docs/framework/svelte/overview"),
        ("/query/v5/docs/framework/react/overview", "/query/latest/docs/framework/react/overview"),
        ("/query/v4/docs/framework/react", "/query/latest/docs/framework/react"),
        ("/query/v4/docs/framework", "/query/latest/docs/framework"),
        ("/query/v5/docs/framework/react/examples/basic", "/query/latest/docs/framework/react/examples/basic"),
        ("/query/v5/docs/examples", "/query/latest/docs/examples"),
        ("/query/v5", "/query/latest"),
        (
            "/query/latest/docs/framework/react/overview?from=reactQueryV3",
            "/query/latest/docs/framework/react/overview",
        ),
        ("/blog?library=query", "/blog"),
        ("/query/v4/docs/framework/lit/setup", "/query/v4/docs/framework/lit/setup"),
        ("/query/latest/docs/framework/react/overview", "/query/latest/docs/framework/react/overview"),
        ("/query/latest", "/query/latest"),
    ],
)
def test_page_is_indexed_at_its_canonical_address_only(versions: httpx.Client, path: str, canonical: str) -> None:
    answer = versions.get(path)
    (link,) = html.fromstring(answer.text).xpath("//link[@rel='canonical']/@href")
    assert (answer.status_code, urlsplit(link).path) == (200, canonical)
    assert is_indexed(answer) is (path == canonical)
