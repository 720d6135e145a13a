"""Settings of an index in Algolia's format. Settings that the engine does not use are stored and returned."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from kinfolk.search.algolia.api_error import ApiError
from kinfolk.search.algolia.formats.parameters import (
    MAX_FACET_HITS,
    MAX_FACETS,
    MAX_HITS,
    MAX_PAGINATION,
    Parameters,
    read_search,
)
from kinfolk.search.filters import Json
from kinfolk.search.ranking_config import IndexSettings, Synonym

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
"""Defaults of `GET settings`."""
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
"""Settings that require a rebuild; the others are read at each search."""
MAX_SETTINGS = 200
MAX_QUERY_LENGTH = 512
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
    """Changed settings. Raises ApiError for an invalid value."""
    if not isinstance(body, dict):
        raise ApiError("The settings must be an object")
    if len(body) > MAX_SETTINGS:
        raise ApiError(f"More than {MAX_SETTINGS} settings")
    given = {str(name): value for name, value in body.items()}
    wanted = Parameters(given, {})
    for name in _LISTS:
        value = given.get(name)
        if value is not None and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            raise ApiError(f"{name}: expected a list of texts")
        if any(len(item) > MAX_QUERY_LENGTH for item in value or ()):
            raise ApiError(f"{name}: a text is longer than {MAX_QUERY_LENGTH} characters")
    wanted.number("hitsPerPage", 20, least=1, most=MAX_HITS)
    wanted.number("maxValuesPerFacet", 100, most=MAX_FACETS)
    wanted.number("maxFacetHits", 10, most=MAX_FACET_HITS)
    wanted.number("paginationLimitedTo", 1000, most=MAX_PAGINATION)
    wanted.number("minWordSizefor1Typo", 4)
    wanted.number("minWordSizefor2Typos", 8)
    wanted.text("attributeForDistinct")
    read_search("", {}, given)
    engine = engine_settings(given, ())
    # These properties are lazy: reading them here validates them.
    _ = engine.tiers, engine.facets, engine.ranks
    return given


def with_defaults(settings: Mapping[str, object]) -> dict[str, object]:
    """All settings, for `GET settings`."""
    return {**DEFAULTS, **{name: value for name, value in settings.items() if value is not None}}


def engine_settings(settings: Mapping[str, object], synonyms: Iterable[Mapping[str, Json]]) -> IndexSettings:
    """The settings of the engine for an index."""
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
    """Two-way and one-way synonyms and corrections. Placeholders are ignored."""
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
    """The engine's settings in Algolia's format, without those that Algolia does not have."""
    written: dict[str, object] = {
        "searchableAttributes": list(settings.searchable_attributes),
        "attributesForFaceting": list(settings.attributes_for_faceting),
        "customRanking": list(settings.custom_ranking),
        "minWordSizefor1Typo": settings.one_typo_from,
        "minWordSizefor2Typos": settings.two_typos_from,
        "removeStopWords": ["en"] if settings.remove_stop_words else False,
        "removeWordsIfNoResults": "allOptional" if settings.remove_words_if_no_results else "none",
        "optionalWords": list(settings.optional_words),
    }
    if settings.attribute_for_distinct:
        written |= {"attributeForDistinct": settings.attribute_for_distinct, "distinct": settings.distinct}
    return {name: value for name, value in written.items() if value != []}


def wire_synonyms(synonyms: Iterable[Synonym]) -> list[dict[str, Json]]:
    """The engine's synonyms, each with an id derived from its words."""
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


class AlgoliaSettingsReader:
    """Interprets settings in Algolia's format for pushed indexes."""

    def engine_settings(self, settings: Mapping[str, object], synonyms: Iterable[Mapping[str, Json]]) -> IndexSettings:
        return engine_settings(settings, synonyms)

    def requires_rebuild(self, before: Mapping[str, object], after: Mapping[str, object]) -> bool:
        return any(before.get(name) != after.get(name) for name in _ENGINE)
