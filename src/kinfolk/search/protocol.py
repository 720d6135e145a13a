"""Every call of the protocol, carried out: from a method, a path and a body to a status and a body.

What HTTP adds to that is in `web.search`; what the words mean, in `algolia`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import cast

import orjson

from kinfolk.budget import OverBudget
from kinfolk.cache import CacheBudget, SharedRecent, Worth
from kinfolk.search.algolia.answers import browsed, facet_hits, results, stamp, unasked
from kinfolk.search.algolia.events import read_events
from kinfolk.search.algolia.fault import Fault, no_index, no_object, over_budget, too_many
from kinfolk.search.algolia.hits import HitWriter, picked, shape_of, without
from kinfolk.search.algolia.keys import Access, Keys, Right
from kinfolk.search.algolia.parameters import (
    MOST_ATTRIBUTES,
    MOST_HITS,
    MOST_REQUESTS,
    Parameters,
    Search,
    flat,
    read_facet_search,
    read_search,
    where,
)
from kinfolk.search.algolia.records import Operation, read_batch, read_operation
from kinfolk.search.algolia.settings import read_settings, with_defaults
from kinfolk.search.call_budget import CallBudget
from kinfolk.search.indexes import Indexes, Shelf
from kinfolk.search.matching import passes
from kinfolk.search.pauses import Searched
from kinfolk.search.pushed.store import SCOPES, Entries, Scope
from kinfolk.search.query import Answer, Hit, Json, Question, Ranking, Record, weight
from kinfolk.search.recommend import recommend
from kinfolk.search.searches import Searches

NOT_FOUND = 404
MOST_ENTRIES = 20_000
MOST_IDS = 1000
_READ_TOGETHER = 100
A_SEARCH = 2_500
"""What a kept answer weighs besides its text: the search that it answers."""
KEPT_BYTES = 12 << 20
"""Answers that are kept as they were written: about a thousand pages of twenty hits."""


@dataclass(frozen=True)
class Ask:
    """One call. `path` is what follows `/1/`, taken apart and decoded; `query` the parameters of its address."""

    method: str
    path: tuple[str, ...]
    access: Access
    body: object = None
    query: Mapping[str, str] | None = None
    agent: str = ""
    budget: CallBudget = field(default_factory=CallBudget)
    """For everything that the call asks for, together. Its time begins here."""


@dataclass(frozen=True)
class Reply:
    """`searched` is what the call counts as, if its reader leaves it at that."""

    body: object
    status: int = 200
    searched: tuple[Searched, ...] = ()


@dataclass(frozen=True)
class Route:
    """A call of the protocol: `*` stands for itself, `{}` for anything. `largest` is how large its body may be.

    A call counts as one search against the rate limit, or as one for every `counted_by` items of the list `counted` in
    its body.
    """

    method: str
    pattern: str
    right: Right
    run: Callable[[Protocol, Ask], Reply]
    largest: int = 1 << 20
    counted: str = ""
    counted_by: int = 1

    def cost(self, body: object) -> int:
        """How many searches a call with this body counts as, 1 or more."""
        items = body.get(self.counted) if isinstance(body, dict) else None
        return max(1, -(-len(items) // self.counted_by)) if isinstance(items, list) else 1

    def fits(self, method: str, path: Sequence[str]) -> bool:
        parts = self.pattern.split("/")
        return (
            method == self.method
            and len(parts) == len(path)
            and all(part in ("{}", given) for part, given in zip(parts, path, strict=True))
        )


@dataclass(frozen=True)
class Kept:
    """An answer to a search as it was written, but for what differs from one who asks to the next."""

    body: bytes
    search: Search
    total: int


class Protocol:
    """Answers calls over these indexes. From any thread."""

    def __init__(self, indexes: Indexes, searches: Searches, keys: Keys, *, caches: CacheBudget | None = None) -> None:
        self.indexes = indexes
        self.searches = searches
        self.keys = keys
        self._kept: SharedRecent[bytes, Kept] = SharedRecent(KEPT_BYTES)
        if caches is not None:
            caches.add("search answers", Worth.SEARCH, self._kept)

    def kept(self, key: bytes) -> Kept | None:
        return self._kept.get(key)

    def keep(self, key: bytes, kept: Kept) -> None:
        weighs = len(kept.body) + len(key) + weight(kept.search.question) + A_SEARCH
        self._kept.put(key, kept, weight=weighs)

    def close(self) -> None:
        """Finish what is under way."""
        self.indexes.close()
        self.searches.close()

    def answer(self, ask: Ask) -> Reply:
        """Carry out one call. Raises Fault for what the client did wrong, SiteError for what we cannot do now."""
        route = route_of(ask.method, ask.path)
        ask.access.require(route.right)
        try:
            return route.run(self, ask)
        except OverBudget as exceeded:
            raise over_budget(exceeded) from None


def route_of(method: str, path: Sequence[str]) -> Route:
    """Raises Fault when there is no such call."""
    route = next((route for route in ROUTES if route.fits(method, path)), None)
    if route is None:
        others = [each.method for each in ROUTES if each.fits(each.method, path)]
        if others:
            raise Fault(f"Method not allowed: this path is called with {', '.join(dict.fromkeys(others))}", 405)
        raise Fault("There is no such call here", NOT_FOUND)
    return route


# Searching


def _queries(protocol: Protocol, ask: Ask) -> Reply:
    body = _object(ask.body)
    requests = body.get("requests")
    if not isinstance(requests, list) or not all(isinstance(one, dict) for one in requests):
        raise Fault("requests: expected a list of searches")
    if len(requests) > MOST_REQUESTS:
        raise too_many("requests", MOST_REQUESTS, "searches")
    strategy = body.get("strategy", "none")
    if strategy not in (None, "none", "stopIfEnoughMatches"):
        raise Fault("strategy: expected none or stopIfEnoughMatches")
    found: list[object] = []
    searched: list[Searched] = []
    enough = False
    for request in requests:
        ask.budget.deadline.check()
        given, echo = flat(request)
        shelf = _shelf(protocol, ask, given.get("indexName"))
        if given.get("type") == "facet":
            found.append(_facet_search(shelf, ask, given, given.get("facet")))
            ask.budget.size.add(len(echo))
            continue
        one, heard, full = _search(protocol, shelf, ask, given, echo, skip=enough)
        found.append(one)
        searched += heard
        enough = strategy == "stopIfEnoughMatches" and full
    return Reply({"results": found}, searched=_once(searched))


def _query(protocol: Protocol, ask: Ask) -> Reply:
    """`POST /1/indexes/{index}/query`, and GET with the parameters in the address."""
    given, echo = flat(_object(ask.body) if ask.method == "POST" else _without_keys(ask.query or {}))
    one, searched, _ = _search(protocol, _shelf(protocol, ask, ask.path[1]), ask, given, echo)
    return Reply(one, searched=_once(searched))


def _search(
    protocol: Protocol, shelf: Shelf, ask: Ask, given: Mapping[str, object], echo: str, *, skip: bool = False
) -> tuple[object, list[Searched], bool]:
    """One answer, what it counts as, and whether it fills its page."""
    started = time.perf_counter()
    if skip:
        search = read_search(shelf.name, given, shelf.settings, forced=ask.access.forced)
        ask.budget.size.add(len(echo))
        return unasked(search, echo), [], True
    kept = _answered(protocol, shelf, ask, given)
    search = kept.search
    tail = stamp(search, echo=echo, took_ms=_since_ms(started), nonce=secrets.token_hex(8))
    ask.budget.size.add(len(echo))
    whole = kept.body[:-1] + (b"," if len(kept.body) > len(b"{}") and tail else b"") + orjson.dumps(tail)[1:]
    wants = bool(search.question.text.strip()) and search.counted and search.page == 0
    searched = [Searched(shelf.name, search.question.text, kept.total)] if wants else []
    return orjson.Fragment(whole), searched, kept.total >= max(1, search.hits_per_page)


def _answered(protocol: Protocol, shelf: Shelf, ask: Ask, given: Mapping[str, object]) -> Kept:
    """The answer, made once for as long as the index stays what it is: many type the same beginnings."""
    asked = {name: value for name, value in given.items() if name != "userToken"}
    about = [shelf.name, shelf.index.generation, "docsearch" in ask.agent.lower(), dict(ask.access.forced), asked]
    key = orjson.dumps(about, option=orjson.OPT_SORT_KEYS)
    kept = protocol.kept(key)
    size = ask.budget.size
    before = size.bytes
    if kept is None:
        search = read_search(shelf.name, given, shelf.settings, forced=ask.access.forced, agent=ask.agent)
        answer = shelf.index.search(search.question, ask.budget.deadline)
        body = orjson.dumps(results(search, answer, shelf.settings, ask.budget))
        # orjson leaves as much room behind a text as the text has: a copy has none.
        kept = Kept(bytes(memoryview(body)), search, answer.total)
        protocol.keep(key, kept)
    # The hits of a new answer are counted already.
    size.add(len(kept.body) - (size.bytes - before))
    return kept


def _once(searched: Sequence[Searched]) -> tuple[Searched, ...]:
    """The first search for each text of an index: those beside it only count facets."""
    return tuple({(one.index, one.text): one for one in reversed(searched)}.values())


def _facet_values(protocol: Protocol, ask: Ask) -> Reply:
    given, _ = flat(_object(ask.body))
    return Reply(_facet_search(_shelf(protocol, ask, ask.path[1]), ask, given, ask.path[3]))


def _facet_search(shelf: Shelf, ask: Ask, given: Mapping[str, object], facet: object) -> dict[str, object]:
    started = time.perf_counter()
    if not isinstance(facet, str) or not facet:
        raise Fault("facet: expected the name of an attribute")
    search = read_facet_search(shelf.name, facet, given, shelf.settings, forced=ask.access.forced, agent=ask.agent)
    deadline = ask.budget.deadline
    found = shelf.index.facet_values(facet, search.text, search.question, most=search.most, deadline=deadline)
    marker = shelf.index.search(Question(text=search.text, length=0), deadline) if search.text else Answer()
    return facet_hits(search, found, marker, took_ms=_since_ms(started), budget=ask.budget)


def _recommendations(protocol: Protocol, ask: Ask) -> Reply:
    requests = _object(ask.body).get("requests")
    if not isinstance(requests, list) or not all(isinstance(one, dict) for one in requests):
        raise Fault("requests: expected a list of recommendations")
    if len(requests) > MOST_REQUESTS:
        raise too_many("requests", MOST_REQUESTS, "recommendations")
    found = []
    for request in requests:
        ask.budget.deadline.check()
        shelf = _shelf(protocol, ask, request.get("indexName"))
        popular = protocol.searches.popular(shelf.name)
        found.append(recommend(shelf, request, popular, access=ask.access, agent=ask.agent, budget=ask.budget))
    return Reply({"results": found})


def _objects(protocol: Protocol, ask: Ask) -> Reply:
    requests = _object(ask.body).get("requests")
    if not isinstance(requests, list) or not all(isinstance(one, dict) for one in requests):
        raise Fault("requests: expected a list of objects")
    if len(requests) > MOST_IDS:
        raise too_many("requests", MOST_IDS, "objects")
    found: list[object] = []
    for request in requests:
        id = request.get("objectID")
        if not isinstance(id, str) or not id:
            raise Fault("objectID: expected a text")
        wanted = Parameters(request, {}).texts("attributesToRetrieve", most=MOST_ATTRIBUTES)
        shelf = _shelf(protocol, ask, request.get("indexName"))
        (record,) = shelf.index.get([id], ask.budget.deadline)
        written = orjson.dumps(_visible(shelf, ask, record, wanted) if record is not None else None)
        ask.budget.size.add(len(written))
        found.append(orjson.Fragment(written))
    return Reply({"results": found})


def _get(protocol: Protocol, ask: Ask) -> Reply:
    shelf = _shelf(protocol, ask, ask.path[1])
    (record,) = shelf.index.get([ask.path[2]], ask.budget.deadline)
    if record is None:
        raise no_object()
    wanted = Parameters(dict(ask.query or {}), {}).texts("attributesToRetrieve", most=MOST_ATTRIBUTES)
    return Reply(_visible(shelf, ask, record, wanted))


def _visible(shelf: Shelf, ask: Ask, record: Record, wanted: Sequence[str] | None) -> Json:
    """A record as whoever asks may see it: within the filters of their key, and without hidden attributes."""
    must = where(ask.access.forced)
    if must is not None and not passes(record, must):
        raise no_object()
    hidden = Parameters({}, shelf.settings).texts("unretrievableAttributes") or ()
    left = record if ask.access.right == "admin" else without(record, hidden)
    shape = shape_of(wanted) if wanted else None
    chosen = picked(left, shape)
    return {**(chosen if isinstance(chosen, Mapping) else {}), "objectID": record["objectID"]}


def _browse(protocol: Protocol, ask: Ask) -> Reply:
    started = time.perf_counter()
    shelf = _shelf(protocol, ask, ask.path[1])
    given, echo = flat(_object(ask.body) if ask.method == "POST" else _without_keys(ask.query or {}))
    ask.budget.size.add(len(echo))
    cursor = given.pop("cursor", None)
    if cursor is not None and not isinstance(cursor, str):
        raise Fault("cursor: expected a text")
    search = read_search(shelf.name, {"hitsPerPage": MOST_HITS, **given}, {}, forced=ask.access.forced)
    question = replace(search.question, offset=0, length=0, distinct=0)
    most = max(1, search.hits_per_page)
    deadline = ask.budget.deadline
    records, following = shelf.index.browse(cursor or None, question, most=most, deadline=deadline)
    total = shelf.index.search(question, deadline).total if question.text or question.where else shelf.index.count
    display = replace(search.display, highlight=(), snippets=())
    writer = HitWriter(Answer(), display, searchable=(), budget=ask.budget)
    blank = Ranking(0, 0, 0, 0, 0.0)
    hits = [cast(Record, writer.write(Hit(str(record["objectID"]), record, blank))) for record in records]
    return Reply(
        browsed(
            hits,
            total=total,
            page=search.page,
            hits_per_page=most,
            query=question.text,
            echo=echo if set(given) - {"hitsPerPage"} else "",
            cursor=following,
            took_ms=_since_ms(started),
        )
    )


def _events(protocol: Protocol, ask: Ask) -> Reply:
    known = []
    events = read_events(ask.body)
    named: dict[str, dict[str, None]] = {}
    for event in events:
        named.setdefault(event.index, {}).update(dict.fromkeys(event.objects))
    there = {index: _present(protocol, ask, index, list(ids)) for index, ids in named.items()}
    for event in events:
        present = there[event.index]
        if present is None:
            continue  # somebody else's index is none of our counts
        kept = [at for at, id in enumerate(event.objects) if id in present]
        known.append(
            replace(
                event,
                objects=tuple(event.objects[at] for at in kept),
                positions=tuple(event.positions[at] for at in kept) if event.positions else (),
            )
        )
    protocol.searches.add_events(known)
    return Reply({"status": 200, "message": "OK"})


def _present(protocol: Protocol, ask: Ask, index: str, ids: Sequence[str]) -> frozenset[str] | None:
    """Which of these records the index has; None where there is no such index."""
    ask.access.require_index(index)
    shelf = protocol.indexes.find(index)
    if shelf is None:
        return None
    present: set[str] = set()
    # Some at a time: they are read whole, and only their ids are kept.
    for start in range(0, len(ids), _READ_TOGETHER):
        several = ids[start : start + _READ_TOGETHER]
        records = shelf.index.get(several, ask.budget.deadline)
        present.update(id for id, record in zip(several, records, strict=True) if record is not None)
    return frozenset(present)


# Writing records


def _batch(protocol: Protocol, ask: Ask) -> Reply:
    operations = read_batch(ask.body, _new_id)
    task = protocol.indexes.pushed(ask.path[1]).apply(operations)
    return Reply({"taskID": task, "objectIDs": [each.id for each in operations if each.id]})


def _multiple_batch(protocol: Protocol, ask: Ask) -> Reply:
    requests = _object(ask.body).get("requests")
    if not isinstance(requests, list) or not all(isinstance(one, dict) for one in requests):
        raise Fault("requests: expected a list of operations")
    batches: dict[str, list[Operation]] = {}
    ids: list[str] = []
    for at, request in enumerate(requests):
        name = _name(request.get("indexName"))
        operation = read_operation(at, request, _new_id)
        batches.setdefault(name, []).append(operation)
        ids += [operation.id] if operation.id else []
    tasks = {name: protocol.indexes.pushed(name).apply(batch) for name, batch in batches.items()}
    return Reply({"taskID": tasks, "objectIDs": ids})


def _one(protocol: Protocol, ask: Ask, action: str, id: str | None, body: object) -> tuple[int, str]:
    given = {**_object(body), **({"objectID": id} if id is not None else {})}
    operation = read_operation(0, {"action": action, "body": given}, _new_id)
    return protocol.indexes.pushed(ask.path[1]).apply([operation]), operation.id


def _add(protocol: Protocol, ask: Ask) -> Reply:
    task, id = _one(protocol, ask, "addObject", None, ask.body)
    return Reply({"createdAt": _now(), "taskID": task, "objectID": id}, 201)


def _put(protocol: Protocol, ask: Ask) -> Reply:
    task, id = _one(protocol, ask, "updateObject", ask.path[2], ask.body)
    return Reply({"updatedAt": _now(), "taskID": task, "objectID": id})


def _partial(protocol: Protocol, ask: Ask) -> Reply:
    creates = (ask.query or {}).get("createIfNotExists", "true") != "false"
    action = "partialUpdateObject" if creates else "partialUpdateObjectNoCreate"
    task, id = _one(protocol, ask, action, ask.path[2], ask.body)
    return Reply({"updatedAt": _now(), "taskID": task, "objectID": id})


def _delete(protocol: Protocol, ask: Ask) -> Reply:
    task, _ = _one(protocol, ask, "deleteObject", ask.path[2], {})
    return Reply({"deletedAt": _now(), "taskID": task})


def _delete_by(protocol: Protocol, ask: Ask) -> Reply:
    given, _ = flat(_object(ask.body))
    must = where(given)
    if must is None:
        raise Fault("deleteByQuery needs a filter; to delete all records, clear the index")
    return _updated(protocol.indexes.pushed(ask.path[1]).delete_records(lambda record: passes(record, must)))


def _clear(protocol: Protocol, ask: Ask) -> Reply:
    return _updated(protocol.indexes.pushed(ask.path[1]).apply([Operation("clear")]))


# Whole indexes


def _indexes(protocol: Protocol, ask: Ask) -> Reply:
    wanted = Parameters(dict(ask.query or {}), {})
    page, size = wanted.number("page", 0), wanted.number("hitsPerPage", 100, least=1, most=MOST_HITS)
    listed = protocol.indexes.summaries()
    items = [
        {
            "name": each.name,
            "createdAt": each.created,
            "updatedAt": each.updated,
            "entries": each.entries,
            "dataSize": each.size,
            "fileSize": each.size,
            "lastBuildTimeS": 0,
            "numberOfPendingTasks": int(each.pending),
            "pendingTask": each.pending,
        }
        for each in listed
    ]
    shown = items[page * size : (page + 1) * size] if "page" in (ask.query or {}) else items
    return Reply({"items": shown, "nbPages": -(-len(items) // size)})


def _delete_index(protocol: Protocol, ask: Ask) -> Reply:
    return Reply({"deletedAt": _now(), "taskID": protocol.indexes.pushed(ask.path[1]).delete()})


def _operation(protocol: Protocol, ask: Ask) -> Reply:
    body = _object(ask.body)
    destination = _name(body.get("destination"), "destination")
    scope = body.get("scope") or []
    if not isinstance(scope, list) or any(part not in SCOPES for part in scope):
        raise Fault(f"scope: expected a list of {', '.join(SCOPES)}")
    parts = cast(list[Scope], scope)
    protocol.indexes.pushed(destination)  # may be written to, or says why not
    match body.get("operation"):
        case "copy":
            task = protocol.indexes.copy(ask.path[1], destination, parts)
        case "move":
            task = protocol.indexes.pushed(ask.path[1]).move(destination)
        case _:
            raise Fault("operation: expected copy or move")
    return _updated(task)


def _settings(protocol: Protocol, ask: Ask) -> Reply:
    return Reply(with_defaults(_shelf(protocol, ask, ask.path[1]).settings))


def _set_settings(protocol: Protocol, ask: Ask) -> Reply:
    return _updated(protocol.indexes.pushed(ask.path[1]).set_settings(read_settings(ask.body)))


def _task(protocol: Protocol, ask: Ask) -> Reply:
    number = ask.path[-1]
    if not number.isascii() or not number.isdigit() or len(number) > 18:  # noqa: PLR2004 - digits SQLite can hold
        raise Fault("taskID: expected a number")
    done = protocol.indexes.is_done(int(number))
    return Reply({"status": "published" if done else "notPublished", "pendingTask": not done})


# Synonyms and rules


def _entries_search(protocol: Protocol, ask: Ask) -> Reply:
    kind = _kind(ask)
    wanted = Parameters(_object(ask.body), {})
    page, size = wanted.number("page", 0), wanted.number("hitsPerPage", 20, least=1, most=MOST_HITS)
    text, type = wanted.text("query").casefold(), wanted.text("type")
    anchoring, enabled = wanted.text("anchoring"), wanted.get("enabled")
    found = [
        entry
        for entry in protocol.indexes.pushed(ask.path[1]).entries(kind)
        if text in _words(entry).casefold()
        and (not type or entry.get("type") == type)
        and (not anchoring or f"'anchoring': '{anchoring}'" in str(entry))
        and (enabled is None or entry.get("enabled", True) == enabled)
    ]
    reply: dict[str, object] = {"hits": found[page * size : (page + 1) * size], "nbHits": len(found)}
    return Reply(reply | {"page": page, "nbPages": -(-len(found) // size)} if kind == "rules" else reply)


def _entries_save(protocol: Protocol, ask: Ask) -> Reply:
    kind = _kind(ask)
    if not isinstance(ask.body, list) or not all(isinstance(entry, dict) for entry in ask.body):
        raise Fault(f"Expected a list of {kind}")
    if len(ask.body) > MOST_ENTRIES:
        raise Fault(f"More than {MOST_ENTRIES} {kind}")
    entries = {_entry_id(entry.get("objectID")): entry for entry in ask.body}
    query = ask.query or {}
    replaces = "true" in (query.get("replaceExistingSynonyms"), query.get("clearExistingRules"))
    return _updated(protocol.indexes.pushed(ask.path[1]).put_entries(kind, entries, replace=replaces))


def _entries_clear(protocol: Protocol, ask: Ask) -> Reply:
    return _updated(protocol.indexes.pushed(ask.path[1]).put_entries(_kind(ask), {}, replace=True))


def _entry(protocol: Protocol, ask: Ask) -> Reply:
    found = protocol.indexes.pushed(ask.path[1]).entry(_kind(ask), ask.path[3])
    if found is None:
        raise no_object()
    return Reply(found)


def _entry_put(protocol: Protocol, ask: Ask) -> Reply:
    entry = cast(Mapping[str, Json], {**_object(ask.body), "objectID": _entry_id(ask.path[3])})
    task = protocol.indexes.pushed(ask.path[1]).put_entries(_kind(ask), {ask.path[3]: entry})
    return Reply({"taskID": task, "updatedAt": _now(), "id": ask.path[3], "objectID": ask.path[3]})


def _entry_delete(protocol: Protocol, ask: Ask) -> Reply:
    task = protocol.indexes.pushed(ask.path[1]).delete_entry(_kind(ask), ask.path[3])
    return Reply({"taskID": task, "updatedAt": _now(), "deletedAt": _now()})


def _kind(ask: Ask) -> Entries:
    return "synonyms" if ask.path[2] == "synonyms" else "rules"


def _words(entry: Mapping[str, Json]) -> str:
    """Everything that was written into an entry, to look for words in."""
    pieces: list[str] = []
    rest: list[Json] = [entry]
    while rest:
        value = rest.pop()
        if isinstance(value, Mapping):
            rest += value.values()
        elif isinstance(value, (list, tuple)):
            rest += value
        elif isinstance(value, str):
            pieces.append(value)
    return "\n".join(pieces)


def _entry_id(given: object) -> str:
    if not isinstance(given, str) or not given or len(given) > 512:  # noqa: PLR2004 - as long as a record's
        raise Fault("objectID: expected a text")
    return given


# Keys, and whether anybody is there


def _key(protocol: Protocol, ask: Ask) -> Reply:
    given, keys = ask.path[1], protocol.keys
    if given == keys.search:
        rights = ["search"]
    elif given == keys.admin:
        rights = _RIGHTS
    else:
        raise Fault("Key does not exist", NOT_FOUND)
    return Reply({"value": given, "acl": rights, "createdAt": 0, "validity": 0})


_RIGHTS = ["search", "browse", "addObject", "deleteObject", "deleteIndex", "listIndexes", "settings", "editSettings"]


def _alive(protocol: Protocol, ask: Ask) -> Reply:  # noqa: ARG001 - called as the others are
    return Reply({"message": "server is alive"})


LARGE = 64 << 20
"""Bytes of a batch: a thousand records of the largest size are rare, and may be sent in several."""

ROUTES = (
    Route("POST", "indexes/*/queries", "search", _queries, counted="requests"),
    Route("POST", "indexes/*/objects", "search", _objects, counted="requests", counted_by=10),
    Route("POST", "indexes/*/recommendations", "search", _recommendations, counted="requests"),
    Route("POST", "indexes/*/batch", "admin", _multiple_batch, LARGE),
    Route("POST", "indexes/{}/query", "search", _query),
    Route("GET", "indexes/{}", "search", _query),
    Route("POST", "indexes/{}/facets/{}/query", "search", _facet_values),
    Route("POST", "events", "search", _events, counted="events", counted_by=10),
    Route("GET", "indexes", "admin", _indexes),
    Route("POST", "indexes/{}/browse", "admin", _browse),
    Route("GET", "indexes/{}/browse", "admin", _browse),
    Route("POST", "indexes/{}/batch", "admin", _batch, LARGE),
    Route("POST", "indexes/{}/deleteByQuery", "admin", _delete_by),
    Route("POST", "indexes/{}/clear", "admin", _clear),
    Route("POST", "indexes/{}/operation", "admin", _operation),
    Route("GET", "indexes/{}/settings", "admin", _settings),
    Route("PUT", "indexes/{}/settings", "admin", _set_settings),
    Route("GET", "indexes/{}/task/{}", "admin", _task),
    Route("GET", "task/{}", "admin", _task),
    *(
        route
        for kind in ("synonyms", "rules")
        for route in (
            Route("POST", f"indexes/{{}}/{kind}/search", "admin", _entries_search),
            Route("POST", f"indexes/{{}}/{kind}/batch", "admin", _entries_save, LARGE),
            Route("POST", f"indexes/{{}}/{kind}/clear", "admin", _entries_clear),
            Route("GET", f"indexes/{{}}/{kind}/{{}}", "admin", _entry),
            Route("PUT", f"indexes/{{}}/{kind}/{{}}", "admin", _entry_put),
            Route("DELETE", f"indexes/{{}}/{kind}/{{}}", "admin", _entry_delete),
        )
    ),
    Route("POST", "indexes/{}/{}/partial", "admin", _partial),
    Route("POST", "indexes/{}", "admin", _add),
    Route("DELETE", "indexes/{}", "admin", _delete_index),
    Route("GET", "indexes/{}/{}", "search", _get),
    Route("PUT", "indexes/{}/{}", "admin", _put),
    Route("DELETE", "indexes/{}/{}", "admin", _delete),
    Route("GET", "keys/{}", "search", _key),
    Route("GET", "isalive", "search", _alive),
)


# Parts of a call


def _shelf(protocol: Protocol, ask: Ask, name: object) -> Shelf:
    wanted = _name(name)
    ask.access.require_index(wanted)
    shelf = protocol.indexes.find(wanted)
    if shelf is None:
        raise no_index(wanted)
    return shelf


def _name(given: object, what: str = "indexName") -> str:
    if not isinstance(given, str) or not given:
        raise Fault(f"{what}: expected the name of an index")
    return given.encode("utf-8", "replace").decode()


def _object(body: object) -> dict[str, object]:
    if body is None:
        return {}
    if not isinstance(body, dict):
        raise Fault("The body must be an object")
    return {str(name): value for name, value in body.items()}


def _without_keys(query: Mapping[str, str]) -> dict[str, object]:
    return {name: value for name, value in query.items() if not name.lower().startswith("x-algolia-")}


def _updated(task: int) -> Reply:
    return Reply({"taskID": task, "updatedAt": _now()})


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _new_id() -> str:
    return secrets.token_hex(10)


def _since_ms(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)
