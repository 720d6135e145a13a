"""How an index is read and ranked; attributes are written as the Algolia protocol writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

from kinfolk.config.data_files import STRICT_CONFIG, TextLine, read_data_file
from kinfolk.config.routes import match_route
from kinfolk.config.site_folder import DEFAULTS
from kinfolk.runtime.errors import Invalid, InvalidFile, InvalidSite

Kind: TypeAlias = Literal["guide", "reference", "example", "blog", "landing", "site", "release"]

FILE = "search.toml"

MAX_TIERS = 8
"""Levels of importance that searchable attributes may have; further ones share the last."""
MAX_RANKS = 3
"""Attributes of the custom ranking that are looked at."""

_MODIFIED = re.compile(r"(\w+)\((.+)\)")


@dataclass(frozen=True)
class Synonym:
    """Words with the same meaning, in one or in both directions."""

    words: tuple[str, ...]
    """Words with the same meaning."""
    input: str | None = None
    """Query word that finds the others. Without it, each word finds all."""


@dataclass(frozen=True)
class FacetBoost:
    """A facet whose values count as query words: `vue table` ranks records whose framework is `vue` higher."""

    attribute: str
    """A facet whose values count as query words: in `vue table`, `vue` is a value of `framework`."""
    boost: int = 1
    """Points for records with that value."""
    matches_without_text: bool = False
    """Whether a record with that value matches even if its text lacks the word."""


@dataclass(frozen=True)
class Demotion:
    """Records that rank below others that match equally well."""

    attribute: str
    """Attribute of the records that rank lower."""
    value: str
    """Value of the attribute."""
    unless: tuple[str, ...] = ()
    """Query words that switch the demotion off."""
    weak: bool = False
    """Whether a record still ranks first when the query is its whole heading."""
    slight: bool = False
    """Whether this decides only between records that have the words in similar places."""
    questions: bool = False
    """Whether only queries of many words are affected: `optional_word_from`."""


@dataclass(frozen=True)
class Intent:
    """Records that rank above others when the query says what they are for: `switch from` asks for a migration."""

    attribute: str
    """A facet that tells what a record is for."""
    value: str
    """Value of the attribute."""
    says: tuple[str, ...]
    """Words, or several words in a row, of which the query has one. None of these records is demoted then."""


@dataclass(frozen=True)
class IndexSettings:
    """How an index is searched and ranked. The default searches every text and has no facets."""

    __pydantic_config__ = STRICT_CONFIG

    searchable_attributes: tuple[str, ...] = ()
    """Attributes to search, most important first. Attributes in one entry, separated by commas, are equally important.
    Empty means every text."""
    attributes_for_faceting: tuple[str, ...] = ()
    """Attributes to filter and count by: `name`, `searchable(name)` or `filterOnly(name)`."""
    custom_ranking: tuple[str, ...] = ()
    """Order of records that match equally well: `desc(attribute)` or `asc(attribute)`; the first three count."""
    attribute_for_distinct: str | None = None
    """Attribute whose value groups records, such as the sections of a page."""
    distinct: int = 0
    """Number of records of a group in the results; 0 for all."""
    one_typo_from: int = 4
    """Letters from which a word may have one typo."""
    two_typos_from: int = 8
    """Letters from which a word may have two typos."""
    remove_stop_words: bool = False
    """Whether `stop_words` are dropped from queries that have other words."""
    stop_words: tuple[str, ...] = ()
    """Words that say nothing about a topic."""
    optional_words: tuple[str, ...] = ()
    """Words that a record may lack, besides those of the name of the family."""
    remove_words_if_no_results: bool = False
    """Whether records with only some of the words follow if fewer than `min_results` have all."""
    min_results: int = 3
    """Number of results below which `remove_words_if_no_results` applies."""
    optional_word_from: int = 0
    """Number of query words from which a record may lack up to half of them; 0 for never."""
    max_group_matches: int = 0
    """Number of matching records of a group that count: each adds 1 to the first attribute of the custom ranking."""
    heading: str | None = None
    """Attribute whose value ranks a record first when the query equals it."""
    subheading: str | None = None
    """Attribute with the heading of a section. A query that equals it decides among equally good records."""
    defines: str | None = None
    """Attribute with the names that a section defines. For such a name, the section ranks before mentions."""
    phrases: str | None = None
    """Attribute with other words for what a record is about. A query with all words of one ranks the record first."""
    heading_suffixes: tuple[str, ...] = ()
    """Last words of headings that queries leave out, such as `hook` in `useBlocker hook`."""
    prefix_aliases: tuple[tuple[str, ...], ...] = ()
    """First parts of identifiers that are interchangeable: `useQuery` also finds `injectQuery`."""
    facet_boosts: tuple[FacetBoost, ...] = ()
    """Facets whose values count as query words."""
    demotions: tuple[Demotion, ...] = ()
    """Records that rank lower."""
    intents: tuple[Intent, ...] = ()
    """Records that rank higher when the query says what they are for."""
    synonyms: tuple[Synonym, ...] = ()
    """Not set here: `[synonyms]` defines the synonyms."""

    @cached_property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """Paths of the searchable attributes by importance; empty for all texts."""
        tiers = [tuple(_path(part) for part in entry.split(",")) for entry in self.searchable_attributes]
        if len(tiers) > MAX_TIERS:
            tiers[MAX_TIERS - 1 :] = [tuple(path for tier in tiers[MAX_TIERS - 1 :] for path in tier)]
        return tuple(tiers)

    @cached_property
    def facets(self) -> Mapping[str, str]:
        """Path of each facet -> `searchable`, `filterOnly` or nothing."""
        return dict(_facet(entry) for entry in self.attributes_for_faceting)

    @cached_property
    def ranks(self) -> tuple[tuple[str, bool], ...]:
        """Path of each attribute of the custom ranking, and whether more is better."""
        return tuple(_ranks(self.custom_ranking))[:MAX_RANKS]


@dataclass(frozen=True)
class RankingWeights:
    """Weights that order pages which match equally well."""

    kinds: Mapping[str, int]
    """Weight of each kind of page: `guide`, `reference`, `example`, `blog`, `landing`, `site`, `release`."""
    unlisted: int
    """Added for a page that the navigation does not list."""
    generated: int
    """Added for a page that is generated from source code."""
    demoted: int
    """Added for a page that `demoted_pages` names."""
    demoted_pages: tuple[TextLine, ...]
    """Words in the path of pages that mention many topics and explain few."""
    purposes: Mapping[str, tuple[TextLine, ...]]
    """What a page is for -> words in the path of such pages. `index.intents` names them by the attribute `purpose`."""
    introduction_pages: tuple[TextLine, ...]
    """Last path segments of introductions. For a query that is only a library's name, the first one ranks first."""
    introduction: int
    """Added for the start of an introduction; one less for each later entry of `introduction_pages`."""
    technical: tuple[TextLine, ...]
    """Folders of pages about a single type."""
    technical_suffixes: tuple[TextLine, ...]
    """Ends of the paths of such pages."""
    niche: int
    """Added for a page that `niche_pages` names."""
    niche_pages: tuple[TextLine, ...]
    """Words in the path of pages for few readers."""

    def of(self, kind: str, inside: str, *, listed: bool, generated: bool, choice: int) -> int:
        """`inside` is the page's address below the docs, `listed` whether the navigation names it.

        `choice` is the place of its framework among those of the library: 0 for the first, and for none.
        """
        return (
            self.kinds[kind]
            - choice
            + (0 if listed else self.unlisted)
            + (self.generated if generated else 0)
            + (self.niche if _has_word(inside, self.niche_pages) else 0)
            + (self.demoted if self.is_demoted(inside) else 0)
        )

    def beginning(self, inside: str) -> int:
        """What the beginning of a page is worth more than its sections: of introductions, the first named the most."""
        name = inside.rpartition("/")[2]
        return self.introduction - self.introduction_pages.index(name) if name in self.introduction_pages else 0

    def is_technical(self, inside: str) -> bool:
        """Whether it is about a type alone: a page for who asks for it by its name."""
        return not set(inside.split("/")).isdisjoint(self.technical) or inside.endswith(self.technical_suffixes)

    def purpose(self, inside: str) -> str | None:
        """What the page is for; None for an explanation."""
        return next((name for name, words in self.purposes.items() if _has_word(inside, words)), None)

    def is_demoted(self, inside: str) -> bool:
        """Whether much is mentioned there and little explained."""
        return _has_word(inside, self.demoted_pages)


