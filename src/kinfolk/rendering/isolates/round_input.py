"""The input of a render round: the address of a page, and the results of its queries as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class SharedAnswer:
    """An answer that many pages share, as JSON for V8, and the address of its file, which names its content."""

    data: object
    json: str
    href: str


@dataclass(frozen=True)
class RoundInput:
    """Answers by the keys of their queries: `own` are those of this page only, as JSON."""

    url: str
    own: Mapping[str, str] = field(default_factory=dict)
    shared: Mapping[str, SharedAnswer] | None = None

    def text(self, held: set[str]) -> str:
        """The request for an isolate that holds the shared answers with these addresses. Those that it lacks are added.

        What an isolate holds is neither sent nor parsed again: the shell has 30 kB.
        """
        shared = self.shared or {}
        new = {answer.href: answer.json for answer in shared.values() if answer.href not in held}
        held.update(new)
        hrefs = {key: answer.href for key, answer in shared.items()}
        request = {"url": self.url, "shared": hrefs, "held": new, "prefetched": dict(self.own)}
        # Characters stay unescaped, because the request is escaped once more as a JavaScript string.
        return json.dumps(request, ensure_ascii=False, separators=(",", ":"))
