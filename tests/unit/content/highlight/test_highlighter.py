"""Tests of background highlighting: the queue, failures of V8, and the stored snippets."""

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
from tests.servers.captured_logs import captured_logs
from tests.unit.content.highlight.fake_highlight_bundle import BUNDLE

from kinfolk.content.dependencies import PendingHighlight
from kinfolk.content.highlight import Highlighter
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.runtime.errors import Unavailable

PATIENCE_S = 30.0
"""Long enough for a busy machine."""

Make = Callable[..., Highlighter]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "var" / "highlight.sqlite"


@pytest.fixture
def make(file: Path) -> Iterator[Make]:
    """Creates running highlighters, which are closed after the test."""
    made: list[Highlighter] = []

    def start(bundle: str = BUNDLE, **options: Any) -> Highlighter:
        highlighter = Highlighter(bundle, file, memory_mb=64, **options)
        made.append(highlighter)
        highlighter.start()
        return highlighter

    yield start
    for highlighter in made:
        highlighter.close()


def code(text: str) -> CodeBlock:
    return CodeBlock("test", text)


def settled(highlighter: Highlighter, *texts: str) -> list[str | None]:
    """HTML of these snippets after the highlighter is idle."""
    for text in texts:
        highlighter.get_or_enqueue(code(text))
    assert highlighter.wait_until_idle(PATIENCE_S)
    return [highlighter.get_or_enqueue(code(text)) for text in texts]


def test_first_request_queues_the_snippet_and_a_later_one_gets_html(make: Make) -> None:
    highlighter = make()
    assert highlighter.get_or_enqueue(code("a")) is None
    assert settled(highlighter, "a") == ["A"]


def test_snippets_queued_before_the_start_are_highlighted_after_it(file: Path) -> None:
    highlighter = Highlighter(BUNDLE, file)
    assert highlighter.get_or_enqueue(code("a")) is None
    highlighter.start()
    assert settled(highlighter, "a") == ["A"]
    highlighter.close()


def test_listener_gets_the_tag_once_when_all_its_snippets_are_ready(make: Make) -> None:
    highlighter = make()
    notified: list[frozenset[PendingHighlight]] = []
    highlighter.on_ready(notified.append)
    wanted = [code(str(number)) for number in range(40)]
    assert [highlighter.get_or_enqueue(snippet) for snippet in wanted] == [None] * 40
    tag = highlighter.watch(wanted)
    assert highlighter.wait_until_idle(PATIENCE_S)
    settled(highlighter, "other")
    assert notified == [frozenset({tag})]


def test_listener_gets_the_tag_at_once_if_the_snippets_are_ready(make: Make) -> None:
    highlighter = make()
    settled(highlighter, "a")
    notified: list[frozenset[PendingHighlight]] = []
    highlighter.on_ready(notified.append)
    assert notified == [frozenset({highlighter.watch([code("a")])})]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("culprit", "fault"),
    [
        ("spin", "took longer than 1 s"),
        ("block", "took longer than 1 s"),
        ("throw", "JavaScript failed"),
        ("heap", "ran out of memory|took longer"),
        ("garbage", "cannot be read"),
        ("x" * 100_001, "is longer than 100000 characters"),
    ],
    ids=["spin", "block", "throw", "heap", "garbage", "long"],
)
def test_snippet_on_which_v8_fails_stays_plain_and_others_are_highlighted(make: Make, culprit: str, fault: str) -> None:
    # Two attempts take all of this time. The heap needs more of it.
    highlighter = make(timeout_s=1.0 if culprit in ("spin", "block") else 4.0)
    assert settled(highlighter, "a", culprit, "b") == ["A", f'<span class="line">{culprit}</span>', "B"]
    (reason,) = highlighter.faults()
    assert re.search(fault, reason)


def test_plain_code_is_escaped_and_keeps_line_marks(make: Make) -> None:
    highlighter = make()
    long = "<b>&\n" + "x" * 100_000
    snippet = CodeBlock("test", long, added=(1,), removed=(0,))
    highlighter.get_or_enqueue(snippet)
    assert highlighter.wait_until_idle(PATIENCE_S)
    start = '<span class="line del">&lt;b&gt;&amp;</span>\n<span class="line add">x'
    assert (highlighter.get_or_enqueue(snippet) or "").startswith(start)


