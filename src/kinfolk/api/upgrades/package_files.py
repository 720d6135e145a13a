"""The packages of the family that a `package.json` or a `pnpm-workspace.yaml` names.

The browser reads files itself, with `frontend/src/lib/upgrade/packageFiles.ts`, so that nothing else of them is sent.
This module reads those of readers without scripts. Both pass the cases of `packageFileCases.json` there. A package is
written as `name@spec`, where `spec` is a range, a tag, or one of `PROTOCOLS` without what follows it: paths, addresses
and tokens in them never become part of an address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast

Fault = Literal["lock", "json", "none", "many", "large"]
"""Why a text cannot be read: it is a lock file, no JSON, has no package of the family, too many, or is too large."""
PROTOCOLS = ("workspace:", "catalog:", "npm:", "file:", "url:", "other:")
"""What stands in place of a range that is none. `npm:` is another package under this name."""
MOST_PACKAGES = 40
LONGEST_RANGE = 100
SECTIONS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "catalog")
"""Keys of a `package.json` whose value has a range for each package. Bun has `catalog` and `catalogs` there."""

_LOCK_FILE = re.compile(r'^# yarn lockfile|^lockfileVersion:|"lockfileVersion"[ ]*:|^__metadata:', re.MULTILINE)
_LOCK_FILE_HEAD = 2000
_RANGE = re.compile(r"[\w.*+^~<>=|\s-]*", re.ASCII)
_ALIAS = re.compile(r"npm:(@?[^@]+)(?:@(.*))?", re.DOTALL)
_FILE = re.compile(r"(?:link|file|portal):|[./~]/|\.\.?/|~/|/")
_ADDRESS = re.compile(r"git|https?:|ssh:|bitbucket:|gist:|[\w.-]+/[\w.-]+(?:#|$)")
_YAML_ENTRY = re.compile(
    r"""[ \t]+(?:"([^"]+)"|'([^']+)'|([^\s"'#:][^\s:]*))[ \t]*:[ \t]+(?:"([^"]*)"|'([^']*)'|([^"'#]*))"""
)


@dataclass(frozen=True)
class PackageFileError(Exception):
    """A text that is not read. `line` is that of the first error in JSON, counted from 1; 0 without one."""

    fault: Fault
    line: int = 0


def read_packages(text: str, family: Container[str]) -> tuple[str, ...]:
    """The packages of the family, each `name@spec`, in the order of the text. Raises PackageFileError."""
    text = text.removeprefix("\ufeff")
    if _LOCK_FILE.search(text[:_LOCK_FILE_HEAD]):
        raise PackageFileError("lock")
    entries = _json_entries(text) if text.lstrip()[:1] == "{" else _yaml_entries(text)
    found = dict.fromkeys(entry for name, value in entries for entry in _packages_of(name, value, family))
    if not found:
        raise PackageFileError("none")
    if len(found) > MOST_PACKAGES:
        raise PackageFileError("many")
    return tuple(found)


def _json_entries(text: str) -> Iterator[tuple[str, str]]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as broken:
        raise PackageFileError("json", _line_of(broken)) from None
    except (ValueError, RecursionError):  # numbers of thousands of digits, and thousands of brackets
        raise PackageFileError("json") from None
    workspaces = _table(_table(value).get("workspaces"))
    for table in (_table(value), workspaces):
        for section in SECTIONS:
            yield from _texts(table.get(section))
        for catalog in _table(table.get("catalogs")).values():
            yield from _texts(catalog)


def _line_of(broken: json.JSONDecodeError) -> int:
    """The line that browsers name, too: since Python 3.13, a comma before a closing bracket is the error itself."""
    if not broken.msg.startswith("Illegal trailing comma"):
        return broken.lineno
    bracket = len(broken.doc) - len(broken.doc[broken.pos + 1 :].lstrip())
    return broken.doc.count("\n", 0, bracket) + 1


def _table(value: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], value) if isinstance(value, dict) else {}


def _texts(table: object) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, value in _table(table).items() if isinstance(value, str))


def _yaml_entries(text: str) -> Iterator[tuple[str, str]]:
    """The indented `name: range` lines of a `pnpm-workspace.yaml`, whatever they are below: only catalogs have them."""
    for line in text.splitlines():
        if (entry := _YAML_ENTRY.match(line)) is not None:
            key, value = entry.groups()[:3], entry.groups()[3:]
            yield next(filter(None, key), ""), next((part for part in value if part is not None), "")


def _packages_of(name: str, value: str, family: Container[str]) -> Iterator[str]:
    """The package that an entry installs, if it is of the family; an alias of another package as `name@npm:`."""
    value = value.strip()
    alias = _ALIAS.fullmatch(value)
    if alias is not None and alias[1] in family:
        yield f"{alias[1]}@{_spec(alias[2] or '')}"
    elif name in family:
        yield f"{name}@{'npm:' if alias else _spec(value)}"


def _spec(value: str) -> str:
    """A range with single spaces, a tag, or one of PROTOCOLS."""
    value = value.strip()
    if value.startswith("workspace:"):
        own = value.removeprefix("workspace:")
        return _spec(own) if re.match(r"[\^~]?\d", own) else "workspace:"
    if value.startswith("catalog:"):
        return "catalog:"
    if _FILE.match(value):
        return "file:"
    if _ADDRESS.match(value):
        return "url:"
    if len(value) <= LONGEST_RANGE and _RANGE.fullmatch(value):
        return " ".join(value.split()) or "*"
    return "other:"
