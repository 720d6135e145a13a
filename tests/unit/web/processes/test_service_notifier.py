"""Notifications of systemd."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from kinfolk.web.processes.service_notifier import ServiceNotifier


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket of systemd."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "notify"))
        receiver.setblocking(False)
        yield receiver


def received(manager: socket.socket) -> list[str]:
    messages = []
    while True:
        try:
            messages.append(manager.recv(4096).decode())
        except BlockingIOError:
            return messages


def test_states_are_sent(manager: socket.socket) -> None:
    notifier = ServiceNotifier({"NOTIFY_SOCKET": manager.getsockname()}, clock=lambda: 1.5)
    notifier.ready("Serving\n2 branches")
    notifier.reloading()
    notifier.replaced_by(4711)
    notifier.stopping()
    notifier.beat()
    assert received(manager) == [
        "READY=1\nSTATUS=Serving 2 branches",
        "RELOADING=1\nMONOTONIC_USEC=1500000",
        "MAINPID=4711\nREADY=1",
        "STOPPING=1",
    ]


def test_watchdog_is_reset_after_half_of_its_time(manager: socket.socket) -> None:
    times_s = iter([10.0, 11.0, 12.4, 12.5])
    given = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "5000000", "WATCHDOG_PID": str(os.getpid())}
    notifier = ServiceNotifier(given, clock=lambda: next(times_s))
    counts = []
    for _ in range(4):
        notifier.beat()
        counts.append(len(received(manager)))
    assert counts == [1, 0, 0, 1]


@pytest.mark.parametrize("more", [{"WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": "soon"}, {"WATCHDOG_USEC": "0"}])
def test_watchdog_of_another_process_or_without_a_time_is_not_reset(
    manager: socket.socket, more: dict[str, str]
) -> None:
    notifier = ServiceNotifier({"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "1000000", **more})
    notifier.beat()
    assert received(manager) == []


def test_abstract_address_is_used() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        name = f"kinfolk-test-{os.getpid()}"
        receiver.bind(f"\0{name}")
        receiver.setblocking(False)
        ServiceNotifier({"NOTIFY_SOCKET": f"@{name}"}).stopping()
        assert received(receiver) == ["STOPPING=1"]


def test_missing_socket_is_no_error(tmp_path: Path) -> None:
    ServiceNotifier({"NOTIFY_SOCKET": str(tmp_path / "none")}).ready("Serving")
    ServiceNotifier({}).stopping()
