"""Full-text search: the index of this site's pages, the engine and the ranking.

query, filters     the interface: SearchQuery -> SearchableIndex -> SearchResult
ranking_config     `search.toml` and the settings of an index
text               words, stems, the vocabulary, matches in a text
ranking            a query -> tantivy queries with scores
engine             an index over tantivy
docs_index         the index of this site's pages: records, builds, updates
results_view       results for pages without JavaScript

Algolia's API is in `kinfolk.search.algolia`, indexes that clients push in `kinfolk.search.pushed_indexes`.
"""
