"""Algolia's API: the wire format of the official clients, and its calls over all indexes.

api                                            the table of routes
search_calls, record_calls, index_calls,
synonym_rule_calls, event_calls                the handlers
parameters, filter_syntax, settings_format,
record_operations, event_format                requests -> queries, settings, operations, events
response_format, hit_format                    results -> responses
api_keys, api_error, call_budget               permissions, error messages, limits of one request
index_registry                                 all indexes by name: the site's, which is read-only, and pushed ones
index_upload                                   uploads the site's index to a hosted one
"""
