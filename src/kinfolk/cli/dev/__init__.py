"""`kinfolk dev`: serves a site while its files are edited.

`dev_server` runs until interrupted. `dev_app` replaces the site when its configuration changes, `watcher` decides
which change of a file needs what, `edited_docs` checks docs after each edit, `problems` has invalid files with file
and line. `reload_stream` are the events that browsers follow, `page_version` the parts of a page that have changed,
`page_script` adds `client.js` to pages.
"""
