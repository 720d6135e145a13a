"""Algolia's API over all indexes.

`api` is the table of routes, `calls` has the handlers, `formats` the wire format. `index_registry` has all indexes by
name: the site's, which is read-only, and pushed ones. `api_keys`, `api_error` and `call_budget` are permissions,
error messages and limits of one request. `index_upload` fills a hosted index.
"""
