"""What readers get of the check of a page's code: links of names, the function about them, the line in the foot."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.http.html_pages import page_of
from tests.sites.checked_site import (
    DOCS,
    FILES,
    FIRST,
    IMPORT,
    OTHER_PATH,
    PAGE,
    PATH,
    REFERENCE,
    SECOND,
    without_code_checks,
    write_checked_site,
)
from tests.sites.sample_site import read_settings

from kinfolk.content.dependencies import cdn_tag, code_check_of
from kinfolk.web.app import create_app


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[dict[str, str]]:
    assert built
    folder = tmp_path_factory.mktemp("checked")
    write_checked_site(folder / "repos", folder / "var")
    off = ("MIRROR", "HIGHLIGHT", "SEARCH", "NPM_IMPORT", "LINK_CHECK", "FIGURES", "RELEASE_NOTES", "PRERENDER")
    variables = {f"KINFOLK_{name}": "off" for name in off} | {
        "KINFOLK_CONTENT": str(folder / "repos"),
        "KINFOLK_VAR": str(folder / "var"),
        "KINFOLK_REFRESH_S": "0",
        "KINFOLK_RENDERERS": "1",
        "KINFOLK_NPM_REGISTRY": "http://127.0.0.1:9",
    }
    with without_code_checks(folder / "var"):
        yield variables


@pytest.fixture(scope="module")
def checked(environment: dict[str, str]) -> Iterator[TestClient]:
    with TestClient(create_app(read_settings(environment)), follow_redirects=False) as client:
        yield client


def code_names(client: TestClient, block: int, **other: str) -> dict[str, Any]:
    data = {"library": "query", "version": "latest", "path": PATH, "block": block} | other
    payload = json.dumps({"data": data, "context": {}})
    answer: dict[str, Any] = client.get("/_server/docs.names", params={"createServerFn": "", "payload": payload}).json()
    return answer


def test_names_in_code_are_links_to_existing_pages(checked: TestClient) -> None:
    first, shell, second, unknown = page_of(checked, PAGE).xpath("//figure//code")
    assert [code.get("data-names") for code in (first, shell, second, unknown)] == ["0", None, "2", None]
    assert [code.text_content() for code in (first, second)] == [FIRST, SECOND]
    links = [(link.text_content(), link.get("href"), link.get("tabindex")) for link in first.iter("a")]
    use_query = f"{REFERENCE}/useQuery"
    assert links == [("useQuery", use_query, None), ("useQuery", use_query, "-1"), ("useQuery", use_query, "-1")]
    addresses = {link.get("href") for link in second.iter("a")}
    member = "/query/latest/docs/reference/QueryClient#queryclientinvalidatequeries"
    assert addresses == {f"{REFERENCE}/useQueryClient", member}
    for address in addresses:
        path, _, fragment = address.partition("#")
        assert not fragment or page_of(checked, path).xpath(f"//*[@id='{fragment}']")
        assert checked.get(path).status_code == 200


def test_links_stay_in_the_version_of_the_page(checked: TestClient) -> None:
    links = page_of(checked, PAGE.replace("latest", "v5")).xpath("//figure//code//a/@href")
    assert links
    assert all(link.startswith("/query/v5/docs/") for link in links)


def test_page_depends_on_its_check_and_markdown_has_no_links(checked: TestClient) -> None:
    tag = cdn_tag(str(code_check_of("query", "v5", PATH).name))
    assert tag in checked.get(PAGE).headers["cache-tag"].split(",")
    assert f"```tsx\n{FIRST}\n```" in checked.get(f"{PAGE}.md", follow_redirects=True).text


def test_foot_says_what_the_code_was_checked_against(checked: TestClient) -> None:
    (foot,) = page_of(checked, PAGE).find_class("page-foot")
    expected = "3 of 4 code blocks checked against @tanstack/react-query 5.90.2 on Nov 26, 2026"
    assert [p.text_content() for p in foot.iter("p")] == [expected]
    assert "code block" not in page_of(checked, f"{REFERENCE}/useQuery").text_content()


def test_function_says_what_is_known_about_the_names_of_a_block(checked: TestClient) -> None:
    first, second = (code_names(checked, block)["data"] for block in (0, 2))
    units = FIRST.encode("utf-16-le")
    written = [units[2 * one["start"] :][: 2 * one["length"]].decode("utf-16-le") for one in first["names"]]
    assert written == ["useQuery", "isStale", "useQuery", "cacheTime", "useQuery"]
    assert [first["symbols"][one["symbol"]]["name"] for one in first["names"]] == written
    use_query = first["symbols"][0]
    assert (use_query["reference"], use_query["options"][3]["deprecation"]) == (f"{REFERENCE}/useQuery", "Use gcTime.")
    assert (first["missingImports"], second["missingImports"]) == ([], [IMPORT])


@pytest.mark.parametrize(
    ("block", "other", "status"), [(1, {}, 404), (99, {}, 404), (0, {"path": "nope"}, 404), (-1, {}, 400)]
)
def test_function_refuses_blocks_that_were_not_checked(
    checked: TestClient, block: int, other: dict[str, str], status: int
) -> None:
    answer = code_names(checked, block, **other)
    assert answer["kind"] == {404: "not_found", 400: "error"}[status]


def test_changed_code_has_no_links_and_no_line_in_the_foot(
    tmp_path: Path, environment: dict[str, str], checked: TestClient
) -> None:
    write_checked_site(tmp_path / "repos", tmp_path / "unused")
    page = tmp_path / "repos" / DOCS / f"{OTHER_PATH}.md"
    page.write_text(FILES[f"{OTHER_PATH}.md"].replace("cacheTime", "gcTime"), encoding="utf-8")
    address = PAGE.replace(PATH, OTHER_PATH)
    with TestClient(create_app(read_settings(environment | {"KINFOLK_CONTENT": str(tmp_path / "repos")}))) as client:
        before, after = (each.get(address).text for each in (checked, client))
    assert "checked against" in before
    assert "checked against" not in after
    assert "data-names" not in after
    assert "data-names" in before
    # What a page without a check weighs does not change: the rules of links come with the links.
    assert ".symbol" in before
    assert ".symbol" not in after
    links = re.findall(r"<a class=\"symbol\"[^>]*>", before)
    assert 0 < len(gzip.compress(before.encode())) - len(gzip.compress(after.encode())) < 150 + 25 * len(links)
