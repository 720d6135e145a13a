"""The official Python client, unmodified, with the real server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from algoliasearch.http.exceptions import AlgoliaUnreachableHostException, RequestException
from algoliasearch.http.hosts import Host, HostsCollection
from algoliasearch.search.client import SearchClientSync
from algoliasearch.search.config import SearchConfig
from algoliasearch.search.models.browse_params_object import BrowseParamsObject
from tests.servers.serving import PLAIN, Server, serving
from tests.sites.sample_var import SAMPLE_VAR

from kinfolk.runtime.errors import Invalid, Unavailable
from kinfolk.search.algolia.index_upload import client_of, push
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.ranking_config import IndexSettings, Synonym

APP, SEARCH_KEY, ADMIN_KEY = "kinfolk", "kinfolk-search", "only for tests"
INDEX = "meals / day"
MEALS: list[dict[str, Any]] = [
    {"objectID": "1", "name": "Onion soup", "kind": "soup", "price": 6, "tags": ["warm", "starter"]},
    {"objectID": "2", "name": "Pumpkin soup", "kind": "soup", "price": 7, "tags": ["warm", "autumn"]},
    {"objectID": "3", "name": "Apple pie", "kind": "dessert", "price": 5, "tags": ["sweet"]},
    {"objectID": "4", "name": "Onion pie", "kind": "main", "price": 11, "tags": ["warm"]},
]
SETTINGS = {
    "searchableAttributes": ["name", "tags"],
    "attributesForFaceting": ["searchable(kind)", "tags", "filterOnly(price)"],
    "customRanking": ["asc(price)"],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("search")
    with serving(
        folder, environment=PLAIN | {"KINFOLK_SEARCH_ADMIN_KEY": ADMIN_KEY}, var=SAMPLE_VAR.folder()
    ) as server:
        yield server


def client(server: Server, key: str = ADMIN_KEY, *, first: Host | None = None) -> SearchClientSync:
    port = int(server.url.rpartition(":")[2])
    config = SearchConfig(APP, key)
    server_hosts = [Host("127.0.0.1", scheme="http", port=port) for _ in range(2)]
    config.hosts = HostsCollection([first, *server_hosts] if first else server_hosts)
    return SearchClientSync.create_with_config(config)


@pytest.fixture(scope="module")
def admin(server: Server) -> SearchClientSync:
    """An admin client, after it has pushed an index of four meals."""
    admin = client(server)
    admin.set_settings(INDEX, SETTINGS)
    answers = admin.save_objects(INDEX, MEALS, wait_for_tasks=True)
    assert answers[0].object_ids == ["1", "2", "3", "4"]
    return admin


@pytest.fixture(scope="module")
def reader(server: Server, admin: SearchClientSync) -> SearchClientSync:
    """A client with the public search key."""
    return client(server, SEARCH_KEY)


def names(answer: Any) -> list[str]:
    return [hit["name"] for hit in answer.to_dict()["hits"]]


def test_index_is_searched_with_filters_facets_and_highlights(reader: SearchClientSync) -> None:
    parameters = {"query": "onoin", "filters": "price < 10 AND tags:warm", "facets": ["kind"]}
    answer = reader.search_single_index(INDEX, parameters).to_dict()
    assert [hit["objectID"] for hit in answer["hits"]] == ["1"]
    assert answer["hits"][0]["_highlightResult"]["name"]["value"] == "<em>Onion</em> soup"
    assert answer["facets"] == {"kind": {"soup": 1}}


def test_several_searches_in_one_request(reader: SearchClientSync) -> None:
    several = [
        {"indexName": INDEX, "query": "soup", "hitsPerPage": 1},
        {"indexName": INDEX, "query": "soup", "hitsPerPage": 1, "page": 1},
        {"indexName": INDEX, "type": "facet", "facet": "kind", "facetQuery": "so"},
    ]
    first, second, facet = reader.search({"requests": several}).to_dict()["results"]
    assert [first["hits"][0]["name"], second["hits"][0]["name"]] == ["Onion soup", "Pumpkin soup"]
    assert (first["nbHits"], first["nbPages"], second["page"]) == (2, 2, 1)
    assert facet["facetHits"] == [{"value": "soup", "highlighted": "<em>so</em>up", "count": 2}]


def test_facet_values_are_searched(reader: SearchClientSync) -> None:
    found = reader.search_for_facet_values(INDEX, "kind", {"facetQuery": "dess", "query": "pie"}).to_dict()
    assert found["facetHits"] == [{"value": "dessert", "highlighted": "<em>dess</em>ert", "count": 1}]


def test_all_records_are_browsed_in_pages(admin: SearchClientSync) -> None:
    found: list[str] = []
    admin.browse_objects(
        INDEX,
        lambda answer: found.extend(hit.object_id for hit in answer.hits),
        BrowseParamsObject(hits_per_page=3),
    )
    assert sorted(found) == ["1", "2", "3", "4"]


def test_settings_are_stored_and_returned_with_defaults(admin: SearchClientSync) -> None:
    settings = admin.get_settings(INDEX).to_dict()
    assert settings["customRanking"] == ["asc(price)"]
    assert settings["hitsPerPage"] == 20


def test_records_are_read_changed_and_deleted_one_by_one(admin: SearchClientSync) -> None:
    index = "one by one"
    admin.wait_for_task(index, admin.save_object(index, {"objectID": "a/b c", "count": 1, "tags": ["x"]}).task_id)
    change = {"count": {"_operation": "Increment", "value": 2}, "tags": {"_operation": "AddUnique", "value": "y"}}
    admin.partial_update_object(index, "a/b c", change)
    assert admin.get_object(index, "a/b c") == {"objectID": "a/b c", "count": 3, "tags": ["x", "y"]}
    admin.add_or_update_object(index, "d", {"count": 9})
    found = admin.get_objects({"requests": [{"indexName": index, "objectID": id} for id in ("d", "nope")]})
    assert found.to_dict()["results"] == [{"objectID": "d", "count": 9}, None]
    admin.delete_object(index, "d")
    with pytest.raises(RequestException, match="ObjectID does not exist") as missing:
        admin.get_object(index, "d")
    assert missing.value.status_code == 404


def test_multiple_batch_has_a_task_per_index(admin: SearchClientSync) -> None:
    requests = [
        {"action": "addObject", "indexName": "left", "body": {"objectID": "l"}},
        {"action": "addObject", "indexName": "right", "body": {"objectID": "r"}},
    ]
    answer = admin.multiple_batch({"requests": requests}).to_dict()
    assert set(answer["taskID"]) == {"left", "right"}
    assert answer["objectIDs"] == ["l", "r"]


def test_records_are_deleted_by_a_filter(admin: SearchClientSync) -> None:
    index = "by filter"
    admin.save_objects(index, MEALS, wait_for_tasks=True)
    admin.wait_for_task(index, admin.delete_by(index, {"filters": "kind:soup OR price > 10"}).task_id)
    assert names(admin.search_single_index(index)) == ["Apple pie"]
    admin.wait_for_task(index, admin.clear_objects(index).task_id)
    assert names(admin.search_single_index(index)) == []


def test_all_records_are_replaced_at_once_and_settings_stay(admin: SearchClientSync) -> None:
    index = "replaced"
    admin.set_settings(index, SETTINGS)
    admin.save_objects(index, MEALS, wait_for_tasks=True)
    admin.save_synonyms(index, [{"objectID": "s", "type": "synonym", "synonyms": ["pastry", "pie"]}])
    admin.replace_all_objects(index, [{"objectID": "9", "name": "Cherry pie", "kind": "dessert", "price": 4}])
    answer = admin.search_single_index(index, {"query": "pastry", "facets": ["kind"]}).to_dict()
    assert [hit["objectID"] for hit in answer["hits"]] == ["9"]
    assert answer["facets"] == {"kind": {"dessert": 1}}
    assert not [each.name for each in admin.list_indices().items if "tmp" in each.name]


def test_indexes_are_listed_copied_moved_and_deleted(admin: SearchClientSync) -> None:
    admin.save_objects("source", MEALS, wait_for_tasks=True)
    copied = admin.operation_index("source", {"operation": "copy", "destination": "copy"})
    admin.wait_for_task("copy", copied.task_id)
    moved = admin.operation_index("copy", {"operation": "move", "destination": "moved"})
    admin.wait_for_task("copy", moved.task_id)
    listed = {each.name: each.entries for each in admin.list_indices().items}
    assert (listed["source"], listed["moved"], "copy" in listed) == (4, 4, False)
    assert names(admin.search_single_index("moved", {"query": "apple"})) == ["Apple pie"]
    admin.delete_index("moved")
    assert not admin.index_exists("moved")
    assert admin.index_exists("source")


def test_synonyms_and_rules_are_stored_and_searched(admin: SearchClientSync) -> None:
    index = "entries"
    synonyms = [
        {"objectID": "pot", "type": "synonym", "synonyms": ["pot", "pan"]},
        {"objectID": "one", "type": "oneWaySynonym", "input": "tea", "synonyms": ["chai"]},
    ]
    admin.save_synonyms(index, synonyms, replace_existing_synonyms=True)
    assert admin.search_synonyms(index, {"query": "chai"}).nb_hits == 1
    assert admin.get_synonym(index, "pot").to_dict()["synonyms"] == ["pot", "pan"]
    rule = {"objectID": "r", "conditions": [{"pattern": "tea", "anchoring": "is"}], "consequence": {"params": {}}}
    admin.save_rule(index, "r", rule)
    assert admin.search_rules(index, {"query": "tea"}).nb_hits == 1
    admin.delete_rule(index, "r")
    assert admin.search_rules(index).nb_hits == 0


@pytest.mark.parametrize(
    ("key", "status", "message"),
    [
        ("wrong", 403, "Invalid Application-ID or API key"),
        (SEARCH_KEY, 403, "Method not allowed with this API key"),
        (ADMIN_KEY, 404, "Index nowhere does not exist"),
    ],
)
def test_forbidden_call_fails_without_retries(server: Server, key: str, status: int, message: str) -> None:
    searcher = client(server, key)
    with pytest.raises(RequestException, match=message) as refused:
        searcher.get_settings("nowhere")
    assert refused.value.status_code == status


def test_secured_key_limits_results(server: Server, admin: SearchClientSync) -> None:
    until = int(time.time()) + 600
    key = admin.generate_secured_api_key(SEARCH_KEY, {"filters": "kind:soup", "validUntil": until})
    mine = client(server, key)
    assert names(mine.search_single_index(INDEX, {"query": "pie"})) == []
    assert names(mine.search_single_index(INDEX, {"filters": "price > 6"})) == ["Pumpkin soup"]
    with pytest.raises(RequestException, match="ObjectID does not exist"):
        mine.get_object(INDEX, "3")
    expired = admin.generate_secured_api_key(SEARCH_KEY, {"validUntil": until - 1200})
    with pytest.raises(RequestException, match="expired"):
        client(server, expired).search_single_index(INDEX)
    other_indexes = admin.generate_secured_api_key(SEARCH_KEY, {"restrictIndices": "meals of others*"})
    with pytest.raises(RequestException, match="Index not allowed"):
        client(server, other_indexes).search_single_index(INDEX)


class _UnavailableHandler(BaseHTTPRequestHandler):
    """A host that responds 503 to all requests."""

    def do_POST(self) -> None:
        self.send_response(503)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Log nothing."""


