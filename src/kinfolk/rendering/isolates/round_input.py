"""The input of a render round: the address of a page, and the results of its queries as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class SharedAnswer:
    """An answer that many pages share, as JSON for V8, and the address of its file, which names its content."""

    data: object
    json: str
    href: str


@dataclass(frozen=True)
class RoundInput:
    """`own` are the answers of this page only, as members of a JSON object. `shared` are by the key of the query."""

    url: str
    own: Sequence[str] = ()
    shared: Mapping[str, SharedAnswer] | None = None

    def text(self, held: set[str]) -> str:
        """The request for an isolate that holds the shared answers with these addresses. Those that it lacks are added.

        What an isolate holds is neither sent nor parsed again: the shell has 30 kB.
        """
        shared = self.shared or {}
        new = {answer.href: answer.json for answer in shared.values() if answer.href not in held}
        held.update(new)
        members = ",".join(f"{json.dumps(href)}:{text}" for href, text in new.items())
        hrefs = json.dumps({key: answer.href for key, answer in shared.items()})
        own = ",".join(self.own)
        return f'{{"url":{json.dumps(self.url)},"shared":{hrefs},"held":{{{members}}},"prefetched":{{{own}}}}}'
