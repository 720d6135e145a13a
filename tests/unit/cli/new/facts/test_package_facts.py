"""The package of a repository."""

from __future__ import annotations

import json

import pytest
from tests.unit.cli.new.facts.memory_tree import project

from kinfolk.cli.new.facts.install_commands import InstallCommand
from kinfolk.cli.new.facts.package_facts import PackageFacts, find_package


def package(files: dict[str, str | bytes], *commands: InstallCommand, repo: str = "widgets") -> PackageFacts | None:
    return find_package(project(files), repo, commands)


def manifest(name: str, **facts: object) -> str:
    return json.dumps({"name": name, **facts})


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"package.json": manifest("widgets")}, ("npm", "widgets")),
        ({"package.json": manifest("@acme/widgets")}, ("npm", "@acme/widgets")),
        ({"package.json": manifest("widgets", private=True, exports={})}, ("npm", "widgets")),
        ({"package.json": manifest("widgets", private=True)}, None),
        ({"package.json": manifest("widgets-root", private=True, main="x")}, None),
        ({"package.json": manifest("other")}, None),
        (
            {
                "package.json": manifest("root", private=True),
                "packages/core/package.json": manifest("@acme/widgets"),
                "packages/docs/package.json": manifest("widgets", private=True),
                "packages/x/package.json": manifest("@acme/x"),
            },
            ("npm", "@acme/widgets"),
        ),
        ({"packages/core/package.json": manifest("@widgets/core")}, ("npm", "@widgets/core")),
        ({"packages/a/package.json": manifest("@widgets/client")}, None),
        ({"packages/core/package.json": manifest("@widgets/widgets")}, ("npm", "@widgets/widgets")),
        ({"packages/core/package.json": manifest("widgets-core")}, ("npm", "widgets-core")),
        ({"pyproject.toml": '[project]\nname = "Widgets"\n'}, ("pypi", "Widgets")),
        ({"pyproject.toml": '[tool.poetry]\nname = "widgets"\n'}, ("pypi", "widgets")),
        ({"Cargo.toml": '[package]\nname = "widgets"\n'}, ("crates", "widgets")),
        ({"crates/widgets/Cargo.toml": '[package]\nname = "widgets"\n'}, ("crates", "widgets")),
        ({"go.mod": "module example.org/acme/widgets/v2\n"}, ("go", "example.org/acme/widgets/v2")),
        ({"composer.json": manifest("acme/widgets")}, ("packagist", "acme/widgets")),
        ({"package.json": "{"}, None),
        ({"package.json": "[" * 200_000}, None),
        ({"package.json": manifest("widgets\n[[evil]]")}, None),
        ({"package.json": b"\xff\xfe"}, None),
        ({"package.json": json.dumps({"name": ["widgets"], "description": 3})}, None),
        ({"pyproject.toml": "x = "}, None),
        ({}, None),
    ],
)
def test_package_is_the_one_whose_name_fits(files: dict[str, str | bytes], expected: tuple[str, str] | None) -> None:
    found = package(files)
    assert (found and (found.registry, found.name)) == expected


def test_package_that_the_readme_installs_is_preferred() -> None:
    files: dict[str, str | bytes] = {
        "package.json": manifest("widgets"),
        "pyproject.toml": '[project]\nname = "widgets"\ndescription = "For Python"\n',
        "packages/client/package.json": manifest("@widgets/client", description="A client"),
    }
    python = package(files, InstallCommand("pypi", ("widgets",)))
    assert python == PackageFacts("pypi", "widgets", "For Python", "pyproject.toml", 0)
    client = package(files, InstallCommand("npm", ("@widgets/client",), is_dev=True))
    assert client is not None
    assert (client.name, client.description, client.is_dev) == ("@widgets/client", "A client", True)
    assert package({}, InstallCommand("npm", ("left-pad",))) is None


def test_description_is_one_printable_line() -> None:
    found = package({"package.json": manifest("widgets", description="🐻 Bear\u202e \n necessities")})
    assert found is not None
    assert found.description == "Bear necessities"
