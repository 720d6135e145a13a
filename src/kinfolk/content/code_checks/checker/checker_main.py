"""A process with one V8 isolate that runs the TypeScript compiler.

    python -m kinfolk.content.code_checks.checker.checker_main BUNDLE TYPES MEMORY_BYTES TIME_S

It communicates only through the socket that is its standard input, in messages of `markdown.processes.messages`:

    site      ["open", framework, [name of an own package…], [[folder, file]…]]
    site      ["check", [page…]]        see `check_messages`
    site      ["exports", [module…]]
    process   ["done", JSON] or ["failed", reason]

After a failure the process exits. It reads only the files that the site names, and opens no connection.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import sys
from pathlib import Path

from py_mini_racer import JSOOMException, JSTimeoutException

from kinfolk.content.markdown.processes.messages import Message, MessageReader, encode_message
from kinfolk.runtime.v8 import V8Isolate

_SOCKET_FD = 0
LARGEST_MESSAGE = 32 << 20
"""Bytes of a message in either direction."""
LARGEST_PACKAGE = 64 << 20
"""Bytes of the declarations of one package."""
OTHER_BYTES = 80 << 20
_NICENESS = 10
STARTUP_S = 120.0
"""The compiler loads in 0.7 s; a busy machine takes longer."""


class _Isolate:
    """The compiler. Raises mini-racer's errors."""

    def __init__(self, bundle: str, types: str, *, memory_bytes: int, time_s: float) -> None:
        self._time_s = time_s
        self._v8 = V8Isolate(
            bundle, thread="v8-code-check", startup_s=STARTUP_S, flags=[f"--max-old-space-size={memory_bytes >> 20}"]
        )
        # For what V8 does not count as old space. Near the limit of that it collects often, and beyond it aborts.
        self._v8.js.set_hard_memory_limit(memory_bytes + OTHER_BYTES)
        self._add("/lib", types)

    def open(self, framework: str | None, own: list[str], packages: list[tuple[str, str]]) -> str:
        self._call("reset")
        # The limit of memory counts what V8 has not collected yet.
        self._v8.js.low_memory_notification()
        for folder, file in packages:
            with gzip.open(file) as stored:
                texts = stored.read(LARGEST_PACKAGE + 1)
            if len(texts) > LARGEST_PACKAGE:
                raise ValueError(f"{folder} has more than {LARGEST_PACKAGE} bytes")
            self._add(folder, texts.decode())
        self._call("begin", framework, json.dumps(own))
        return ""

    def check(self, pages: list[object]) -> str:
        return str(self._call("check", json.dumps(pages)))

    def exports(self, modules: list[str]) -> str:
        return str(self._call("exports", json.dumps(modules)))

    def _add(self, folder: str, texts: str) -> None:
        self._call("addFiles", folder, texts)

    def _call(self, name: str, *arguments: str | None) -> object:
        written = ", ".join(map(json.dumps, arguments))
        answer = self._v8.js.eval(f"__CODE.{name}({written})", timeout_sec=self._time_s)
        if self._v8.js.was_hard_memory_limit_reached():
            raise JSOOMException
        return answer


def _answer(isolate: _Isolate, message: Message) -> Message:
    match message:
        case ["open", framework, own, packages]:
            return ["done", isolate.open(framework, own, packages)]
        case ["check", pages]:
            return ["done", isolate.check(pages)]
        case ["exports", modules]:
            return ["done", isolate.exports(modules)]
    raise ValueError("a message is of another form")


def _send(message: Message) -> None:
    left = memoryview(encode_message(message))
    while left:
        left = left[os.write(_SOCKET_FD, left) :]


def main(bundle: str, types: str, memory_bytes: str, time_s: str) -> None:
    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    reader = MessageReader(lambda view: os.readv(_SOCKET_FD, [view]), LARGEST_MESSAGE)
    try:
        isolate = _Isolate(
            Path(bundle).read_text(encoding="utf-8"),
            Path(types).read_text(encoding="utf-8"),
            memory_bytes=int(memory_bytes),
            time_s=float(time_s),
        )
        while True:
            message = reader.read()
            _send(_answer(isolate, message))
    except ConnectionError:
        pass  # the site closed the socket
    except JSTimeoutException:
        _fail("time")
    except JSOOMException:
        _fail("memory")
    except Exception as failure:  # noqa: BLE001 - the site logs it
        _fail(f"{type(failure).__name__}: {failure}"[:2000])
    finally:
        os._exit(0)  # V8 can hang the interpreter at its exit


def _fail(reason: str) -> None:
    try:
        _send(["failed", reason])
    except OSError:
        return


if __name__ == "__main__":
    main(*sys.argv[1:])
