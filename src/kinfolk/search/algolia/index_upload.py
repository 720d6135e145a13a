"""Uploads the site's index to a hosted one with the official client: records, settings and synonyms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast
from urllib.parse import urlsplit

from algoliasearch.http.exceptions import AlgoliaException
from algoliasearch.http.hosts import Host, HostsCollection
from algoliasearch.search.client import SearchClientSync
from algoliasearch.search.config import SearchConfig

from kinfolk.runtime.errors import Invalid, Unavailable
from kinfolk.search.algolia.formats.settings_format import wire_settings, wire_synonyms
from kinfolk.search.filters import Record
from kinfolk.search.query import SearchableIndex, SearchQuery
from kinfolk.search.ranking_config import IndexSettings

BATCH_SIZE = 1000
ALGOLIA_DOMAINS = (".algolia.net", ".algolianet.com")
"""The client itself selects the write host of these domains."""


def push(
    index: SearchableIndex,
    rules: IndexSettings,
    name: str,
    *,
    client: SearchClientSync,
    on_record: Callable[[], None] = lambda: None,
) -> None:
    """Replace the hosted index of this name. Its records are replaced atomically at the end.

    Settings that Algolia does not have, such as heading boosts, are not uploaded. Raises Unavailable with the message
    of the host.
    """

    def counted() -> Iterator[Record]:
        for record in records(index):
            yield record
            on_record()

    try:
        changed = client.set_settings(name, cast(Any, wire_settings(rules)))
        client.wait_for_task(name, changed.task_id)
        saved = client.save_synonyms(name, cast(Any, wire_synonyms(rules.synonyms)), replace_existing_synonyms=True)
        client.wait_for_task(name, saved.task_id)
        client.replace_all_objects(name, cast(Any, counted()), batch_size=BATCH_SIZE)
    except AlgoliaException as refused:
        raise Unavailable(f"{name} could not be pushed: {refused}") from refused


def records(index: SearchableIndex) -> Iterator[Record]:
    """All records of an index."""
    cursor: str | None = None
    while True:
        found, cursor = index.browse(cursor, SearchQuery(), limit=BATCH_SIZE)
        yield from found
        if cursor is None:
            return


def client_of(app_id: str, admin_key: str, hosts: tuple[str, ...]) -> SearchClientSync:
    """A client that writes to these hosts. Raises Invalid without hosts or without an admin key."""
    if not hosts:
        raise Invalid("KINFOLK_SEARCH_HOSTS names no host to push to: set it to `algolia`, or to hosts by commas")
    if not admin_key:
        raise Invalid("KINFOLK_SEARCH_ADMIN_KEY is empty: pushing needs a key that may write")
    config = SearchConfig(app_id, admin_key)
    if not any(str(urlsplit(host).hostname).endswith(ALGOLIA_DOMAINS) for host in hosts):
        # Each host twice: the client avoids a host for five minutes after one failed response.
        config.hosts = HostsCollection([_host(host) for host in hosts for _ in range(2)])
    return SearchClientSync.create_with_config(config)


def _host(address: str) -> Host:
    parts = urlsplit(address)
    return Host(f"{parts.netloc}{parts.path.rstrip('/')}", scheme=parts.scheme)
