"""Filling a hosted index with ours, through the official client: the same records, settings and synonyms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast
from urllib.parse import urlsplit

from algoliasearch.http.exceptions import AlgoliaException
from algoliasearch.http.hosts import Host, HostsCollection
from algoliasearch.search.client import SearchClientSync
from algoliasearch.search.config import SearchConfig

from kinfolk.errors import Invalid, Unavailable
from kinfolk.search.algolia.settings import wire_settings, wire_synonyms
from kinfolk.search.query import Index, Question, Record
from kinfolk.search.rules import IndexSettings

STRETCH = 1000
THEIRS = (".algolia.net", ".algolianet.com")
"""Their client knows by itself which of these hosts takes what is written."""


def push(
    index: Index,
    rules: IndexSettings,
    name: str,
    *,
    client: SearchClientSync,
    on_record: Callable[[], None] = lambda: None,
) -> None:
    """Make the index of this name there say what ours says; its records are replaced at once, at the end.

    What only our own engine knows, such as headings that are all of a question, stays here. Raises Unavailable with
    what the other side says.
    """

    def told() -> Iterator[Record]:
        for record in records(index):
            yield record
            on_record()

    try:
        changed = client.set_settings(name, cast(Any, wire_settings(rules)))
        client.wait_for_task(name, changed.task_id)
        saved = client.save_synonyms(name, cast(Any, wire_synonyms(rules.synonyms)), replace_existing_synonyms=True)
        client.wait_for_task(name, saved.task_id)
        client.replace_all_objects(name, cast(Any, told()), batch_size=STRETCH)
    except AlgoliaException as refused:
        raise Unavailable(f"{name} could not be pushed: {refused}") from refused


def records(index: Index) -> Iterator[Record]:
    """Every record of an index."""
    cursor: str | None = None
    while True:
        found, cursor = index.browse(cursor, Question(), most=STRETCH)
        yield from found
        if cursor is None:
            return


def client_of(app_id: str, admin_key: str, hosts: tuple[str, ...]) -> SearchClientSync:
    """A client that writes to these hosts. Raises Invalid where there are none, or no key to do it with."""
    if not hosts:
        raise Invalid("KINFOLK_SEARCH_HOSTS names no host to push to: set it to `algolia`, or to hosts by commas")
    if not admin_key:
        raise Invalid("KINFOLK_SEARCH_ADMIN_KEY is empty: pushing needs a key that may write")
    config = SearchConfig(app_id, admin_key)
    if not any(str(urlsplit(host).hostname).endswith(THEIRS) for host in hosts):
        # Each of them twice: the client leaves a host alone for five minutes after one bad answer.
        config.hosts = HostsCollection([_host(host) for host in hosts for _ in range(2)])
    return SearchClientSync.create_with_config(config)


def _host(address: str) -> Host:
    parts = urlsplit(address)
    return Host(f"{parts.netloc}{parts.path.rstrip('/')}", scheme=parts.scheme)
