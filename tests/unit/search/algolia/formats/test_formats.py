"""Formats of the Algolia API: filters, parameters, keys, hits, responses, settings, records and events."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest

from kinfolk.runtime.errors import Invalid
from kinfolk.search.algolia.api_error import ApiError
from kinfolk.search.algolia.api_keys import ApiKeys, access, secured_key
from kinfolk.search.algolia.formats.event_format import read_events
from kinfolk.search.algolia.formats.filter_syntax import (
    facet_filters,
    numeric_filters,
    optional_filters,
    parse_filters,
    tag_filters,
)
from kinfolk.search.algolia.formats.hit_format import HitWriter, window
from kinfolk.search.algolia.formats.parameters import (
    HitDisplay,
    ParsedSearch,
    SnippetLength,
    flat,
    read_facet_search,
    read_search,
)
from kinfolk.search.algolia.formats.record_operations import read_batch
from kinfolk.search.algolia.formats.response_format import results, with_client_fields
from kinfolk.search.algolia.formats.settings_format import (
    engine_settings,
    read_settings,
    wire_settings,
    wire_synonyms,
    with_defaults,
)
from kinfolk.search.analytics.insights_event import InsightsEvent
from kinfolk.search.analytics.query_id import digest_of, text_digest
from kinfolk.search.filters import AllOf, AnyOf, Equals, Filter, InRange, Not, Record, matches
from kinfolk.search.pushed_indexes.operations import RecordOperation, merged_settings, with_update
from kinfolk.search.query import ExcerptSource, FacetStats, Hit, RankingInfo, SearchResult, Span
from kinfolk.search.ranking_config import IndexSettings, Synonym

A, B, C = Equals("a", "1"), Equals("b", "2"), Equals("c", "3")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("", None),
        ("a:1", A),
        ("a:1 AND b:2", AllOf((A, B))),
        ("a:1 AND b:2 OR c:3", AllOf((A, AnyOf((B, C))))),
        ("(a:1 AND b:2) OR c:3", AnyOf((AllOf((A, B)), C))),
        ("NOT a:1 AND NOT (b:2)", AllOf((Not(A), Not(B)))),
        ("editor:'visual studio'", Equals("editor", "visual studio")),
        ('"my attribute":"it\\"s <here>"', Equals("my attribute", 'it"s <here>')),
        ("url:https://example.com/x#y", Equals("url", "https://example.com/x#y")),
        ("name:don't", Equals("name", "don't")),
        ("public", Equals("_tags", "public")),
        ("library:query<score=3>", Equals("library", "query", 3)),
        ("price = 5", InRange("price", 5, 5)),
        ("price != 5", Not(InRange("price", 5, 5))),
        ("price!=5", Not(InRange("price", 5, 5))),
        ("price>=-1.5", InRange("price", -1.5)),
        ("price:1 TO 10", InRange("price", 1, 10)),
        ("weight.level <= 90", InRange("weight.level", high=90)),
    ],
)
def test_filter_expression_is_parsed(text: str, meant: Filter | None) -> None:
    assert parse_filters(text) == meant


def test_strict_comparison_excludes_its_number() -> None:
    below, above = parse_filters("price < 5"), parse_filters("price > 5")
    assert below == InRange("price", high=math.nextafter(5, 0))
    assert above == InRange("price", low=math.nextafter(5, 6))


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
def test_invalid_filter_names_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ApiError, match=reason) as wrong:
        parse_filters(text)
    assert wrong.value.status == 400


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (None, None),
        ([], None),
        ("a:1", A),
        ("a:1,b:2", AllOf((A, B))),
        (["a:1", ["b:2", "c:3"]], AllOf((A, AnyOf((B, C))))),
        ('["a:1",["b:2","c:3"]]', AllOf((A, AnyOf((B, C))))),
        ([["a:1", ["b:2", "c:3"]]], AnyOf((A, AllOf((B, C))))),
        (["a:-1"], Not(A)),
        (["a:\\-1"], Equals("a", "-1")),
        (["editor:'visual studio'"], Equals("editor", "'visual studio'")),
    ],
)
def test_facet_filter_list_is_parsed(given: object, meant: Filter | None) -> None:
    assert facet_filters(given) == meant


def test_numeric_tag_and_optional_filters_are_parsed() -> None:
    assert numeric_filters(["a>=1", ["b:2 TO 3", "c=4"]]) == AllOf(
        (InRange("a", 1), AnyOf((InRange("b", 2, 3), InRange("c", 4, 4))))
    )
    assert tag_filters("x,-y") == AllOf((Equals("_tags", "x"), Not(Equals("_tags", "y"))))
    assert optional_filters(["a:1<score=2>", ["b:-2"]]) == (Equals("a", "1", 2), Equals("b", "2", -1))


@pytest.mark.parametrize("given", [5, {"a": 1}, [5], [[["x"]]], "[", ["no colon"], [":x"]])
def test_invalid_facet_filters_are_rejected(given: object) -> None:
    with pytest.raises(ApiError, match="facetFilters"):
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
def test_filter_matches_record(text: str, does: bool | None) -> None:
    if does is None:
        with pytest.raises(ApiError):
            parse_filters(text)
        return
    where = parse_filters(text)
    assert where is not None
    assert matches(RECORD, where) is does


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
def test_three_request_forms_are_equivalent(request_: dict[str, object]) -> None:
    given, echo = flat(request_)
    search = read_search("i", given, {})
    assert (search.query.text, search.hits_per_page, search.query.facets) == ("a b", 5, ("x",))
    assert echo.startswith("query=a")


def test_missing_parameters_come_from_index_settings() -> None:
    settings = {"hitsPerPage": 7, "typoTolerance": "false", "highlightPreTag": "[", "paginationLimitedTo": 10}
    search = read_search("i", {"page": 1, "highlightPreTag": "{"}, settings)
    assert (search.hits_per_page, search.query.max_typos, search.display.before) == (7, 0, "{")
    assert (search.query.offset, search.query.length) == (7, 3)


def test_page_above_pagination_limit_is_empty() -> None:
    assert read_search("i", {"page": 50, "hitsPerPage": 20}, {}).query.length == 0
    assert read_search("i", {"page": 2**31 - 1}, {}).query.length == 0


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
def test_invalid_parameter_is_named(name: str, value: object) -> None:
    with pytest.raises(ApiError, match=name) as wrong:
        read_search("i", {name: value}, {})
    assert wrong.value.status == 400


def test_facet_search_returns_at_most_a_hundred_values() -> None:
    assert read_facet_search("i", "x", {"maxFacetHits": 100, "facetQuery": "q"}, {}).limit == 100
    with pytest.raises(ApiError, match="maxFacetHits"):
        read_facet_search("i", "x", {"maxFacetHits": 101}, {})


# Keys

KEYS = ApiKeys("app", "public", "secret")
NOW_S = 1_800_000_000.0


def secured(**parameters: object) -> str:
    return secured_key("public", urlencode(parameters))


def test_search_key_is_limited_and_admin_key_is_not() -> None:
    assert access(KEYS, "APP", "public", now_s=NOW_S).right == "search"
    assert access(KEYS, "app", "secret", now_s=NOW_S).right == "admin"
    with pytest.raises(ApiError, match="Method not allowed with this API key"):
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
def test_unknown_keys_are_rejected(app: str, key: str) -> None:
    with pytest.raises(ApiError, match="Invalid Application-ID or API key") as wrong:
        access(KEYS, app, key, now_s=NOW_S)
    assert wrong.value.status == 403


def test_empty_admin_key_disables_writes() -> None:
    with pytest.raises(ApiError, match="Invalid"):
        access(ApiKeys("app", "public", ""), "app", "", now_s=NOW_S)


def test_secured_key_carries_forced_parameters() -> None:
    granted = access(KEYS, "app", secured(filters="a:1", userToken="x", hitsPerPage=3), now_s=NOW_S)
    assert granted.forced == {"filters": "a:1", "hitsPerPage": "3"}
    search = read_search("i", {"filters": "b:2", "hitsPerPage": 50}, {}, forced=granted.forced)
    assert (search.query.where, search.hits_per_page) == (AllOf((B, A)), 3)


def test_secured_key_is_limited_by_time_index_and_address() -> None:
    with pytest.raises(ApiError, match="expired"):
        access(KEYS, "app", secured(validUntil=int(NOW_S) - 1), now_s=NOW_S)
    some = access(KEYS, "app", secured(validUntil=int(NOW_S) + 1, restrictIndices="dev_*,x"), now_s=NOW_S)
    some.require_index("dev_a")
    with pytest.raises(ApiError, match="Index not allowed"):
        some.require_index("prod")
    near = secured(restrictSources="10.0.0.0/8")
    assert access(KEYS, "app", near, now_s=NOW_S, address="10.1.2.3").right == "search"
    with pytest.raises(ApiError, match="source"):
        access(KEYS, "app", near, now_s=NOW_S, address="192.0.2.1")


# Hits


class WordFinder:
    """Finds these words only, as whole words."""

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


NO_RANK = RankingInfo(1, 0, 0, 1, 5.0)


def hit_of(record: Mapping[str, Any], *words: str, searchable: tuple[str, ...] = (), **display: Any) -> dict[str, Any]:
    answer = SearchResult(words=words, match_finder=WordFinder(*words))
    writer = HitWriter(answer, HitDisplay(**display), searchable=searchable)
    return writer.write(Hit("1", {"objectID": "1", **record}, NO_RANK))


def test_matches_are_highlighted_in_nested_attributes() -> None:
    hit = hit_of({"title": "Onion soup", "tags": ["soup", "warm"], "size": 3, "by": {"name": "Ann"}}, "soup")
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


def test_some_words_give_a_partial_match_level() -> None:
    assert hit_of({"title": "Onion soup"}, "soup", "pie")["_highlightResult"]["title"]["matchLevel"] == "partial"


def test_searchable_attributes_are_highlighted_by_default() -> None:
    hit = hit_of({"a": {"b": "x", "c": "y"}, "d": "z"}, "x", searchable=("unordered(a.b),e",))
    assert list(hit["_highlightResult"]) == ["a"]
    assert list(hit["_highlightResult"]["a"]) == ["b"]


def hits_of(search: ParsedSearch, answer: SearchResult) -> list[dict[str, Any]]:
    hits: Any = results(search, answer, {})["hits"]
    return list(hits)


def with_excerpt(id: str, **record: str) -> Hit:
    content = record.get("content", "")
    return Hit(id, {"objectID": id, **record}, NO_RANK, excerpt=ExcerptSource(code=((len(content), "cook(soup)"),)))


def test_first_hit_of_a_section_has_the_requested_answer() -> None:
    text = "Onions are cut <first>. Then the soup is cooked like this:"
    hits = (with_excerpt("1", content=text), with_excerpt("2", content=text))
    answer = SearchResult(hits, 2, words=("soup", "the"), match_finder=WordFinder("soup", "the"))
    answer = replace(answer, word_weights={"soup": 2.0, "the": 0.0})
    search = read_search("pages", {"attributesToSnippet": ["answer:60"], "highlightPreTag": "<mark>"}, {})
    first, second = hits_of(search, answer)
    assert first["_snippetResult"] == {
        "answer": {
            "text": {"value": "Then the <mark>soup</em> is cooked like this:", "matchLevel": "full"},
            "code": {"value": "cook(<mark>soup</em>)", "matchLevel": "full"},
        }
    }
    assert "_snippetResult" not in second


@pytest.mark.parametrize(
    "parameters", [{}, {"attributesToSnippet": ["*:20"]}, {"page": 1, "attributesToSnippet": ["answer"]}]
)
def test_no_answer_unless_it_is_requested_for_the_first_page(parameters: dict[str, Any]) -> None:
    answer = SearchResult((with_excerpt("1", content="Soup."),), 40, words=("soup",), match_finder=WordFinder("soup"))
    (hit,) = hits_of(read_search("pages", parameters, {}), answer)
    assert "answer" not in hit.get("_snippetResult", {})


def test_attribute_named_answer_of_a_pushed_record_is_a_usual_snippet() -> None:
    answer = SearchResult(
        (Hit("1", {"objectID": "1", "answer": "Soup, please"}, NO_RANK),),
        1,
        words=("soup",),
        match_finder=WordFinder("soup"),
    )
    (hit,) = hits_of(read_search("faq", {"attributesToSnippet": ["answer:5"]}, {}), answer)
    assert hit["_snippetResult"] == {"answer": {"value": "<em>Soup</em>, please", "matchLevel": "full"}}


@pytest.mark.parametrize(
    ("retrieve", "returned"),
    [
        (("*",), {"a", "b", "objectID"}),
        (("a.x",), {"a", "objectID"}),
        (("*", "-a"), {"b", "objectID"}),
        ((), {"objectID"}),
    ],
)
def test_only_requested_attributes_are_returned(retrieve: tuple[str, ...], returned: set[str]) -> None:
    hit = hit_of({"a": {"x": 1, "y": 2}, "b": 3}, retrieve=retrieve, highlight=())
    assert set(hit) == returned
    assert retrieve != ("a.x",) or hit["a"] == {"x": 1}


def test_values_are_escaped_for_clients_that_insert_html() -> None:
    record = {"text": "a <b> & soup"}
    hit = hit_of(record, "soup", escaped=True, before="<mark>", after="</mark>", snippets=(SnippetLength("text", 5),))
    assert hit["_highlightResult"]["text"]["value"] == "a &lt;b&gt; &amp; <mark>soup</mark>"
    assert hit["_snippetResult"]["text"]["value"] == "a &lt;b&gt; &amp; <mark>soup</mark>"
    assert hit_of(record, "soup")["_highlightResult"]["text"]["value"] == "a <b> & <em>soup</em>"
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
def test_snippet_surrounds_the_densest_matches(words: tuple[str, ...], length: int, snippet: str) -> None:
    marked = WordFinder(*(f"{word} " if word != "w99" else word for word in words))
    answer = SearchResult(words=words, match_finder=marked)
    spans = tuple(
        Span(span.start, span.start + len(span.words[0].strip()), (span.words[0].strip(),))
        for span in marked.spans(LONG)
    )
    start, end = window(LONG, spans, length)
    assert answer.words == words
    assert len(LONG[start:end].split()) == length
    assert LONG[start:end] in snippet.replace("<em>", "").replace("</em>", "")


def test_snippet_marks_omitted_text_with_ellipsis() -> None:
    hit = hit_of({"text": "one two three four, five"}, "three", snippets=(SnippetLength("*", 2),), ellipsis="~")
    assert hit["_snippetResult"]["text"] == {"value": "~<em>three</em> four,~", "matchLevel": "full"}
    assert hit_of({"text": "(two) words."}, snippets=(SnippetLength("text", 9),))["_snippetResult"]["text"][
        "value"
    ] == ("(two) words.")


# Responses


def respond(answer: SearchResult, settings: Mapping[str, object] | None = None, **given: object) -> dict[str, Any]:
    search = read_search("i", given, settings or {})
    return results(search, answer, settings or {}) | with_client_fields(search, echo="x=1", took_ms=3, nonce="ab" * 8)


def test_response_has_pagination_fields() -> None:
    answer = respond(SearchResult(total=45), hitsPerPage=20, page=1)
    assert {name: answer[name] for name in ("nbHits", "nbPages", "page", "hitsPerPage", "params", "index")} == {
        "nbHits": 45,
        "nbPages": 3,
        "page": 1,
        "hitsPerPage": 20,
        "params": "x=1",
        "index": "i",
    }
    assert respond(SearchResult(total=45), hitsPerPage=0)["nbPages"] == 0
    assert respond(SearchResult(total=4500), {"paginationLimitedTo": 100})["nbPages"] == 5
    assert "_automaticInsights" not in answer


def test_facets_are_returned_only_on_request() -> None:
    counted = SearchResult(facets={"kind": {"b": 2, "a": 1}}, stats={"size": FacetStats(1, 3, 2, 4)})
    assert "facets" not in respond(counted)
    answer = respond(counted, facets=["kind", "size"], sortFacetValuesBy="alpha")
    assert list(answer["facets"]["kind"]) == ["a", "b"]
    assert answer["facets_stats"]["size"] == {"min": 1, "max": 3, "avg": 2, "sum": 4}
    assert list(respond(counted, facets="kind")["facets"]["kind"]) == ["b", "a"]


def test_query_id_identifies_the_text_and_no_user() -> None:
    first = respond(SearchResult(), query=" Cancel  QUERY", clickAnalytics=True)["queryID"]
    assert len(first) == 32
    assert digest_of(first) == text_digest("cancel query")
    assert text_digest("me@example.com") == text_digest("you@example.org") != text_digest("cancel")
    assert "queryID" not in respond(SearchResult(), query="cancel")


def test_response_fields_limit_the_response() -> None:
    assert set(respond(SearchResult(), responseFields=["hits", "nbHits"])) == {"hits", "nbHits"}


# Settings


def test_settings_round_trip_through_the_engine() -> None:
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


def test_null_resets_a_setting() -> None:
    assert merged_settings({"a": 1, "b": 2}, {"a": None, "c": 3}) == {"b": 2, "c": 3}
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
def test_invalid_settings_are_rejected(settings: object) -> None:
    with pytest.raises((ApiError, Invalid)) as wrong:
        read_settings(settings)
    assert wrong.value.status == 400


def test_empty_settings_are_the_engine_defaults() -> None:
    assert engine_settings({}, ()) == IndexSettings()


# Records


def test_batch_assigns_missing_ids() -> None:
    requests = [
        {"action": "addObject", "body": {"a": 1}},
        {"action": "updateObject", "body": {"objectID": 7, "a": 1}},
        {"action": "deleteObject", "body": {"objectID": "x"}},
        {"action": "clear"},
    ]
    assert read_batch({"requests": requests}, lambda: "new") == (
        RecordOperation("addObject", "new", {"a": 1, "objectID": "new"}),
        RecordOperation("updateObject", "7", {"a": 1, "objectID": "7"}),
        RecordOperation("deleteObject", "x"),
        RecordOperation("clear"),
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
def test_invalid_operation_is_named(request_: object, reason: str) -> None:
    with pytest.raises(ApiError, match=reason) as wrong:
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
def test_partial_update_operation_changes_attribute(now: Any, operation: str, value: Any, after: Any) -> None:
    record = with_update({"objectID": "1", "n": now}, {"n": {"_operation": operation, "value": value}})
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


def test_event_user_fields_are_dropped() -> None:
    telemetry = {"eventType": "instantsearch", "eventName": "__start__", "index": "i"}
    assert read_events({"events": [CLICK, telemetry]}) == (InsightsEvent("click", "i", ("1",), (3,), "ab" * 16),)


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
def test_invalid_event_is_rejected(change: dict[str, object]) -> None:
    with pytest.raises(ApiError, match="Event 0") as wrong:
        read_events({"events": [{**CLICK, **change}]})
    assert wrong.value.status == 422


def test_error_body_has_message_and_status() -> None:
    assert ApiError("Index x does not exist", 404).body() == {"message": "Index x does not exist", "status": 404}
