"""Commands that install packages."""

from __future__ import annotations

import pytest

from kinfolk.cli.new.facts.install_commands import InstallCommand, install_commands


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("npm install widgets", InstallCommand("npm", ("widgets",))),
        ("$ npm i -D @acme/widgets@latest react", InstallCommand("npm", ("@acme/widgets", "react"), is_dev=True)),
        ("yarn add widgets # or pnpm", InstallCommand("npm", ("widgets",))),
        ("npm i widgets && npx widgets init", InstallCommand("npm", ("widgets",))),
        ('pip install "widgets[all]>=2"', InstallCommand("pypi", ("widgets[all]",))),
        ("python -m pip install -U widgets", InstallCommand("pypi", ("widgets",))),
        ("cargo add widgets", InstallCommand("crates", ("widgets",))),
        ("go get example.org/acme/widgets@latest", InstallCommand("go", ("example.org/acme/widgets",))),
        ("npm install", None),
        ("npm run build", None),
        ("npm install $(curl evil)", None),
        ("rm -rf /", None),
    ],
)
def test_line_names_packages(line: str, command: InstallCommand | None) -> None:
    assert list(install_commands(line)) == ([command] if command else [])


def test_each_line_of_a_block_is_read() -> None:
    assert [one.packages for one in install_commands("npm i a\n\n# or\nyarn add b\n")] == [("a",), ("b",)]
