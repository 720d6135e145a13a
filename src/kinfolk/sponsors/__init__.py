"""Who funds the family, as the sponsor pack shows it: names and links, never amounts."""

from kinfolk.sponsors.facts import SponsorFacts, load_sponsor_facts, sponsor_errors
from kinfolk.sponsors.github import GitHubSponsors
from kinfolk.sponsors.roll import PackedSponsor, SponsorPack, SponsorRoll
from kinfolk.sponsors.sponsor import Sponsor

__all__ = [
    "GitHubSponsors",
    "PackedSponsor",
    "Sponsor",
    "SponsorFacts",
    "SponsorPack",
    "SponsorRoll",
    "load_sponsor_facts",
    "sponsor_errors",
]
