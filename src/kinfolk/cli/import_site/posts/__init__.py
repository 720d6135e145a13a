"""Posts and pages of other programs as files of the new site.

`post_import` finds posts and their front matter, `tag_import` their tags, `page_import` pages beside the docs;
`moved_markdown` translates both.
"""
