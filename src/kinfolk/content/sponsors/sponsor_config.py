"""Reads `sponsors.toml`: sponsors that are not on GitHub, and corrections of those that are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kinfolk.config.catalog import Partner
from kinfolk.config.data_files import STRICT_CONFIG, HttpsUrl, PositiveInt, Slug, TextLine, read_data_file
from kinfolk.content.sponsors.sponsor import Sponsor
from kinfolk.runtime.errors import InvalidFile

FILE = "sponsors.toml"


@dataclass(frozen=True)
class SponsorEntry:
    """A sponsor that GitHub Sponsors does not list, or a correction of one that it lists."""

    name: TextLine | None = None
    """Name. Required without `login`."""
    link_url: HttpsUrl | None = None
    """Website. Required without `login`."""
    image_url: HttpsUrl | None = None
    """Picture."""
    login: Slug | None = None
    """Account on GitHub. The entry then corrects what GitHub returns for this sponsor."""
    weight: PositiveInt | None = None
    """Size of the circle, in dollars a month."""
    hidden: bool = False
    """Whether the sponsor is left out. Requires `login`."""


@dataclass(frozen=True)
class SponsorConfig:
    """Sponsors in addition to those that GitHub Sponsors lists."""

    __pydantic_config__ = STRICT_CONFIG

    partners_weight: PositiveInt | None = None
    """Adds the partners of `kinfolk.toml` as sponsors of this many dollars a month. Without it they are left out."""
    sponsors: tuple[SponsorEntry, ...] = ()
    """Sponsors that are not on GitHub, and corrections of those that are."""

    def with_overrides(self, overrides: Sequence[SponsorEntry]) -> SponsorConfig:
        """These sponsors in addition. An override replaces the entry with the same login."""
        logins = {entry.login.casefold() for entry in overrides if entry.login}
        own = (entry for entry in self.sponsors if not entry.login or entry.login.casefold() not in logins)
        return replace(self, sponsors=(*own, *overrides))

    def merge(self, partners: Iterable[Partner], on_github: Iterable[Sponsor]) -> tuple[Sponsor, ...]:
        """All sponsors to show, the largest contributions first."""
        corrections = {entry.login.casefold(): entry for entry in self.sponsors if entry.login}
        sponsors = [
            *self._partners(partners),
            *(Sponsor(**_given_fields(entry)) for entry in self.sponsors if not entry.login),  # type: ignore[arg-type]
            *(shown for sponsor in on_github if (shown := _corrected(sponsor, corrections))),
        ]
        # A sponsor from two sources is listed once, with the larger contribution.
        sponsors.sort(key=lambda sponsor: (-sponsor.monthly_dollars, sponsor.name.casefold(), sponsor.link_url))
        unique: dict[str, Sponsor] = {}
        for sponsor in sponsors:
            unique.setdefault(sponsor.link_url.rstrip("/").casefold(), sponsor)
        return tuple(unique.values())

    def _partners(self, partners: Iterable[Partner]) -> Iterator[Sponsor]:
        if self.partners_weight is not None:
            for partner in partners:
                yield Sponsor(partner.name, partner.href, monthly_dollars=self.partners_weight, partner=partner.id)


def load_sponsor_config(site: Path) -> SponsorConfig:
    """The sponsors of the file, or none while it is invalid: `sponsor_config_errors` says why."""
    return _read(site)[0] or SponsorConfig()


def sponsor_config_errors(site: Path) -> Sequence[InvalidFile]:
    return _read(site)[1]


def _read(site: Path) -> tuple[SponsorConfig | None, list[InvalidFile]]:
    if not (site / FILE).exists():
        return SponsorConfig(), []
    faults: list[InvalidFile] = []
    facts = read_data_file(site, FILE, SponsorConfig, faults)
    if facts:
        faults.extend(_faults(facts))
    return (None if faults else facts), faults


def _faults(facts: SponsorConfig) -> Iterator[InvalidFile]:
    logins = set()
    for index, entry in enumerate(facts.sponsors):
        key = f"sponsors[{index}]"
        if entry.login is None:
            if (fault := entry_fault(entry)) is not None:
                yield InvalidFile(FILE, f"{key}.{fault[0]}", fault[1])
        elif entry.login.casefold() in logins:
            yield InvalidFile(FILE, f"{key}.login", f"{entry.login} is there twice")
        else:
            logins.add(entry.login.casefold())


def entry_fault(entry: SponsorEntry) -> tuple[str, str] | None:
    """The first field that contradicts the others, and the reason."""
    if entry.login is not None:
        return None
    for name in ("name", "link_url"):
        if getattr(entry, name) is None:
            return name, "is missing; it is optional only for an entry with a login"
    return ("hidden", "has no effect without a login; remove the entry instead") if entry.hidden else None


def _corrected(sponsor: Sponsor, corrections: Mapping[str, SponsorEntry]) -> Sponsor | None:
    entry = corrections.get(sponsor.login.casefold()) if sponsor.login else None
    if entry is None:
        return sponsor
    return None if entry.hidden else replace(sponsor, **_given_fields(entry))  # type: ignore[arg-type]


def _given_fields(entry: SponsorEntry) -> dict[str, str | int]:
    """The fields of a sponsor that the entry sets."""
    fields = {
        "name": entry.name,
        "link_url": entry.link_url,
        "image_url": entry.image_url,
        "monthly_dollars": entry.weight,
    }
    return {name: value for name, value in fields.items() if value is not None}
