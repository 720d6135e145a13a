"""Installs, type-checks and builds a bundled example for each framework of each library: `make examples`.

Each example is installed from the npm registry with the versions of its `package.json`, and its `build` script runs.
`make test` does not include this, because it uses no network after the set-up.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from kinfolk.config.catalog import LATEST, load_catalog
from kinfolk.config.settings import Settings, process_settings
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.snapshots.version_docs import find_version_docs
from kinfolk.content.redirects import load_redirects
from kinfolk.content.sources.directory import DirectorySource

AT_ONCE = 2
TIMEOUT_S = 900.0
INSTALL = ("npm", "install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--loglevel=error")
"""Install scripts do not run: build tools for each system are packages."""
BUILD = ("npm", "run", "--silent", "build")
OUTPUT_LINES = 30
"""Most lines of the output of a failed step that are printed: the last ones."""


@dataclass(frozen=True)
class Example:
    """The first example of a framework in a library's navigation; `folder` is None without one."""

    library: str
    framework: str
    name: str
    folder: Path | None

    @property
    def label(self) -> str:
        return f"{self.library}/{self.framework}"


@dataclass(frozen=True)
class Outcome:
    """The result of a build; `fault` is empty if it succeeded."""

    example: Example
    versions: str
    fault: str
    output: str
    took_s: float


def examples(settings: Settings) -> Iterator[Example]:
    """One example for each supported framework of each library."""
    catalog = load_catalog(settings.site)
    source = DirectorySource(settings.content, catalog.refs, "the bundled docs")
    docs = DocsSnapshot(catalog, load_redirects(settings.site), source.open())
    for library in catalog.libraries:
        one = find_version_docs(ContentReader(docs), library, LATEST)
        for framework in library.frameworks:
            start = f"framework/{framework}/examples/"
            name = next((place.removeprefix(start) for place in one.examples() if place.startswith(start)), "")
            folder = settings.content / one.ref.repo / one.ref.branch / "examples" / framework / name
            yield Example(library.id, framework, name or "none", folder if name else None)


def build(example: Example, parent: Path) -> Outcome:
    """Install and build a copy of the example below `parent`, and delete the copy."""
    began = time.monotonic()
    if example.folder is None:
        return Outcome(example, "", "has no example", "", 0.0)
    folder = parent / f"{example.library}-{example.framework}"
    shutil.copytree(example.folder, folder, ignore=shutil.ignore_patterns("node_modules", "dist"))
    fault = output = ""
    for step in (INSTALL, BUILD):
        fault, output = _run(step, folder)
        if fault:
            break
    outcome = Outcome(example, _versions(folder), fault, output, time.monotonic() - began)
    shutil.rmtree(folder)
    return outcome


def _run(step: tuple[str, ...], folder: Path) -> tuple[str, str]:
    """The fault of a step, empty if it succeeded, and the end of its output."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "CI": "1", "NG_CLI_ANALYTICS": "false"}
    command = " ".join(word for word in step if not word.startswith("-"))
    try:
        done = subprocess.run(
            step, cwd=folder, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return f"{command}: not done after {TIMEOUT_S:.0f} s", ""
    output = "\n".join((done.stdout + done.stderr).splitlines()[-OUTPUT_LINES:])
    return (f"{command}: exit {done.returncode}", output) if done.returncode else ("", output)


def _versions(folder: Path) -> str:
    """The installed versions of the example's dependencies."""
    wanted = json.loads((folder / "package.json").read_text(encoding="utf-8")).get("dependencies", {})
    found = []
    for name in wanted:
        installed = folder / "node_modules" / name / "package.json"
        if installed.exists():
            found.append(f"{name} {json.loads(installed.read_text(encoding='utf-8'))['version']}")
    return ", ".join(found)


@click.command()
@click.argument("only", nargs=-1)
def main(only: tuple[str, ...]) -> None:
    """Build the bundled examples, or only those of a library (`query`) or of one of its frameworks (`query/vue`)."""
    wanted = [one for one in examples(process_settings()) if not only or {one.library, one.label} & set(only)]
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
    outcomes = []
    with (
        tempfile.TemporaryDirectory(prefix="kinfolk-examples-") as parent,
        progress,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        bar = progress.add_task("Building examples", total=len(wanted))
        for done in as_completed([pool.submit(build, one, Path(parent)) for one in wanted]):
            outcome = done.result()
            outcomes.append(outcome)
            progress.update(bar, advance=1, description=f"Building examples ({outcome.example.label} done)")
    outcomes.sort(key=lambda outcome: wanted.index(outcome.example))
    failed = [outcome for outcome in outcomes if outcome.fault]
    _show(outcomes)
    for outcome in failed:
        click.echo(f"\n{outcome.example.label}: {outcome.fault}\n{outcome.output}")
    click.echo(f"{len(outcomes) - len(failed)} of {len(outcomes)} examples are built")
    sys.exit(1 if failed or not outcomes else 0)


def _show(outcomes: list[Outcome]) -> None:
    table = Table("library", "framework", "example", "with", "s", "result")
    for one in outcomes:
        result = f"[red]{one.fault}[/red]" if one.fault else "[green]built[/green]"
        table.add_row(
            one.example.library, one.example.framework, one.example.name, one.versions, f"{one.took_s:.0f}", result
        )
    Console(width=None if sys.stdout.isatty() else 160).print(table)


if __name__ == "__main__":
    main()
