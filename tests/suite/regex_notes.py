"""Which regular expressions passed an attack: `python -m tests.suite.regex_notes` stores the notes of this machine.

A result depends on the pattern, on its operations, on the code of the attack and on the version of Python only. A note
is a digest of these, so a change of any of them is attacked again. Notes of the checkout are in `.stamps/prepared`;
those that are stored with the project spare a fresh clone the same attacks. `make patterns` makes all of them again.
"""

from __future__ import annotations

import hashlib
import sys
import unicodedata
from functools import cache
from pathlib import Path

from tests.suite import regex_attacks, regex_steps
from tests.suite.prepared import Prepared
from tests.suite.regex_attacks import Pattern
from tests.suite.regex_steps import parser

STORED = Path(__file__).parents[1] / "samples" / "linear_patterns.txt"
_CODE = tuple(Path(str(module.__file__)) for module in (regex_attacks, regex_steps, parser))
NOTES = Prepared("linear-patterns", _CODE, lambda _: None)
"""A folder with an empty file for each note. The tests fill it."""


class Note:
    """That a pattern passed a check, with what the check depends on beside the pattern and the code."""

    def __init__(self, check: str, pattern: Pattern, *conditions: object) -> None:
        regex, python = pattern.regex, (*sys.version_info[:3], unicodedata.unidata_version)
        facts = (NOTES.digest, check, regex.pattern, regex.flags, pattern.distinct_operations, conditions, python)
        self._name = hashlib.blake2b(repr(facts).encode(), digest_size=16).hexdigest()

    def exists(self) -> bool:
        return self._name in _stored() or (NOTES.folder() / self._name).exists()

    def write(self) -> None:
        (NOTES.folder() / self._name).touch()


@cache
def _stored() -> frozenset[str]:
    return frozenset(STORED.read_text(encoding="utf-8").split()) if STORED.exists() else frozenset()


def main() -> None:
    STORED.write_text("".join(f"{note.name}\n" for note in sorted(NOTES.folder().iterdir())), encoding="utf-8")


if __name__ == "__main__":
    main()