def _has_word(inside: str, words: tuple[str, ...]) -> bool:
    return not set(re.split(r"[/._-]", inside.lower())).isdisjoint(words)


@dataclass(frozen=True)
class SynonymConfig:
    """Synonyms in both directions and in one direction."""

    equivalent: tuple[tuple[TextLine, ...], ...] = ()
    """Lists of words that find each other."""
    one_way: Mapping[str, tuple[TextLine, ...]] = field(default_factory=dict)
    """Words that find others: `"swr" = ["comparison"]` finds comparisons for `swr`, but not the reverse."""

    def entries(self) -> tuple[Synonym, ...]:
        equivalent = tuple(Synonym(words) for words in self.equivalent)
        return (*equivalent, *(Synonym(words, head) for head, words in self.one_way.items()))


@dataclass(frozen=True)
class ListedPage:
    """A page of the site that search finds although its text is in no file."""

    to: TextLine
    """Path of the page on this site, which may end with an anchor: `/stats/npm`."""
    title: TextLine
    """Title in the results."""
    description: TextLine
    """Text that is searched and shown below the title."""
    names: tuple[TextLine, ...] = ()
    """Further queries that find the page first."""


@dataclass(frozen=True)
class RankingConfig:
    """How the pages of this site are searched and ranked. A change rebuilds the index."""

    __pydantic_config__ = STRICT_CONFIG

    index: IndexSettings
    """What is searched, and how matches are ordered."""
    weights: RankingWeights
    """Order of pages that match equally well. Weights are added; more is better."""
    synonyms: SynonymConfig
    """Words with the same meaning."""
    examples: tuple[TextLine, ...] = ()
    """Queries that the empty search suggests."""
    pages: tuple[ListedPage, ...] = ()
    """Pages of the site whose text is in no file."""

    @cached_property
    def settings(self) -> IndexSettings:
        return replace(self.index, synonyms=self.synonyms.entries())


