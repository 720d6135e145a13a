"""What an import found: the facts of the new site, and what could not be taken over."""

from __future__ import annotations

import colorsys
import posixpath
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from kinfolk.cli.import_site.facts.imported_library import ImportedLibrary
from kinfolk.cli.new.new_site import HUES
from kinfolk.config.data_files import is_site_path, is_url
from kinfolk.config.site_folder import DEFAULTS
from kinfolk.content.markdown.literals.config_values import ConfigTable, ConfigValue

LONGEST_LABEL = 120
MOST_LINKS = 48
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
    group: str = ""


@dataclass(frozen=True)
class AnnouncementFacts:
    """`href` is a path of the new site or an https address; empty for a text without a link."""

    text: str
    href: str = ""


@dataclass
class ImportedSite:
    """Filled by the reader of a program. Paths of files begin at the project."""

    program: str
    """Title of the program."""
    config_file: str
    name: str = ""
    description: str = ""
    repo: str = ""
    branch: str = ""
    color: str = ""
    logo: str = ""
    favicon: str = ""
    footer_note: str = ""
    announcement: AnnouncementFacts | None = None
    social: list[SiteLinkFacts] = field(default_factory=list)
    menu: list[SiteLinkFacts] = field(default_factory=list)
    footer: list[SiteLinkFacts] = field(default_factory=list)
    libraries: list[ImportedLibrary] = field(default_factory=list)
    redirects: dict[str, str] = field(default_factory=dict)
    """Old addresses, in the syntax of `redirects.toml`, and paths of this site or URLs."""
    texts: dict[str, str] = field(default_factory=dict)
    """Posts and pages of the new site by their path in its folder."""
    pictures: dict[str, bytes] = field(default_factory=dict)
    """Files of `public/` by their path in the new folder."""
    taken: list[str] = field(default_factory=list)
    left: list[LeftOut] = field(default_factory=list)

    @property
    def library(self) -> ImportedLibrary:
        """The first library, which the menus of the old site mean."""
        return self.libraries[0]

    @property
    def posts(self) -> int:
        return sum(path.startswith("blog/") for path in self.texts)

    @property
    def pages(self) -> int:
        """Pages beside the docs."""
        return sum(path.startswith("pages/") for path in self.texts)

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

    def add_redirect(self, path: str, new: str) -> bool:
        """Whether there is room for another redirect of an old address. The first one of an address stays."""
        if len(self.redirects) >= MOST_REDIRECTS:
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
