"""Where an address that moved leads now: `data/redirects.toml`, answered without touching a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import quote, unquote_plus, urlencode

from kinfolk.errors import BadFact
from kinfolk.facts import STRICT, Link, SitePath, Words, is_site_path, is_url, read_facts

FILE = "redirects.toml"

# What may stand unescaped in a path or a query (RFC 3986). All else is percent-encoded, line ends and
# backslashes above all: a line end begins another header, and browsers take `/\host` for another site.
SAFE_IN_PATH = "!$&'()*+,;=:@~"
SAFE_IN_QUERY = SAFE_IN_PATH + "/?%[]"

# {name}, {name:a|b} or {name...}, with literal text before it or none: start-{name}
HOLE = re.compile(r"(?P<prefix>[^{}]*)\{(?P<name>[a-z]+)(?::(?P<words>[^{}]+)|(?P<tail>\.\.\.))?\}")


@dataclass(frozen=True)
class Redirect:
    """`to` can be sent as a Location header as it is."""

    to: str
    status: int


class Redirects:
    """All moves. An exact address wins over a tree, a tree over a pattern, a pattern over those after it."""

    def __init__(
        self, exact: Mapping[str, _Target], trees: Mapping[str, _Target], patterns: Sequence[_Pattern]
    ) -> None:
        self._exact = exact
        self._trees = trees
        self._patterns = tuple(patterns)
        depths = [path.count("/") for path in trees] or [0]
        self._depths = range(max(depths), min(depths) - 1, -1)

    def match(self, path: str, query: str = "", *, missing: bool = False) -> Redirect | None:
        """Where this address leads, or None where it has not moved.

        `path` is decoded, `query` is as sent, without its question mark: both as ASGI gives them. With
        `missing`, the rules count too that give way to a page: ask so once it is known that there is none.
        """
        path = path.removesuffix("/")
        target = self._exact.get(path) or self._above(path)
        if target and (missing or not target.missing):
            return target.redirect(query)
        steps = path.split("/")[1:]
        for pattern in self._patterns:
            if missing or not pattern.target.missing:
                holes = pattern.holes(steps)
                if holes is not None:
                    return pattern.target.redirect(query, holes)
        return None

    def moves(self) -> Iterator[tuple[str, str]]:
        """Every old address that is no pattern, and the path on this site it leads to, for link checks."""
        for path, target in {**self._trees, **self._exact}.items():
            if not target.external:
                yield path, target.path

    def _above(self, path: str) -> _Target | None:
        """The deepest entry of a tree at or above the path; as many lookups as the trees have levels."""
        steps = path.split("/", self._depths.start + 1)
        for depth in self._depths:
            if depth < len(steps) and (target := self._trees.get("/".join(steps[: depth + 1]))):
                return target
        return None


@dataclass(frozen=True)
class _Target:
    path: str
    fragment: str
    status: int
    params: Mapping[str, str]
    missing: bool = False
    external: bool = False

    def redirect(self, query: str, holes: Mapping[str, str] | None = None) -> Redirect:
        if self.external:
            # What a visitor's address carried for us is nobody else's business.
            return Redirect(self.path, self.status)
        path = self.path.format_map(holes) if holes else self.path
        query = _merged(query, self.params)
        return Redirect(path + (f"?{query}" if query else "") + self.fragment, self.status)


def _merged(query: str, params: Mapping[str, str]) -> str:
    """The visitor's parameters, then ours; one that both name is ours."""
    kept = [pair for pair in query.split("&") if pair and unquote_plus(pair.split("=")[0]) not in params]
    return "&".join(filter(None, (quote("&".join(kept), SAFE_IN_QUERY, errors="replace"), urlencode(params))))


@dataclass(frozen=True)
class _Step:
    """What one segment of a path must be: `text`, and after it, if there is a `name`, something to keep."""

    text: str
    name: str = ""
    words: frozenset[str] = frozenset()

    def value(self, segment: str) -> str | None:
        if not self.name:
            return "" if segment == self.text else None
        value = segment.removeprefix(self.text)
        if not segment.startswith(self.text) or value in ("", ".", "..") or (self.words and value not in self.words):
            return None
        return quote(value, SAFE_IN_PATH, errors="replace")


@dataclass(frozen=True)
class _Pattern:
    """`tail` is the name for all that follows the steps, or empty where nothing may follow."""

    steps: tuple[_Step, ...]
    tail: str
    unless: frozenset[str]
    target: _Target

    @property
    def names(self) -> list[str]:
        return [name for name in (*(step.name for step in self.steps), self.tail) if name]

    def holes(self, segments: Sequence[str]) -> dict[str, str] | None:
        """The values of the holes where the path fits, None where it does not."""
        head, rest = segments[: len(self.steps)], segments[len(self.steps) :]
        if len(head) < len(self.steps) or bool(rest) != bool(self.tail) or (rest and rest[0] in self.unless):
            return None
        found = {}
        for step, segment in zip(self.steps, head, strict=True):
            value = step.value(segment)
            if value is None:
                return None
            found[step.name] = value
        values = [_Step("", self.tail).value(segment) for segment in rest]
        if None in values:
            return None
        return {**found, self.tail: "/".join(value for value in values if value)}


