"""How an index is read and ranked; attributes are written as the Algolia protocol writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from kinfolk.errors import BadFact, Invalid
from kinfolk.facts import STRICT, Words, read_facts

Kind: TypeAlias = Literal["guide", "reference", "example", "blog", "landing"]

FILE = "search.toml"

MOST_TIERS = 8
"""Levels of importance that searchable attributes may have; further ones share the last."""
MOST_RANKS = 3
"""Attributes of the custom ranking that are looked at."""

_MODIFIED = re.compile(r"(\w+)\((.+)\)")


@dataclass(frozen=True)
class Synonym:
    """Words that mean the same. With `input`, only who writes that finds the others."""

    words: tuple[str, ...]
    input: str | None = None


@dataclass(frozen=True)
class Named:
    """A facet whose values are words of the question: `vue table` means the records whose framework is vue.

    A record about the value is put in front by `boost`; where `stands`, the word needs not be in its text.
    """

    attribute: str
    boost: int = 1
    stands: bool = False


@dataclass(frozen=True)
class Demoted:
    """Records that come after others which match as well, unless the question has one of `unless`.

    A `slight` one comes first all the same when the question is its whole heading.
    """

    attribute: str
    value: str
    unless: tuple[str, ...] = ()
    slight: bool = False


@dataclass(frozen=True)
class IndexSettings:
    """The default is an index of anything: every text is searchable, nothing is a facet."""

    __pydantic_config__ = STRICT

    searchable_attributes: tuple[str, ...] = ()
    """Most important first; several in one entry, divided by commas, are as important as each other."""
    attributes_for_faceting: tuple[str, ...] = ()
    custom_ranking: tuple[str, ...] = ()
    attribute_for_distinct: str | None = None
    distinct: int = 0
    one_typo_from: int = 4
    """Letters of a word that may have one typo; from `two_typos_from`, two."""
    two_typos_from: int = 8
    remove_stop_words: bool = False
    stop_words: tuple[str, ...] = ()
    optional_words: tuple[str, ...] = ()
    """Words that never have to be found, such as the name of the family."""
    last_resort: bool = False
    """Whether records that have only some of the words follow where fewer than `enough` have all."""
    enough: int = 3
    forgiving_from: int = 0
    """Words of a question from which a record may lack one and still come early; 0 where it never may."""
    repeated: int = 0
    """Records of a group that are counted: each makes it worth one more in the first of the custom ranking."""
    heading: str | None = None
    """The attribute whose value, when it is all that was asked for, puts a record in front."""
    subheading: str | None = None
    """The same for the heading of a part: it decides among records that are otherwise as good."""
    heading_suffixes: tuple[str, ...] = ()
    """Words at a heading's end that nobody types: `useBlocker hook`."""
    sisters: tuple[tuple[str, ...], ...] = ()
    """First parts of identifiers that stand for each other: `useQuery` is `injectQuery` elsewhere."""
    named: tuple[Named, ...] = ()
    demoted: tuple[Demoted, ...] = ()
    synonyms: tuple[Synonym, ...] = ()

    @cached_property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """Paths of the searchable attributes by importance; empty for every text there is."""
        tiers = [tuple(_path(part) for part in entry.split(",")) for entry in self.searchable_attributes]
        if len(tiers) > MOST_TIERS:
            tiers[MOST_TIERS - 1 :] = [tuple(path for tier in tiers[MOST_TIERS - 1 :] for path in tier)]
        return tuple(tiers)

    @cached_property
    def facets(self) -> Mapping[str, str]:
        """Path of each facet -> `searchable`, `filterOnly` or nothing."""
        return dict(_facet(entry) for entry in self.attributes_for_faceting)

    @cached_property
    def ranks(self) -> tuple[tuple[str, bool], ...]:
        """Path of each attribute of the custom ranking, and whether more is better."""
        return tuple(_ranks(self.custom_ranking))[:MOST_RANKS]


