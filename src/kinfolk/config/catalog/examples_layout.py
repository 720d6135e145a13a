"""Where the examples of a repository are: a folder for each, which the path of its framework may precede."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from kinfolk.config.data_files import is_repo_path

NO_EXAMPLES = "none"
BY_FRAMEWORK = "examples/{framework}/{name}"
BY_NAME = "examples/{name}"
VANILLA = "vanilla"
"""The framework in the addresses of examples of no framework."""
MANIFESTS = frozenset(("Cargo.toml", "deno.json", "go.mod", "package.json", "pyproject.toml"))
"""Files at the top of an example that is a project of its own."""

_HOLES = re.compile(r"(/\{framework\})?/\{name\}")


def is_examples_pattern(text: str) -> bool:
    """Whether a text is `none`, or a folder and then `{name}`, perhaps with `{framework}` above it."""
    folder = _HOLES.sub("", text)
    return text == NO_EXAMPLES or (
        text.startswith(f"{folder}/") and text.endswith("{name}") and "{" not in folder and is_repo_path(folder)
    )


@dataclass(frozen=True)
class ExamplesLayout:
    """The folders of examples by a pattern. `framework` is that of examples whose folder names none."""

    pattern: str = BY_FRAMEWORK
    framework: str = VANILLA

    @cached_property
    def root(self) -> str | None:
        """The folder above all examples; None for a repository without any."""
        return None if self.pattern == NO_EXAMPLES else _HOLES.sub("", self.pattern)

    def has(self, path: str) -> bool:
        """Whether a path is the folder above all examples, or below it."""
        return self.root is not None and f"{path}/".startswith(f"{self.root}/")

    def folder(self, framework: str, name: str) -> str | None:
        """The folder of an example."""
        if self.root is None:
            return None
        return self.pattern.replace("{framework}", framework).replace("{name}", name)

    def split(self, path: str) -> tuple[str, str, str] | None:
        """The framework and the name of the example that has a path, and the path within it; None for other paths."""
        if self.root is None or not path.startswith(f"{self.root}/"):
            return None
        rest = path[len(self.root) + 1 :]
        framework = self.framework
        if "{framework}" in self.pattern:
            framework, _, rest = rest.partition("/")
        name, _, inside = rest.partition("/")
        return (framework, name, inside) if name else None


@dataclass(frozen=True)
class ExamplesRule:
    """What the libraries of a branch say about their examples. Without a pattern, their files decide."""

    pattern: str | None = BY_FRAMEWORK
    framework: str = VANILLA
    known_frameworks: Collection[str] = field(default_factory=frozenset)

    def layout(self, files: Iterable[str]) -> ExamplesLayout:
        """The layout of a branch with these files."""
        return ExamplesLayout(self.pattern or self._found(files), self.framework)

    def _found(self, files: Iterable[str]) -> str:
        """By framework if one of them has a folder, by name if a folder is a project; else there are no examples."""
        parts = [path.split("/", 3) for path in files if path.startswith("examples/")]
        folders = [part for part in parts if len(part) > 2]  # noqa: PLR2004
        if any(part[1] in self.known_frameworks for part in folders) or not folders:
            return BY_FRAMEWORK
        is_project = any(part[2] in MANIFESTS for part in folders)
        return BY_NAME if is_project else NO_EXAMPLES
