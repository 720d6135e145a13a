"""The protocol's words: filters, parameters, keys, hits, answers, settings, records and events."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import pytest

from kinfolk.errors import Invalid
from kinfolk.search.algolia.answers import results, stamp
from kinfolk.search.algolia.events import Event, read_events
from kinfolk.search.algolia.fault import Fault
from kinfolk.search.algolia.filters import facet_filters, numeric_filters, optional_filters, parse_filters, tag_filters
from kinfolk.search.algolia.hits import HitWriter, window
from kinfolk.search.algolia.keys import Keys, access, secured_key
from kinfolk.search.algolia.parameters import Display, Snippet, flat, read_facet_search, read_search
from kinfolk.search.algolia.records import Operation, changed, read_batch
from kinfolk.search.algolia.settings import (
    changed_settings,
    engine_settings,
    read_settings,
    wire_settings,
    wire_synonyms,
    with_defaults,
)
from kinfolk.search.matching import passes
from kinfolk.search.query import All, Answer, Between, Either, Equals, Filter, Hit, Not, Ranking, Record, Span, Stats
from kinfolk.search.query_id import digest_of, text_digest
from kinfolk.search.rules import IndexSettings, Synonym

A, B, C = Equals("a", "1"), Equals("b", "2"), Equals("c", "3")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("", None),
        ("a:1", A),
        ("a:1 AND b:2", All((A, B))),
        ("a:1 AND b:2 OR c:3", All((A, Either((B, C))))),
        ("(a:1 AND b:2) OR c:3", Either((All((A, B)), C))),
        ("NOT a:1 AND NOT (b:2)", All((Not(A), Not(B)))),
        ("editor:'visual studio'", Equals("editor", "visual studio")),
        ('"my attribute":"it\\"s <here>"', Equals("my attribute", 'it"s <here>')),
        ("url:https://example.com/x#y", Equals("url", "https://example.com/x#y")),
        ("name:don't", Equals("name", "don't")),
        ("public", Equals("_tags", "public")),
        ("library:query<score=3>", Equals("library", "query", 3)),
        ("price = 5", Between("price", 5, 5)),
        ("price != 5", Not(Between("price", 5, 5))),
        ("price!=5", Not(Between("price", 5, 5))),
        ("price>=-1.5", Between("price", -1.5)),
        ("price:1 TO 10", Between("price", 1, 10)),
        ("weight.level <= 90", Between("weight.level", high=90)),
    ],
)
def test_a_filter_says(text: str, meant: Filter | None) -> None:
    assert parse_filters(text) == meant


def test_a_strict_comparison_leaves_its_number_out() -> None:
    below, above = parse_filters("price < 5"), parse_filters("price > 5")
    assert below == Between("price", high=math.nextafter(5, 0))
    assert above == Between("price", low=math.nextafter(5, 6))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("actor:Scarlett Johansson", r"Unexpected token string\(Johansson\) expected end of filter at col 15"),
        ("a:", "Unexpected end of filter, expected a value"),
        ("(a:1", "expected closing parenthesis"),
        ("a:1 AND", "expected an attribute"),
        ("AND", "expected an attribute"),
        ("price > much", "'much' is not a number"),
        ("price > 1e999", "too large"),
        ("a:'open", "Unexpected token"),
        ("(" * 40 + "a:1" + ")" * 40, "too many levels"),
        ("NOT " * 40 + "a:1", "too many levels"),
        ("a" * 20_000, "longer than"),
    ],
)
def test_a_filter_that_cannot_be_read_says_why(text: str, reason: str) -> None:
    with pytest.raises(Fault, match=reason) as wrong:
        parse_filters(text)
    assert wrong.value.status == 400


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (None, None),
        ([], None),
        ("a:1", A),
        ("a:1,b:2", All((A, B))),
        (["a:1", ["b:2", "c:3"]], All((A, Either((B, C))))),
        ('["a:1",["b:2","c:3"]]', All((A, Either((B, C))))),
        ([["a:1", ["b:2", "c:3"]]], Either((A, All((B, C))))),
        (["a:-1"], Not(A)),
        (["a:\\-1"], Equals("a", "-1")),
        (["editor:'visual studio'"], Equals("editor", "'visual studio'")),
    ],
)
def test_a_list_of_facet_filters_says(given: object, meant: Filter | None) -> None:
    assert facet_filters(given) == meant


def test_the_other_lists_of_filters_say_the_like() -> None:
    assert numeric_filters(["a>=1", ["b:2 TO 3", "c=4"]]) == All(
        (Between("a", 1), Either((Between("b", 2, 3), Between("c", 4, 4))))
    )
    assert tag_filters("x,-y") == All((Equals("_tags", "x"), Not(Equals("_tags", "y"))))
    assert optional_filters(["a:1<score=2>", ["b:-2"]]) == (Equals("a", "1", 2), Equals("b", "2", -1))


@pytest.mark.parametrize("given", [5, {"a": 1}, [5], [[["x"]]], "[", ["no colon"], [":x"]])
def test_facet_filters_that_make_no_sense_are_refused(given: object) -> None:
    with pytest.raises(Fault, match="facetFilters"):
        facet_filters(given)


RECORD: Record = {
    "objectID": "1",
    "kind": ["soup", "hot"],
    "price": 6,
    "vegan": True,
    "by": {"name": "Ann", "stars": [4, 5]},
    "parts": [{"name": "onion"}, {"name": "salt"}],
}


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("kind:hot", True),
        ("kind:cold", False),
        ("vegan:true AND price:6", True),
        ("by.name:Ann AND parts.name:salt", True),
        ("by.stars > 4", True),
        ("by.stars > 5 OR nothing:at all", None),
        ("NOT kind:soup", False),
        ("price:1 TO 5", False),
    ],
)
def test_a_record_passes_a_filter_or_does_not(text: str, does: bool | None) -> None:
    if does is None:
        with pytest.raises(Fault):
            parse_filters(text)
        return
    where = parse_filters(text)
    assert where is not None
    assert passes(RECORD, where) is does


# Parameters


@pytest.mark.parametrize(
    "request_",
    [
        {"indexName": "i", "query": "a b", "hitsPerPage": 5, "facets": ["x"]},
        {"indexName": "i", "params": "query=a+b&hitsPerPage=5&facets=%5B%22x%22%5D"},
        {"indexName": "i", "params": "query=a%20b&hitsPerPage=5&facets=x"},
        {"indexName": "i", "params": {"query": "a b", "hitsPerPage": 5, "facets": "x"}},
    ],
)
def test_a_search_has_three_shapes_and_one_meaning(request_: dict[str, object]) -> None:
    given, echo = flat(request_)
    search = read_search("i", given, {})
    assert (search.question.text, search.hits_per_page, search.question.facets) == ("a b", 5, ("x",))
    assert echo.startswith("query=a")


def test_what_a_search_does_not_say_its_index_says() -> None:
    settings = {"hitsPerPage": 7, "typoTolerance": "false", "highlightPreTag": "[", "paginationLimitedTo": 10}
    search = read_search("i", {"page": 1, "highlightPreTag": "{"}, settings)
    assert (search.hits_per_page, search.question.most_typos, search.display.before) == (7, 0, "{")
    assert (search.question.offset, search.question.length) == (7, 3)


def test_a_page_behind_the_last_that_may_be_seen_is_empty() -> None:
    assert read_search("i", {"page": 50, "hitsPerPage": 20}, {}).question.length == 0
    assert read_search("i", {"page": 2**31 - 1}, {}).question.length == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hitsPerPage", 1001),
        ("hitsPerPage", -1),
        ("hitsPerPage", "many"),
        ("hitsPerPage", 1.5),
        ("hitsPerPage", True),
        ("page", float("nan")),
        ("page", 1e300),
        ("query", ["x"]),
        ("facets", {"x": 1}),
        ("facets", "[x"),
        ("typoTolerance", "perhaps"),
        ("queryType", "prefixFirst"),
        ("distinct", 9),
        ("analytics", "perhaps"),
        ("attributesToSnippet", ["content:many"]),
        ("filters", 5),
    ],
)
def test_a_parameter_that_makes_no_sense_is_named(name: str, value: object) -> None:
    with pytest.raises(Fault, match=name) as wrong:
        read_search("i", {name: value}, {})
    assert wrong.value.status == 400


def test_values_of_a_facet_are_searched_up_to_a_hundred() -> None:
    assert read_facet_search("i", "x", {"maxFacetHits": 100, "facetQuery": "q"}, {}).most == 100
    with pytest.raises(Fault, match="maxFacetHits"):
        read_facet_search("i", "x", {"maxFacetHits": 101}, {})


# Keys

KEYS = Keys("app", "public", "secret")
NOW_S = 1_800_000_000.0


def secured(**parameters: object) -> str:
    return secured_key("public", urlencode(parameters))


def test_the_search_key_searches_and_the_admin_key_does_all() -> None:
    assert access(KEYS, "APP", "public", now_s=NOW_S).right == "search"
    assert access(KEYS, "app", "secret", now_s=NOW_S).right == "admin"
    with pytest.raises(Fault, match="Method not allowed with this API key"):
        access(KEYS, "app", "public", now_s=NOW_S).require("admin")


@pytest.mark.parametrize(
    ("app", "key"),
    [
        ("other", "public"),
        ("app", ""),
        ("app", "guess"),
        ("app", "é"),
        ("app", secured_key("secret", "filters=x")),
        ("app", secured_key("guess", "filters=x")),
        ("app", secured(filters="a:1")[:-4]),
    ],
)
def test_other_keys_open_nothing(app: str, key: str) -> None:
    with pytest.raises(Fault, match="Invalid Application-ID or API key") as wrong:
        access(KEYS, app, key, now_s=NOW_S)
    assert wrong.value.status == 403


def test_without_an_admin_key_nobody_writes() -> None:
    with pytest.raises(Fault, match="Invalid"):
        access(Keys("app", "public", ""), "app", "", now_s=NOW_S)


def test_a_secured_key_carries_what_it_forces() -> None:
    granted = access(KEYS, "app", secured(filters="a:1", userToken="x", hitsPerPage=3), now_s=NOW_S)
    assert granted.forced == {"filters": "a:1", "hitsPerPage": "3"}
    search = read_search("i", {"filters": "b:2", "hitsPerPage": 50}, {}, forced=granted.forced)
    assert (search.question.where, search.hits_per_page) == (All((B, A)), 3)


def test_a_secured_key_ends_and_is_for_some_indexes_and_addresses_only() -> None:
    with pytest.raises(Fault, match="expired"):
        access(KEYS, "app", secured(validUntil=int(NOW_S) - 1), now_s=NOW_S)
    some = access(KEYS, "app", secured(validUntil=int(NOW_S) + 1, restrictIndices="dev_*,x"), now_s=NOW_S)
    some.require_index("dev_a")
    with pytest.raises(Fault, match="Index not allowed"):
        some.require_index("prod")
    near = secured(restrictSources="10.0.0.0/8")
    assert access(KEYS, "app", near, now_s=NOW_S, address="10.1.2.3").right == "search"
    with pytest.raises(Fault, match="source"):
        access(KEYS, "app", near, now_s=NOW_S, address="192.0.2.1")


# Hits


class Words:
    """Marks whole words, as an answer of the engine does, but only these."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def spans(self, text: str) -> Iterator[Span]:
        found = []
        for word in self.words:
            at = text.lower().find(word)
            while at >= 0:
                found.append(Span(at, at + len(word), (word,)))
                at = text.lower().find(word, at + 1)
        yield from sorted(found, key=lambda span: span.start)