@dataclass(frozen=True)
class Worth:
    """Which page comes first where two answer a question alike: a number for each, more is better."""

    kinds: Mapping[str, int]
    unlisted: int
    generated: int
    demoted: int
    demoted_pages: tuple[Words, ...]
    introductions: tuple[Words, ...]
    introduction: int
    technical: tuple[Words, ...]
    technical_endings: tuple[Words, ...]
    aside: int
    aside_pages: tuple[Words, ...]

    def of(self, kind: str, inside: str, *, listed: bool, generated: bool, choice: int) -> int:
        """`inside` is the page's address below the docs, `listed` whether the navigation names it.

        `choice` is the place of its framework among those of the library: 0 for the first, and for none.
        """
        return (
            self.kinds[kind]
            - choice
            + (0 if listed else self.unlisted)
            + (self.generated if generated else 0)
            + (self.aside if _has_word(inside, self.aside_pages) else 0)
            + (self.demoted if self.is_demoted(inside) else 0)
        )

    def beginning(self, inside: str) -> int:
        """What the beginning of a page is worth more than its sections: of introductions, the first named the most."""
        name = inside.rpartition("/")[2]
        return self.introduction - self.introductions.index(name) if name in self.introductions else 0

    def is_technical(self, inside: str) -> bool:
        """Whether it is about a type alone: a page for who asks for it by its name."""
        return not set(inside.split("/")).isdisjoint(self.technical) or inside.endswith(self.technical_endings)

    def is_demoted(self, inside: str) -> bool:
        """Whether much is mentioned there and little explained."""
        return _has_word(inside, self.demoted_pages)


def _has_word(inside: str, words: tuple[str, ...]) -> bool:
    return not set(re.split(r"[/._-]", inside.lower())).isdisjoint(words)


@dataclass(frozen=True)
class Synonyms:
    """`alike` find each other; of `instead`, each finds what it stands for and not the other way round."""

    alike: tuple[tuple[Words, ...], ...] = ()
    instead: Mapping[str, tuple[Words, ...]] = field(default_factory=dict)

    def entries(self) -> tuple[Synonym, ...]:
        alike = tuple(Synonym(words) for words in self.alike)
        return (*alike, *(Synonym(words, head) for head, words in self.instead.items()))


@dataclass(frozen=True)
class SearchRules:
    """`data/search.toml`: how the site's own words are found."""

    __pydantic_config__ = STRICT

    index: IndexSettings
    worth: Worth
    synonyms: Synonyms

    @cached_property
    def settings(self) -> IndexSettings:
        return replace(self.index, synonyms=self.synonyms.entries())


def load_rules(data: Path) -> SearchRules:
    """Read `data/search.toml`. Raises BadFact naming the key and the reason."""
    faults = rule_errors(data)
    rules = read_facts(data, FILE, SearchRules, faults)
    if rules is None or faults:
        raise faults[0]
    return rules


def rule_errors(data: Path) -> list[BadFact]:
    """Everything that is wrong with `data/search.toml`."""
    faults: list[BadFact] = []
    rules = read_facts(data, FILE, SearchRules, faults)
    if rules is not None:
        faults += _faults(rules)
    return faults


def _faults(rules: SearchRules) -> Iterator[BadFact]:
    try:
        known = set(rules.index.facets)
        _ = rules.index.tiers, rules.index.ranks
    except Invalid as wrong:
        yield BadFact(FILE, "index", wrong.message)
        return
    for at, named in enumerate(rules.index.named):
        if named.attribute not in known:
            yield BadFact(FILE, f"index.named[{at}].attribute", f"{named.attribute} is not a facet")
    missing = set(get_args(Kind)) - set(rules.worth.kinds)
    if missing:
        yield BadFact(FILE, "worth.kinds", f"says nothing of {', '.join(sorted(missing))}")
    for at, words in enumerate(rules.synonyms.alike):
        if len(set(words)) < 2:  # noqa: PLR2004 - one is alike with nothing
            yield BadFact(FILE, f"synonyms.alike[{at}]", "needs two different entries")


def _path(written: str) -> str:
    """`unordered(hierarchy.lvl1)` -> `hierarchy.lvl1`: where in a text a word stands does not matter to us."""
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
