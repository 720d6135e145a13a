"""Reads files of repositories as immutable snapshots. `snapshot` defines the terms."""
