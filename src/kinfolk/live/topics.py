"""The topics that browsers can follow: their names, arguments, and who may see them.

parse_topics('[{"name": "docs.page", "args": {"library": "query", "version": "latest", "path": "overview"}}]')
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal
from urllib.parse import quote

import orjson

from kinfolk.runtime.errors import Invalid

MOST_TOPICS = 8
LONGEST_QUERY = 4000
LONGEST_KEY = 400

Scope = Literal["public", "maintainer"]


@dataclass(frozen=True)
class TopicKind:
    """A name, the names of its arguments, and its scope. `stored` topics are in the database."""

    name: str
    arguments: tuple[str, ...]
    scope: Scope
    stored: bool


@dataclass(frozen=True)
class Topic:
    """A topic with its arguments. `key` is its canonical form: the same for the same arguments."""

    kind: TopicKind
    arguments: Mapping[str, str]

    @property
    def key(self) -> str:
        return topic_key(self.kind.name, **self.arguments)


KINDS: Mapping[str, TopicKind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            TopicKind("docs.page", ("library", "version", "path"), "public", stored=False),
            TopicKind("figures.family", (), "public", stored=False),
            TopicKind("figures.library", ("library",), "public", stored=False),
            TopicKind("data.changed", ("source",), "maintainer", stored=True),
            TopicKind("content.changed", ("repo", "branch"), "maintainer", stored=True),
            TopicKind("statistics.import", (), "maintainer", stored=True),
        )
    }
)
"""All topics by name."""
_ARGUMENT = re.compile(r"[A-Za-z0-9@._~+/ -]{1,300}")
_PATH = re.compile(r"[^\x00-\x1f\x7f\\]{1,300}")
"""Of a page: the names of files have any characters."""
_SEPARATORS = str.maketrans({letter: quote(letter) for letter in "%&="})


def topic_key(name: str, **arguments: str) -> str:
    """`docs.page?library=query&path=overview&version=latest`"""
    parts = "&".join(f"{argument}={arguments[argument].translate(_SEPARATORS)}" for argument in sorted(arguments))
    return f"{name}?{parts}" if parts else name


def parse_topics(query: str) -> tuple[Topic, ...]:
    """The topics of a request: base64url of JSON. Raises Invalid."""
    if len(query) > LONGEST_QUERY:
        raise Invalid("The list of topics is too long")
    try:
        decoded = base64.urlsafe_b64decode(query + "=" * (-len(query) % 4))
        entries = orjson.loads(decoded)
    except (binascii.Error, ValueError):
        raise Invalid("The list of topics is not JSON in base64url") from None
    if not isinstance(entries, list) or not 0 < len(entries) <= MOST_TOPICS:
        raise Invalid(f"There must be 1 to {MOST_TOPICS} topics")
    topics = [_topic(entry) for entry in entries]
    return tuple({topic.key: topic for topic in topics}.values())


def encode_topics(*topics: tuple[str, Mapping[str, str]]) -> str:
    """The query of a request for these topics."""
    entries = [{"name": name, "args": dict(arguments)} for name, arguments in topics]
    return base64.urlsafe_b64encode(json.dumps(entries).encode()).decode().rstrip("=")


def _topic(entry: object) -> Topic:
    match entry:
        case {"name": str(name), "args": dict(given)}:
            kind = KINDS.get(name)
        case _:
            raise Invalid("A topic must have a name and args")
    if kind is None:
        raise Invalid(f"There is no topic {name[:80]!r}")
    if set(given) != set(kind.arguments):
        raise Invalid(f"{name} takes {', '.join(kind.arguments) or 'no arguments'}")
    arguments = {}
    for argument, value in given.items():
        form = _PATH if argument == "path" else _ARGUMENT
        if not isinstance(value, str) or not form.fullmatch(value):
            raise Invalid(f"{name}: {argument} is no valid text")
        arguments[argument] = value
    topic = Topic(kind, MappingProxyType(arguments))
    if len(topic.key) > LONGEST_KEY:
        raise Invalid(f"{name}: the arguments are too long")
    return topic
