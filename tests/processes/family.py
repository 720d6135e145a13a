"""The family's repositories upstream, changed while a real server mirrors them."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import html5lib
import httpx
from tests.serving import Server, serving
from tests.unit.sources_upstream import Upstreams

from kinfolk.catalog import Catalog
from kinfolk.settings import Settings
from kinfolk.site import family_refs
from kinfolk.sources.snapshot import Ref

T = TypeVar("T")

PATIENCE_S = 30.0
RANGER = Ref("TanStack/ranger", "main")
STORE = Ref("TanStack/store", "main")
REVISED = ("/ranger/latest/docs/overview", "/ranger/latest/docs/concepts", "/store/latest/docs/overview")
"""The pages that show a revision: two of one commit and one of another repository."""
README = "examples/react/basic/README.md"
EXAMPLE = "/ranger/latest/docs/framework/react/examples/basic"
"""It shows the revision too, in the file that `path` names."""


def eventually(look: Callable[[], T | None], what: str, *, within_s: float = PATIENCE_S) -> T:
    """What `look` sees as soon as it sees something."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if seen := look():
            return seen
        time.sleep(0.02)
    raise AssertionError(f"not within {within_s:g} s: {what}")


@dataclass(frozen=True)
class Family:
    """Every branch that the registry names, upstream, and a mirror of it below `folder`."""

    folder: Path
    upstreams: Upstreams

    @property
    def environment(self) -> dict[str, str]:
        return {
            "KINFOLK_MIRROR": str(self.folder / "mirror"),
            "KINFOLK_UPSTREAM": self.upstreams.url_template,
            "KINFOLK_REFRESH_S": "1",
            "KINFOLK_HIGHLIGHT": "off",
            "KINFOLK_SEARCH": "off",
            "KINFOLK_LOG": "json",
        }

    def copied(self, folder: Path) -> Family:
        """The same, upstream and mirror, elsewhere."""
        shutil.copytree(self.folder, folder)
        return Family(folder, Upstreams(folder / self.upstreams.folder.name, self.upstreams.commits))

    def push(self, revision: int) -> None:
        """One commit a repository that changes the text of pages, an example and the navigation together."""
        label = f"Revision {revision}"
        for ref, pages in ((RANGER, ("overview", "concepts")), (STORE, ("overview",))):
            links = [{"label": f"{page}, {label}", "to": page} for page in pages]
            text = f"---\ntitle: The page of {label}\n---\n\nThis is {label}.\n"
            config = json.dumps({"sections": [{"label": label, "children": links}]})
            files = {"docs/config.json": config, README: text, **{f"docs/{page}.md": text for page in pages}}
            self.upstreams.commit(ref, files)

    def start_sync(self, *arguments: str) -> subprocess.Popen[str]:
        """`kinfolk sync` in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "kinfolk", "sync", *arguments],
            env=os.environ | self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )

    def sync(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        with self.start_sync(*arguments) as process:
            out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    @contextmanager
    def serving(self) -> Iterator[Server]:
        with serving(self.folder, environment=self.environment) as server:
            yield server

    @contextmanager
    def silent(self, ref: Ref) -> Iterator[Callable[[], int]]:
        """An upstream that accepts and never answers. Gives what says when somebody waits for it."""
        pipe = self.upstreams.path(ref) / "packed-refs"
        os.mkfifo(pipe)
        ends: list[int] = []

        def somebody_waits() -> int:
            with suppress(OSError):  # nobody reads yet
                ends.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
            return len(ends)

        try:
            yield somebody_waits
        finally:
            pipe.unlink()
            for end in ends:
                os.close(end)


def upstream_family(folder: Path, settings: Settings, catalog: Catalog, *, without: Collection[Ref] = ()) -> Family:
    """The bundled docs as repositories, a page for each branch that is not bundled, and revision 1."""
    upstreams = Upstreams(folder / "upstream")
    for ref in family_refs(catalog):
        root = settings.content / ref.repo / ref.branch
        files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        if ref not in without:
            upstreams.commit(ref, files or {"docs/config.json": '{"sections": []}', "docs/overview.md": f"# {ref}\n"})
    family = Family(folder, upstreams)
    family.push(1)
    return family


def example(spelling: int) -> str:
    """The example's address, written in one of many ways: the server keeps each as a page of its own."""
    path = "".join(f"%{ord(c):02X}" if spelling >> at & 1 else c for at, c in enumerate(README))
    return f"{EXAMPLE}?path={path}"


def revisions(server: Server) -> dict[str, int]:
    """What each of the revised pages shows now."""
    return {path: revision_of(html_of(server, path)) for path in REVISED}


def showing(server: Server, revision: int) -> Callable[[], bool]:
    """Looks whether all revised pages show this revision."""
    return lambda: set(revisions(server).values()) == {revision}


def html_of(server: Server, path: str) -> str:
    answer = httpx.get(server.url + path, timeout=PATIENCE_S)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.text


@lru_cache(maxsize=256)
def revision_of(html: str) -> int:
    """The one revision that a page shows in its sidebar, in its text, and anywhere else."""
    page = html5lib.parse(html, namespaceHTMLElements=False)
    (main,) = page.iter("main")
    within = set(main.iter())
    text = " ".join(main.itertext())
    sidebar = " ".join("".join(nav.itertext()) for nav in page.iter("nav") if nav not in within)
    shown = [set(re.findall(r"Revision (\d+)", where)) for where in (sidebar, text, html)]
    assert shown[0] == shown[1] == shown[2], f"sidebar, text and whole page show revisions {shown}"
    (revision,) = shown[0]
    return int(revision)


def logged(server: Server) -> list[dict[str, str]]:
    """What the server has logged."""
    return [json.loads(line) for line in server.log.splitlines() if line.startswith("{") and line.endswith("}")]


def warned(server: Server, repo: str, branch: str, *words: str) -> Callable[[], dict[str, str] | None]:
    """Looks for a warning about a branch whose reason has these words."""
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
    """SIGKILL to the server and its workers at once."""
    workers = server.workers()
    server.process.kill()
    for worker in workers:
        with suppress(ProcessLookupError):  # it ends when its parent does
            os.kill(worker, signal.SIGKILL)
    server.process.wait()
