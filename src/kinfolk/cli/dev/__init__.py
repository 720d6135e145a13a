"""`kinfolk dev`: serves a site while its files are edited.

dev_server  runs until interrupted
dev_app     the ASGI application: replaces the site when its configuration changes, and notifies browsers
watcher     which change of a file needs what
edited_docs  checks docs after each edit, the edited pages first
problems    invalid files with file and line
reload_stream  the events that browsers follow
page_version   the parts of a page that have changed
page_script    pages with the script client.js
client.js   shows changes of the page, and problems over it
"""
