"""All indexes by name: those that are made of the site, which can only be read, and those that clients push."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kinfolk.search.algolia.fault import Fault
from kinfolk.search.algolia.settings import wire_settings
from kinfolk.search.pushed import PushedIndex, PushedIndexes, Summary
from kinfolk.search.pushed.store import Scope
from kinfolk.search.query import Index
from kinfolk.search.rules import IndexSettings
from kinfolk.supervision import Supervisor

READ_ONLY = 403


@dataclass(frozen=True)
class Shelf:
    """One index that can be searched, with its settings as the protocol writes them.

    `rules` are those of an index of the site, with what the protocol has no words for.
    """

    name: str
    index: Index
    settings: Mapping[str, object]
    rules: IndexSettings | None = None

    @classmethod
    def of_site(cls, name: str, index: Index, rules: IndexSettings) -> Shelf:
        return cls(name, index, wire_settings(rules), rules)


Made = Callable[[], Shelf]
"""What an index of the site is now: it is replaced when the docs change."""


class Indexes:
    """From any thread."""

    def __init__(self, made: Mapping[str, Made], pushed: PushedIndexes) -> None:
        self._made = made
        self._pushed = pushed

    def begin(self, supervisor: Supervisor | None = None) -> None:
        """Take up what an earlier process left undone, in a service of this supervisor."""
        self._pushed.begin(supervisor)

    def close(self) -> None:
        self._pushed.close()

    @property
    def damaged(self) -> tuple[Path, ...]:
        """Files of pushed records that were damaged and are kept aside; empty when all is well."""
        return self._pushed.damaged

    def find(self, name: str) -> Shelf | None:
        """Raises Unavailable for one that is not ready yet, or may be lost."""
        made = self._made.get(name)
        if made is not None:
            return made()
        found = self._pushed.find(name)
        return Shelf(name, found, found.settings) if found is not None else None

    def pushed(self, name: str) -> PushedIndex:
        """The index of this name to write to, whether it is there yet or not. Raises Fault for one of the site's."""
        if name in self._made:
            raise Fault(f"Index {name} is made from this site's pages, and cannot be written", READ_ONLY)
        return self._pushed.named(name)

    def copy(self, name: str, destination: str, scope: Sequence[Scope]) -> int:
        """The task of copying one pushed index over another."""
        if name in self._made:
            raise Fault(f"Index {name} is made from this site's pages, and cannot be copied", READ_ONLY)
        return self._pushed.copy(name, destination, scope)

    def is_done(self, task: int) -> bool:
        return self._pushed.is_done(task)

    def summaries(self) -> list[Summary]:
        """Of all that are ready, by name."""
        return sorted(self._pushed.summaries(), key=lambda each: each.name)
