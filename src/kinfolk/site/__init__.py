"""The site: joins what the packages open from settings.

`site` has the Site and `open_site`; each package opens its own parts (`open_content`, `open_search`, `open_statistics`,
`open_accounts`, `open_maintenance`). `configuration_check` finds all faults of the configuration. `api` and all
packages above it may import this one.
"""
