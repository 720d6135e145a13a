"""Posts and pages of other programs as files of the new site.

`post_import` finds posts and their front matter, `page_import` pages beside the docs, `moved_markdown` translates both.
"""
