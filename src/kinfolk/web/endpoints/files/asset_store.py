"""The assets of the last builds, in `var/assets`: a tab that was opened before a deploy requests those of its build.

    store = AssetStore(settings.var / "assets", settings.frontend / "client" / "assets", builds=3)
    store.store()               # False while another process stores
    store.read("app-1a2b3c4.js")

`builds.json` lists the stored builds, the one that was started last at the end, and the digests of their files. It is
replaced after its files are complete, so that a crash leaves the old list or the new one. A file that is not listed is
not served, and the next call removes it. decisions/0047 has the reasons.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import field
from pathlib import Path

import orjson
import structlog
from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from kinfolk.runtime.services.supervisor import FailureLog

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MANIFEST = "builds.json"
LOCK = "store.lock"
REPEAT_S = 3600.0
"""Seconds after which a server stores its assets again, in case that its folder was removed."""
BUSY_S = 1.0
"""Seconds until the next attempt while another process stores."""
MAX_MANIFEST_BYTES = 8 << 20
MAX_BUILDS = 50

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")


@dataclass(frozen=True)
class StoredBuild:
    """A build: its assets, and when it became the last one that was started, in seconds since 1970."""

    started_s: float
    files: tuple[str, ...]


@dataclass(frozen=True)
class StoredBuilds:
    """The content of the manifest. `digests` has one for each file of `builds`."""

    builds: tuple[StoredBuild, ...] = ()
    digests: Mapping[str, str] = field(default_factory=dict)


_STORED = TypeAdapter(StoredBuilds)


class AssetStore:
    """`source` is the folder of the assets of this build. At most `builds` builds are kept. Thread-safe."""

    def __init__(self, folder: Path, source: Path, *, builds: int, now: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._source = source
        self._builds = min(builds, MAX_BUILDS)
        self._now = now
        self._failures = FailureLog("assets not stored")
        self._known: tuple[tuple[int, int, int], StoredBuilds] | None = None

    async def store_forever(self) -> None:
        """A background task: store the assets of this build at the start, and again every hour."""
        while True:  # noqa: ASYNC110 - it waits for time, and for other processes
            await asyncio.sleep(REPEAT_S if await asyncio.to_thread(self.store) else BUSY_S)

    def store(self) -> bool:
        """Store the assets of this build, and remove those of builds that are not among the last ones.

        False while another process does. A failure, such as of a full disk, is logged.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with self._lock() as locked:
                if locked:
                    self._store()
            if locked:
                self._failures.succeeded()
        except OSError as failure:
            self._failures.failed(failure, folder=str(self._folder))
            return True
        return locked

    def read(self, name: str) -> bytes | None:
        """The content of an asset of a stored build; None for any other, and for a file that was changed."""
        expected = self._listed().digests.get(name)
        if expected is None:
            return None
        try:
            content = (self._folder / name).read_bytes()
        except OSError:
            return None
        if _digest(content) != expected:
            log.warning("stored asset is corrupt", file=str(self._folder / name))
            return None
        return content

    def _store(self) -> None:
        listed = self._listed()
        digests = dict(listed.digests)
        try:
            own = tuple(sorted(file.name for file in self._source.iterdir() if _NAME.fullmatch(file.name)))
            for name in own:
                if name not in digests or not (self._folder / name).is_file():
                    digests[name] = self._add(name)
            others = tuple(build for build in listed.builds if build.files != own)
            builds = (*others, StoredBuild(self._now(), own))[-self._builds :]
            names = {name for build in builds for name in build.files}
            digests = {name: digests[name] for name in sorted(names) if name in digests}
            if digests != dict(listed.digests) or tuple(each.files for each in builds) != tuple(
                each.files for each in listed.builds
            ):
                listed = self._write(StoredBuilds(builds, digests))
        finally:
            # After a failure, too: what was added to a full disk is of no use.
            self._remove_unlisted({*listed.digests, MANIFEST, LOCK})

    def _add(self, name: str) -> str:
        """Put a file of the build into the folder, and return its digest."""
        source, fresh = self._source / name, self._folder / f".{name}.new"
        content = source.read_bytes()
        fresh.unlink(missing_ok=True)
        try:
            os.link(source, fresh)
        except OSError:  # another file system, one without links, or a file of another user
            fresh.write_bytes(content)
        fresh.replace(self._folder / name)
        return _digest(content)

    def _write(self, stored: StoredBuilds) -> StoredBuilds:
        fresh = self._folder / f".{MANIFEST}.new"
        with fresh.open("wb") as file:
            file.write(_STORED.dump_json(stored))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._folder / MANIFEST)
        return stored

    def _remove_unlisted(self, listed: set[str]) -> None:
        for file in self._folder.iterdir():
            if file.name not in listed:
                with suppress(OSError):
                    file.unlink()

    def _listed(self) -> StoredBuilds:
        """The manifest, which is read again after it has changed; empty without one, and for an invalid one."""
        path = self._folder / MANIFEST
        try:
            found = path.stat()
            version = (found.st_mtime_ns, found.st_size, found.st_ino)
            known = self._known
            if known is not None and known[0] == version:
                return known[1]
            stored = StoredBuilds()
            if found.st_size <= MAX_MANIFEST_BYTES:
                stored = _STORED.validate_python(orjson.loads(path.read_bytes()))
                stored = StoredBuilds(stored.builds, _safe(stored.digests))
        except FileNotFoundError:
            return StoredBuilds()
        except (OSError, ValueError, ValidationError) as failure:
            log.warning("list of stored assets not read", file=str(path), reason=str(failure)[:200])
            return StoredBuilds()
        self._known = version, stored
        return stored

    @contextmanager
    def _lock(self) -> Iterator[bool]:
        """Whether this process has the lock, which ends with the block or the process."""
        descriptor = os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
        finally:
            os.close(descriptor)


def _safe(digests: Mapping[str, str]) -> dict[str, str]:
    """Those of names that lead to no other folder."""
    return {name: digest for name, digest in digests.items() if _NAME.fullmatch(name)}


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
