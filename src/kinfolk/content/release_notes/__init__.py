"""Notes of releases: from changelog files and from the releases of code hosts.

`changelog` splits a changelog into releases, `grouped_notes` sorts the notes of one by breaking, added, fixed and other
(words: `note_words.toml`). `host_releases` keeps the releases of GitHub, GitLab and Forgejo in the database.
`release_page` joins both and renders them. `deprecated_symbols` finds what a page of the docs calls deprecated.
"""
