"""The index of this site's pages: one record for each section of a page.

`page_sections` and `page_records` make records of pages, posts and landing pages. `index_updater` compares the index
with the current snapshot; `subprocess_builder` builds changed groups of pages (`index_build`) at low priority.
`generations` publishes a complete index atomically, and opens a private copy whose files are already deleted, so that
later changes of the folder cannot affect it. `site_index` is the index as searches see it.
"""
