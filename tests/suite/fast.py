"""Runs the tests of what a change touches: `python -m tests.suite.fast [BASE]`, BASE being the commit to compare with.

A changed module selects the unit and http tests that import it and the unit tests of its folder; a changed test itself;
a changed file of the frontend selects the tests that import it; a changed page the tests of the documentation. Tests
with processes and browsers are left to `make test`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
FOLDERS = ("tests/unit", "tests/http")
DOCUMENTATION = (
    "tests/project/test_document_links.py",
    "tests/project/test_documentation.py",
    "tests/project/test_language.py",
)
_IMPORT = re.compile(r"^(?:from|import) (kinfolk[\w.]*)(?: import ([\w, ]+))?", re.MULTILINE)


def main() -> int:
    base = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    changed = changed_files(base)
    tests = selected_tests(changed, imports_of_tests())
    frontend = [path.removeprefix("frontend/") for path in changed if path.startswith("frontend/src/")]
    print(f"{len(changed)} files differ from {base}: {len(tests)} test files, {len(frontend)} files of the frontend")
    commands = [([sys.executable, "-m", "ruff", "check", "--quiet"], ROOT)]
    if frontend:
        npx = str(Path(sys.executable).with_name("npx"))
        commands.append(([npx, "vitest", "related", "--run", *frontend], ROOT / "frontend"))
    if tests:
        commands.append(([sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "loadfile", *tests], ROOT))
    # Not `any`: each command runs, whatever the one before found.
    return max([subprocess.run(command, cwd=folder, check=False).returncode for command, folder in commands])


def changed_files(base: str) -> list[str]:
    """Files that differ from a commit, and files that git does not track."""
    commands = ["git", "diff", "--name-only", base], ["git", "ls-files", "--others", "--exclude-standard"]
    outputs = [subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True) for command in commands]
    return sorted({line for output in outputs for line in output.stdout.splitlines()})


def imports_of_tests() -> dict[str, set[str]]:
    """The modules of kinfolk that each test file imports, by its path."""
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("test_*.py")]
    return {file.relative_to(ROOT).as_posix(): imported_modules(file.read_text(encoding="utf-8")) for file in files}


def imported_modules(source: str) -> set[str]:
    """The modules that a source imports from kinfolk. A name that a package exports counts as a module of it, too."""
    found = set()
    for match in _IMPORT.finditer(source):
        found.add(match[1])
        found |= {f"{match[1]}.{name.strip()}" for name in (match[2] or "").split(",") if name.strip()}
    return found


def selected_tests(changed: Iterable[str], imports: Mapping[str, set[str]]) -> list[str]:
    """The test files that a change of these files selects, sorted."""
    found: set[str] = set()
    for path in map(PurePosixPath, changed):
        if path.suffix == ".md" or path.parts[0] == "docs":
            found |= set(DOCUMENTATION)
        elif path.parts[:2] == ("src", "kinfolk") and path.suffix == ".py":
            module = ".".join(path.parts[1:]).removesuffix(".py").removesuffix(".__init__")
            folder = PurePosixPath("tests/unit", *path.parent.parts[2:])
            found |= {
                test for test, modules in imports.items() if module in modules or PurePosixPath(test).parent == folder
            }
        elif str(path) in imports:
            found.add(str(path))
    return sorted(found)


if __name__ == "__main__":
    sys.exit(main())
