"""Live events: topics whose current state browsers and other processes follow.

`topics` has names and arguments, `topic_store` the states in the database, `change_listener` notices changes by other
processes, `hub` knows who follows what, `topic_state` makes the messages. `site` and all packages above it may import
this one.
"""