def load_ranking_config(site: Path, *, family: str = "") -> RankingConfig:
    """The configuration of `search.toml`, or the default while that is invalid: `ranking_config_errors` says why.

    The words of the family's name are optional words: every page is about the family, few pages name it.
    """
    faults = ranking_config_errors(site)
    rules = read_data_file(DEFAULTS if faults else site, FILE, RankingConfig, faults)
    if rules is None:
        raise InvalidSite(faults)
    words = dict.fromkeys((*rules.index.optional_words, *re.findall(r"\w+", family.lower())))
    return replace(rules, index=replace(rules.index, optional_words=tuple(words)))


def ranking_config_errors(site: Path) -> list[InvalidFile]:
    """Everything that is wrong with `search.toml`."""
    faults: list[InvalidFile] = []
    rules = read_data_file(site, FILE, RankingConfig, faults)
    if rules is not None:
        faults += _faults(rules)
    return faults


def _faults(rules: RankingConfig) -> Iterator[InvalidFile]:
    try:
        known = set(rules.index.facets)
        _ = rules.index.tiers, rules.index.ranks
    except Invalid as wrong:
        yield InvalidFile(FILE, "index", wrong.message)
        return
    for at, named in enumerate(rules.index.facet_boosts):
        if named.attribute not in known:
            yield InvalidFile(FILE, f"index.facet_boosts[{at}].attribute", f"{named.attribute} is not a facet")
    for at, intent in enumerate(rules.index.intents):
        if intent.attribute not in known:
            yield InvalidFile(FILE, f"index.intents[{at}].attribute", f"{intent.attribute} is not a facet")
    for at, page in enumerate(rules.pages):
        if match_route(page.to.partition("#")[0]).route.exists not in ("always", "blog", "statistics"):
            yield InvalidFile(FILE, f"pages[{at}].to", f"{page.to} is not a page of this site")
    for at, words in enumerate(rules.synonyms.equivalent):
        if len(set(words)) < 2:  # noqa: PLR2004 - one is alike with nothing
            yield InvalidFile(FILE, f"synonyms.equivalent[{at}]", "needs two different entries")


def _path(written: str) -> str:
    """`unordered(hierarchy.lvl1)` -> `hierarchy.lvl1`: the position of a word in a text does not count."""
    modified = _MODIFIED.fullmatch(written.strip())
    return modified[2].strip() if modified else written.strip()


def _facet(written: str) -> tuple[str, str]:
    modified = _MODIFIED.fullmatch(written.strip())
    if modified is None:
        return written.strip(), ""
    if modified[1] not in ("searchable", "filterOnly", "afterDistinct"):
        raise Invalid(f"attributesForFaceting: {written} is not a facet")
    return _facet(modified[2])[0], modified[1] if modified[1] != "afterDistinct" else ""


def _ranks(written: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    for entry in written:
        modified = _MODIFIED.fullmatch(entry.strip())
        if modified is None or modified[1] not in ("asc", "desc"):
            raise Invalid(f"customRanking: {entry} is neither asc(…) nor desc(…)")
        yield modified[2].strip(), modified[1] == "desc"
