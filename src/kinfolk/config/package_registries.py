"""Package registries: the names of their packages, and the commands of the package managers that install them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

RegistryName = Literal[
    "npm", "jsr", "pypi", "crates", "go", "rubygems", "packagist", "nuget", "maven", "hex", "pub"
]  # fmt: skip


NPM: RegistryName = "npm"


@dataclass(frozen=True)
class PackageManager:
    """A package manager.

    `install` and `dev` are templates of the command for a package, where `{package}` stands for `name`, or for
    `versioned` if a version is wanted. With `together`, one command installs several packages.
    """

    label: str
    install: str
    dev: str
    versioned: str = "{name}@{version}"
    language: str = "bash"
    together: bool = True


@dataclass(frozen=True)
class PackageRegistry:
    """`pattern` matches the names of packages, `example` is one of them."""

    label: str
    example: str
    pattern: str
    managers: tuple[PackageManager, ...]


_XML = (
    "<dependency>\n  <groupId>{group}</groupId>\n  <artifactId>{artifact}</artifactId>\n"
    "{version_tag}{scope}</dependency>"
)
_SCOPED = r"(@[a-z0-9-]+/)?[a-z0-9][a-z0-9._-]*"

REGISTRIES: dict[RegistryName, PackageRegistry] = {
    "npm": PackageRegistry(
        "npm",
        "@acme/tiles",
        _SCOPED,
        (
            PackageManager("npm", "npm i {package}", "npm i -D {package}"),
            PackageManager("pnpm", "pnpm add {package}", "pnpm add -D {package}"),
            PackageManager("yarn", "yarn add {package}", "yarn add -D {package}"),
            PackageManager("bun", "bun add {package}", "bun add -d {package}"),
        ),
    ),
    "jsr": PackageRegistry(
        "JSR",
        "@acme/tiles",
        r"@[a-z0-9-]+/[a-z0-9-]+",
        (
            PackageManager("deno", "deno add jsr:{package}", "deno add --dev jsr:{package}", together=False),
            PackageManager("npm", "npx jsr add {package}", "npx jsr add -D {package}"),
            PackageManager("pnpm", "pnpm add jsr:{package}", "pnpm add -D jsr:{package}", together=False),
            PackageManager("yarn", "yarn add jsr:{package}", "yarn add -D jsr:{package}", together=False),
            PackageManager("bun", "bunx jsr add {package}", "bunx jsr add -D {package}"),
        ),
    ),
    "pypi": PackageRegistry(
        "PyPI",
        "acme-tiles",
        r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[a-z0-9,_-]+\])?",
        (
            PackageManager("pip", "pip install {package}", "pip install {package}", "'{name}=={version}.*'"),
            PackageManager("uv", "uv add {package}", "uv add --dev {package}", "'{name}=={version}.*'"),
            PackageManager("poetry", "poetry add {package}", "poetry add --group dev {package}", "{name}@^{version}"),
        ),
    ),
    "crates": PackageRegistry(
        "Cargo",
        "acme-tiles",
        r"[A-Za-z][A-Za-z0-9_-]*",
        (PackageManager("cargo", "cargo add {package}", "cargo add --dev {package}"),),
    ),
    "go": PackageRegistry(
        "Go",
        "example.org/acme/tiles",
        r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/[A-Za-z0-9._~-]+)*",
        (PackageManager("go", "go get {package}", "go get -tool {package}", "{name}@v{version}"),),
    ),
    "rubygems": PackageRegistry(
        "RubyGems",
        "acme-tiles",
        r"[A-Za-z0-9][A-Za-z0-9._-]*",
        (
            PackageManager(
                "bundler",
                "bundle add {package}",
                "bundle add --group development {package}",
                "{name} --version '~> {version}'",
                together=False,
            ),
            PackageManager("gem", "gem install {package}", "gem install {package}", "{name}:{version}"),
        ),
    ),
    "packagist": PackageRegistry(
        "Packagist",
        "acme/tiles",
        r"[a-z0-9]+(?:[_.-][a-z0-9]+)*/[a-z0-9]+(?:[_.-]{1,2}[a-z0-9]+)*",
        (
            PackageManager(
                "composer", "composer require {package}", "composer require --dev {package}", "{name}:^{version}"
            ),
        ),
    ),
    "nuget": PackageRegistry(
        "NuGet",
        "Acme.Tiles",
        r"[A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*",
        (
            PackageManager(
                "dotnet",
                "dotnet add package {package}",
                "dotnet add package {package}",
                "{name} --version {version}.*",
                together=False,
            ),
        ),
    ),
    "maven": PackageRegistry(
        "Maven Central",
        "org.acme:tiles",
        r"[A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+",
        (
            PackageManager(
                "gradle",
                'implementation("{package}")',
                'testImplementation("{package}")',
                "{name}:{version}",
                language="kotlin",
                together=False,
            ),
            PackageManager("maven", _XML, _XML, "{name}:{version}", language="xml", together=False),
        ),
    ),
    "hex": PackageRegistry(
        "Hex",
        "acme_tiles",
        r"[a-z][a-z0-9_]*",
        (
            PackageManager(
                "mix",
                "{{:{package}}}",
                "{{:{package}, only: :dev}}",
                '{name}, "~> {version}"',
                language="elixir",
                together=False,
            ),
        ),
    ),
    "pub": PackageRegistry(
        "Pub",
        "acme_tiles",
        r"[a-z_][a-z0-9_]*",
        (
            PackageManager("dart", "dart pub add {package}", "dart pub add dev:{package}", "{name}:^{version}"),
            PackageManager(
                "flutter", "flutter pub add {package}", "flutter pub add dev:{package}", "{name}:^{version}"
            ),
        ),
    ),
}
_VERSION = r"(?:@([0-9][0-9A-Za-z.+-]*))?"


def is_package(registry: RegistryName, text: str) -> bool:
    """Whether the text is the name of a package, with or without `@` and a version."""
    return re.fullmatch(f"(?:{REGISTRIES[registry].pattern}){_VERSION}", text, re.ASCII) is not None


def is_any_package(text: str) -> bool:
    """Whether the text is the name of a package in any registry."""
    return any(is_package(registry, text) for registry in REGISTRIES)


def split_version(package: str) -> tuple[str, str]:
    """`@acme/tiles@4` -> (`@acme/tiles`, `4`). Without a version, the second part is empty."""
    name, _, version = package[1:].partition("@")
    return package[:1] + name, version


def commands(registry: RegistryName, packages: Sequence[str], *, dev: bool) -> Iterator[tuple[PackageManager, str]]:
    """The text of each package manager that installs the packages, names with or without a version."""
    for manager in REGISTRIES[registry].managers:
        written = [_written(manager, package) for package in packages]
        if manager.together:
            written = [" ".join(written)]
        template = manager.dev if dev else manager.install
        yield manager, "\n".join(_filled(template, package, dev=dev) for package in written)


def _written(manager: PackageManager, package: str) -> str:
    name, version = split_version(package)
    return manager.versioned.format(name=name, version=version) if version else name


def _filled(template: str, package: str, *, dev: bool) -> str:
    if template is not _XML:
        return template.format(package=package)
    group, _, rest = package.partition(":")
    artifact, _, version = rest.partition(":")
    tag = f"  <version>{version}</version>\n" if version else ""
    return template.format(
        group=group, artifact=artifact, version_tag=tag, scope="  <scope>test</scope>\n" if dev else ""
    )