@pytest.fixture
def unavailable_host() -> Iterator[Host]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _UnavailableHandler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield Host("127.0.0.1", scheme="http", port=server.server_port)
        server.shutdown()
        thread.join()


def test_client_fails_over_to_the_second_host(server: Server, admin: SearchClientSync, unavailable_host: Host) -> None:
    searcher = client(server, SEARCH_KEY, first=unavailable_host)
    assert names(searcher.search_single_index(INDEX, {"query": "apple"})) == ["Apple pie"]
    assert not unavailable_host.up
    config = SearchConfig(APP, SEARCH_KEY)
    config.hosts = HostsCollection([unavailable_host])
    with pytest.raises(AlgoliaUnreachableHostException):
        SearchClientSync.create_with_config(config).search_single_index(INDEX)


def test_large_compressed_bodies_are_accepted(server: Server, admin: SearchClientSync) -> None:
    compressing = client(server)
    compressing._config.compression_type = "gzip"
    compressing.save_objects("packed", [{"objectID": str(at), "text": "word " * 50} for at in range(100)])
    assert len(compressing.get_object("packed", "99")["text"]) == 250  # type: ignore[index]


def test_site_index_is_uploaded_with_settings_and_synonyms(server: Server, tmp_path: Path) -> None:
    rules = IndexSettings(
        searchable_attributes=("name",),
        attributes_for_faceting=("searchable(kind)",),
        custom_ranking=("asc(price)",),
        synonyms=(Synonym(("pastry", "pie")), Synonym(("soup",), "broth")),
    )
    ours = TantivyIndex.create(tmp_path / "ours", rules, MEALS)
    pushed: list[None] = []
    target = client_of(APP, ADMIN_KEY, (server.url,))
    for _ in range(2):  # the second push replaces the first
        pushed.clear()
        push(ours, rules, "pushed", client=target, on_record=lambda: pushed.append(None))
    assert len(pushed) == ours.count
    theirs = client(server, SEARCH_KEY)
    assert names(theirs.search_single_index("pushed", {"query": "pastry"})) == ["Apple pie", "Onion pie"]
    assert theirs.search_single_index("pushed", {"query": "broth"}).nb_hits == 2
    assert client(server).get_settings("pushed").to_dict()["customRanking"] == ["asc(price)"]


@pytest.mark.parametrize(
    ("key", "hosts", "reason"),
    [
        (ADMIN_KEY, (), "names no host to push to"),
        ("", ("https://a.example",), "KINFOLK_SEARCH_ADMIN_KEY is empty"),
    ],
)
def test_upload_requires_a_host_and_a_key(key: str, hosts: tuple[str, ...], reason: str) -> None:
    with pytest.raises(Invalid, match=reason):
        client_of(APP, key, hosts)


def test_upload_reports_errors_of_the_host(server: Server, tmp_path: Path) -> None:
    ours = TantivyIndex.create(tmp_path / "ours", IndexSettings(), MEALS)
    with pytest.raises(Unavailable, match=r"could not be pushed: .*Invalid Application-ID"):
        push(ours, IndexSettings(), "x", client=client_of(APP, "guess", (server.url,)))


def test_algolia_hosts_are_selected_by_the_client() -> None:
    hosts = client_of("ABC", "key", ("https://abc-dsn.algolia.net",))._config.hosts
    assert hosts is not None
    assert hosts.write()[0].url == "ABC.algolia.net"
