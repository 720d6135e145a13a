"""What changed between releases: in the list of pages and in the text of a page.

`page_marks` extends marks by one release at a time. `changed_pages` compares two trees, `page_difference` two versions of a
page. `difference_html` formats the latter. All functions are pure: callers read git.
"""
