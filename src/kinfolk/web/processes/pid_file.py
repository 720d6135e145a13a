"""The file with the process id of a server, for scripts that signal it: a reload changes the id."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from kinfolk.runtime.errors import Invalid


class PidFile:
    """Written when the server answers, and removed at its end, unless a later server has written it."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._is_written = False

    def write(self) -> None:
        """Write the file at once. Does nothing without a path, or a second time. Raises Invalid."""
        if self._path is None or self._is_written:
            return
        new = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            new.write_text(f"{os.getpid()}\n")
            new.replace(self._path)
        except OSError as refused:
            raise Invalid(f"The file for the process id cannot be written: {refused}") from refused
        self._is_written = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._path is not None and self._is_written:
            with suppress(OSError, ValueError):
                if int(self._path.read_text()) == os.getpid():
                    self._path.unlink()
