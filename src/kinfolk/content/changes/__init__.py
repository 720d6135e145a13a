"""What changed between releases: in the list of pages, in the sections of a page and in its text.

`page_marks` extends marks by one release at a time. `changed_pages` compares two trees. All functions are pure: callers
read git.
"""
