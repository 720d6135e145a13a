"""Files in repositories, seen as immutable snapshots. See `snapshot` for the vocabulary."""
