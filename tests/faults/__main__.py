"""`make faults`: repeats every attack of docs/faults.md against a server on the loopback and prints its cost.

    python -m tests.faults [--source CHECKOUT] [ID ...]

Each attack is limited in requests and in time. The exit status is 1 when a defect is present. Results of this checkout
are written into docs/faults.md, those of soaks only at full length.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tests.faults.site import ROOT, DefectPresent, Site, faults
from tests.suite.measurements import record

HERE = Path(__file__).parent
SOAKS = ("S1", "S2", "W1", "W2")
"""Their length is set by FAULTS_FULL. S1 and S2 write their figures themselves."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="Repeat the attacks of docs/faults.md")
    parser.add_argument("--source", type=Path, default=ROOT, help="checkout whose code is served (default: this one)")
    parser.add_argument("ids", nargs="*", metavar="ID", help="defects to measure, such as D1 (default: all)")
    given = parser.parse_args()
    for file in sorted(HERE.rglob("*_faults.py")):
        importlib.import_module(".".join(("tests", "faults", *file.relative_to(HERE).with_suffix("").parts)))
    console = Console()
    table = Table("Defect", "What", "Result", "Figure", title=f"Faults of {given.source.name}")
    wanted = [one for one in faults() if not given.ids or any(_names(id, one.id) for id in given.ids)]
    broken = 0
    figures: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="kinfolk-faults-") as folder:
        for at, one in enumerate(wanted, 1):
            console.print(f"[{at}/{len(wanted)}] {one.id} {one.title}", style="dim")
            try:
                figure, result = one.measure(Site(given.source.resolve(), Path(folder) / one.id)), "ok"
            except DefectPresent as found:
                figure, result = str(found), "DEFECT"
            except Exception as failure:  # noqa: BLE001 - the other attacks still run
                figure, result = f"{type(failure).__name__}: {failure}", "FAILED"
            broken += result != "ok"
            if result == "ok":
                figures[one.id] = figure.replace("|", "/")
            table.add_row(one.id, one.title, result, figure)
            console.print(f"    {result}: {figure}")
    console.print(table)
    if given.source.resolve() == ROOT:
        record("make faults", {f"faults.{id}": figure for id, figure in figures.items() if id not in SOAKS})
        if os.environ.get("FAULTS_FULL"):
            soaks = {f"faults.{id}": figure for id, figure in figures.items() if id in ("W1", "W2")}
            record("FAULTS_FULL=1 make faults", soaks)
    return 1 if broken else 0


def _names(given: str, id: str) -> bool:
    """Whether an argument selects a fault: D14 selects D14a and all other parts."""
    return given == id or given == id.rstrip("abcdefghijklmnopqrstuvwxyz")


if __name__ == "__main__":
    sys.exit(main())
