"""The tantivy document of a record."""

from __future__ import annotations

import tantivy

from kinfolk.search.engine.indexed_document import indexed_document
from kinfolk.search.ranking.index_schema import ALL_TIERS, TIERS
from kinfolk.search.ranking_config import IndexSettings

SETTINGS = IndexSettings(searchable_attributes=("phrases", "content"), phrases="phrases")


def tokens(document: tantivy.Document, field: str) -> list[tuple[str, int]]:
    (text,) = document.to_dict()[field]
    return [(token.text, token.position) for token in text.tokens]


def test_word_of_several_phrases_is_indexed_once() -> None:
    record = {"objectID": "1", "phrases": ["tab key", "key tab id"], "content": "tab tab"}
    document = indexed_document(record, SETTINGS)
    phrases, content = tokens(document, TIERS[0]), tokens(document, TIERS[1])
    assert [text for text, _ in phrases] == ["tab", "key", "id"]
    assert [text for text, _ in content] == ["tab", "tab"]
    assert tokens(document, ALL_TIERS) == phrases + content
    positions = [position for _, position in phrases + content]
    assert positions == sorted(set(positions)), "each word has a position of its own, in order"
