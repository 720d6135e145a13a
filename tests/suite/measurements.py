"""Measured figures of README.md and docs/: the file that commands write, and the pages that show them.

    python -m tests.suite.measurements [--check]     # writes the figures of the file into the pages

A page has markers, which do not render: `<!-- measured soak.push -->0.4 s<!-- / -->` is a figure, and
`<!-- measured by -->…<!-- / -->` names the commands of the section's figures, with days and cores.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "measurements.json"
MARKED = re.compile(r"<!-- measured (?P<id>[\w.-]+) -->.*?<!-- / -->", re.DOTALL)
BY = "by"
"""In the place of an id: the commands."""


@dataclass(frozen=True)
class Measurement:
    """A figure as text with its unit. `commit` is that of the measured code; `day` is in UTC."""

    text: str
    command: str
    day: str
    commit: str
    cores: int


Measurements = Mapping[str, Measurement]
"""By id. The first part of an id is that of its command."""


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def read() -> Measurements:
    return {id: Measurement(**entry) for id, entry in json.loads(FILE.read_text(encoding="utf-8")).items()}


def record(command: str, figures: Mapping[str, str]) -> None:
    """Store what a command has measured, and show it on the pages."""
    ran = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, check=False, capture_output=True, text=True)
    now, cores = datetime.now(UTC).date().isoformat(), os.cpu_count() or 1
    measured = {id: Measurement(text, command, now, ran.stdout.strip(), cores) for id, text in figures.items()}
    entries = {id: asdict(entry) for id, entry in sorted({**read(), **measured}.items())}
    FILE.write_text(json.dumps(entries, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for page in pages():
        page.write_text(with_figures(page.read_text(encoding="utf-8"), read()), encoding="utf-8")


def with_figures(page: str, measurements: Measurements) -> str:
    """The page with the current figures. Raises KeyError for an unknown id."""
    return "".join(_section(section, measurements) for section in sections(page))


def sections(page: str) -> list[str]:
    """The parts of a page, each from its heading on."""
    return re.split(r"(?m)^(?=#{1,6} )", page)


def figures_of(section: str) -> list[str]:
    """The ids of the figures of a section."""
    return [found["id"] for found in MARKED.finditer(section) if found["id"] != BY]


def _section(section: str, measurements: Measurements) -> str:
    texts = {id: measurements[id].text for id in figures_of(section)}
    texts[BY] = _commands([measurements[id] for id in texts])
    return MARKED.sub(lambda found: f"<!-- measured {found['id']} -->{texts[found['id']]}<!-- / -->", section)


def _commands(shown: list[Measurement]) -> str:
    """`make bench`, 2026-11-26, 2 cores"""
    parts = []
    for command in dict.fromkeys(each.command for each in shown):
        of_command = [each for each in shown if each.command == command]
        days = sorted({each.day for each in of_command})
        cores = " or ".join(map(str, sorted({each.cores for each in of_command})))
        parts.append(f"`{command}`, {' to '.join(dict.fromkeys((days[0], days[-1])))}, {cores} cores")
    return "; ".join(parts)


def main() -> int:
    for page in pages():
        before = page.read_text(encoding="utf-8")
        after = with_figures(before, read())
        if before == after:
            continue
        if "--check" in sys.argv[1:]:
            print(
                f"{page.relative_to(ROOT)} does not show the figures of {FILE.relative_to(ROOT)}: run `make generate`"
            )
            return 1
        page.write_text(after, encoding="utf-8")
        print(f"Wrote the figures of {page.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
