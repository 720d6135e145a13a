"""The index of this site's pages.

page_sections        a rendered page -> its sections
page_records         sections, posts and landing pages -> records
index_build          records -> an index; only changed pages are indexed again
generations          indexes on disk: publish atomically, read a private copy
index_updater        keeps the index current in the background
subprocess_builder   builds in a process of low priority
site_index           the index as searches see it
"""
