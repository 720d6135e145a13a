"""Install commands of each registry, in directives and on landing pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.sites.acme_site import write_acme_site

from kinfolk.config.catalog import catalog_errors
from kinfolk.config.package_registries import REGISTRIES, RegistryName, commands, is_package, split_version
from kinfolk.config.settings import ROOT
from kinfolk.content.markdown.front_matter import FrontMatter
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import ComposedMarkdown


def written(registry: RegistryName, *packages: str, dev: bool = False) -> list[str]:
    return [text for _, text in commands(registry, packages, dev=dev)]


XML = (
    "<dependency>\n  <groupId>org.acme</groupId>\n  <artifactId>tiles</artifactId>\n"
    "  <version>2.0</version>\n</dependency>"
)
COMMANDS: list[tuple[RegistryName, str, list[str]]] = [
    ("npm", "tiles", ["npm i tiles", "pnpm add tiles", "yarn add tiles", "bun add tiles"]),
    ("jsr", "@acme/tiles", [
        "deno add jsr:@acme/tiles", "npx jsr add @acme/tiles", "pnpm add jsr:@acme/tiles", "yarn add jsr:@acme/tiles",
        "bunx jsr add @acme/tiles",
    ]),
    ("pypi", "acme-tiles", ["pip install acme-tiles", "uv add acme-tiles", "poetry add acme-tiles"]),
    ("pypi", "acme-tiles@2", [
        "pip install 'acme-tiles==2.*'", "uv add 'acme-tiles==2.*'", "poetry add acme-tiles@^2",
    ]),
    ("crates", "acme-tiles@2", ["cargo add acme-tiles@2"]),
    ("go", "example.org/acme/tiles", ["go get example.org/acme/tiles"]),
    ("go", "example.org/acme/tiles@2.1", ["go get example.org/acme/tiles@v2.1"]),
    ("rubygems", "acme-tiles@2", ["bundle add acme-tiles --version '~> 2'", "gem install acme-tiles:2"]),
    ("packagist", "acme/tiles@2", ["composer require acme/tiles:^2"]),
    ("nuget", "Acme.Tiles@2", ["dotnet add package Acme.Tiles --version 2.*"]),
    ("hex", "acme_tiles@2.0", ['{:acme_tiles, "~> 2.0"}']),
    ("pub", "acme_tiles", ["dart pub add acme_tiles", "flutter pub add acme_tiles"]),
    ("maven", "org.acme:tiles@2.0", [
        'implementation("org.acme:tiles:2.0")',
        XML,
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("registry", "package", "expected"), COMMANDS)
def test_commands(registry: RegistryName, package: str, expected: list[str]) -> None:
    assert written(registry, package) == expected


def test_several_packages_are_one_command_where_the_manager_allows_it() -> None:
    assert written("pypi", "a", "b")[0] == "pip install a b"
    assert written("nuget", "A", "B") == ["dotnet add package A\ndotnet add package B"]


def test_development_dependencies() -> None:
    assert written("pypi", "a", dev=True)[1:] == ["uv add --dev a", "poetry add --group dev a"]
    assert "<scope>test</scope>" in written("maven", "g:a", dev=True)[1]


@pytest.mark.parametrize("registry", REGISTRIES)
def test_examples_are_packages(registry: RegistryName) -> None:
    example = REGISTRIES[registry].example
    assert is_package(registry, example)
    assert is_package(registry, f"{example}@2.1")
    assert not is_package(registry, "a; rm -rf /")
    assert split_version(f"{example}@2.1") == (example, "2.1")


def html_of(directive: str) -> str:
    class NoLinks:
        def link(self, href: str) -> tuple[str, bool]:
            return href, False

        def image(self, src: str) -> str:
            return src

    return render(ComposedMarkdown(directive, FrontMatter()), resolve=NoLinks()).html()


def directive(line: str, attributes: str) -> str:
    return f'<!-- ::start:tabs variant="package-manager" {attributes} -->\n\n{line}\n\n<!-- ::end:tabs -->\n'


def test_directive_has_a_tab_for_each_manager_of_the_registry() -> None:
    html = html_of(directive("all: acme-tiles", 'registry="pypi"'))
    assert re.findall(r"<label[^>]*>([^<]+)</label>", html) == ["pip", "uv", "poetry"]
    assert "uv add acme-tiles" in html


def test_single_manager_is_a_code_block_without_tabs() -> None:
    html = html_of(directive("all: acme-tiles", 'registry="crates"'))
    assert "cargo add acme-tiles" in html
    assert 'data-tabs="' not in html


def test_unknown_registry_is_npm() -> None:
    assert "pnpm add acme-tiles" in html_of(directive("all: acme-tiles", 'registry="nope"'))


@pytest.mark.parametrize("line", ["all: plain", "all: a:b:c:d", "all: {x}"])
def test_invalid_names_in_directives_do_not_fail(line: str) -> None:
    assert "maven" in html_of(directive(line, 'registry="maven"'))


def test_package_that_the_registry_cannot_have_is_an_error(tmp_path: Path) -> None:
    site = write_acme_site(tmp_path, tiles='packages = [{ name = "@acme/tiles", registry = "pypi" }]\n')
    faults = [(fault.file, fault.key, fault.reason) for fault in catalog_errors(site)]
    assert faults == [
        ("libraries/tiles.toml", "packages[0].name", "should look like acme-tiles, as packages of PyPI do")
    ]


def test_packages_of_two_registries_need_no_frameworks(tmp_path: Path) -> None:
    packages = '[{ name = "acme-tiles", registry = "pypi" }, { name = "acme_tiles", registry = "crates" }]'
    assert catalog_errors(write_acme_site(tmp_path, tiles=f"packages = {packages}\n")) == []


def test_writing_guide_lists_all_registries_and_their_managers() -> None:
    guide = (ROOT / "docs/writing.md").read_text()
    table = guide.partition("| `registry` |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([a-z, ]+) \|$", table, re.MULTILINE)
    assert rows == [
        (name, ", ".join(manager.label for manager in REGISTRIES[name].managers))
        for name in ("npm", "jsr", "pypi", "crates", "go", "rubygems", "packagist", "nuget", "maven", "hex", "pub")
    ]
