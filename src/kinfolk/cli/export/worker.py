"""A process that exports addresses: it receives lists of them, and returns what it has found and written."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from kinfolk.cli.export.site_renderer import Exported, SiteRenderer
from kinfolk.cli.export.tree import TreeWriter
from kinfolk.config.settings import process_settings
from kinfolk.runtime.errors import SiteError

CONCURRENCY = 4
"""Addresses that a worker exports at once: while one is rendered in V8, Python prepares others."""

ADDRESS_S = 60
"""Seconds that an address may take."""
CODE_S, MOST_ATTEMPTS = 0.1, 200
"""Seconds until a page whose code is not highlighted yet is rendered again, and how often. Then it is exported so."""


@dataclass(frozen=True)
class Written:
    """An exported address, without the contents of its files."""

    target: str
    digests: dict[str, str]
    links: tuple[str, ...]
    tags: frozenset[str]
    redirect: str
    fault: str


@dataclass(frozen=True)
class WorkerTask:
    """What a worker needs to begin. `environment` has the settings of the site."""

    environment: dict[str, str]
    folder: Path
    earlier: Path
    known: dict[str, str]
    share_images: bool


def run_worker(task: WorkerTask, pipe: Connection) -> None:
    """Export lists of addresses until None arrives. The main function of a process."""
    os.environ.update(task.environment)
    from kinfolk.runtime.logging_config import set_up_logs

    set_up_logs("console")
    _quiet()
    try:
        asyncio.run(_work(task, pipe))
    except SiteError as failure:
        pipe.send(failure.message)
    except (EOFError, KeyboardInterrupt):
        pass
    os._exit(0)


def _quiet() -> None:
    import structlog

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))


async def _work(task: WorkerTask, pipe: Connection) -> None:
    writer = TreeWriter(task.folder, task.earlier, task.known)
    async with SiteRenderer.open(process_settings(), share_images=task.share_images) as renderer:
        pipe.send([])
        while (targets := await asyncio.to_thread(pipe.recv)) is not None:
            queue = list(targets)
            done: list[Written] = []
            await asyncio.gather(*(_export_each(renderer, writer, queue, done) for _ in range(CONCURRENCY)))
            pipe.send(done)


async def _export_each(renderer: SiteRenderer, writer: TreeWriter, queue: list[str], done: list[Written]) -> None:
    while queue:
        target = queue.pop(0)
        try:
            async with asyncio.timeout(ADDRESS_S):
                exported = await _with_code(renderer, target)
        except TimeoutError:
            exported = Exported(target, fault=f"no response within {ADDRESS_S} s")
        done.append(write(exported, writer))


async def _with_code(renderer: SiteRenderer, target: str) -> Exported:
    """The files of an address, with highlighted code."""
    for _ in range(MOST_ATTEMPTS):
        exported = await renderer.export(target)
        if not exported.has_pending_code:
            break
        await asyncio.sleep(CODE_S)
    return exported


def write(exported: Exported, writer: TreeWriter) -> Written:
    """Write the files of an address."""
    digests = {file.name: writer.add(file.name, file.content) for file in exported.files}
    return Written(exported.target, digests, exported.links, exported.tags, exported.redirect, exported.fault)
