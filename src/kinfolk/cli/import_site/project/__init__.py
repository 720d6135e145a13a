"""The project that is imported.

`project_files` reads its files within limits, `git_facts` its repository, `docs_pages` the pages of a docs folder.
`project_import` maps links of the old site to the new one, `announcement_import` takes over its announcement.
"""
