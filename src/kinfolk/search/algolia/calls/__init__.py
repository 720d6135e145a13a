"""The calls of the API, by what they act on: indexes, records, searches, synonyms and rules, events."""