NO_RANK = Ranking(1, 0, 0, 1, 5.0)


def written(record: Mapping[str, Any], *words: str, searchable: tuple[str, ...] = (), **display: Any) -> dict[str, Any]:
    answer = Answer(words=words, marker=Words(*words))
    writer = HitWriter(answer, Display(**display), searchable=searchable)
    return writer.write(Hit("1", {"objectID": "1", **record}, NO_RANK))


def test_what_was_found_is_marked_wherever_it_is() -> None:
    hit = written({"title": "Onion soup", "tags": ["soup", "warm"], "size": 3, "by": {"name": "Ann"}}, "soup")
    assert hit["_highlightResult"] == {
        "title": {
            "value": "Onion <em>soup</em>",
            "matchLevel": "full",
            "matchedWords": ["soup"],
            "fullyHighlighted": False,
        },
        "tags": [
            {"value": "<em>soup</em>", "matchLevel": "full", "matchedWords": ["soup"], "fullyHighlighted": True},
            {"value": "warm", "matchLevel": "none", "matchedWords": []},
        ],
        "size": {"value": "3", "matchLevel": "none", "matchedWords": []},
        "by": {"name": {"value": "Ann", "matchLevel": "none", "matchedWords": []}},
    }


def test_some_of_the_words_are_a_partial_match() -> None:
    assert written({"title": "Onion soup"}, "soup", "pie")["_highlightResult"]["title"]["matchLevel"] == "partial"


