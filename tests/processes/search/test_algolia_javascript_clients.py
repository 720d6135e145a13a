"""The official JavaScript clients, unmodified, in Node with the real server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.servers.serving import PLAIN, Server, serving
from tests.sites.sample_var import SAMPLE_VAR

from kinfolk.config.settings import ROOT

ADMIN_KEY = "only for tests"
NODE = Path(sys.executable).parent / "node"


@pytest.fixture(scope="module")
def responses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The responses that a Node program receives through the clients."""
    folder = tmp_path_factory.mktemp("clients")
    with serving(
        folder, environment=PLAIN | {"KINFOLK_SEARCH_ADMIN_KEY": ADMIN_KEY}, var=SAMPLE_VAR.folder()
    ) as server:
        yield run_clients(server)


def run_clients(server: Server) -> dict[str, Any]:
    host = server.url.removeprefix("http://")
    command = [str(NODE), "clients/node.ts", host, "kinfolk", "kinfolk-search", ADMIN_KEY]
    ran = subprocess.run(command, cwd=ROOT / "frontend", capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stderr
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def ids(answer: dict[str, Any]) -> list[str]:
    return [hit["objectID"] for hit in answer["hits"]]


def test_javascript_clients_fail_over_to_the_second_host(responses: dict[str, Any]) -> None:
    plants, families = responses["search"]
    assert ids(plants) == ["1", "3"]
    assert plants["facets"] == {"family": {"fern": 1, "rose": 1}}
    assert families["facetHits"] == [{"value": "rose", "highlighted": "<em>ro</em>se", "count": 1}]
    assert [ids(each) for each in responses["lite"]] == [["2"]]


def test_javascript_client_searches_index_and_facet_values(responses: dict[str, Any]) -> None:
    assert responses["single"] == ["3"]
    assert [(each["value"], each["count"]) for each in responses["values"]] == [("fern", 2), ("rose", 1)]


def test_older_request_forms_are_supported(responses: dict[str, Any]) -> None:
    assert [ids(each) for each in responses["asText"]] == [["1"]]
    (encoded,) = responses["encoded"]["results"]
    assert (ids(encoded), encoded["params"]) == (["1"], "query=lady&facetFilters=%5B%22family%3Afern%22%5D")


def test_all_records_are_browsed_and_replaced(responses: dict[str, Any]) -> None:
    assert sorted(responses["browsed"]) == ["1", "2", "3"]
    assert responses["replaced"] == {"ids": ["9"], "facets": {"family": {"orchid": 1}}}
    assert responses["settings"] == ["searchable(family)"]


def test_similar_records_are_recommended(responses: dict[str, Any]) -> None:
    ((one,),) = responses["like"]
    assert one["objectID"] in ("2", "3")
    assert one["_score"] == 50


def test_errors_have_status_and_message(responses: dict[str, Any]) -> None:
    assert responses["refused"]["status"] == 403
    assert responses["refused"]["message"].startswith("Method not allowed with this API key")
    assert responses["missing"]["status"] == 404
    assert responses["missing"]["message"].startswith("Index nowhere does not exist")
    assert "Unreachable hosts" in responses["unreachable"]["message"]
