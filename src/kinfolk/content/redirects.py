"""Redirects of old addresses: `redirects.toml`. They are answered before any page is rendered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import quote, unquote, unquote_plus, urlencode

from kinfolk.config.data_files import (
    STRICT_CONFIG,
    PathOrUrl,
    SitePath,
    Slug,
    TextLine,
    is_printable,
    is_site_path,
    is_url,
    read_data_file,
)
from kinfolk.runtime.errors import InvalidFile

FILE = "redirects.toml"
ORIGIN = "from"
"""The query parameter that names where a redirect led from."""

# Characters that may occur unescaped in a path or a query (RFC 3986). All others are percent-encoded: a line end would
# begin another header, and browsers parse `/\host` as another site.
SAFE_IN_PATH = "!$&'()*+,;=:@~"
SAFE_IN_QUERY = SAFE_IN_PATH + "/?%[]"

# {name}, {name:a|b} or {name...}, with or without a literal prefix: start-{name}
PARAMETER = re.compile(r"(?P<prefix>[^{}]*)\{(?P<name>[a-z]+)(?::(?P<words>[^{}]+)|(?P<tail>\.\.\.))?\}")


@dataclass(frozen=True)
class Redirect:
    """A redirect whose `to` is a valid Location header."""

    to: str
    status: int


class Redirects:
    """All redirects. An exact path wins over a tree, a tree over a pattern, a pattern over later ones."""

    def __init__(
        self,
        exact: Mapping[str, _RedirectTarget],
        trees: Mapping[str, _RedirectTarget],
        patterns: Sequence[_RedirectPattern],
        notices: Mapping[str, RedirectNotice],
    ) -> None:
        self._notices = notices
        self._exact = exact
        self._trees = trees
        self._patterns = tuple(patterns)
        depths = [path.count("/") for path in trees] or [0]
        self._depths = range(max(depths), min(depths) - 1, -1)

    def match(self, path: str, query: str = "", *, missing: bool = False) -> Redirect | None:
        """The redirect of an address, or None.

        `path` is decoded, `query` is as sent and without its question mark: both as in ASGI. With `missing`, rules with
        `when = "missing"` apply, too: call it so after the page was not found.
        """
        path = path.removesuffix("/")
        target = self._exact.get(path) or self._above(path)
        if target and (missing or not target.missing):
            return target.redirect(query)
        segments = path.split("/")[1:]
        for pattern in self._patterns:
            if missing or not pattern.target.missing:
                parameters = pattern.parameters(segments)
                if parameters is not None:
                    return pattern.target.redirect(query, parameters)
        return None

    def notice(self, name: str) -> RedirectNotice | None:
        """The notice with this name, which is a value of the query parameter `from`."""
        return self._notices.get(name)

    def version_notice(self, library: str, version: str) -> RedirectNotice | None:
        """The notice about a version of a library, by its name."""
        notices = self._notices.values()
        return next((each for each in notices if (each.library, each.version) == (library, version)), None)

    def moves(self) -> Iterator[tuple[str, str]]:
        """All old paths without patterns, and the addresses of this site that they lead to. For link checks."""
        for path, target in {**self._trees, **self._exact}.items():
            if not target.external:
                yield path, target.path

    def _above(self, path: str) -> _RedirectTarget | None:
        """The deepest entry of a tree at or above the path, in one lookup for each level of the trees."""
        segments = path.split("/", self._depths.start + 1)
        for depth in self._depths:
            if depth < len(segments) and (target := self._trees.get("/".join(segments[: depth + 1]))):
                return target
        return None


@dataclass(frozen=True)
class _RedirectTarget:
    path: str
    fragment: str
    status: int
    params: Mapping[str, str]
    missing: bool = False
    external: bool = False

    def redirect(self, query: str, parameters: Mapping[str, str] | None = None) -> Redirect:
        if self.external:
            # The query may contain private data of this site, and is not sent to other sites.
            return Redirect(self.path, self.status)
        path = self.path.format_map(parameters) if parameters else self.path
        query = _merged(query, self.params)
        return Redirect(path + (f"?{query}" if query else "") + self.fragment, self.status)


def _merged(query: str, params: Mapping[str, str]) -> str:
    """The parameters of the request, then those of the rule. The rule wins for a name that both have."""
    remaining = [pair for pair in query.split("&") if pair and unquote_plus(pair.split("=")[0]) not in params]
    return "&".join(filter(None, (quote("&".join(remaining), SAFE_IN_QUERY, errors="replace"), urlencode(params))))


@dataclass(frozen=True)
class _PatternSegment:
    """One segment of a pattern: `text`, followed by the parameter `name` if that is not empty."""

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
class _RedirectPattern:
    """`tail` is the parameter for all segments after `segments`; empty if none may follow."""

    segments: tuple[_PatternSegment, ...]
    tail: str
    unless: frozenset[str]
    target: _RedirectTarget

    @property
    def names(self) -> list[str]:
        return [name for name in (*(segment.name for segment in self.segments), self.tail) if name]

    def parameters(self, path: Sequence[str]) -> dict[str, str] | None:
        """The values of the parameters, or None if the path does not match."""
        head, rest = path[: len(self.segments)], path[len(self.segments) :]
        if len(head) < len(self.segments) or bool(rest) != bool(self.tail) or (rest and rest[0] in self.unless):
            return None
        found = {}
        for segment, text in zip(self.segments, head, strict=True):
            value = segment.value(text)
            if value is None:
                return None
            found[segment.name] = value
        values = [_PatternSegment("", self.tail).value(text) for text in rest]
        if None in values:
            return None
        return {**found, self.tail: "/".join(value for value in values if value)}


@dataclass(frozen=True)
class RedirectRule:
    """A redirect of one path, or of all paths that match a pattern."""

    path: SitePath
    """Old path. `{name}` matches one segment, `{name:a|b}` for one of these words, `start-{name}` for a segment with
    this prefix, `{name...}` at the end for the rest. Other characters than letters, digits and `-._~@+` are
    percent-encoded: `/a%20b`."""
    to: PathOrUrl
    """New path, which may contain the names in braces, and is percent-encoded like `path`; or an https URL with
    `external`."""
    status: Literal[301, 302, 307, 308]
    """Status of the redirect."""
    when: Literal["always", "missing"] = "always"
    """`missing` applies the rule only if there is no page at the path."""
    external: bool = False
    """Must be true for a target on another site. The query string is then dropped."""
    params: dict[str, TextLine] = field(default_factory=dict)
    """Query parameters that are added to the reader's."""
    unless: tuple[TextLine, ...] = ()
    """First segments of `{name...}` to which the rule does not apply."""