def test_by_default_the_searchable_attributes_are_highlighted() -> None:
    hit = written({"a": {"b": "x", "c": "y"}, "d": "z"}, "x", searchable=("unordered(a.b),e",))
    assert list(hit["_highlightResult"]) == ["a"]
    assert list(hit["_highlightResult"]["a"]) == ["b"]


@pytest.mark.parametrize(
    ("retrieve", "kept"),
    [
        (("*",), {"a", "b", "objectID"}),
        (("a.x",), {"a", "objectID"}),
        (("*", "-a"), {"b", "objectID"}),
        ((), {"objectID"}),
    ],
)
def test_only_the_attributes_that_are_wanted_are_there(retrieve: tuple[str, ...], kept: set[str]) -> None:
    hit = written({"a": {"x": 1, "y": 2}, "b": 3}, retrieve=retrieve, highlight=())
    assert set(hit) == kept
    assert retrieve != ("a.x",) or hit["a"] == {"x": 1}


def test_for_a_client_that_puts_values_into_its_page_they_become_html() -> None:
    record = {"text": "a <b> & soup"}
    shown = written(record, "soup", escaped=True, before="<mark>", after="</mark>", snippets=(Snippet("text", 5),))
    assert shown["_highlightResult"]["text"]["value"] == "a &lt;b&gt; &amp; <mark>soup</mark>"
    assert shown["_snippetResult"]["text"]["value"] == "a &lt;b&gt; &amp; <mark>soup</mark>"
    assert written(record, "soup")["_highlightResult"]["text"]["value"] == "a <b> & <em>soup</em>"
    assert read_search("i", {}, {}, agent="Algolia for JavaScript; docsearch.js (5)").display.escaped


