"""`kinfolk dev`: serves a site while its files are edited.

dev_server  runs until interrupted
dev_app     the ASGI application: replaces the site when its configuration changes, and notifies browsers
watcher     which change of a file needs what
problems    invalid files with file and line
reload_stream  the events that browsers follow
client.js   reloads the page, and shows problems over it
"""
