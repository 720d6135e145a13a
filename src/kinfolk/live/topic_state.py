"""The state of one topic in this process, and its messages: encoded once for all streams."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

from kinfolk.live.topic_store import Json, TopicData


@dataclass(frozen=True)
class TopicState:
    """`version` is compared for equality only: a number of the store, or a digest."""

    key: str
    version: str
    data: TopicData
    as_of: str

    @cached_property
    def snapshot(self) -> bytes:
        """The event with the whole state."""
        return _event("snapshot", {"topic": self.key, "v": self.version, "data": self.data, "asOf": self.as_of})

    def patch_from(self, before: TopicState) -> bytes:
        """The event that changes `before` to this state; the snapshot if that is shorter."""
        content = {"topic": self.key, "v": self.version, "base": before.version, "asOf": self.as_of}
        patch = _event("patch", {**content, "ops": patch_operations(before.data, self.data)})
        return patch if len(patch) < len(self.snapshot) else self.snapshot


def patch_operations(before: TopicData, after: TopicData) -> list[dict[str, Json]]:
    """The difference of two flat objects as JSON Patch (RFC 6902)."""
    removed: list[dict[str, Json]] = [{"op": "remove", "path": _pointer(name)} for name in before if name not in after]
    changed: list[dict[str, Json]] = [
        {"op": "replace" if name in before else "add", "path": _pointer(name), "value": value}
        for name, value in after.items()
        # 1, 1.0 and True are equal in Python, and different in JSON.
        if name not in before or (type(before[name]), before[name]) != (type(value), value)
    ]
    return removed + changed


def _pointer(name: str) -> str:
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _event(name: str, content: dict[str, object]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(content, ensure_ascii=False, separators=(',', ':'))}\n".encode()