LONG = " ".join(f"w{at}" for at in range(100))


@pytest.mark.parametrize(
    ("words", "length", "snippet"),
    [
        ((), 3, "w0 w1 w2…"),
        (("w50",), 3, "…w49 <em>w50</em> w51…"),
        (("w99",), 4, "…w96 w97 w98 <em>w99</em>"),
        (("w10", "w70", "w71"), 4, "…w69 <em>w70</em> <em>w71</em> w72…"),
    ],
)
def test_a_snippet_is_where_most_words_stand_together(words: tuple[str, ...], length: int, snippet: str) -> None:
    marked = Words(*(f"{word} " if word != "w99" else word for word in words))
    answer = Answer(words=words, marker=marked)
    spans = tuple(
        Span(span.start, span.start + len(span.words[0].strip()), (span.words[0].strip(),))
        for span in marked.spans(LONG)
    )
    start, end = window(LONG, spans, length)
    assert answer.words == words
    assert len(LONG[start:end].split()) == length
    assert LONG[start:end] in snippet.replace("<em>", "").replace("</em>", "")


def test_the_text_before_and_behind_a_snippet_is_told_by_an_ellipsis() -> None:
    hit = written({"text": "one two three four, five"}, "three", snippets=(Snippet("*", 2),), ellipsis="~")
    assert hit["_snippetResult"]["text"] == {"value": "~<em>three</em> four,~", "matchLevel": "full"}
    assert written({"text": "(two) words."}, snippets=(Snippet("text", 9),))["_snippetResult"]["text"]["value"] == (
        "(two) words."
    )


# Answers


