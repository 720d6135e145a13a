"""Highlighting behind the back of pages: what is asked, what fails, what lasts."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs
from tests.unit.highlight_toy import TOY

from kinfolk.errors import Unavailable
from kinfolk.highlight import Highlighter
from kinfolk.markdown.page import Snippet

PATIENCE_S = 30.0
"""For a machine that is busy with other things."""

Make = Callable[..., Highlighter]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "var" / "highlight.sqlite"


@pytest.fixture
def make(file: Path) -> Iterator[Make]:
    """A highlighter that runs, and ends with the test."""
    made: list[Highlighter] = []

    def start(bundle: str = TOY, **options: Any) -> Highlighter:
        highlighter = Highlighter(bundle, file, memory_mb=64, **options)
        made.append(highlighter)
        highlighter.start()
        return highlighter

    yield start
    for highlighter in made:
        highlighter.close()


def code(text: str) -> Snippet:
    return Snippet("toy", text)


def settled(highlighter: Highlighter, *texts: str) -> list[str | None]:
    """What is ready of these once nothing is left to do."""
    for text in texts:
        highlighter.ready(code(text))
    assert highlighter.settle(PATIENCE_S)
    return [highlighter.ready(code(text)) for text in texts]


def test_code_is_not_ready_when_it_is_first_asked_for_and_is_soon_after(make: Make) -> None:
    highlighter = make()
    assert highlighter.ready(code("a")) is None
    assert settled(highlighter, "a") == ["A"]


def test_what_is_asked_before_the_start_is_made_at_the_start(file: Path) -> None:
    highlighter = Highlighter(TOY, file)
    assert highlighter.ready(code("a")) is None
    highlighter.start()
    assert settled(highlighter, "a") == ["A"]
    highlighter.close()


def test_the_tag_is_told_once_when_all_of_its_code_is_ready(make: Make) -> None:
    highlighter = make()
    told: list[frozenset[str]] = []
    highlighter.on_ready(told.append)
    wanted = [code(str(number)) for number in range(40)]
    assert [highlighter.ready(snippet) for snippet in wanted] == [None] * 40
    tag = highlighter.tag(wanted)
    assert highlighter.settle(PATIENCE_S)
    settled(highlighter, "other")
    assert told == [frozenset({tag})]


def test_the_tag_is_told_at_once_when_the_code_became_ready_before_it_was_asked_for(make: Make) -> None:
    highlighter = make()
    settled(highlighter, "a")
    told: list[frozenset[str]] = []
    highlighter.on_ready(told.append)
    assert told == [frozenset({highlighter.tag([code("a")])})]


@pytest.mark.parametrize(
    ("culprit", "fault"),
    [
        ("spin", "took longer than 4 s"),
        ("throw", "JavaScript failed"),
        ("heap", "ran out of memory|took longer"),
        ("garbage", "cannot be read"),
        ("x" * 100_001, "is longer than 100000 characters"),
    ],
    ids=["spin", "throw", "heap", "garbage", "long"],
)
def test_code_on_which_v8_fails_stays_plain_and_costs_its_neighbours_nothing(
    make: Make, culprit: str, fault: str
) -> None:
    highlighter = make(timeout_s=4.0)
    assert settled(highlighter, "a", culprit, "b") == ["A", f'<span class="line">{culprit}</span>', "B"]
    (reason,) = highlighter.faults()
    assert re.search(fault, reason)


def test_plain_code_keeps_its_marks_and_is_escaped(make: Make) -> None:
    highlighter = make()
    long = "<b>&\n" + "x" * 100_000
    snippet = Snippet("toy", long, added=(1,), removed=(0,))
    highlighter.ready(snippet)
    assert highlighter.settle(PATIENCE_S)
    start = '<span class="line del">&lt;b&gt;&amp;</span>\n<span class="line add">x'
    assert (highlighter.ready(snippet) or "").startswith(start)


def test_code_that_failed_is_not_tried_again_after_a_restart(make: Make) -> None:
    first = make()
    settled(first, "throw")
    first.close()
    again = make()
    assert again.ready(code("throw")) == '<span class="line">throw</span>'
    assert (first.replaced, again.replaced) == (1, 0)


def test_a_fault_that_the_bundle_reports_costs_no_isolate(make: Make) -> None:
    highlighter = make()
    assert settled(highlighter, "fault") == ["fault"]
    assert (highlighter.faults(), highlighter.replaced) == ({"is too hard": 1}, 0)


def test_a_restart_makes_nothing_again(make: Make) -> None:
    first = make()
    settled(first, "a", "b")
    first.close()
    again = make()
    assert [again.ready(code("a")), again.ready(code("b"))] == ["A", "B"]
    assert (first.made, again.made, again.kept) == (2, 0, 2)


def test_another_bundle_makes_everything_anew_and_forgets_the_old(make: Make) -> None:
    first = make()
    settled(first, "a")
    first.close()
    other = make(TOY.replace("toUpperCase()", "concat('!')"))
    assert other.kept == 0
    assert settled(other, "a") == ["a!"]


def test_language_marks_and_code_all_decide_what_is_ready(make: Make) -> None:
    highlighter = make()
    settled(highlighter, "a")
    others = [Snippet("other", "a"), Snippet("toy", "a", (0,)), Snippet("toy", "a", (), (0,)), Snippet("toy", "a\n")]
    assert [highlighter.ready(snippet) for snippet in others] == [None] * 4


def test_sections_are_made_ahead_and_not_even_read_once_they_are_kept(make: Make) -> None:
    read: list[str] = []

    def section(name: str) -> Iterator[Snippet]:
        read.append(name)
        yield from (code(f"{name} {number}") for number in range(20))

    first = make()
    first.warm((name, section(name)) for name in ("x", "y"))
    assert first.settle(PATIENCE_S)
    first.close()
    again = make()
    assert again.ready(code("y 19")) == "Y 19"
    again.warm((name, section(name)) for name in ("x", "y", "z"))
    assert again.settle(PATIENCE_S)
    assert (read, again.made) == (["x", "y", "z"], 20)


def test_what_a_reader_waits_for_comes_before_what_is_made_ahead(make: Make) -> None:
    highlighter = make()
    asked = threading.Event()
    order: list[str] = []
    highlighter.on_ready(lambda _: order.append("reader's"))

    def ahead() -> Iterator[Snippet]:
        yield code("first")
        asked.wait(PATIENCE_S)
        for number in range(3 * 16):
            yield code(str(number))
        order.append("ahead")

    highlighter.warm([("branch", ahead())])
    assert highlighter.ready(code("wanted")) is None
    highlighter.tag([code("wanted")])
    asked.set()
    assert highlighter.settle(PATIENCE_S)
    assert order == ["reader's", "ahead"]


def test_a_section_that_cannot_be_read_is_left_for_later_and_the_next_one_is_made(make: Make) -> None:
    def broken() -> Iterator[Snippet]:
        yield code("a")
        raise Unavailable("The mirror lost it")

    highlighter = make()
    highlighter.warm([("x", broken()), ("y", [code("b")])])
    assert highlighter.settle(PATIENCE_S)
    assert highlighter.ready(code("b")) == "B"
    highlighter.warm([("x", [code("a"), code("c")])])
    assert highlighter.settle(PATIENCE_S)
    assert [highlighter.ready(code("a")), highlighter.ready(code("c"))] == ["A", "C"]


def test_a_listener_that_fails_does_not_end_the_highlighting(file: Path) -> None:
    def fail(tags: frozenset[str]) -> None:
        raise RuntimeError(str(tags))

    highlighter = Highlighter(TOY, file)
    highlighter.on_ready(fail)
    highlighter.ready(code("a"))
    highlighter.tag([code("a")])
    # Only now, or it could be told here instead of there.
    highlighter.start()
    assert settled(highlighter, "b") == ["B"]
    highlighter.close()


def test_a_bundle_that_does_not_load_leaves_code_plain_and_ends_when_told(make: Make) -> None:
    highlighter = make("throw new Error('no')")
    assert highlighter.ready(code("a")) is None
    assert not highlighter.settle(0.3)
    highlighter.close()
    assert highlighter.ready(code("a")) is None


def test_an_idle_highlighter_lets_go_of_v8(make: Make) -> None:
    highlighter = make(idle_s=0.01)
    assert settled(highlighter, "a") == ["A"]
    arrivals = [thread for thread in threading.enumerate() if thread.name == "v8-highlight"]
    for thread in arrivals:
        thread.join(PATIENCE_S)
    assert not any(thread.is_alive() for thread in arrivals)
    assert settled(highlighter, "b") == ["B"]


# The file


def overwrite(file: Path) -> None:
    file.write_bytes(b"This was a database once. " * 400)


def cut_short(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def rot(file: Path) -> None:
    """Not what lies at the beginning, which would be noticed at once."""
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(b"\xff" * 4096)


def empty(file: Path) -> None:
    os.truncate(file, 0)


@pytest.mark.parametrize("damage", [overwrite, cut_short, rot, empty])
def test_a_damaged_file_is_begun_anew(make: Make, file: Path, damage: Callable[[Path], None]) -> None:
    first = make()
    settled(first, *(f"{number} " * 200 for number in range(50)))
    first.close()
    damage(file)
    again = make()
    assert settled(again, "a", "0 " * 200) == ["A", "0 " * 200]
    again.close()
    assert make().kept >= 2


@pytest.mark.parametrize("content", [b"", bytes(8192), b"This was a database once. " * 400])
def test_loss_of_highlighted_snippets_is_logged(make: Make, file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    structlog.reset_defaults()
    with capture_logs() as lines:
        assert settled(make(), "a") == ["A"]
    assert any("the file of highlighted snippets" in line["event"] for line in lines)


def test_a_file_that_is_damaged_under_a_running_site_is_begun_anew(make: Make, file: Path) -> None:
    highlighter = make()
    settled(highlighter, *(f"{number} " * 200 for number in range(50)))
    overwrite(file)
    settled(highlighter, *(f"{number} " * 200 for number in range(50, 100)))
    assert settled(highlighter, "a") == ["A"]
    highlighter.close()
    assert make().ready(code("a")) == "A"


def test_without_a_place_for_the_file_code_is_highlighted_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file where the folder should be")
    highlighter = Highlighter(TOY, tmp_path / "var" / "highlight.sqlite")
    highlighter.start()
    assert settled(highlighter, "a") == ["A"]
    highlighter.close()


WORK = """
import sys
import time
from pathlib import Path
from tests.unit.highlight_toy import TOY
from kinfolk.highlight import Highlighter
from kinfolk.markdown.page import Snippet

