"""A source of content whose snapshot a test replaces."""

from __future__ import annotations

from kinfolk.content.sources.snapshot import Snapshot


class SnapshotSource:
    """Opens a snapshot. With `then`, the first refresh returns that one, and later ones too."""

    description = "test docs"

    def __init__(self, snapshot: Snapshot, then: Snapshot | None = None) -> None:
        self.snapshot = snapshot
        self._then = then

    def open(self) -> Snapshot:
        return self.snapshot

    def refresh(self, refs: object = None) -> Snapshot:
        del refs
        self.snapshot, self._then = self._then or self.snapshot, None
        return self.snapshot

    fetch_history = refresh

    def synced_at_s(self, ref: object = None) -> float | None:
        del ref
        return None

    def tidy(self) -> object:
        return None

    def stop(self) -> None:
        return None