def test_failed_snippet_is_not_tried_again_after_a_restart(make: Make) -> None:
    first = make()
    settled(first, "throw")
    first.close()
    again = make()
    assert again.get_or_enqueue(code("throw")) == '<span class="line">throw</span>'
    assert (first.engine_failures, again.engine_failures) == (1, 0)


def test_fault_reported_by_the_bundle_does_not_replace_the_isolate(make: Make) -> None:
    highlighter = make()
    assert settled(highlighter, "fault") == ["fault"]
    assert (highlighter.faults(), highlighter.engine_failures) == ({"is too hard": 1}, 0)


def test_restart_reuses_stored_snippets(make: Make) -> None:
    first = make()
    settled(first, "a", "b")
    first.close()
    again = make()
    assert [again.get_or_enqueue(code("a")), again.get_or_enqueue(code("b"))] == ["A", "B"]
    assert (first.highlighted_count, again.highlighted_count, again.stored_count) == (2, 0, 2)


def test_new_bundle_highlights_everything_and_deletes_old_snippets(make: Make) -> None:
    first = make()
    settled(first, "a")
    first.close()
    other = make(BUNDLE.replace("toUpperCase()", "concat('!')"))
    assert other.stored_count == 0
    assert settled(other, "a") == ["a!"]


def test_cache_key_depends_on_language_marks_and_code(make: Make) -> None:
    highlighter = make()
    settled(highlighter, "a")
    others = [
        CodeBlock("other", "a"),
        CodeBlock("test", "a", (0,)),
        CodeBlock("test", "a", (), (0,)),
        CodeBlock("test", "a", (), (), (0,)),
        CodeBlock("test", "a\n"),
    ]
    assert [highlighter.get_or_enqueue(snippet) for snippet in others] == [None] * 5


def test_complete_sections_are_not_read_again(make: Make) -> None:
    read: list[str] = []

    def section(name: str) -> Iterator[CodeBlock]:
        read.append(name)
        yield from (code(f"{name} {number}") for number in range(20))

    first = make()
    first.warm((name, section(name)) for name in ("x", "y"))
    assert first.wait_until_idle(PATIENCE_S)
    first.close()
    again = make()
    assert again.get_or_enqueue(code("y 19")) == "Y 19"
    again.warm((name, section(name)) for name in ("x", "y", "z"))
    assert again.wait_until_idle(PATIENCE_S)
    assert (read, again.highlighted_count) == (["x", "y", "z"], 20)


def test_requested_snippets_precede_warmed_sections(make: Make) -> None:
    highlighter = make()
    requested = threading.Event()
    order: list[str] = []
    highlighter.on_ready(lambda _: order.append("reader's"))

    def ahead() -> Iterator[CodeBlock]:
        yield code("first")
        requested.wait(PATIENCE_S)
        for number in range(3 * 16):
            yield code(str(number))
        order.append("ahead")

    highlighter.warm([("branch", ahead())])
    assert highlighter.get_or_enqueue(code("wanted")) is None
    highlighter.watch([code("wanted")])
    requested.set()
    assert highlighter.wait_until_idle(PATIENCE_S)
    assert order == ["reader's", "ahead"]


def test_unreadable_section_does_not_stop_the_next_one(make: Make) -> None:
    def broken() -> Iterator[CodeBlock]:
        yield code("a")
        raise Unavailable("The mirror lost it")

    highlighter = make()
    highlighter.warm([("x", broken()), ("y", [code("b")])])
    assert highlighter.wait_until_idle(PATIENCE_S)
    assert highlighter.get_or_enqueue(code("b")) == "B"
    highlighter.warm([("x", [code("a"), code("c")])])
    assert highlighter.wait_until_idle(PATIENCE_S)
    assert [highlighter.get_or_enqueue(code("a")), highlighter.get_or_enqueue(code("c"))] == ["A", "C"]


def test_failing_listener_does_not_stop_highlighting(file: Path) -> None:
    def fail(tags: frozenset[PendingHighlight]) -> None:
        raise RuntimeError(str(tags))

    highlighter = Highlighter(BUNDLE, file)
    highlighter.on_ready(fail)
    highlighter.get_or_enqueue(code("a"))
    highlighter.watch([code("a")])
    # Added only now: an earlier listener could be called in this thread.
    highlighter.start()
    assert settled(highlighter, "b") == ["B"]
    highlighter.close()