@dataclass(frozen=True)
class Rule:
    """One row of `[[rules]]`."""

    path: SitePath
    to: Link
    status: Literal[301, 302, 307, 308]
    when: Literal["always", "missing"] = "always"
    external: bool = False
    params: dict[str, Words] = field(default_factory=dict)
    unless: tuple[Words, ...] = ()


@dataclass(frozen=True)
class Tree:
    """One row of `[[trees]]`: a part of an old site, page by page."""

    path: SitePath
    to: SitePath
    status: Literal[301, 302, 307, 308]
    moves: dict[str, Words]
    params: dict[str, Words] = field(default_factory=dict)


@dataclass(frozen=True)
class RedirectFile:
    __pydantic_config__ = STRICT

    rules: tuple[Rule, ...] = ()
    trees: tuple[Tree, ...] = ()


def load_redirects(data: Path) -> Redirects:
    """Read `data/redirects.toml`. Raises the first BadFact there is; `redirect_errors` tells all of them."""
    redirects, faults = _read(data)
    if faults:
        raise faults[0]
    return redirects


def redirect_errors(data: Path) -> list[BadFact]:
    return _read(data)[1]


def _read(data: Path) -> tuple[Redirects, list[BadFact]]:
    faults: list[BadFact] = []
    written = read_facts(data, FILE, RedirectFile, faults) or RedirectFile()
    exact: dict[str, _Target] = {}
    patterns: list[_Pattern] = []
    origins: dict[str, str] = {}
    for index, rule in enumerate(written.rules):
        key = f"rules[{index}]"
        try:
            pattern = _pattern(rule)
        except ValueError as error:
            faults.append(BadFact(FILE, key, str(error)))
            continue
        if pattern.names:
            patterns.append(pattern)
        elif origins.setdefault(rule.path, key) != key:
            faults.append(BadFact(FILE, key, f"{rule.path} is redirected by {origins[rule.path]} already"))
        else:
            exact[rule.path] = pattern.target
    trees = _trees(written.trees, origins, faults)
    redirects = Redirects(exact, trees, patterns)
    for path, to in redirects.moves():
        if redirects.match(to):
            faults.append(BadFact(FILE, origins[path], f"leads to {to}, which is redirected itself"))
    return redirects, faults


def _trees(trees: Sequence[Tree], origins: dict[str, str], faults: list[BadFact]) -> dict[str, _Target]:
    found: dict[str, _Target] = {}
    for index, tree in enumerate(trees):
        for old, new in tree.moves.items():
            key = f'trees[{index}].moves."{old}"'
            path, to = f"{tree.path}/{old}", f"{tree.to}/{new}"
            if not is_plain(path) or not is_plain(to.partition("#")[0]) or not is_site_path(to):
                faults.append(BadFact(FILE, key, "should be a plain path, such as guides/queries"))
            elif origins.setdefault(path, key) != key:
                faults.append(BadFact(FILE, key, f"{path} is redirected by {origins[path]} already"))
            else:
                place, hash_mark, name = to.partition("#")
                found[path] = _Target(place, hash_mark + name, tree.status, tree.params)
    return found


def _pattern(rule: Rule) -> _Pattern:
    """Raises ValueError, with the reason, for a row that makes no sense."""
    if is_url(rule.to) and not rule.external:
        raise ValueError("to leads to another site, which needs external = true")
    if rule.external and not is_url(rule.to):
        raise ValueError("external is for targets on another site")
    place, hash_mark, name = rule.to.partition("#")
    target = _Target(
        place,
        hash_mark + name,
        rule.status,
        rule.params,
        missing=rule.when == "missing",
        external=rule.external,
    )
    *segments, last = rule.path.split("/")[1:]
    steps = [_step(segment) for segment in segments]
    tail = HOLE.fullmatch(last)
    if tail and tail["tail"] and not tail["prefix"]:
        pattern = _Pattern(tuple(steps), tail["name"], frozenset(rule.unless), target)
    else:
        pattern = _Pattern((*steps, _step(last)), "", frozenset(), target)
    literal = re.sub(r"\{([a-z]+)\}", "x", place)
    if not rule.external and not is_plain(literal):
        raise ValueError("to should be a plain path, with holes in braces")
    if rule.unless and not pattern.tail:
        raise ValueError("unless needs a path that ends in {name...}")
    if len(set(pattern.names)) < len(pattern.names):
        raise ValueError("path has two holes of one name")
    if unknown := set(re.findall(r"\{([a-z]+)\}", place)) - set(pattern.names):
        raise ValueError(f"to mentions {{{min(unknown)}}}, which path does not")
    return pattern


def _step(segment: str) -> _Step:
    hole = HOLE.fullmatch(segment)
    if hole and not hole["tail"]:
        return _Step(hole["prefix"], hole["name"], frozenset((hole["words"] or "").split("|")) - {""})
    if is_plain(f"/{segment}"):
        return _Step(segment)
    raise ValueError(f"path has a segment that cannot be read: {segment!r}")


def is_plain(path: str) -> bool:
    """A path as one would write it by hand: no query, hole, escape, dot segment or slash too many."""
    return re.fullmatch(r"(/(?!\.{1,2}(/|$))[\w.~@+-]+)+", path, re.ASCII) is not None
