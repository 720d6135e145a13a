"""A full-text index over tantivy.

tantivy_index      opening, writing, searching and browsing a folder
commit_view        one commit, with what queries read from it
query_execution    one query: typo fallback, missing words, hits
hit_order          score, custom ranking, groups
facet_counts       counts and statistics of facets
indexed_document   a record -> a tantivy document
browse_cursor      the cursor of a browse
"""
