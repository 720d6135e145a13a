"""The sponsors of the libraries: names, links and circle sizes, never amounts."""

from kinfolk.content.sponsors.current_sponsors import CurrentSponsors, PackedSponsor, SponsorPack
from kinfolk.content.sponsors.github import GitHubSponsors, sponsored_account
from kinfolk.content.sponsors.sponsor import PartnerMarks, Sponsor
from kinfolk.content.sponsors.sponsor_config import (
    SponsorConfig,
    SponsorEntry,
    entry_fault,
    load_sponsor_config,
    sponsor_config_errors,
)

__all__ = [
    "CurrentSponsors",
    "GitHubSponsors",
    "PackedSponsor",
    "PartnerMarks",
    "Sponsor",
    "SponsorConfig",
    "SponsorEntry",
    "SponsorPack",
    "entry_fault",
    "load_sponsor_config",
    "sponsor_config_errors",
    "sponsored_account",
]
