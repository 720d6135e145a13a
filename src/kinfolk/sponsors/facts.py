"""What `data/sponsors.toml` says: sponsors whom GitHub does not know, and corrections to what it says of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kinfolk.catalog import Partner
from kinfolk.errors import BadFact
from kinfolk.facts import STRICT, Count, Slug, Url, Words, read_facts
from kinfolk.sponsors.sponsor import Sponsor

FILE = "sponsors.toml"


@dataclass(frozen=True)
class KnownSponsor:
    """With a `login` it corrects what GitHub says of that sponsor, or keeps them out when they are `hidden`.

    `weight` makes the circle as large as that of someone who gives so many dollars a month.
    """

    name: Words | None = None
    link_url: Url | None = None
    image_url: Url | None = None
    login: Slug | None = None
    weight: Count | None = None
    hidden: bool = False


@dataclass(frozen=True)
class SponsorFacts:
    """With a `partners_weight` the family's partners stand in the pack too, all of that size."""

    __pydantic_config__ = STRICT

    partners_weight: Count | None = None
    sponsors: tuple[KnownSponsor, ...] = ()

    def roll(self, partners: Iterable[Partner], on_github: Iterable[Sponsor]) -> tuple[Sponsor, ...]:
        """All sponsors to be shown, the largest contributions first."""
        corrections = {known.login.casefold(): known for known in self.sponsors if known.login}
        everybody = [
            *self._partners(partners),
            *(Sponsor(**_said(known)) for known in self.sponsors if not known.login),  # type: ignore[arg-type]
            *(shown for sponsor in on_github if (shown := _corrected(sponsor, corrections))),
        ]
        # Whoever is known in two ways is shown once, where they are largest.
        everybody.sort(key=lambda sponsor: (-sponsor.monthly_dollars, sponsor.name.casefold(), sponsor.link_url))
        once: dict[str, Sponsor] = {}
        for sponsor in everybody:
            once.setdefault(sponsor.link_url.rstrip("/").casefold(), sponsor)
        return tuple(once.values())

    def _partners(self, partners: Iterable[Partner]) -> Iterator[Sponsor]:
        if self.partners_weight is not None:
            for partner in partners:
                yield Sponsor(partner.name, partner.href, monthly_dollars=self.partners_weight)


def load_sponsor_facts(data: Path) -> SponsorFacts:
    """Read `sponsors.toml`; a family without one has no such facts. Raises the first BadFact there is."""
    facts, faults = _read(data)
    if facts is None:
        raise faults[0]
    return facts


def sponsor_errors(data: Path) -> Sequence[BadFact]:
    return _read(data)[1]


def _read(data: Path) -> tuple[SponsorFacts | None, list[BadFact]]:
    if not (data / FILE).exists():
        return SponsorFacts(), []
    faults: list[BadFact] = []
    facts = read_facts(data, FILE, SponsorFacts, faults)
    if facts:
        faults.extend(_faults(facts))
    return (None if faults else facts), faults


def _faults(facts: SponsorFacts) -> Iterator[BadFact]:
    seen = set()
    for index, known in enumerate(facts.sponsors):
        key = f"sponsors[{index}]"
        if known.login is None:
            for name in ("name", "link_url"):
                if getattr(known, name) is None:
                    yield BadFact(
                        FILE, f"{key}.{name}", "is missing; only the sponsor of a login may leave it to GitHub"
                    )
            if known.hidden:
                yield BadFact(FILE, f"{key}.hidden", "hides nobody without a login; leave the sponsor out instead")
        elif known.login.casefold() in seen:
            yield BadFact(FILE, f"{key}.login", f"{known.login} is there twice")
        else:
            seen.add(known.login.casefold())


def _corrected(sponsor: Sponsor, corrections: Mapping[str, KnownSponsor]) -> Sponsor | None:
    known = corrections.get(sponsor.login.casefold()) if sponsor.login else None
    if known is None:
        return sponsor
    return None if known.hidden else replace(sponsor, **_said(known))  # type: ignore[arg-type]


def _said(known: KnownSponsor) -> dict[str, str | int]:
    """The fields of a sponsor that an entry of the file fills."""
    fields = {
        "name": known.name,
        "link_url": known.link_url,
        "image_url": known.image_url,
        "monthly_dollars": known.weight,
    }
    return {name: value for name, value in fields.items() if value is not None}
