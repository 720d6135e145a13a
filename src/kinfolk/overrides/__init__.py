"""Sponsors and promotions that maintainers set on the dashboard, in addition to those of the site folder.

promotion        a promotion, and which promotions are shown on a day
override_store   both kinds in the database, with a number for each change
site_overrides   checks what maintainers enter, and holds what pages show
"""