def answered(answer: Answer, settings: Mapping[str, object] | None = None, **given: object) -> dict[str, Any]:
    search = read_search("i", given, settings or {})
    return results(search, answer, settings or {}) | stamp(search, echo="x=1", took_ms=3, nonce="ab" * 8)


def test_an_answer_has_all_that_pages_are_turned_with() -> None:
    answer = answered(Answer(total=45), hitsPerPage=20, page=1)
    assert {name: answer[name] for name in ("nbHits", "nbPages", "page", "hitsPerPage", "params", "index")} == {
        "nbHits": 45,
        "nbPages": 3,
        "page": 1,
        "hitsPerPage": 20,
        "params": "x=1",
        "index": "i",
    }
    assert answered(Answer(total=45), hitsPerPage=0)["nbPages"] == 0
    assert answered(Answer(total=4500), {"paginationLimitedTo": 100})["nbPages"] == 5
    assert "_automaticInsights" not in answer


def test_facets_are_there_when_they_were_asked_for() -> None:
    counted = Answer(facets={"kind": {"b": 2, "a": 1}}, stats={"size": Stats(1, 3, 2, 4)})
    assert "facets" not in answered(counted)
    answer = answered(counted, facets=["kind", "size"], sortFacetValuesBy="alpha")
    assert list(answer["facets"]["kind"]) == ["a", "b"]
    assert answer["facets_stats"]["size"] == {"min": 1, "max": 3, "avg": 2, "sum": 4}
    assert list(answered(counted, facets="kind")["facets"]["kind"]) == ["b", "a"]


def test_a_query_id_tells_what_was_searched_for_and_nothing_of_who_searched() -> None:
    first = answered(Answer(), query=" Cancel  QUERY", clickAnalytics=True)["queryID"]
    assert len(first) == 32
    assert digest_of(first) == text_digest("cancel query")
    assert text_digest("me@example.com") == text_digest("you@example.org") != text_digest("cancel")
    assert "queryID" not in answered(Answer(), query="cancel")


def test_an_answer_may_be_cut_to_the_fields_that_are_wanted() -> None:
    assert set(answered(Answer(), responseFields=["hits", "nbHits"])) == {"hits", "nbHits"}


# Settings


def test_settings_go_to_the_engine_and_back() -> None:
    settings = {
        "searchableAttributes": ["unordered(title),alias", "text"],
        "attributesForFaceting": ["searchable(kind)"],
        "customRanking": ["desc(size)"],
        "attributeForDistinct": "group",
        "distinct": True,
        "minWordSizefor1Typo": 3,
    }
    synonyms = [
        {"objectID": "a", "type": "synonym", "synonyms": ["pot", "pan"]},
        {"objectID": "b", "type": "oneWaySynonym", "input": "tea", "synonyms": ["chai"]},
        {"objectID": "c", "type": "placeholder", "placeholder": "<n>", "replacements": ["1"]},
    ]
    rules = engine_settings(read_settings(settings), synonyms)
    assert (rules.tiers, rules.facets, rules.ranks) == (
        (("title", "alias"), ("text",)),
        {"kind": "searchable"},
        (("size", True),),
    )
    assert rules.synonyms == (Synonym(("pot", "pan")), Synonym(("chai",), "tea"))
    back = wire_settings(rules)
    assert {name: back[name] for name in settings} == {**settings, "distinct": 1}
    assert [entry["type"] for entry in wire_synonyms(rules.synonyms)] == ["synonym", "onewaysynonym"]


def test_null_takes_a_setting_back() -> None:
    assert changed_settings({"a": 1, "b": 2}, {"a": None, "c": 3}) == {"b": 2, "c": 3}
    assert with_defaults({"hitsPerPage": 5})["hitsPerPage"] == 5
    assert with_defaults({})["hitsPerPage"] == 20


@pytest.mark.parametrize(
    "settings",
    [
        [],
        {"searchableAttributes": "title"},
        {"searchableAttributes": ["x" * 600]},
        {"attributesForFaceting": ["largest(kind)"]},
        {"customRanking": ["size"]},
        {"hitsPerPage": 0},
        {"distinct": "often"},
        {str(at): at for at in range(300)},
    ],
)
def test_settings_that_could_not_be_followed_are_refused(settings: object) -> None:
    with pytest.raises((Fault, Invalid)) as wrong:
        read_settings(settings)
    assert wrong.value.status == 400


