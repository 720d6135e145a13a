"""Libraries on GitLab and Forgejo: the addresses on their pages, and what is left out for hosts other than GitHub."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from tests.servers.serving import LEAN, serving
from tests.sites.acme_site import write_acme_site


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("acme")
    site = write_acme_site(folder / "site")
    environment = LEAN | {"KINFOLK_SITE": str(site), "KINFOLK_MIRROR": "off"}
    with serving(folder, environment=environment) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        yield client


def test_edit_link_names_the_host(acme: httpx.Client) -> None:
    page = acme.get("/tiles/latest/docs/overview").text
    assert "https://gitlab.com/acme/tiles/-/edit/main/docs/overview.md" in page
    assert "Edit on GitLab" in page


def test_edit_link_leads_to_a_server_of_the_family(acme: httpx.Client) -> None:
    page = acme.get("/routes/latest/docs/overview").text
    assert "https://forge.acme.example/acme/routes/_edit/main/docs/overview.md" in page
    assert "Edit on Forgejo" in page


def test_files_outside_the_docs_are_links_to_the_host(acme: httpx.Client) -> None:
    assert "https://gitlab.com/acme/tiles/-/blob/main/LICENSE.txt" in acme.get("/tiles/latest/docs/overview").text
    page = acme.get("/routes/latest/docs/overview").text
    assert "https://forge.acme.example/acme/routes/src/branch/main/LICENSE.txt" in page


def test_raw_images_of_the_host_are_served_by_the_site(acme: httpx.Client) -> None:
    page = acme.get("/tiles/latest/docs/overview").text
    assert "/-/raw/main/docs/tile.png" not in page
    assert "/_files/" in page


@pytest.mark.parametrize("path", ["/", "/tiles/latest", "/tiles/latest/docs/overview", "/search"])
def test_pages_do_not_name_github_as_the_host(acme: httpx.Client, path: str) -> None:
    answer = acme.get(path)
    assert answer.status_code == 200
    body = answer.text.partition("<body")[2]
    assert "github.com/acme/" not in body
    assert "on GitHub" not in body
