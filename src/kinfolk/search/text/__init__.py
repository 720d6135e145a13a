"""Text analysis: words, identifiers and stems, the vocabulary of an index, and matches within a text."""