@dataclass(frozen=True)
class RedirectTree:
    """Redirects of a part of an old site, page by page."""

    path: SitePath
    """Old path above all old pages."""
    to: SitePath
    """New path above all new pages."""
    status: Literal[301, 302, 307, 308]
    """Status of the redirects."""
    moves: dict[str, TextLine]
    """Old path below `path` and new path below `to`. Paths below an old path lead to the same page."""
    params: dict[str, TextLine] = field(default_factory=dict)
    """Query parameters that are added to the reader's."""


@dataclass(frozen=True)
class RedirectNotice:
    """What readers are told on arrival after redirects with `params = { from = "…" }`. Needs `version` or `text`."""

    name: Slug
    """Value of the query parameter `from`."""
    library: Slug | None = None
    """Library on whose pages the notice is shown; all by default."""
    version: TextLine | None = None
    """Version that the old addresses name. Its docs are linked, if this site has them."""
    text: TextLine | None = None
    """Sentence in place of the one about the version."""
    link: PathOrUrl | None = None
    """Where the old content is, if not in the docs of `version`."""
    link_title: TextLine = "Read the old page"
    """Text of the link."""


@dataclass(frozen=True)
class RedirectFile:
    """Redirects of old URLs. They are answered before any page is rendered."""

    __pydantic_config__ = STRICT_CONFIG

    rules: tuple[RedirectRule, ...] = ()
    """Redirects of one path or one pattern. Patterns are tried in the order of the file."""
    trees: tuple[RedirectTree, ...] = ()
    """Redirects of many pages of an old site. An exact path wins over a tree, a tree over a pattern."""
    notices: tuple[RedirectNotice, ...] = ()
    """What readers are told on arrival after a redirect."""


def load_redirects(site: Path) -> Redirects:
    """The valid redirects of `redirects.toml`. `redirect_errors` returns what is wrong with the others."""
    return read_redirects(site)[0]


def redirect_errors(site: Path) -> list[InvalidFile]:
    return read_redirects(site)[1]


def read_redirects(site: Path) -> tuple[Redirects, list[InvalidFile]]:
    """The valid redirects, and what is wrong with the others."""
    faults: list[InvalidFile] = []
    content = read_data_file(site, FILE, RedirectFile, faults) or RedirectFile()
    exact: dict[str, _RedirectTarget] = {}
    patterns: list[_RedirectPattern] = []
    origins: dict[str, str] = {}
    for index, rule in enumerate(content.rules):
        key = f"rules[{index}]"
        try:
            pattern = _pattern(rule)
        except ValueError as error:
            faults.append(InvalidFile(FILE, key, str(error)))
            continue
        if pattern.names:
            patterns.append(pattern)
        elif origins.setdefault(old := unquote(rule.path), key) != key:
            faults.append(InvalidFile(FILE, key, f"{rule.path} is redirected by {origins[old]} already"))
        else:
            exact[old] = pattern.target
    trees = _trees(content.trees, origins, faults)
    notices = _notices(content, faults)
    redirects = Redirects(exact, trees, patterns, notices)
    for path, to in redirects.moves():
        if redirects.match(unquote(to)):
            faults.append(InvalidFile(FILE, origins[path], f"leads to {to}, which is redirected itself"))
    return redirects, faults


