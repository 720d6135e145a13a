"""Open pull requests: what webhooks report of them, the table of those with a preview, and the versions that they are.

`pull_request` reads the events of code hosts. `pull_request_store` keeps the table. `known_previews` makes each row a
version of the libraries whose docs it changes; `content/sources/git/tags/head_contents.py` fetches their files.
"""
