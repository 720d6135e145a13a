"""The scores of the ranking. `decisions/0007-search-ranking.md` explains their order.

The score of a record is the sum of the scores of its words and boosts. All sums are whole numbers below 2**24, which
32-bit floats represent exactly.
"""

from __future__ import annotations

# Words

WORD = 200_000.0
"""A word of the query that the record contains. Penalties reduce it."""
TYPO = 58_000.0
"""Penalty of each typo."""
TIER = 80.0
"""Penalty of each step from the most important attributes to the least."""
INEXACT = 20.0
"""Penalty of a prefix or an inflected form. Less than a tier."""
SYNONYM = INEXACT + 1
"""Penalty of a synonym: it ranks behind the word itself where all else is equal."""
SPLIT_IDENTIFIER = 600.0
"""Penalty where a record has only the parts of an identifier. More than all tiers: the identifier ranks first."""
FACET_ONLY_TIERS = 2
"""Penalty, in tiers, of a word that only a facet of the record has."""
OPTIONAL_WORD = 5.0
"""A word that a record need not contain. Less than any criterion."""

# Boosts

PREFERRED = 14_000.0
"""A record that an optional filter matches, or that is about a facet value in the query."""
MAX_FILTER_SCORE = 3
"""Limit of the score of one optional filter, so that it does not outweigh a typo."""
FULL_HEADING = 4_600.0
"""The query is the heading of a page. Half of it where only the stems are equal."""
FULL_PHRASE_HEADING = 12_000.0
"""The query is a heading of several words, verbatim. It outweighs a library name within the query (`quick start`)."""
HEADING_PREFIX = 2_400.0
"""The query is a prefix of the heading of a page."""
FULL_SUBHEADING = 200.0
DEFINITION = 1_000.0
"""The query is a name that the section defines. More than all tiers, less than a heading."""
EXACT_CASE = 40.0
"""The heading equals the query including upper and lower case."""
ADJACENT_WORDS = 170.0
"""Two words of the query that are adjacent in the record."""
TITLE_PART = 40.0
"""A part of an identifier that the title of the page contains."""
TITLE_SUBJECT = 120.0
"""The parts of an identifier without its prefix, side by side in the title of the page. More than a tier."""
SLIGHT_DEMOTION = 170.0
"""Penalty of a slightly demoted record: two tiers."""
WEAK_DEMOTION = 3_200.0
"""Penalty of a weakly demoted record. A demotion costs PREFERRED."""

# Questions: records may lack words

QUESTION = 100_000.0
"""A record with all words of a question in its title, before TIER_SHARES. Each word counts by its rarity."""
TIER_SHARES = (0.7, 0.5, 0.45, 0.45, 0.35, 0.25)
"""Share of a word's weight by tier: title, three levels of headings, text, code."""
PHRASE_SHARE = 0.65
"""Share of the weight in the tier of the phrases."""
TYPO_SHARE = 0.5
INEXACT_SHARE = 0.95
"""Share of the weight for a prefix or an inflected form."""
SYNONYM_SHARE = 0.8
FACET_SHARE = 0.5
"""Share of the weight for a word that only a facet of the record has."""
NAME_SHARE = 0.6
"""Weight of the name of a library or framework, compared with another word that is as rare."""
QUESTION_PREFERRED = 10_000.0
"""A record that an optional filter matches, or that is about a facet value in the question."""
QUESTION_ALL_WORDS = 5_000.0
"""A record with all words of the question."""
QUESTION_DEMOTION = 10_000.0
QUESTION_SLIGHT_DEMOTION = 3_000.0
QUESTION_WEAK_DEMOTION = 40_000.0
QUESTION_DEFINITION = 30_000.0
"""One of several names in the question that the section defines: `cacheTime vs staleTime`."""
QUESTION_SUBHEADING = 12_000.0
"""The question is the heading of a section, or a prefix of it."""
QUESTION_TEXT_BOOST = 12.0
"""Factor on the boosts of headings and adjacent words."""
QUESTION_RANK = 150.0
"""A point of the custom ranking. The weights of `search.toml` are about 100 points."""
