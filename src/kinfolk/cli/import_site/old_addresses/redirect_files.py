"""Redirects in files of hosts: `_redirects` and `netlify.toml` of Netlify, `vercel.json`."""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from kinfolk.cli.import_site.project.project_files import ProjectFiles

_WORD = re.compile(r"\S++")
_STATUSES = frozenset(("", "301", "302", "303", "307", "308"))


@dataclass(frozen=True)
class WrittenRedirect:
    """A redirect as it is written. `fault` is the reason why it is none that this site can have."""

    old: str
    new: str
    file: str
    line: int = 0
    fault: str = ""


def redirects_of_hosts(files: ProjectFiles, folders: tuple[str, ...]) -> Iterator[WrittenRedirect]:
    """The redirects of all such files in these folders, in their order."""
    for folder in dict.fromkeys(folders):
        for name, read in (("_redirects", _of_lines), ("netlify.toml", _of_netlify), ("vercel.json", _of_vercel)):
            path = posixpath.normpath(posixpath.join(folder, name))
            if not path.startswith("..") and (text := files.text(path)) is not None:
                yield from read(path, text)


def _of_lines(file: str, text: str) -> Iterator[WrittenRedirect]:
    """An old path, a new one and a status on each line."""
    for number, line in enumerate(text.split("\n"), start=1):
        words = _WORD.findall(line.partition(" #")[0]) if not line.lstrip().startswith("#") else []
        if not words:
            continue
        old, *others = words
        # Between the addresses, Netlify allows parameters of the query.
        targets = [at for at, word in enumerate(others) if word.startswith(("/", "https://", "http://"))]
        new = others[targets[0]] if targets else ""
        rest = others[targets[0] + 1 :] if targets else others
        fault = "" if not targets or targets[0] == 0 else "it depends on the query"
        yield WrittenRedirect(old, new, file, number, fault or _status_fault(rest[0] if rest else "", rest[1:]))


def _status_fault(status: str, conditions: object) -> str:
    if status.removesuffix("!") not in _STATUSES:
        return f"status {status[:20]} is no redirect"
    return "it depends on the reader" if conditions else ""


def _of_netlify(file: str, text: str) -> Iterator[WrittenRedirect]:
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    rules = table.get("redirects")
    for rule in rules if isinstance(rules, list) else []:
        if isinstance(rule, dict):
            fault = _status_fault(str(rule.get("status", "")), rule.get("conditions"))
            fault = fault or ("it depends on the query" if rule.get("query") else "")
            yield WrittenRedirect(str(rule.get("from", "")), str(rule.get("to", "")), file, 0, fault)


def _of_vercel(file: str, text: str) -> Iterator[WrittenRedirect]:
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        return
    rules = table.get("redirects") if isinstance(table, dict) else None
    for rule in rules if isinstance(rules, list) else []:
        if isinstance(rule, dict):
            fault = "it depends on the reader" if rule.get("has") or rule.get("missing") else ""
            yield WrittenRedirect(str(rule.get("source", "")), str(rule.get("destination", "")), file, 0, fault)
