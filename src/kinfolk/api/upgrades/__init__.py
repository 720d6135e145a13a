"""Upgrades of projects that use the libraries.

`package_files` reads the packages that a project names, `upgrade_plan` finds the releases, docs and migration guides.
"""
