"""Each task of new readers (tests/engines/tasks.py) needs few taps in Chromium. `make browsers` repeats them elsewhere.

The tasks of a device share a tab, where each begins with empty storage. `pytest -s` prints the table of docs/review.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.corpus.conftest import corpus
from tests.engines.chromium_page import ChromiumPage
from tests.engines.tasks import TASKS, WALKS, Task, Visitor, walk
from tests.inputs.search_index import wait_for_search_index
from tests.servers.serving import PLAIN, Server, serving
from tests.sites.query_site import QUERY_SITE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import OpenPage

__all__ = ["corpus"]

# Motion changes no task, and takes a fifth of the CPU time.
REDUCED_MOTION = {"reduced_motion": "reduce"}
PHONE = REDUCED_MOTION | {"viewport": {"width": 375, "height": 812}, "has_touch": True, "is_mobile": True}
DESKTOP = REDUCED_MOTION | {"viewport": {"width": 1440, "height": 900}}


@pytest.fixture(scope="module")
def server(built: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The real docs of one library and its bundled examples, beside the bundled docs of the others."""
    assert built
    assert corpus
    site = QUERY_SITE.folder()
    folder = tmp_path_factory.mktemp("tasks")
    arguments = ("--content", str(site / "repos"))
    with serving(folder, *arguments, environment=PLAIN, var=site / "var") as server:
        wait_for_search_index(server)
        yield server


@pytest.fixture(scope="module")
def counts() -> Iterator[dict[str, dict[str, str]]]:
    """What each task took, by device. Printed as a table at the end."""
    found: dict[str, dict[str, str]] = {}
    yield found
    print("\n\n| Task | Taps on a phone | Clicks on a desktop |\n| --- | --- | --- |")
    for name, by_device in sorted(found.items(), key=lambda item: [task.name for task in TASKS].index(item[0])):
        print(f"| {name} | {by_device.get('phone', '')} | {by_device.get('desktop', '')} |")


@pytest.mark.parametrize(
    ("device", "tasks"),
    [
        pytest.param(device, tasks, id=f"{device}-{'-'.join(task.act.__name__ for task in tasks)}")
        for device in ("phone", "desktop")
        for tasks in WALKS
    ],
)
def test_task_of_a_new_reader_needs_few_taps(
    shared_page: OpenPage, server: Server, counts: dict[str, dict[str, str]], tasks: list[Task], device: str
) -> None:
    phone = device == "phone"

    def check(task: Task, visitor: Visitor) -> None:
        found = str(visitor.taps) + (f" and {visitor.keys} keys" * bool(visitor.keys))
        counts.setdefault(task.name, {})[device] = found
        assert visitor.page.take_faults() == [], task.name
        assert visitor.taps <= (task.taps if phone else task.clicks), task.name
        assert visitor.keys <= task.keys, task.name

    opened = shared_page("/", **(PHONE if phone else DESKTOP)).page
    page = ChromiumPage(opened, server.url, touch=phone)
    walk(Visitor(page, phone=phone), tasks, check)
    page.detach()
