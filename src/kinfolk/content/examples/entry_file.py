"""Finds the file of an example that opens first (spec section 5).

Paths are relative to the example: `src/main.tsx`, never `examples/react/basic/src/main.tsx`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

IGNORED = frozenset({"public", ".vscode", "tests", "spec", "assets"})
"""Folders without entry files, at any depth."""
NAMES = ("__root", "App", "main", "index", "page", "action")
EXTENSIONS = ("tsx", "ts", "js", "jsx")
NEWER_NAMES = ("+page.svelte", "+page.marko", "app.ts", "main.tsrx", "App.tsrx", "application.gts")
"""Entry files of newer frameworks, tried after the usual names."""
SOURCES = ("src", "routes", "app", "pages")
STYLES = frozenset("css scss sass less svg png jpg jpeg gif webp avif ico woff woff2 lock lockb".split())
"""Extensions of files that do not show what the example does."""
LOCK_FILES = frozenset({"package-lock.json", "pnpm-lock.yaml", "npm-shrinkwrap.json"})

ROOT = "src"
"""The folder of the code; in Angular examples, `app` in it."""


def expected_entry_file(framework: str, entry: str) -> str:
    """The usual entry file of an example of the framework.

    `entry` is the entry file of the library's examples: a name such as `index`, or a whole path.
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


def find_entry_file(files: Sequence[str], main: str) -> str | None:
    """The file to open. `files` are in the order of the tree; `main` is the expected file. None without files.

    Of several files with one name, the one nearest to the example's root opens.
    """
    open_to = [path for path in files if IGNORED.isdisjoint(path.split("/")[:-1])]
    if main in open_to:
        return main
    usual = (f"{name}.{extension}" for name in NAMES for extension in EXTENSIONS)
    by_name: dict[str, str] = {}
    for path in sorted(open_to, key=lambda path: path.count("/")):
        by_name.setdefault(path.rpartition("/")[2], path)
    for name in (main.rpartition("/")[2], *usual, *NEWER_NAMES, "README.md"):
        if name in by_name:
            return by_name[name]
    below = [path for folder in SOURCES for path in open_to if path.startswith(f"{folder}/")]
    return next(_informative(below), None) or next(_informative(open_to), None) or next(iter([*open_to, *files]), None)


def _informative(files: Iterable[str]) -> Iterator[str]:
    return (path for path in files if not _is_style_or_lock(path.rpartition("/")[2]))


def _is_style_or_lock(name: str) -> bool:
    return name in LOCK_FILES or name.rpartition(".")[2].lower() in STYLES
