"""Names of npm packages, as imports and declarations write them."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST_NAME = 214
"""Characters of a name, by npm's rules."""
_PART = r"[a-z0-9][a-z0-9._-]*"
_NAME = re.compile(rf"(?:@{_PART}/)?{_PART}")
_WORDS = re.compile(r"[a-z0-9]+")
BUILT_IN = frozenset(
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain "
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl "
    "stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib".split()
)
"""Modules of Node. npm has packages of some of these names, which imports do not mean."""


def is_npm_name(text: str) -> bool:
    """Whether npm accepts new packages of this name. Old ones may begin with `~`, as folders in imports do."""
    return len(text) <= LONGEST_NAME and _NAME.fullmatch(text) is not None and text not in BUILT_IN


def package_of(specifier: str) -> str | None:
    """The package that an import names: `@acme/tiles` of `@acme/tiles/react`. None for a file or a module of Node."""
    parts = specifier.split("/", 2)
    name = "/".join(parts[:2]) if specifier.startswith("@") else parts[0]
    return name if is_npm_name(name) else None


def types_package(name: str) -> str:
    """The package that has the types of one without any: `@types/acme__tiles` of `@acme/tiles`."""
    return f"@types/{name.removeprefix('@').replace('/', '__')}"


def name_words(name: str) -> frozenset[str]:
    """`{"acme", "react", "tiles"}` of `@acme/react-tiles`."""
    return frozenset(_WORDS.findall(name))


def is_of_other_framework(name: str, framework: str | None, frameworks: Iterable[str]) -> bool:
    """Whether the words of the name are those of other frameworks only, as `@acme/react-tiles` for Vue."""
    words = name_words(name)
    return framework not in words and not words.isdisjoint(frameworks)