def _notices(content: RedirectFile, faults: list[InvalidFile]) -> dict[str, RedirectNotice]:
    found: dict[str, RedirectNotice] = {}
    for index, notice in enumerate(content.notices):
        if not notice.version and not notice.text:
            faults.append(InvalidFile(FILE, f"notices[{index}]", "should have a version or a text"))
        if found.setdefault(notice.name, notice) is not notice:
            faults.append(InvalidFile(FILE, f"notices[{index}].name", f"{notice.name} is named twice"))
    params = {f"rules[{index}].params": rule.params for index, rule in enumerate(content.rules)}
    params |= {f"trees[{index}].params": tree.params for index, tree in enumerate(content.trees)}
    for key, named in params.items():
        if ORIGIN in named and named[ORIGIN] not in found:
            faults.append(InvalidFile(FILE, key, f"there is no notice {named[ORIGIN]}"))
    return found


def _trees(
    trees: Sequence[RedirectTree], origins: dict[str, str], faults: list[InvalidFile]
) -> dict[str, _RedirectTarget]:
    found: dict[str, _RedirectTarget] = {}
    for index, tree in enumerate(trees):
        for old, new in tree.moves.items():
            key = f'trees[{index}].moves."{old}"'
            path, to = f"{tree.path}/{old}", f"{tree.to}/{new}"
            if not _is_literal_path(path) or not _is_literal_path(to.partition("#")[0]) or not is_site_path(to):
                faults.append(InvalidFile(FILE, key, "should be a plain path, such as guides/queries"))
            elif origins.setdefault(unquote(path), key) != key:
                faults.append(InvalidFile(FILE, key, f"{path} is redirected by {origins[unquote(path)]} already"))
            else:
                target, hash_mark, name = to.partition("#")
                target = _location(target)
                found[unquote(path)] = _RedirectTarget(target, hash_mark + name, tree.status, tree.params)
    return found


def _pattern(rule: RedirectRule) -> _RedirectPattern:
    """Raises ValueError, with the reason, for an inconsistent rule."""
    if is_url(rule.to) and not rule.external:
        raise ValueError("to leads to another site, which needs external = true")
    if rule.external and not is_url(rule.to):
        raise ValueError("external is for targets on another site")
    to, hash_mark, name = rule.to.partition("#")
    target = _RedirectTarget(
        to if rule.external else _location(to),
        hash_mark + name,
        rule.status,
        rule.params,
        missing=rule.when == "missing",
        external=rule.external,
    )
    *segments, last = rule.path.split("/")[1:]
    parsed = [_parse_segment(segment) for segment in segments]
    tail = PARAMETER.fullmatch(last)
    if tail and tail["tail"] and not tail["prefix"]:
        pattern = _RedirectPattern(tuple(parsed), tail["name"], frozenset(rule.unless), target)
    else:
        pattern = _RedirectPattern((*parsed, _parse_segment(last)), "", frozenset(), target)
    literal = re.sub(r"\{([a-z]+)\}", "x", to)
    if not rule.external and not _is_literal_path(literal):
        raise ValueError("to should be a plain path, with holes in braces")
    if rule.unless and not pattern.tail:
        raise ValueError("unless needs a path that ends in {name...}")
    if len(set(pattern.names)) < len(pattern.names):
        raise ValueError("path has two holes of one name")
    if unknown := set(re.findall(r"\{([a-z]+)\}", to)) - set(pattern.names):
        raise ValueError(f"to mentions {{{min(unknown)}}}, which path does not")
    return pattern


def _parse_segment(segment: str) -> _PatternSegment:
    parameter = PARAMETER.fullmatch(segment)
    if parameter and not parameter["tail"]:
        return _PatternSegment(
            unquote(parameter["prefix"]), parameter["name"], frozenset((parameter["words"] or "").split("|")) - {""}
        )
    if _is_literal_path(f"/{segment}"):
        return _PatternSegment(unquote(segment))
    raise ValueError(f"path has a segment that cannot be read: {segment!r}")


def _is_literal_path(path: str) -> bool:
    """Whether a path has no query, parameter, dot segment or empty segment.

    Characters of patterns in other programs, such as `*` and `:`, are percent-encoded: written plainly they are errors.
    """
    try:
        decoded = unquote(path, errors="strict")
    except UnicodeDecodeError:
        return False
    is_plain = re.fullmatch(r"(/([\w.~@+-]|%[0-9A-Fa-f]{2})+)+", path) is not None
    has_dots = bool({".", ".."} & set(decoded.split("/")))
    return is_plain and is_printable(decoded) and decoded.count("/") == path.count("/") and not has_dots


def _location(path: str) -> str:
    """A literal path with holes, percent-encoded for a Location header."""
    parts = re.split(r"(\{[a-z]+\})", path)
    return "".join(part if at % 2 else quote(unquote(part), f"/{SAFE_IN_PATH}") for at, part in enumerate(parts))
