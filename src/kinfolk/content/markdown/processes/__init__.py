"""Renders Markdown in processes of its own, which may be stopped: the pool, its messages, and plain text instead."""
