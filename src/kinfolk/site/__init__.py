"""Opens everything long-lived from settings.

`site` has the Site and `open_site`, `web_services` what only a web worker runs. `content_source` says where the docs
come from, `configuration_check` finds all faults of the configuration. `api` and all packages above it may import
this one.
"""
