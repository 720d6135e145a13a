"""The whole export: worker processes write the pages, this process everything else."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import cast

from kinfolk.cli.export.addresses import first_addresses, latest_names
from kinfolk.cli.export.answer_files import SEARCH_CONFIG, answer_file
from kinfolk.cli.export.file_names import file_of, kind_of
from kinfolk.cli.export.link_form import redirect_page
from kinfolk.cli.export.search_files import RecordCache, search_files
from kinfolk.cli.export.tree import ExportManifest, TreeWriter, copy_files, staging_folder, switch
from kinfolk.cli.export.worker import WorkerTask, Written, run_worker
from kinfolk.config.base_path import BasePath
from kinfolk.config.settings import PREFIX, SETTINGS, Settings
from kinfolk.content.pages.public_files import PUBLIC, read_public_files
from kinfolk.runtime.errors import Invalid, SiteError
from kinfolk.search.filters import Record
from kinfolk.search.open_search import open_searchable_content
from kinfolk.site.site import Site
from kinfolk.statistics.npm_config import load_npm_config

BATCH = 12
"""Addresses that a worker gets at once."""
RECORDS = "export/records.json"
REDIRECTS = "_redirects"
MOST_REDIRECTS = 2000
"""Lines of the redirects file that Cloudflare Pages reads."""


@dataclass(frozen=True)
class ExportOptions:
    """`workers` is the number of processes that render pages."""

    share_images: bool = True
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)


@dataclass(frozen=True)
class ExportResult:
    """What an export has. `written` counts files that the earlier export had with other content, or did not have."""

    addresses: dict[str, Written]
    files: int
    written: int
    removed: int
    faults: tuple[str, ...]


Progress = Callable[[int, int], None]
"""Called with the number of exported addresses, and of all that are known so far."""


class Exporter:
    """Exports one site to one folder. Raises Invalid for a folder with other files, and for that of public files."""

    def __init__(self, site: Site, folder: Path, options: ExportOptions, *, progress: Progress) -> None:
        self.site = site
        self.folder = folder.absolute()
        if self.folder.resolve().is_relative_to((site.settings.site / PUBLIC).resolve()):
            raise Invalid(
                f"{folder} is the folder of files that the site serves at its root: export to another one, such as dist"
            )
        self.records: dict[str, tuple[str, list[Record]]] = {}
        self._options = options
        self._progress = progress
        self._earlier = ExportManifest.read(self.folder)

    def run(self) -> ExportResult:
        """Export everything. The old export stays complete until the new one is."""
        staging = staging_folder(self.folder)
        writer = TreeWriter(staging, self.folder, self._earlier.digests)
        workers = _Workers(self._task(staging), self._options.workers)
        try:
            workers.start()
            # Records of the search are made while the workers render pages.
            with ThreadPoolExecutor(1) as executor:
                shared = executor.submit(self._shared_files, writer)
                done = workers.run(self._first(), self._progress)
                digests = shared.result()
            for written in done.values():
                digests |= written.digests
            digests |= self._redirects(writer, done.values())
            ExportManifest(digests).write(staging)
            unchanged = sum(self._earlier.digests.get(name) == digest for name, digest in digests.items())
            removed = len(self._earlier.digests.keys() - digests.keys())
            switch(staging, self.folder)
        except BaseException:
            workers.stop()
            shutil.rmtree(staging, ignore_errors=True)
            raise
        return ExportResult(done, len(digests), len(digests) - unchanged, removed, tuple(_faults(done.values())))

    def _first(self) -> list[str]:
        return [*first_addresses(self.site, load_npm_config(self.site.settings.site).categories)]

    def _task(self, staging: Path) -> WorkerTask:
        settings = self.site.settings
        return WorkerTask(
            environment_of_all(settings), staging, self.folder, self._earlier.digests, self._options.share_images
        )

    def _redirects(self, writer: TreeWriter, done: Iterable[Written]) -> dict[str, str]:
        """The redirects as hosts read them that know this file, and pages for the names of latest versions."""
        base, origin = BasePath.of(self.site.settings.origin), self.site.settings.origin
        lines = sorted(f"{base.add(each.target)} {each.redirect} 301\n" for each in done if each.redirect)
        digests = {}
        for named, latest in latest_names(self.site):
            page = redirect_page(f"{base.add(latest)}/", f"{origin}{latest}/").encode()
            digests[file_of(named)] = writer.add(file_of(named), page)
            lines.append(f"{base.add(named)}/* {base.add(latest)}/:splat 301\n")
        digests[REDIRECTS] = writer.add(REDIRECTS, "".join(lines[-MOST_REDIRECTS:]).encode())
        return digests

    def _shared_files(self, writer: TreeWriter) -> dict[str, str]:
        """Files that are not pages: those of the build, of the search, and `.nojekyll`."""
        client = self.site.settings.frontend / "client"
        names = [path.relative_to(client).as_posix() for path in client.rglob("*") if path.is_file()]
        shipped = [name for name in names if not name.startswith(".") and not name.endswith((".br", ".gz"))]
        digests = copy_files(client, shipped, writer)
        public = read_public_files(self.site.settings.site, {library.id for library in self.site.catalog.libraries})
        for address, file in public.items():
            digests[address.lstrip("/")] = writer.add(address.lstrip("/"), file.read_bytes())
        # GitHub Pages would leave out names that begin with an underscore.
        digests[".nojekyll"] = writer.add(".nojekyll", b"")
        answer = asyncio.run(answer_file(self.site, *SEARCH_CONFIG))
        if answer is not None:
            name = answer.address.lstrip("/")
            digests[name] = writer.add(name, answer.content)
        content = open_searchable_content(self.site.settings)
        cache = RecordCache(self.site.settings.var / RECORDS)
        self.records |= cache.read(content)
        for name, text in search_files(content, self.records).files.items():
            digests[name] = writer.add(name, text)
        cache.write(content, self.records)
        return digests


class _Workers:
    """Processes that export addresses until no page links to another one."""

    def __init__(self, task: WorkerTask, count: int) -> None:
        self._task = task
        self._count = count
        self._processes: list[tuple[multiprocessing.process.BaseProcess, Connection]] = []

    def start(self) -> None:
        # Not forked: the parent has threads.
        context = multiprocessing.get_context("spawn")
        for _ in range(self._count):
            ours, theirs = context.Pipe()
            process = context.Process(target=run_worker, args=(self._task, theirs), daemon=False)
            process.start()
            theirs.close()
            self._processes.append((process, ours))

    def run(self, first: Iterable[str], progress: Progress) -> dict[str, Written]:
        """Export the addresses, and all that their pages link to. Raises SiteError if a worker fails."""
        queue, done = _AddressQueue(), dict[str, Written]()
        queue.add(first)
        idle: set[Connection] = set()
        while queue.waiting or len(idle) < len(self._processes):
            busy = [pipe for _, pipe in self._processes if pipe not in idle]
            for pipe in wait(busy, timeout=1):
                received = _received(cast("Connection", pipe))
                done |= {written.target: written for written in received}
                queue.add(link for written in received for link in written.links)
                idle.add(cast("Connection", pipe))
            for pipe in tuple(idle):
                if queue.waiting:
                    pipe.send(queue.take(BATCH))
                    idle.remove(pipe)
            progress(len(done), len(queue.known))
        for process, pipe in self._processes:
            pipe.send(None)
            process.join(10)
        return done

    def stop(self) -> None:
        for process, _ in self._processes:
            process.kill()
            process.join()


class _AddressQueue:
    """Addresses to export, each file once."""

    def __init__(self) -> None:
        self.waiting: deque[str] = deque()
        self.known: set[str] = set()

    def add(self, targets: Iterable[str]) -> None:
        for target in targets:
            wanted = exported_target(target)
            name = file_of(wanted.partition("?")[0]) if wanted else ""
            if wanted and name not in self.known:
                self.known.add(name)
                self.waiting.append(wanted)

    def take(self, most: int) -> list[str]:
        return [self.waiting.popleft() for _ in range(min(most, len(self.waiting)))]


def _received(pipe: Connection) -> list[Written]:
    try:
        message = pipe.recv()
    except (EOFError, ConnectionError):
        raise SiteError("A process of the export has ended") from None
    if isinstance(message, str):
        raise SiteError(message)
    received: list[Written] = message
    return received


def exported_target(target: str) -> str:
    """The address that is exported for an address in a page; empty for one that is written apart."""
    path, _, query = target.partition("?")
    path = path.rstrip("/") or "/"
    kind = kind_of(path)
    if kind == "server" or path.startswith("/assets/"):
        return ""
    return f"{path}?{query}" if query and kind == "file" else path


def needs_server(target: str) -> bool:
    """Whether a page that links to this address has a control without a function."""
    return kind_of(target.partition("?")[0].rstrip("/") or "/") == "server"


def _faults(done: Iterable[Written]) -> Iterable[str]:
    for written in done:
        if written.fault:
            yield f"{written.target}: {written.fault}"
        yield from (
            f"{written.target} links to {link}, which needs the server" for link in written.links if needs_server(link)
        )


def environment_of_all(settings: Settings) -> dict[str, str]:
    """The environment of a process with the same settings."""
    given = {each.name: os.environ[each.name] for each in SETTINGS if each.name in os.environ}
    folders = {
        "site": settings.site,
        "content": settings.content,
        "mirror": settings.mirror or "off",
        "var": settings.var,
    }
    return {
        **given,
        **{PREFIX + name.upper(): str(value) for name, value in folders.items()},
        f"{PREFIX}ORIGIN": settings.origin,
        f"{PREFIX}FRONTEND": str(settings.frontend),
    }
