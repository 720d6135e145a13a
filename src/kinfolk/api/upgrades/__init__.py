"""Upgrades of projects that use the libraries.

`package_files` reads the packages that a project names, `version_ranges` says what their ranges mean, `upgrade_plan`
finds the releases, docs and migration guides.
"""
