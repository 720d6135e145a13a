"""Measured figures of README.md and docs/ come from docs/measurements.json, which the commands write."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from tests.suite import measurements
from tests.suite.documents import Mention, documents
from tests.suite.measurements import BY, MARKED, Measurement, figures_of, sections, with_figures

from kinfolk.config.settings import ROOT

UNIT = r"(?:ms|s|seconds?|minutes?|hours?|microseconds|kB|KiB|MB|GB|%|times|cores?|pages/s|requests a second)"
FIGURE = re.compile(rf"(?<![\w.:/-])(?:\d[\d,.]*(?: to \d[\d,.]*)? ?{UNIT}(?![\w/])|\d+\.\d+(?![\w.]))")
"""A number with a unit of measurements, or a decimal."""
ONLY_LIMITS = ("docs/configuration.md", "docs/writing.md", "docs/theming.md")
"""Pages whose numbers are limits and defaults. Other tests compare them with the code."""
LIMITS = {
    "README.md": ["3.11", "500 MB"],
    "docs/deployment.md": ["3.11", "500 MB", "300 MB", "30 seconds", "10 seconds", "10 GB", "3 GB"],
    "docs/faults.md": [
        "20 kB",
        "60 MB",
        "50 MB",
        "112 kB",
        "700 kB",
        "10 s",
        "20 s",
        "30 s",
        "60 s",
        "64 MB",
        "12 times",
        "100 requests a second",
    ],
    "docs/operations.md": [
        "8 s",
        *("6 s", "60 s", "0 s", "0.5 s", "1 s", "2 s", "30 s", "5 s", "9 s", "10 s", "20 seconds", "15 seconds"),
        "25 seconds",
        *("3 seconds", "12 s", "15 minutes", "64 kB", "2 kB", "2 minutes", "6 hours", "2 %"),
        *("32 s", "1 to 10 s", "120 s"),
        *("512 kB", "5 minutes", "64 MB", "8 MB", "2 GB", "0.05 s"),
    ],
    "docs/review.md": ["150 ms"],
    "docs/start.md": ["3.11"],
}
"""Numbers that are no measurements: limits, settings, requirements, sizes of what an attack sends, versions."""


def unmarked_figures() -> Iterator[Mention]:
    for file, text in documents().items():
        if file in ONLY_LIMITS:
            continue
        shown = MARKED.sub(lambda found: "\n" * found[0].count("\n"), text)
        # Code names settings, commands and answers.
        shown = re.sub(
            r"^```.*?^```$", lambda found: "\n" * found[0].count("\n"), shown, flags=re.MULTILINE | re.DOTALL
        )
        for number, line in enumerate(re.sub(r"`[^`\n]*`", "", shown).splitlines(), start=1):
            for found in FIGURE.finditer(line):
                yield Mention(file, number, found[0])


def test_each_figure_is_marked_or_listed_as_a_limit() -> None:
    assert [str(each) for each in unmarked_figures() if each.text not in LIMITS.get(each.file, ())] == []


def test_listed_limits_are_on_their_pages() -> None:
    found = {(each.file, each.text) for each in unmarked_figures()}
    assert [(file, text) for file, texts in LIMITS.items() for text in texts if (file, text) not in found] == []


def test_pages_show_the_figures_of_the_file() -> None:
    for file, text in documents().items():
        assert with_figures(text, measurements.read()) == text, f"{file} is stale: run `make generate`"


def test_sections_with_figures_name_their_commands() -> None:
    for file, text in documents().items():
        for section in sections(text):
            names = [found["id"] for found in MARKED.finditer(section)]
            assert not figures_of(section) or BY in names, f"{file}: {section.partition(chr(10))[0]}"


def test_each_measurement_is_shown_and_has_a_command_and_a_day() -> None:
    makefile = (ROOT / "Makefile").read_text()
    entries = measurements.read()
    assert set(entries) == {id for text in documents().values() for id in figures_of(text)}
    for id, entry in entries.items():
        target = re.search(r"\bmake ([a-z-]+)", entry.command)
        assert target, id
        assert f"\n{target[1]}:" in makefile, id
        assert date.fromisoformat(entry.day) >= date(2026, 11, 21)
        assert entry.cores > 0


def test_recorded_figure_is_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "README.md"
    page.write_text("# One\n\nIt takes <!-- measured x.time --><!-- / --> (<!-- measured by --><!-- / -->).\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/measurements.json").write_text("{}")
    monkeypatch.setattr(measurements, "ROOT", tmp_path)
    monkeypatch.setattr(measurements, "FILE", tmp_path / "docs/measurements.json")
    measurements.record("make bench", {"x.time": "2.0 s"})
    shown = re.sub(r"<!--.*?-->", "", page.read_text())
    assert re.fullmatch(r"# One\n\nIt takes 2\.0 s \(`make bench`, \d{4}-\d\d-\d\d, \d+ cores\)\.\n", shown)
    (entry,) = json.loads((tmp_path / "docs/measurements.json").read_text()).values()
    assert Measurement(**entry).command == "make bench"
    with pytest.raises(KeyError):
        with_figures("<!-- measured nope --><!-- / -->", measurements.read())


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("renders in 12 ms, 0.8 to 1.1 times as fast", ["12 ms", "0.8 to 1.1 times"]),
        ("a ratio of 0.94 and 447 MB", ["0.94", "447 MB"]),
        ("200 requests a second on 2 cores", ["200 requests a second", "2 cores"]),
        ("status 404, page 3, 64 digits, v1.2.3, 127.0.0.1:80", []),
    ],
)
def test_figures_are_found_by_their_units(line: str, found: list[str]) -> None:
    assert FIGURE.findall(line) == found
