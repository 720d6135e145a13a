"""Tags of mirrored repositories, and their docs: contents are fetched when a reader opens a release."""
