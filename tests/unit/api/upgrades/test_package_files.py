"""Reading files: as the browser does, with the same cases."""

from __future__ import annotations

import json
import time
from typing import TypedDict

import pytest

from kinfolk.api.upgrades.package_files import MOST_PACKAGES, PROTOCOLS, PackageFileError, read_packages
from kinfolk.config.settings import ROOT

FAMILY = {"@acme/query", "@acme/router", "@acme/devtools", "acme-table"}
FOLDER = ROOT / "frontend/src/lib/upgrade"


class Case(TypedDict, total=False):
    name: str
    text: str
    packages: list[str]
    fault: str
    line: int


CASES: list[Case] = json.loads((FOLDER / "packageFileCases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_server_reads_what_the_browser_reads(case: Case) -> None:
    if "packages" in case:
        assert list(read_packages(case["text"], FAMILY)) == case["packages"]
    else:
        with pytest.raises(PackageFileError) as failure:
            read_packages(case["text"], FAMILY)
        assert (failure.value.fault, failure.value.line) == (case["fault"], case.get("line", 0))


def test_more_packages_than_a_page_shows_are_refused() -> None:
    names = [f"p{index}" for index in range(MOST_PACKAGES + 1)]
    with pytest.raises(PackageFileError) as failure:
        read_packages(json.dumps({"dependencies": dict.fromkeys(names, "1")}), set(names))
    assert failure.value.fault == "many"


def test_no_spec_can_end_the_list_or_the_address() -> None:
    specs = [entry.rpartition("@")[2] for case in CASES for entry in case.get("packages", ())]
    assert not [spec for spec in specs if spec not in PROTOCOLS and set(spec) & set(",&#?/:\\'\"")]


@pytest.mark.parametrize("part", ["[", '{"a":', '"', "\\", " ", "  a: b", "  '", '  "a" ', "\n", "npm:@", "1" * 5000])
def test_long_hostile_texts_take_linear_time(part: str) -> None:
    text = part * (128_000 // len(part))
    start = time.perf_counter()
    for tried in (text, "{" + text, json.dumps({"dependencies": {"@acme/query": text}})):
        try:
            read_packages(tried, FAMILY)
        except PackageFileError:
            continue
    assert time.perf_counter() - start < 1
