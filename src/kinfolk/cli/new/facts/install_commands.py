"""Lines of a shell that install packages -> the packages and their registry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kinfolk.config.package_registries import RegistryName, is_package

_LONGEST = 300
"""Characters of a line that is read."""
_MOST_WORDS = 24
_COMMANDS: tuple[tuple[re.Pattern[str], RegistryName], ...] = (
    (re.compile(r"(?:npm (?:install|i|add)|pnpm (?:add|install|i)|yarn add|bun (?:add|install|i)) (.+)"), "npm"),
    (re.compile(r"(?:(?:python3? -m )?pip3? install|uv (?:pip install|add)|poetry add|pipx install) (.+)"), "pypi"),
    (re.compile(r"cargo (?:add|install) (.+)"), "crates"),
    (re.compile(r"go get (.+)"), "go"),
    (re.compile(r"gem install (.+)"), "rubygems"),
    (re.compile(r"composer require (.+)"), "packagist"),
)
_DEV = frozenset(("-D", "-d", "--save-dev", "--dev", "-DE"))
_ENDS = frozenset(("&&", "||", ";", "|", "#", "or"))
_VERSION = re.compile(r"(?<=[A-Za-z0-9\]])(?:@[a-z0-9^~][\w.^~-]*|[=<>~!]=.*)$")


@dataclass(frozen=True)
class InstallCommand:
    registry: RegistryName
    packages: tuple[str, ...]
    is_dev: bool = False


def install_commands(text: str) -> Iterator[InstallCommand]:
    """The commands of a code block, a line each; prompts are left out."""
    for line in text.splitlines():
        words = " ".join(line[:_LONGEST].split()).removeprefix("$ ").removeprefix("> ").removeprefix("% ")
        for pattern, registry in _COMMANDS:
            found = pattern.match(words)
            command = _command(registry, found[1]) if found else None
            if command is not None:
                yield command
                break


def _command(registry: RegistryName, rest: str) -> InstallCommand | None:
    packages, is_dev = [], False
    for word in rest.split()[:_MOST_WORDS]:
        if word in _ENDS:
            break
        is_dev = is_dev or word in _DEV
        name = _VERSION.sub("", word.strip("\"'`"))
        if not word.startswith("-") and is_package(registry, name):
            packages.append(name)
    return InstallCommand(registry, tuple(packages), is_dev) if packages else None
