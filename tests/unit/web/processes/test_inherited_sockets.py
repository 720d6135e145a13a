"""Sockets in the protocol of systemd."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from kinfolk.runtime.errors import Invalid, Unavailable
from kinfolk.web.processes import inherited_sockets as module
from kinfolk.web.processes.inherited_sockets import inherited_sockets

FIRST = 200
"""Descriptors that the test process does not use."""


@pytest.fixture
def numbered(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Descriptors for a call of `environment`; closed at the end."""
    monkeypatch.setattr(module, "FIRST_DESCRIPTOR", FIRST)
    numbers: list[int] = []
    yield numbers
    for number in numbers:
        try:
            os.close(number)
        except OSError:
            continue


def environment(numbered: list[int], *named: tuple[str, int]) -> dict[str, str]:
    for at, (_, number) in enumerate(named):
        os.dup2(number, FIRST + at)
        numbered.append(FIRST + at)
    names = ":".join(name for name, _ in named)
    return {"LISTEN_FDS": str(len(named)), "LISTEN_PID": str(os.getpid()), "LISTEN_FDNAMES": names, "PATH": "/bin"}


def test_sockets_are_taken_by_name_and_not_passed_on(numbered: list[int]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as http, socket.create_server(("127.0.0.1", 0)) as metrics:
        given = environment(numbered, ("docs.socket", http.fileno()), ("metrics", metrics.fileno()))
        with inherited_sockets(given) as sockets, ExitStack() as stack:
            assert sockets.metrics is not None
            taken = [stack.enter_context(one) for one in (*sockets.http, sockets.metrics)]
            assert [one.getsockname() for one in taken] == [http.getsockname(), metrics.getsockname()]
            assert not any(one.get_inheritable() for one in taken)
    assert given == {"PATH": "/bin"}


def test_variables_of_another_process_are_ignored() -> None:
    given = {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid() + 1)}
    with inherited_sockets(given) as sockets:
        assert sockets.http == []
    assert given == {}


@pytest.mark.parametrize("count", ["0", "17", "-1", "many", "²"])
def test_wrong_number_is_refused(count: str) -> None:
    given = {"LISTEN_FDS": count, "LISTEN_PID": str(os.getpid())}
    with pytest.raises(Invalid, match="LISTEN_FDS must be a number from 1 to 16"), inherited_sockets(given):
        pass


def test_descriptor_that_is_no_listening_socket_is_refused(numbered: list[int], tmp_path: Path) -> None:
    with (
        (tmp_path / "file").open("w") as file,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
        socket.socket(socket.AF_UNIX) as local,
        socket.socket() as silent,
    ):
        for opened, reason in (
            (file.fileno(), "is not a socket"),
            (datagrams.fileno(), "is not a TCP socket"),
            (local.fileno(), "is not a TCP socket"),
            (silent.fileno(), "does not listen: the socket unit needs Accept=no"),
        ):
            given = environment(numbered, ("docs", opened))
            with pytest.raises(Invalid, match=rf"descriptor {FIRST} \(docs\) .*{reason}"), inherited_sockets(given):
                pass


def test_closed_descriptor_is_refused(numbered: list[int]) -> None:
    given = environment(numbered) | {"LISTEN_FDS": "1"}
    with pytest.raises(Invalid, match=f"descriptor {FIRST} .* is not open"), inherited_sockets(given):
        pass


def test_result_of_the_start_is_reported_once(numbered: list[int]) -> None:
    ours, theirs = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as http, os.fdopen(ours, "rb") as pipe:
        given = environment(numbered, ("http", http.fileno()), ("handover", theirs))
        os.close(theirs)
        with inherited_sockets(given) as sockets:
            sockets.report_ready()
            sockets.report_failure("too late")
            for one in sockets.http:
                one.close()
        assert pipe.read() == b"r"


def test_error_of_the_start_is_reported(numbered: list[int]) -> None:
    ours, theirs = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as http, os.fdopen(ours, "rb") as pipe:
        given = environment(numbered, ("http", http.fileno()), ("handover", theirs))
        os.close(theirs)
        with pytest.raises(Unavailable), inherited_sockets(given) as sockets, sockets.http[0]:
            raise Unavailable("The facts are wrong")
        assert pipe.read() == b"fThe facts are wrong"
