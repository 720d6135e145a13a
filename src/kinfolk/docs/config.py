"""A library's navigation, as its `config.json` says it.

Schema: every key that 923 historic files of the family ever used and that still means something. Unknown keys are
ignored, because upstream adds them freely; a wrong type is refused, because a bad push must not empty a sidebar.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from kinfolk.errors import BadFact

_WIRE = ConfigDict(alias_generator=to_camel, extra="ignore")


@dataclass(frozen=True)
class DocsLink:
    """`to` is relative to the docs root and has no extension."""

    __pydantic_config__ = _WIRE
    label: str
    to: str
    badge: str | None = None


@dataclass(frozen=True)
class FrameworkLinks:
    """What a section shows only to readers of one framework; `label` is the framework's id."""

    __pydantic_config__ = _WIRE
    label: str
    children: tuple[DocsLink, ...] = ()


@dataclass(frozen=True)
class DocsSection:
    __pydantic_config__ = _WIRE
    label: str
    children: tuple[DocsLink, ...] = ()
    frameworks: tuple[FrameworkLinks, ...] = ()
    collapsible: bool = False
    default_collapsed: bool = False


@dataclass(frozen=True)
class DocsConfig:
    """Sections in order, and the companies that the library names as its users."""

    __pydantic_config__ = _WIRE
    sections: tuple[DocsSection, ...]
    users: tuple[str, ...] = ()

    def links(self) -> tuple[DocsLink, ...]:
        """Every link of every framework."""
        return tuple(
            link
            for section in self.sections
            for group in (section.children, *(f.children for f in section.frameworks))
            for link in group
        )

    def only(self, keep: Callable[[DocsLink], bool]) -> DocsConfig:
        """The same sections with some of their links."""

        def kept(links: tuple[DocsLink, ...]) -> tuple[DocsLink, ...]:
            return tuple(link for link in links if keep(link))

        def framework(entry: FrameworkLinks) -> FrameworkLinks:
            return replace(entry, children=kept(entry.children))

        sections = (
            replace(section, children=kept(section.children), frameworks=tuple(map(framework, section.frameworks)))
            for section in self.sections
        )
        return replace(self, sections=tuple(sections))


LARGEST_CONFIG = 2 << 20
"""Bytes. The largest of the family's history has 160 kB."""
MOST_SECTIONS, MOST_FRAMEWORKS, MOST_LINKS, MOST_USERS = 200, 50, 5_000, 1_000
"""Of sections, of frameworks in one section, and of links and users in all: each page shows them."""
LONGEST_LABEL, LONGEST_TARGET = 300, 1_000
"""Characters."""

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_adapter = TypeAdapter(DocsConfig)


def parse_config(path: str, content: bytes) -> DocsConfig:
    """The navigation in a `config.json`. Raises BadFact naming `path`, the key and the reason or the limit."""
    if len(content) > LARGEST_CONFIG:
        raise BadFact(path, "", f"is larger than {LARGEST_CONFIG} bytes")
    try:
        # This parser also refuses what only looks like JSON: lone surrogates, nesting without end.
        config = _adapter.validate_json(content)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise BadFact(path, "", f"is not valid JSON: {first['msg'].removeprefix('Invalid JSON: ')}") from None
        raise BadFact(path, ".".join(map(str, first["loc"])), first["msg"]) from None
    _check_limits(path, config)
    return DocsConfig(
        tuple(
            DocsSection(
                section.label,
                _cleaned(section.children),
                tuple(FrameworkLinks(f.label.lower(), _cleaned(f.children)) for f in section.frameworks),
                section.collapsible,
                section.default_collapsed,
            )
            for section in config.sections
        ),
        config.users,
    )


def _check_limits(path: str, config: DocsConfig) -> None:
    """Raises BadFact for more than a page can show."""

    def check(key: str, count: int, most: int, what: str) -> None:
        if count > most:
            raise BadFact(path, key, f"has {count} {what}, {most} are allowed")

    check("sections", len(config.sections), MOST_SECTIONS, "sections")
    check("users", len(config.users), MOST_USERS, "users")
    check("sections", len(config.links()), MOST_LINKS, "links in all")
    for at, user in enumerate(config.users):
        check(f"users.{at}", len(user), LONGEST_LABEL, "characters")
    for at, section in enumerate(config.sections):
        key = f"sections.{at}"
        check(f"{key}.label", len(section.label), LONGEST_LABEL, "characters")
        check(f"{key}.frameworks", len(section.frameworks), MOST_FRAMEWORKS, "frameworks")
        groups = [(f"{key}.children", section.children)]
        for number, framework in enumerate(section.frameworks):
            check(f"{key}.frameworks.{number}.label", len(framework.label), LONGEST_LABEL, "characters")
            groups.append((f"{key}.frameworks.{number}.children", framework.children))
        for where, links in groups:
            for number, link in enumerate(links):
                check(f"{where}.{number}.label", len(link.label), LONGEST_LABEL, "characters")
                check(f"{where}.{number}.badge", len(link.badge or ""), LONGEST_LABEL, "characters")
                check(f"{where}.{number}.to", len(link.to), LONGEST_TARGET, "characters")


def _cleaned(links: tuple[DocsLink, ...]) -> tuple[DocsLink, ...]:
    """Without the slips that history shows: a leading slash or `./`, the extension, what leads to no page."""
    cleaned = (DocsLink(link.label, _route(link.to.strip()), link.badge) for link in links)
    return tuple(link for link in cleaned if link.to not in ("", "#"))


def _route(to: str) -> str:
    if to.startswith(("https://", "http://")):
        return to
    if _SCHEME.match(to):
        return ""
    path, mark, rest = to.strip().partition("#" if "#" in to else "?")
    path = path.removeprefix("./").strip("/").removesuffix(".md")
    return f"{path}{mark}{rest}"
