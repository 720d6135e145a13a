"""The official JavaScript clients, unmodified, in Node against the real server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.serving import PLAIN, Server, serving

from kinfolk.settings import ROOT

ADMIN_KEY = "only for tests"
NODE = Path(sys.executable).parent / "node"


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What a program that uses the clients has got from us."""
    folder = tmp_path_factory.mktemp("clients")
    with serving(folder, environment=PLAIN | {"KINFOLK_SEARCH_ADMIN_KEY": ADMIN_KEY}) as server:
        yield talk(server)


def talk(server: Server) -> dict[str, Any]:
    host = server.url.removeprefix("http://")
    command = [str(NODE), "clients/node.ts", host, "kinfolk", "kinfolk-search", ADMIN_KEY]
    ran = subprocess.run(command, cwd=ROOT / "frontend", capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stderr
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def ids(answer: dict[str, Any]) -> list[str]:
    return [hit["objectID"] for hit in answer["hits"]]


def test_both_clients_search_by_the_second_host_when_the_first_is_down(said: dict[str, Any]) -> None:
    plants, families = said["search"]
    assert ids(plants) == ["1", "3"]
    assert plants["facets"] == {"family": {"fern": 1, "rose": 1}}
    assert families["facetHits"] == [{"value": "rose", "highlighted": "<em>ro</em>se", "count": 1}]
    assert [ids(each) for each in said["lite"]] == [["2"]]


def test_a_single_index_and_the_values_of_a_facet_are_searched(said: dict[str, Any]) -> None:
    assert said["single"] == ["3"]
    assert [(each["value"], each["count"]) for each in said["values"]] == [("fern", 2), ("rose", 1)]


def test_older_shapes_of_a_request_are_understood(said: dict[str, Any]) -> None:
    assert [ids(each) for each in said["asText"]] == [["1"]]
    (encoded,) = said["encoded"]["results"]
    assert (ids(encoded), encoded["params"]) == (["1"], "query=lady&facetFilters=%5B%22family%3Afern%22%5D")


def test_everything_is_browsed_and_replaced(said: dict[str, Any]) -> None:
    assert sorted(said["browsed"]) == ["1", "2", "3"]
    assert said["replaced"] == {"ids": ["9"], "facets": {"family": {"orchid": 1}}}
    assert said["settings"] == ["searchable(family)"]


def test_records_like_a_record_are_recommended(said: dict[str, Any]) -> None:
    ((one,),) = said["like"]
    assert one["objectID"] in ("2", "3")
    assert one["_score"] == 50


def test_errors_carry_their_status_and_their_words(said: dict[str, Any]) -> None:
    assert said["refused"]["status"] == 403
    assert said["refused"]["message"].startswith("Method not allowed with this API key")
    assert said["missing"]["status"] == 404
    assert said["missing"]["message"].startswith("Index nowhere does not exist")
    assert "Unreachable hosts" in said["unreachable"]["message"]
