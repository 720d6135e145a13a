"""What changed between releases: in the list of pages, in the sections of a page and in its text.

`page_marks` extends marks of pages by one release at a time, `section_marks` those of sections. `changed_pages`
compares two trees, `page_difference` two versions of a page. `difference_html` formats the latter. All functions are
pure: callers read git.
"""