def test_broken_bundle_leaves_code_plain_and_can_be_stopped(make: Make) -> None:
    highlighter = make("throw new Error('no')")
    assert highlighter.get_or_enqueue(code("a")) is None
    assert not highlighter.wait_until_idle(0.3)
    highlighter.close()
    assert highlighter.get_or_enqueue(code("a")) is None


def test_idle_highlighter_stops_v8(make: Make) -> None:
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


def truncate(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def overwrite_after_header(file: Path) -> None:
    """Damage the file beyond its header, which is checked first."""
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(b"\xff" * 4096)


def empty(file: Path) -> None:
    os.truncate(file, 0)


@pytest.mark.parametrize("damage", [overwrite, truncate, overwrite_after_header, empty])
def test_damaged_file_is_recreated(make: Make, file: Path, damage: Callable[[Path], None]) -> None:
    first = make()
    settled(first, *(f"{number} " * 200 for number in range(50)))
    first.close()
    damage(file)
    again = make()
    assert settled(again, "a", "0 " * 200) == ["A", "0 " * 200]
    again.close()
    assert make().stored_count >= 2


@pytest.mark.parametrize("content", [b"", bytes(8192), b"This was a database once. " * 400])
def test_loss_of_stored_snippets_is_logged(make: Make, file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    changes = ("damaged and is recreated", "empty and is recreated", "unusable and is deleted")
    with captured_logs(*(f"a cache file is {change}" for change in changes)) as lines:
        assert settled(make(), "a") == ["A"]
    assert {line["file"] for line in lines} == {str(file)}


def test_file_damaged_at_run_time_is_recreated(make: Make, file: Path) -> None:
    highlighter = make()
    settled(highlighter, *(f"{number} " * 200 for number in range(50)))
    overwrite(file)
    settled(highlighter, *(f"{number} " * 200 for number in range(50, 100)))
    assert settled(highlighter, "a") == ["A"]
    highlighter.close()
    assert make().get_or_enqueue(code("a")) == "A"


def test_code_is_highlighted_without_a_writable_folder(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file where the folder should be")
    highlighter = Highlighter(BUNDLE, tmp_path / "var" / "highlight.sqlite")
    highlighter.start()
    assert settled(highlighter, "a") == ["A"]
    highlighter.close()


WORK = """
import sys
import time
from pathlib import Path
from tests.unit.content.highlight.fake_highlight_bundle import BUNDLE
from kinfolk.content.highlight import Highlighter
from kinfolk.content.markdown.markdown_page import CodeBlock

highlighter = Highlighter(BUNDLE, Path(sys.argv[1]))
print("begun", flush=True)
sys.stdin.readline()
highlighter.start()
highlighter.warm([("all", (CodeBlock("test", f"snippet {n}") for n in range(int(sys.argv[2]))))])
done = highlighter.wait_until_idle(float(sys.argv[3]))
until = time.monotonic() + 30
while not highlighter.stored_count and time.monotonic() < until:
    time.sleep(0.01)
print(done, flush=True)
sys.stdin.readline()
highlighter.close()
"""


def start_process(file: Path, snippets: int, *, for_s: float = PATIENCE_S) -> subprocess.Popen[str]:
    """Another process that highlights into the same file and prints whether it became idle in time.

    It starts and stops when a line is written to its stdin, so that two processes start together.
    """
    root = Path(__file__).parents[4]
    command = [sys.executable, "-c", WORK, str(file), str(snippets), str(for_s)]
    process = subprocess.Popen(command, cwd=root, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


def send_line(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def test_two_processes_share_one_file(make: Make, file: Path) -> None:
    both = [start_process(file, 600), start_process(file, 600)]
    for process in both:
        send_line(process)
    assert [process.communicate("end\n", timeout=90)[0] for process in both] == ["True\n", "True\n"]
    assert make().stored_count == 600


def test_killed_process_leaves_an_intact_file(make: Make, file: Path) -> None:
    process = start_process(file, 10_000_000, for_s=1.0)
    send_line(process)
    assert process.stdout is not None
    assert process.stdout.readline() == "False\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    again = make()
    assert again.stored_count > 0
    assert again.get_or_enqueue(code("snippet 0")) == "SNIPPET 0"
