"""What an import found: the facts of the new site, and what could not be taken over."""

from __future__ import annotations

import colorsys
import posixpath
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from kinfolk.cli.new.new_site import HUES
from kinfolk.config.data_files import is_site_path, is_url
from kinfolk.config.site_folder import DEFAULTS
from kinfolk.content.markdown.literals.config_values import ConfigTable, ConfigValue

Program = Literal["vitepress", "docusaurus", "mkdocs"]

LONGEST_LABEL = 120
MOST_LINKS = 24
MOST_SECTIONS, MOST_PAGES = 200, 5_000
MOST_REDIRECTS = 5_000
NOTHING_LIKE_IT = "this site has nothing like it, or it is code"
SOCIAL_ICONS: Mapping[str, str] = {
    "github": "GitHub",
    "gitlab": "GitLab",
    "codeberg": "Codeberg",
    "discord": "Discord",
    "x": "X",
    "bluesky": "Bluesky",
    "mastodon": "Mastodon",
    "youtube": "YouTube",
    "instagram": "Instagram",
    "facebook": "Facebook",
    "threads": "Threads",
    "reddit": "Reddit",
    "telegram": "Telegram",
    "twitch": "Twitch",
    "matrix": "Matrix",
    "gitter": "Gitter",
    "stackoverflow": "Stack Overflow",
    "opencollective": "Open Collective",
    "medium": "Medium",
    "npm": "npm",
    "pypi": "PyPI",
    "docker": "Docker",
}
"""Slugs of brand icons and the labels of links with them."""
SOCIAL_HOSTS: Mapping[str, str] = {
    "twitter.com": "x",
    "bsky.app": "bluesky",
    "discord.gg": "discord",
    "t.me": "telegram",
    "codeberg.org": "codeberg",
    "hub.docker.com": "docker",
}

_HEX = re.compile(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")
_GRAY_SATURATION = 0.15
_OLD_PATH = re.compile(r"(/(?!\.{1,2}(/|$))[\w.~@+-]+)+", re.ASCII)


@dataclass(frozen=True)
class LeftOut:
    """Something of the project that the new site does not have, and where it is."""

    what: str
    reason: str
    file: str = ""
    line: int = 0

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.file and self.line else self.file


@dataclass(frozen=True)
class SiteLinkFacts:
    label: str
    to: str
    icon: str = ""


@dataclass
class ImportedSite:
    """Filled by the reader of a program. Paths of pages begin at the docs root, those of files at the project."""

    program: Program
    config_file: str
    id: str = ""
    name: str = ""
    description: str = ""
    repo: str = ""
    branch: str = ""
    docs_root: str = ""
    default_page: str = ""
    color: str = ""
    logo: str = ""
    favicon: str = ""
    base: str = ""
    """Path below which the old site had its docs, without a slash at the end."""
    social: list[SiteLinkFacts] = field(default_factory=list)
    menu: list[SiteLinkFacts] = field(default_factory=list)
    footer: list[SiteLinkFacts] = field(default_factory=list)
    docs_menu: list[tuple[str, list[str]]] = field(default_factory=list)
    redirects: dict[str, str] = field(default_factory=dict)
    """Old addresses, and paths of this site or URLs."""
    versions: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    left: list[LeftOut] = field(default_factory=list)

    def leave(self, what: str, reason: str, value: ConfigValue | None = None, file: str | None = None) -> None:
        """List something that is not taken over; by default, it is in the configuration."""
        self.left.append(LeftOut(what, reason, self.config_file if file is None else file, value.line if value else 0))

    def leave_others(
        self, table: ConfigTable, known: frozenset[str], reasons: Mapping[str, str], prefix: str = ""
    ) -> None:
        """List the keys of a table that the import does not know."""
        for key, value in table.entries.items():
            if key not in known:
                self.leave(f"{prefix}{key}", reasons.get(key, NOTHING_LIKE_IT), value)

    def add_redirect(self, old: str, new: str) -> bool:
        """Whether the old address is a plain path, so that it can be redirected."""
        path = "/" + old.strip("/")
        if not is_old_path(path) or len(self.redirects) >= MOST_REDIRECTS:
            return False
        self.redirects.setdefault(path, new)
        return True

    def add_social(self, link: str, icon: str = "") -> bool:
        """Whether the link leads to a network whose icon the site has."""
        icon = icon.lower().replace("twitter", "x")
        icon = icon if icon in SOCIAL_ICONS else social_icon(link)
        if not icon or not is_url(link):
            return False
        if all(one.icon != icon for one in self.social):
            self.social.append(SiteLinkFacts(SOCIAL_ICONS[icon], link, icon))
        return True


def is_old_path(path: str) -> bool:
    """Whether an address of the old site is a plain path, so that a rule can name it."""
    return _OLD_PATH.fullmatch(path) is not None


def social_icon(link: str) -> str:
    """The icon of the network that a link leads to."""
    host = urlsplit(link).hostname or "" if is_url(link) else ""
    host = host.removeprefix("www.")
    return SOCIAL_HOSTS.get(host) or next((icon for icon in SOCIAL_ICONS if host == f"{icon}.com"), "")


def short_label(text: str) -> str:
    return text[:LONGEST_LABEL].strip()


def page_path(written: str) -> str:
    """`/guide/features.html#top` -> `guide/features`, `/guide/` -> `guide`."""
    path = written.split("#", maxsplit=1)[0].split("?", maxsplit=1)[0].strip("/")
    for ending in (".html", ".mdx", ".md"):
        path = path.removesuffix(ending)
    path = posixpath.normpath(path) if path else ""
    path = posixpath.dirname(path) if posixpath.basename(path) == "index" else path
    return path if is_site_path(f"/{path}") and not path.startswith("..") else ""


def hue_of_color(color: str) -> str:
    """The hue of the palette that is nearest to a color such as `#14b8a6`; empty for other texts."""
    found = _HEX.fullmatch(color.strip())
    if found is None:
        return ""
    hue, _, saturation = colorsys.rgb_to_hls(*_channels(found[1]))
    if saturation < _GRAY_SATURATION:
        return "gray"
    palette = tomllib.loads((DEFAULTS / "colors.toml").read_text(encoding="utf-8"))["colors"]
    hues = {name: colorsys.rgb_to_hls(*_channels(palette[f"{name}-500"][1:]))[0] for name in HUES if name != "gray"}
    return min(hues, key=lambda name: min(abs(hues[name] - hue), 1 - abs(hues[name] - hue)))


def _channels(digits: str) -> tuple[float, float, float]:
    digits = digits if len(digits) == 6 else "".join(c * 2 for c in digits)  # noqa: PLR2004 two digits a channel
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue
