"""Which file of an example a reader sees first (spec section 5).

Paths are relative to the example: `src/main.tsx`, never `examples/react/basic/src/main.tsx`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

IGNORED = frozenset({"public", ".vscode", "tests", "spec", "assets"})
"""Folders in which nothing begins, at any depth."""
NAMES = ("__root", "App", "main", "index", "page", "action")
EXTENSIONS = ("tsx", "ts", "js", "jsx")
NEWER = ("+page.svelte", "+page.marko", "app.ts", "main.tsrx", "App.tsrx", "application.gts")
"""What examples of newer frameworks begin with, tried when none of the usual names is there."""
SOURCES = ("src", "routes", "app", "pages")
LOOKS = frozenset("css scss sass less svg png jpg jpeg gif webp avif ico woff woff2 lock lockb".split())
"""Endings of files that say nothing about what the example does."""
LOCKS = frozenset({"package-lock.json", "pnpm-lock.yaml", "npm-shrinkwrap.json"})

ROOT = "src"
"""Where examples have their code; those of Angular one folder further down."""


def main_file(framework: str, entry: str) -> str:
    """Where an example of the framework usually begins.

    `entry` is what the library's own examples begin with: a name such as `index`, or a whole path.
    """
    if "/" in entry:
        return entry
    match framework:
        case "angular":
            return f"{ROOT}/app/app.component.ts"
        case "svelte" | "vue":
            return f"{ROOT}/App.{framework}"
        case "lit":
            return f"{ROOT}/{entry}.ts"
    return f"{ROOT}/{entry}.tsx"


def first_file(files: Sequence[str], main: str) -> str | None:
    """The file to open of these, which are in the order of the tree; `main` is where it should be. None of none.

    Where several files have the wanted name, the one nearest to the example's root is meant.
    """
    open_to = [path for path in files if IGNORED.isdisjoint(path.split("/")[:-1])]
    if main in open_to:
        return main
    usual = (f"{name}.{extension}" for name in NAMES for extension in EXTENSIONS)
    by_name: dict[str, str] = {}
    for path in sorted(open_to, key=lambda path: path.count("/")):
        by_name.setdefault(path.rpartition("/")[2], path)
    for name in (main.rpartition("/")[2], *usual, *NEWER, "README.md"):
        if name in by_name:
            return by_name[name]
    below = [path for folder in SOURCES for path in open_to if path.startswith(f"{folder}/")]
    return next(_telling(below), None) or next(_telling(open_to), None) or next(iter([*open_to, *files]), None)


def _telling(files: Iterable[str]) -> Iterator[str]:
    return (path for path in files if not _is_for_looks(path.rpartition("/")[2]))


def _is_for_looks(name: str) -> bool:
    return name in LOCKS or name.rpartition(".")[2].lower() in LOOKS
