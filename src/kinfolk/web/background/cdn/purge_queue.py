"""The stale tags that a CDN has not confirmed, in files that all worker processes of a machine share.

    queue.add(PurgeBatch(frozenset({"blog"})), due_s=now)
    with queue.leading() as leads:
        if leads:
            batches = queue.batches()
            ...
            queue.remove(batches)

Each batch is a file, written under another name first: a process that is killed leaves a whole batch or none. A batch
that cannot be read is a purge of everything.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kinfolk.content.dependencies import broad_tag

MOST_NAMES = 2000
"""Names of a batch. More become names of branches and kinds, and then everything."""
LONGEST_DELAY_S = 60.0
"""A batch that is due later was written before the clock was set back."""
ABANDONED_S = 60.0
"""Age of a file that a killed process did not complete."""
LARGEST_BYTES = 16 << 20
"""Of a file: MOST_NAMES paths."""

_numbers = itertools.count()


@dataclass(frozen=True)
class PurgeBatch:
    """Names of stale tags, as `purge_tags` returns them, or everything."""

    names: frozenset[str] = frozenset()
    everything: bool = False

    def __or__(self, other: PurgeBatch) -> PurgeBatch:
        if self.everything or other.everything:
            return PurgeBatch(everything=True)
        names = self.names | other.names
        if len(names) > MOST_NAMES:
            names = frozenset(broad_tag(name) or name for name in names)
        return PurgeBatch(everything=True) if len(names) > MOST_NAMES else PurgeBatch(names)

    def __bool__(self) -> bool:
        return self.everything or bool(self.names)

    def has(self, other: PurgeBatch) -> bool:
        """Whether a purge of this batch purges all of the other."""
        return self.everything or (not other.everything and self.names >= other.names)


@dataclass(frozen=True)
class QueuedBatch:
    """A batch in a file. A batch that `repeats` has been sent before, and is sent once more."""

    file: Path
    batch: PurgeBatch
    due_s: float
    repeats: bool

    def is_due(self, now_s: float) -> bool:
        return not now_s < self.due_s <= now_s + LONGEST_DELAY_S


class PurgeQueue:
    """Blocks on files, for less than a millisecond. All methods raise OSError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._batches = folder / "queue"
        self._state = folder / "served.json"

    def add(self, batch: PurgeBatch, *, due_s: float, repeats: bool = False) -> None:
        """Store a batch that is due at this time."""
        content = {"names": sorted(batch.names), "all": batch.everything, "due": due_s, "repeats": repeats}
        self._write(self._batches / f"{time.time_ns():020}-{os.getpid()}-{next(_numbers)}.json", content)

    def batches(self) -> list[QueuedBatch]:
        """All stored batches, in the order of their names."""
        if not self._batches.is_dir():
            return []
        return [_read_batch(file) for file in sorted(self._batches.glob("*.json"))]

    def remove(self, batches: Iterable[QueuedBatch]) -> None:
        """Delete these batches."""
        for each in batches:
            each.file.unlink(missing_ok=True)

    def read_served(self) -> Mapping[str, str] | None:
        """What the server served when it last stored a batch; None if that is unknown."""
        try:
            found = json.loads(self._state.read_bytes())
        except (FileNotFoundError, ValueError):
            return None
        is_known = isinstance(found, dict) and all(isinstance(value, str) for value in found.values())
        return found if is_known else None

    def write_served(self, served: Mapping[str, str]) -> None:
        """Store what the server serves. Call it after `add`."""
        self._write(self._state, dict(served))

    @contextlib.contextmanager
    def leading(self) -> Iterator[bool]:
        """Whether this process is the one that sends, until the end of the block."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "sender.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            self._delete_abandoned()
            yield True

    def _delete_abandoned(self) -> None:
        for file in (*self._folder.glob("*.tmp"), *self._batches.glob("*.tmp")):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - file.stat().st_mtime > ABANDONED_S:
                    file.unlink()

    def _write(self, file: Path, content: object) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_name(f"{file.name}.{os.getpid()}-{next(_numbers)}.tmp")
        try:
            # Names may have surrogates, of paths that are not UTF-8: JSON escapes them.
            unfinished.write_text(json.dumps(content), encoding="ascii")
            unfinished.replace(file)
        except OSError:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise


def _read_batch(file: Path) -> QueuedBatch:
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise ValueError(file)
        found = json.loads(file.read_bytes())
        names, everything = frozenset(map(str, found["names"])), bool(found["all"])
        return QueuedBatch(file, PurgeBatch(names, everything), float(found["due"]), bool(found["repeats"]))
    except FileNotFoundError:
        return QueuedBatch(file, PurgeBatch(), 0.0, repeats=True)
    except (ValueError, TypeError, KeyError):
        return QueuedBatch(file, PurgeBatch(everything=True), 0.0, repeats=False)
