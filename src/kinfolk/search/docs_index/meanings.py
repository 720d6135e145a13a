"""Words that people use for sections of the docs and that the docs lack: other libraries' names, symptoms, errors.

They stand in the TOML files of `meanings/`, and the index has them beside the text of the sections.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import structlog

from kinfolk.config.data_files import STRICT_CONFIG, TextLine, read_data_file
from kinfolk.runtime.errors import InvalidFile

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

FOLDER = "meanings"
"""Of a site. Each of its TOML files has any number of meanings."""
_PAGE = re.compile(r"[^/#\s]+/[^#\s]+(?:#\S+)?")


@dataclass(frozen=True)
class Meaning:
    """Words that people use for a section and that it does not contain."""

    page: TextLine
    """The library and the path of a page below its docs, without `framework/<id>/`: `query/guides/caching`. With an
    anchor, one section of it: `query/guides/caching#basic-example`."""
    says: tuple[TextLine, ...]
    """Queries that mean it: words of other libraries, symptoms, error messages."""
    why: TextLine
    """Why they mean it, for maintainers."""


@dataclass(frozen=True)
class MeaningFile:
    """A file of `meanings/`. A change rebuilds the index."""

    __pydantic_config__ = STRICT_CONFIG

    meanings: tuple[Meaning, ...] = ()
    """The meanings, in any order."""


class Meanings:
    """All meanings of a site. The files are read when they are asked for: only the builder of the index needs them."""

    def __init__(self, site: Path | None) -> None:
        self._site = site

    @cached_property
    def digest(self) -> str:
        """Changes with the files."""
        digest = hashlib.blake2s(digest_size=8)
        for path in _files(self._site):
            digest.update(path.read_bytes())
        return digest.hexdigest()

    @cached_property
    def phrases(self) -> Mapping[str, tuple[str, ...]]:
        """The page of each meaning -> all phrases that mean it. Invalid files are logged and left out."""
        faults: list[InvalidFile] = []
        found: dict[str, dict[str, None]] = {}
        for meaning in _read(self._site, faults):
            found.setdefault(meaning.page, {}).update(dict.fromkeys(meaning.says))
        for fault in faults:
            log.error("meanings left out", file=fault.file, key=fault.key, reason=fault.reason)
        return {page: tuple(phrases) for page, phrases in found.items()}


NO_MEANINGS = Meanings(None)


def meaning_errors(site: Path) -> list[InvalidFile]:
    """Everything that is wrong with the files of `meanings/`, except pages that do not exist."""
    faults: list[InvalidFile] = []
    for _ in _read(site, faults):
        pass
    return faults


def _files(site: Path | None) -> list[Path]:
    return sorted((site / FOLDER).glob("*.toml")) if site else []


def _read(site: Path | None, faults: list[InvalidFile]) -> Iterator[Meaning]:
    for path in _files(site):
        name = f"{FOLDER}/{path.name}"
        content = read_data_file(path.parent.parent, name, MeaningFile, faults)
        for at, meaning in enumerate(content.meanings if content else ()):
            wrong = _fault(meaning)
            if wrong:
                faults.append(InvalidFile(name, f"meanings[{at}].{wrong[0]}", wrong[1]))
            else:
                yield meaning


def _fault(meaning: Meaning) -> tuple[str, str] | None:
    """The wrong key and the reason."""
    if not _PAGE.fullmatch(meaning.page):
        return "page", f"{meaning.page} is not library/path or library/path#anchor"
    return None if meaning.says else ("says", "needs at least one phrase")