highlighter = Highlighter(TOY, Path(sys.argv[1]))
print("begun", flush=True)
sys.stdin.readline()
highlighter.start()
highlighter.warm([("all", (Snippet("toy", f"snippet {n}") for n in range(int(sys.argv[2]))))])
done = highlighter.settle(float(sys.argv[3]))
until = time.monotonic() + 30
while not highlighter.kept and time.monotonic() < until:
    time.sleep(0.01)
print(done, flush=True)
sys.stdin.readline()
highlighter.close()
"""


def working(file: Path, snippets: int, *, for_s: float = PATIENCE_S) -> subprocess.Popen[str]:
    """Another process that highlights into the same file and says, once it has begun to, whether it ended in time.

    It begins when told, so that two begin at once, and goes on until told again.
    """
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", WORK, str(file), str(snippets), str(for_s)]
    process = subprocess.Popen(command, cwd=root, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


def tell(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def test_two_processes_share_one_file(make: Make, file: Path) -> None:
    both = [working(file, 600), working(file, 600)]
    for process in both:
        tell(process)
    assert [process.communicate("end\n", timeout=90)[0] for process in both] == ["True\n", "True\n"]
    assert make().kept == 600


def test_a_process_that_is_killed_leaves_a_file_that_is_whole(make: Make, file: Path) -> None:
    process = working(file, 10_000_000, for_s=1.0)
    tell(process)
    assert process.stdout is not None
    assert process.stdout.readline() == "False\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    again = make()
    assert again.kept > 0
    assert again.ready(code("snippet 0")) == "SNIPPET 0"
