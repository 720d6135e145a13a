"""Counts of search queries and clicks, without user identities.

query_sessions     which searches of a typing client count as a query
query_log          counts per day in the database, reports
query_log_import   counts that earlier versions stored in a file
query_id           the id of a search result, by which a later click names its query
insights_event     clicks, conversions and views that clients report
learned_meanings, suggested_meanings   lines that `kinfolk searches` proposes for `meanings/`
"""
