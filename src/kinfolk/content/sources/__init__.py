"""Reads files of repositories as immutable snapshots; `snapshot` defines the terms.

`git` mirrors repositories, `directory` reads a folder, `layered` combines both. `paths` decides which names are
valid: those that are unprintable, not UTF-8, contain `..` or are longer than an address are not listed, so they
cannot be requested; the log and `kinfolk check` name them. `file_reader` reads files outside of the event loop within
the budget of their kind, `file_changes` watches folders.
"""
