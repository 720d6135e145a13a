"""Which pages of the latest docs are new or were updated in recent releases: the history of a library's pages.

`marked_releases` decides which releases count and which are recent, `mark_file` keeps the marks beside the list of
tags, `library_marks` says what readers see of them, and `docs_marks` updates them in the background.
"""
