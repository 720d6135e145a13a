"""Settings of an index as the clients write and read them. What the engine has no use for is kept, and given back."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from kinfolk.search.algolia.fault import Fault
from kinfolk.search.algolia.parameters import (
    MOST_FACET_HITS,
    MOST_FACETS,
    MOST_HITS,
    MOST_PAGINATION,
    Parameters,
    read_search,
)
from kinfolk.search.query import Json
from kinfolk.search.rules import IndexSettings, Synonym

DEFAULTS: Mapping[str, object] = {
    "minWordSizefor1Typo": 4,
    "minWordSizefor2Typos": 8,
    "hitsPerPage": 20,
    "maxValuesPerFacet": 100,
    "paginationLimitedTo": 1000,
    "exactOnSingleWordQuery": "attribute",
    "ranking": ["typo", "geo", "words", "filters", "proximity", "attribute", "exact", "custom"],
    "separatorsToIndex": "",
    "removeWordsIfNoResults": "none",
    "queryType": "prefixLast",
    "highlightPreTag": "<em>",
    "highlightPostTag": "</em>",
    "alternativesAsExact": ["ignorePlurals", "singleWordSynonym"],
    "typoTolerance": True,
    "version": 2,
}
"""What `GET settings` says where nothing was set."""
_ENGINE = frozenset(
    {
        "searchableAttributes",
        "attributesForFaceting",
        "customRanking",
        "attributeForDistinct",
        "distinct",
        "minWordSizefor1Typo",
        "minWordSizefor2Typos",
        "disableTypoToleranceOnAttributes",
        "disableTypoToleranceOnWords",
        "removeStopWords",
        "removeWordsIfNoResults",
        "optionalWords",
    }
)
"""What the engine is built with; everything else is read at each search."""
MOST_SETTINGS = 200
LONGEST_TEXT = 512
_LISTS = (
    "searchableAttributes",
    "attributesForFaceting",
    "customRanking",
    "unretrievableAttributes",
    "attributesToRetrieve",
    "attributesToHighlight",
    "attributesToSnippet",
    "ranking",
    "disableTypoToleranceOnAttributes",
    "disableTypoToleranceOnWords",
    "responseFields",
    "replicas",
)


def read_settings(body: object) -> dict[str, object]:
    """Settings to change. Raises Fault for one that we could not follow later."""
    if not isinstance(body, dict):
        raise Fault("The settings must be an object")
    if len(body) > MOST_SETTINGS:
        raise Fault(f"More than {MOST_SETTINGS} settings")
    given = {str(name): value for name, value in body.items()}
    wanted = Parameters(given, {})
    for name in _LISTS:
        value = given.get(name)
        if value is not None and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            raise Fault(f"{name}: expected a list of texts")
        if any(len(item) > LONGEST_TEXT for item in value or ()):
            raise Fault(f"{name}: a text is longer than {LONGEST_TEXT} characters")
    wanted.number("hitsPerPage", 20, least=1, most=MOST_HITS)
    wanted.number("maxValuesPerFacet", 100, most=MOST_FACETS)
    wanted.number("maxFacetHits", 10, most=MOST_FACET_HITS)
    wanted.number("paginationLimitedTo", 1000, most=MOST_PAGINATION)
    wanted.number("minWordSizefor1Typo", 4)
    wanted.number("minWordSizefor2Typos", 8)
    wanted.text("attributeForDistinct")
    read_search("", {}, given)
    engine = engine_settings(given, ())
    # They are read when they are first needed, which would be too late to say what is wrong.
    _ = engine.tiers, engine.facets, engine.ranks
    return given


def with_defaults(settings: Mapping[str, object]) -> dict[str, object]:
    """Every setting, as `GET settings` answers."""
    return {**DEFAULTS, **{name: value for name, value in settings.items() if value is not None}}


def changed_settings(before: Mapping[str, object], change: Mapping[str, object]) -> dict[str, object]:
    """The settings after a change; null takes one back."""
    return {name: value for name, value in {**before, **change}.items() if value is not None}


def engine_part(settings: Mapping[str, object]) -> dict[str, object]:
    """The settings that an index has to be built anew for."""
    return {name: value for name, value in settings.items() if name in _ENGINE}


def engine_settings(settings: Mapping[str, object], synonyms: Iterable[Mapping[str, Json]]) -> IndexSettings:
    """What the engine makes of an index's settings and synonyms."""
    wanted = Parameters({}, settings)
    distinct = wanted.get("distinct")
    return IndexSettings(
        searchable_attributes=wanted.texts("searchableAttributes") or (),
        attributes_for_faceting=wanted.texts("attributesForFaceting") or (),
        custom_ranking=wanted.texts("customRanking") or (),
        attribute_for_distinct=wanted.text("attributeForDistinct") or None,
        distinct=int(distinct) if isinstance(distinct, (bool, int)) else 0,
        one_typo_from=wanted.number("minWordSizefor1Typo", 4),
        two_typos_from=wanted.number("minWordSizefor2Typos", 8),
        synonyms=tuple(engine_synonyms(synonyms)),
    )


def engine_synonyms(entries: Iterable[Mapping[str, Json]]) -> Iterator[Synonym]:
    """Synonyms both ways and one way, and corrections of one word by others. Placeholders are not followed."""
    for entry in entries:
        words = _texts(entry.get("synonyms"))
        match entry.get("type"):
            case "synonym":
                yield Synonym(words)
            case "onewaysynonym" | "oneWaySynonym":
                yield Synonym(words, str(entry.get("input", "")))
            case "altcorrection1" | "altcorrection2" | "altCorrection1" | "altCorrection2":
                yield Synonym(_texts(entry.get("corrections")), str(entry.get("word", "")))


def wire_settings(settings: IndexSettings) -> dict[str, object]:
    """The engine's settings as a hosted index understands them; what only ours knows stays here."""
    written: dict[str, object] = {
        "searchableAttributes": list(settings.searchable_attributes),
        "attributesForFaceting": list(settings.attributes_for_faceting),
        "customRanking": list(settings.custom_ranking),
        "minWordSizefor1Typo": settings.one_typo_from,
        "minWordSizefor2Typos": settings.two_typos_from,
        "removeStopWords": ["en"] if settings.remove_stop_words else False,
        "removeWordsIfNoResults": "allOptional" if settings.last_resort else "none",
        "optionalWords": list(settings.optional_words),
    }
    if settings.attribute_for_distinct:
        written |= {"attributeForDistinct": settings.attribute_for_distinct, "distinct": settings.distinct}
    return {name: value for name, value in written.items() if value != []}


def wire_synonyms(synonyms: Iterable[Synonym]) -> list[dict[str, Json]]:
    """The engine's synonyms, each under an id that stays the same as long as the synonym does."""
    written: list[dict[str, Json]] = []
    for synonym in synonyms:
        words = list(synonym.words)
        name = hashlib.blake2b("\n".join([synonym.input or "", *words]).encode(), digest_size=8).hexdigest()
        if synonym.input is None:
            written.append({"objectID": name, "type": "synonym", "synonyms": words})
        else:
            written.append({"objectID": name, "type": "onewaysynonym", "input": synonym.input, "synonyms": words})
    return written


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, (list, tuple)) else ()
