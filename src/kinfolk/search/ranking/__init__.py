"""The ranking: a search query -> tantivy queries that select and score records.

scores          the score of each criterion
term_expansion  the words of the query -> the terms of the index that each may match
term_queries    each word -> tantivy queries
boost_queries   optional filters, headings, adjacent words, demotions
filter_queries  filters -> tantivy queries
query_plan      all of them in one query
"""
