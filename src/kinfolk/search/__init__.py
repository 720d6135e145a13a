"""Full-text search. The order of imports is checked.

`query` and `filters` are the interface: a SearchQuery to an index gives a SearchResult. `text` has words, stems and
the vocabulary, `ranking` plans a query, `engine` runs it on tantivy, `ranking_config` reads `search.toml`.
`docs_index` is the index of this site's pages, `pushed_indexes` has those that clients push, `algolia` speaks
Algolia's API over all of them, `analytics` counts queries and clicks. `answers` has those of a chat service.
`site` and all packages above it may import this one.
"""