def test_an_index_of_defaults_needs_no_settings() -> None:
    assert engine_settings({}, ()) == IndexSettings()


# Records


def test_a_batch_is_read_and_what_has_no_id_gets_one() -> None:
    requests = [
        {"action": "addObject", "body": {"a": 1}},
        {"action": "updateObject", "body": {"objectID": 7, "a": 1}},
        {"action": "deleteObject", "body": {"objectID": "x"}},
        {"action": "clear"},
    ]
    assert read_batch({"requests": requests}, lambda: "new") == (
        Operation("addObject", "new", {"a": 1, "objectID": "new"}),
        Operation("updateObject", "7", {"a": 1, "objectID": "7"}),
        Operation("deleteObject", "x"),
        Operation("clear"),
    )


def deep(levels: int) -> dict[str, Any]:
    return {"a": deep(levels - 1)} if levels else {}


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ({"action": "explode", "body": {}}, "Invalid action at position 0"),
        ({"action": "updateObject", "body": {}}, "Missing objectID at position 0"),
        ({"action": "addObject", "body": []}, "Invalid body at position 0"),
        ({"action": "addObject", "body": {"objectID": True}}, "Invalid objectID"),
        ({"action": "addObject", "body": {"objectID": "x" * 600}}, "Invalid objectID"),
        ({"action": "addObject", "body": {"objectID": "big", "a": "x" * 100_001}}, "objectID=big is too big size=1000"),
        ({"action": "addObject", "body": {"objectID": "deep", **deep(40)}}, "more than 32 levels"),
        ({"action": "addObject", "body": {"n": 2**80}}, "64-bit"),
        ("addObject", "expected an operation"),
    ],
)
def test_an_operation_that_cannot_be_carried_out_is_named(request_: object, reason: str) -> None:
    with pytest.raises(Fault, match=reason) as wrong:
        read_batch({"requests": [request_]}, lambda: "new")
    assert wrong.value.status == 400


@pytest.mark.parametrize(
    ("now", "operation", "value", "after"),
    [
        (1, "Increment", 2, 3),
        (None, "Decrement", 2, -2),
        (["a"], "Add", "a", ["a", "a"]),
        (["a"], "AddUnique", "a", ["a"]),
        (["a", "b"], "Remove", "a", ["b"]),
        (3, "IncrementFrom", 3, 4),
        (3, "IncrementSet", 2, 3),
        (3, "IncrementSet", 9, 9),
    ],
)
def test_an_attribute_is_worked_on(now: Any, operation: str, value: Any, after: Any) -> None:
    record = changed({"objectID": "1", "n": now}, {"n": {"_operation": operation, "value": value}})
    assert record == {"objectID": "1", "n": after}


# Events

CLICK = {
    "eventType": "click",
    "eventName": "Hit clicked",
    "index": "i",
    "objectIDs": ["1"],
    "positions": [3],
    "queryID": "ab" * 16,
    "userToken": "anonymous-1",
}


def test_of_an_event_only_what_is_counted_is_read() -> None:
    telemetry = {"eventType": "instantsearch", "eventName": "__start__", "index": "i"}
    assert read_events({"events": [CLICK, telemetry]}) == (Event("click", "i", ("1",), (3,), "ab" * 16),)


@pytest.mark.parametrize(
    "change",
    [
        {"eventType": "purr"},
        {"index": ""},
        {"eventName": None},
        {"positions": [0]},
        {"positions": [1, 2]},
        {"positions": None},
        {"queryID": "x"},
        {"objectIDs": [str(at) for at in range(21)]},
        {"objectIDs": "1"},
    ],
)
def test_an_event_that_makes_no_sense_is_unreadable(change: dict[str, object]) -> None:
    with pytest.raises(Fault, match="Event 0") as wrong:
        read_events({"events": [{**CLICK, **change}]})
    assert wrong.value.status == 422


def test_a_fault_is_what_clients_read() -> None:
    assert Fault("Index x does not exist", 404).body() == {"message": "Index x does not exist", "status": 404}
