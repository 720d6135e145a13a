"""The navigation of a library: its `config.json`.

The schema contains the keys in use of 923 historic files of the family. Unknown keys are ignored, because upstream adds
keys without notice. A value of a wrong type is an error, because an invalid push must not empty the navigation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from kinfolk.runtime.errors import InvalidFile

_WIRE = ConfigDict(alias_generator=to_camel, extra="ignore")


@dataclass(frozen=True)
class DocsLink:
    """`to` is a URL, or a path relative to the docs root, without extension.

    In a path, `?` and `#` begin a query and a fragment; those of a file's name are percent-encoded, as by
    `target_of_path`.
    """

    __pydantic_config__ = _WIRE
    label: str
    to: str
    badge: str | None = None

    @property
    def path(self) -> str:
        """The path of the page or example; the whole target for a URL."""
        return path_of_target(self.to)


@dataclass(frozen=True)
class FrameworkLinks:
    """The links of a section for one framework; `label` is the framework's id."""

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
    """Sections in order, and companies that use the library."""

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

        def filtered(links: tuple[DocsLink, ...]) -> tuple[DocsLink, ...]:
            return tuple(link for link in links if keep(link))

        def framework(entry: FrameworkLinks) -> FrameworkLinks:
            return replace(entry, children=filtered(entry.children))

        sections = (
            replace(section, children=filtered(section.children), frameworks=tuple(map(framework, section.frameworks)))
            for section in self.sections
        )
        return replace(self, sections=tuple(sections))

    def with_badges(self, badges: Mapping[str, str]) -> DocsConfig:
        """The same links, those without a badge with that of their path."""
        return self._changed(lambda link: replace(link, badge=link.badge or badges.get(link.path))) if badges else self

    def with_targets(self, target_of: Callable[[str], str]) -> DocsConfig:
        """The same links with other targets."""
        return self._changed(lambda link: replace(link, to=target_of(link.to)))

    def _changed(self, change: Callable[[DocsLink], DocsLink]) -> DocsConfig:
        def changed(links: tuple[DocsLink, ...]) -> tuple[DocsLink, ...]:
            return tuple(map(change, links))

        sections = (
            replace(
                section,
                children=changed(section.children),
                frameworks=tuple(replace(entry, children=changed(entry.children)) for entry in section.frameworks),
            )
            for section in self.sections
        )
        return replace(self, sections=tuple(sections))


@dataclass(frozen=True)
class FormerFrameworkMenu:
    """The sections of a framework in files before March 2024."""

    __pydantic_config__ = _WIRE
    framework: str
    menu_items: tuple[DocsSection, ...]


@dataclass(frozen=True)
class FormerConfig:
    """A file before March 2024, as older releases have it: the sections of frameworks come before those of all."""

    __pydantic_config__ = _WIRE
    menu: tuple[DocsSection, ...]
    framework_menus: tuple[FormerFrameworkMenu, ...] = ()
    users: tuple[str, ...] = ()

    def config(self) -> DocsConfig:
        """The same navigation in the present form. Sections of several frameworks with one label become one."""
        of_frameworks: dict[str, list[FrameworkLinks]] = {}
        for menu in self.framework_menus:
            for section in menu.menu_items:
                of_frameworks.setdefault(section.label, []).append(FrameworkLinks(menu.framework, section.children))
        own = {section.label: section for section in self.menu}
        sections = [
            replace(own.pop(label, DocsSection(label)), frameworks=tuple(links))
            for label, links in of_frameworks.items()
        ]
        return DocsConfig((*sections, *own.values()), self.users)


def target_of_path(path: str) -> str:
    """A path as the target of a link."""
    return path.translate(_ENCODED)


def path_of_target(to: str) -> str:
    """The path in the target of a link; a URL stays."""
    return to if to.startswith(URL_SCHEMES) else unquote(_AFTER_PATH.split(to, maxsplit=1)[0])


URL_SCHEMES = ("https://", "http://")
_ENCODED = str.maketrans({letter: quote(letter) for letter in "%?#"})
_AFTER_PATH = re.compile("[?#]")

LARGEST_CONFIG = 2 << 20
"""Bytes. The largest file of the family's history has 160 kB."""
MOST_SECTIONS, MOST_FRAMEWORKS, MOST_LINKS, MOST_USERS = 200, 50, 5_000, 1_000
"""Limits of sections, of frameworks in one section, and of all links and users. Each page contains all of them."""
LONGEST_LABEL, LONGEST_TARGET = 300, 1_000
"""Characters."""

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_adapter = TypeAdapter(DocsConfig)
_former_adapter = TypeAdapter(FormerConfig)


def parse_config(path: str, content: bytes) -> DocsConfig:
    """The navigation in a `config.json`. Raises InvalidFile naming `path`, the key and the reason or the limit."""
    if len(content) > LARGEST_CONFIG:
        raise InvalidFile(path, "", f"is larger than {LARGEST_CONFIG} bytes")
    try:
        config = _validated(content)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise InvalidFile(path, "", f"is not valid JSON: {first['msg'].removeprefix('Invalid JSON: ')}") from None
        raise InvalidFile(path, ".".join(map(str, first["loc"])), first["msg"]) from None
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


def _validated(content: bytes) -> DocsConfig:
    """The file in its present form, else in the former one. Raises the ValidationError of the present form."""
    try:
        # This parser also rejects lone surrogates and deep nesting.
        return _adapter.validate_json(content)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        if (first["type"], first["loc"]) != ("missing", ("sections",)):
            raise
        try:
            return _former_adapter.validate_json(content).config()
        except ValidationError:
            raise wrong from None


def _check_limits(path: str, config: DocsConfig) -> None:
    """Raises InvalidFile for a value above its limit."""

    def check(key: str, count: int, most: int, unit: str) -> None:
        if count > most:
            raise InvalidFile(path, key, f"has {count} {unit}, {most} are allowed")

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
        for group, links in groups:
            for number, link in enumerate(links):
                check(f"{group}.{number}.label", len(link.label), LONGEST_LABEL, "characters")
                check(f"{group}.{number}.badge", len(link.badge or ""), LONGEST_LABEL, "characters")
                check(f"{group}.{number}.to", len(link.to), LONGEST_TARGET, "characters")


def _cleaned(links: tuple[DocsLink, ...]) -> tuple[DocsLink, ...]:
    """Remove common mistakes: a leading slash or `./`, the extension, links without a target."""
    cleaned = (DocsLink(link.label, _route(link.to.strip()), link.badge) for link in links)
    return tuple(link for link in cleaned if link.to not in ("", "#"))


def _route(to: str) -> str:
    if to.startswith(URL_SCHEMES):
        return to
    if _SCHEME.match(to):
        return ""
    path, mark, rest = to.strip().partition("#" if "#" in to else "?")
    path = path.removeprefix("./").strip("/").removesuffix(".md")
    return f"{path}{mark}{rest}"
