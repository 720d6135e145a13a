"""Upstream repositories of the family, which tests change while a real server mirrors them."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import html5lib
import httpx
from tests.servers.kinfolk_process import RunningCommand
from tests.servers.serving import Server, serving
from tests.sites.sample_site import SITE
from tests.suite.prepared import SOURCE, Prepared
from tests.unit.content.sources.git.sources_upstream import Upstreams, git

from kinfolk.config.catalog import load_catalog
from kinfolk.config.docs_address import Ref

T = TypeVar("T")

TIMEOUT_S = 30.0
POLL_S = 0.04
RANGER = Ref("TanStack/ranger", "main")
STORE = Ref("TanStack/store", "main")
REVISED = ("/ranger/latest/docs/overview", "/ranger/latest/docs/concepts", "/store/latest/docs/overview")
"""Pages with a revision number: two of one repository and one of another."""
README = "examples/react/basic/README.md"
EXAMPLE = "/ranger/latest/docs/framework/react/examples/basic"
"""A page with the revision number in the file of its parameter `path`."""


def eventually(probe: Callable[[], T | None], expected: str, *, within_s: float = TIMEOUT_S) -> T:
    """The first true result of `probe`, which is called repeatedly."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if result := probe():
            return result
        time.sleep(POLL_S)
    raise AssertionError(f"not within {within_s:g} s: {expected}")


@dataclass(frozen=True)
class Family:
    """Upstream repositories with all branches of the catalog, and a mirror of them below `folder`."""

    folder: Path
    upstreams: Upstreams

    @property
    def environment(self) -> dict[str, str]:
        return {
            "KINFOLK_SITE": str(SITE),
            "KINFOLK_MIRROR": str(self.folder / "mirror"),
            "KINFOLK_UPSTREAM": self.upstreams.url_template,
            "KINFOLK_REFRESH_S": "1",
            "KINFOLK_HIGHLIGHT": "off",
            "KINFOLK_SEARCH": "off",
            "KINFOLK_LOG": "json",
        }

    def copied(self, folder: Path) -> Family:
        """A copy of upstream and mirror in another folder."""
        shutil.copytree(self.folder, folder)
        return Family(folder, Upstreams(folder / self.upstreams.folder.name, self.upstreams.commits))

    def push(self, revision: int) -> None:
        """Commit to each repository a change of pages, an example and the navigation."""
        label = f"Revision {revision}"
        for ref, pages in ((RANGER, ("overview", "concepts")), (STORE, ("overview",))):
            links = [{"label": f"{page}, {label}", "to": page} for page in pages]
            text = f"---\ntitle: The page of {label}\n---\n\nThis is {label}.\n"
            config = json.dumps({"sections": [{"label": label, "children": links}]})
            files = {"docs/config.json": config, README: text, **{f"docs/{page}.md": text for page in pages}}
            self.upstreams.commit(ref, files)

    def start_sync(self, *arguments: str) -> RunningCommand:
        return RunningCommand("sync", *arguments, environment=os.environ | self.environment)

    def sync(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        with self.start_sync(*arguments) as command:
            return command.finish()

    @contextmanager
    def serving(self) -> Iterator[Server]:
        with serving(self.folder, environment=self.environment) as server:
            yield server

    @contextmanager
    def blocked(self, ref: Ref) -> Iterator[Callable[[], int]]:
        """Block fetches from an upstream. Yields a function that returns the number of blocked processes."""
        pipe = self.upstreams.path(ref) / "packed-refs"
        os.mkfifo(pipe)
        ends: list[int] = []

        def count_blocked() -> int:
            with suppress(OSError):  # no process has opened the pipe
                ends.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
            return len(ends)

        try:
            yield count_blocked
        finally:
            pipe.unlink()
            for end in ends:
                os.close(end)


def _make(folder: Path) -> None:
    upstreams = Upstreams(folder / "upstream")
    for ref in load_catalog(SITE).refs:
        root = SITE / "repos" / ref.repo / ref.branch
        files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        upstreams.commit(ref, files or {"docs/config.json": '{"sections": []}', "docs/overview.md": f"# {ref}\n"})
    family = Family(folder, upstreams)
    family.push(1)
    synced = family.sync()
    assert synced.returncode == 0, synced.stderr
    (folder / "commits").write_text(str(upstreams.commits))


MIRRORED_FAMILY = Prepared("mirrored-family", (*SOURCE, Path(__file__)), _make)
"""Repositories with the bundled docs at revision 1, and one page where a branch is not bundled. And their mirror."""


def mirrored_family(folder: Path) -> Family:
    """A copy of MIRRORED_FAMILY."""
    shared = MIRRORED_FAMILY.folder()
    return Family(shared, Upstreams(shared / "upstream", int((shared / "commits").read_text()))).copied(folder)


def upstream_family(folder: Path, *, without: Collection[Ref] = ()) -> Family:
    """The repositories of MIRRORED_FAMILY without a mirror, and without some branches."""
    family = mirrored_family(folder)
    shutil.rmtree(folder / "mirror")
    for ref in without:
        git(f"--git-dir={family.upstreams.path(ref)}", "update-ref", "-d", f"refs/heads/{ref.branch}")
    return family


def example(encoding: int) -> str:
    """The URL of the example in one of many percent-encodings. The server caches one page for each."""
    path = "".join(f"%{ord(c):02X}" if encoding >> at & 1 else c for at, c in enumerate(README))
    return f"{EXAMPLE}?path={path}"


def revisions(server: Server) -> dict[str, int]:
    """The current revision of each page of REVISED."""
    return {path: revision_of(html_of(server, path)) for path in REVISED}


def showing(server: Server, revision: int) -> Callable[[], bool]:
    """Whether all pages of REVISED have this revision, as a probe for `eventually`.

    Requests a page only if the one before has it: most probes are before the change.
    """
    return lambda: all(revision_of(html_of(server, path)) == revision for path in REVISED)


def html_of(server: Server, path: str) -> str:
    answer = httpx.get(server.url + path, timeout=TIMEOUT_S)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.text


@lru_cache(maxsize=256)
def revision_of(html: str) -> int:
    """The revision of a page, after asserting that sidebar, text and HTML have the same one."""
    page = html5lib.parse(html, namespaceHTMLElements=False)
    (main,) = page.iter("main")
    elements = set(main.iter())
    text = " ".join(main.itertext())
    sidebar = " ".join("".join(nav.itertext()) for nav in page.iter("nav") if nav not in elements)
    found = [set(re.findall(r"Revision (\d+)", part)) for part in (sidebar, text, html)]
    assert found[0] == found[1] == found[2], f"sidebar, text and HTML have revisions {found}"
    (revision,) = found[0]
    return int(revision)


def logged(server: Server) -> list[dict[str, str]]:
    """The log entries of the server."""
    return [json.loads(line) for line in server.log.splitlines() if line.startswith("{") and line.endswith("}")]


def warned(server: Server, repo: str, branch: str, *words: str) -> Callable[[], dict[str, str] | None]:
    """The warning about a branch whose reason contains these words, as a probe for `eventually`."""
    return lambda: next(
        (
            entry
            for entry in logged(server)
            if (entry.get("repo"), entry.get("branch"), entry["level"]) == (repo, branch, "warning")
            and all(word in entry["reason"] for word in words)
        ),
        None,
    )


def kill(server: Server) -> None:
    """Send SIGKILL to the server and its workers."""
    workers = server.workers()
    server.process.kill()
    for worker in workers:
        with suppress(ProcessLookupError):  # it has ended with its parent
            os.kill(worker, signal.SIGKILL)
    server.process.wait()
