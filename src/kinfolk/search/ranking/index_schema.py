"""The fields of a tantivy index.

Facets and numbers are in two JSON fields, under the digest of the path of their attribute: the attributes of a pushed
index are not known in advance.
"""

from __future__ import annotations

import hashlib

import tantivy

from kinfolk.search.ranking_config import MAX_RANKS, MAX_TIERS

SCHEMA_VERSION = "4"
"""Part of the digest of every index. Increase it when the schema or the text analysis changes."""
ID, GROUP, HEADING, SUBHEADING = "id", "group", "heading", "subheading"
FACETS, NUMBERS, RECORD = "facet", "number", "record"
ALL_TIERS = "text"
"""The terms of all tiers: a match in one field costs a sixth of a match in each tier. The tiers only score."""
TIERS = tuple(f"tier{tier}" for tier in range(MAX_TIERS))
RANKS = tuple(f"rank{rank}" for rank in range(MAX_RANKS))
VERBATIM = "="
"""Prefix of a heading that is not normalized. Normalized headings never begin with it."""
PHRASE = "?"
"""Prefix of a phrase among the headings: its words in alphabetical order. No query is a prefix of it."""
DEFINED = "!"
"""Prefix of a defined name among the headings, squashed. No query is a prefix of it."""
TAGS = "_tags"
"""An attribute that can be filtered by without being declared as a facet."""


def schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for tier in (ALL_TIERS, *TIERS):
        builder.add_text_field(tier, tokenizer_name="whitespace", index_option="position")
    for name in (ID, HEADING, SUBHEADING):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field(GROUP, fast=True)
    for name in (FACETS, NUMBERS):
        builder.add_json_field(name, fast=True, tokenizer_name="raw", index_option="basic")
    for rank in RANKS:
        builder.add_float_field(rank, fast=True)
    builder.add_bytes_field(RECORD, stored=True)
    return builder.build()


def path_key(path: str) -> str:
    """The key of an attribute in a JSON field: short, without dots or spaces."""
    return "k" + hashlib.blake2s(path.encode(), digest_size=6).hexdigest()
