"""Refusals: all are counted, and the log gets one line of a kind in ten seconds."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import structlog
from tests.servers.captured_logs import captured_logs

from kinfolk.runtime.metrics import REFUSED
from kinfolk.web.refusal_log import INTERVAL_S, MAX_FIELD, RefusalLog


@pytest.fixture(autouse=True)
def log() -> Iterator[None]:
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


def counter_value(kind: str, reason: str) -> float:
    for family in REFUSED.collect():
        for sample in family.samples:
            if sample.labels == {"kind": kind, "reason": reason} and sample.name.endswith("_total"):
                return sample.value
    return 0.0


def test_one_line_of_a_reason_is_logged_in_ten_seconds() -> None:
    now_s = 100.0
    log_refusal = RefusalLog(clock=lambda: now_s)
    before = counter_value("search", "test")
    with captured_logs("request refused") as lines:
        for _ in range(5):
            log_refusal("search", "test", address="192.0.2.1")
        now_s += INTERVAL_S
        log_refusal("search", "test", address="192.0.2.2")
    assert [(line["address"], line["suppressed"]) for line in lines] == [("192.0.2.1", 0), ("192.0.2.2", 4)]
    assert lines[0] == {
        "event": "request refused",
        "log_level": "warning",
        "kind": "search",
        "reason": "test",
        "suppressed": 0,
        "address": "192.0.2.1",
    }
    assert counter_value("search", "test") == before + 6


def test_kinds_and_reasons_are_logged_separately() -> None:
    log_refusal = RefusalLog(clock=lambda: 0.0)
    with captured_logs("request refused") as lines:
        log_refusal("search", "rate")
        log_refusal("search", "size")
        log_refusal("page", "rate")
    assert [(line["kind"], line["reason"]) for line in lines] == [
        ("search", "rate"),
        ("search", "size"),
        ("page", "rate"),
    ]


def test_long_fields_are_truncated() -> None:
    with captured_logs("request refused") as lines:
        RefusalLog(clock=lambda: 0.0)("search", "size", path="x" * 10_000, bytes=5)
    assert (len(lines[0]["path"]), lines[0]["bytes"]) == (MAX_FIELD, 5)


def test_refusals_of_many_threads_are_all_counted_and_logged_once() -> None:
    log_refusal = RefusalLog(clock=lambda: 0.0)
    before = counter_value("search", "threads")

    def refuse() -> None:
        for _ in range(100):
            log_refusal("search", "threads")

    with captured_logs("request refused") as lines:
        threads = [threading.Thread(target=refuse) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(lines) == 1
    assert counter_value("search", "threads") == before + 400
