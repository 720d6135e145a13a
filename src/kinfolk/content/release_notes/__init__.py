"""Notes of releases: from changelog files and from the releases of code hosts.

`changelog` splits a changelog into releases, `grouped_notes` sorts the notes of one by breaking, added, fixed and other
(words: `note_words.toml`). `hosts` keeps the releases of GitHub, GitLab and Forgejo in the database. `release_page`
joins both and renders them, `library_notes` does that for the libraries of a site, `release_feed` writes their feed.
"""
