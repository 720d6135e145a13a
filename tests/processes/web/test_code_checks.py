"""The background process that checks the code of the docs, with a registry on the loopback."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.servers.npm_registry import NpmRegistry
from tests.sites.sample_site import read_settings

from kinfolk.config.settings import environment_of
from kinfolk.content.code_checks.check_results import PageCheck
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.web.background.docs_checks.code_check_service import CodeCheckService, stale_checks

TYPES = """
/** Fetches data. */
export declare function useQuery(options: { queryKey: unknown[]; staleTime?: number }): { isStale: boolean }
"""
PAGE = "framework/react/guides/stale"
WRONG = "import { useQuery } from '@tanstack/react-query'\nuseQuery({ queryKey: ['a'], staleTimes: 5 })"
LIMIT_S = 60.0


class CheckedFolder:
    """Docs of Query in a folder, the service that checks them, and what it stores."""

    def __init__(self, folder: Path, registry: str) -> None:
        self.docs = folder / "docs/TanStack/query/main/docs"
        self.write(PAGE, WRONG)
        self.settings = read_settings(
            {
                "KINFOLK_CONTENT": str(folder / "docs"),
                "KINFOLK_MIRROR": "off",
                "KINFOLK_VAR": str(folder / "var"),
                "KINFOLK_NPM_REGISTRY": registry,
            }
        )
        self.lock = folder / "var/code_checks.lock"
        self.store = CheckStore(folder / "var/code_checks.sqlite")

    def write(self, path: str, code: str) -> None:
        file = self.docs / f"{path}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Stale\n\n```ts\n{code}\n```\n", encoding="utf-8")

    def page(self, path: str = PAGE) -> PageCheck | None:
        return dict(self.store.pages("query", "v5")).get(path)

    @contextmanager
    def checking(self) -> Iterator[CodeCheckService]:
        service = CodeCheckService(self.lock, environment_of(self.settings), start_s=0, retry_s=0.1)
        thread = threading.Thread(target=service.run)
        thread.start()
        try:
            yield service
        finally:
            service.stop()
            thread.join()


def wait_for(condition: Callable[[], bool]) -> None:
    until_s = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < until_s
        time.sleep(0.05)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[CheckedFolder]:
    files = {"index.d.ts": TYPES, "package.json": '{"types": "index.d.ts"}'}
    with NpmRegistry({"@tanstack/react-query": {"5.90.2": files}}) as registry:
        checked = CheckedFolder(tmp_path, registry.url)
        with closing(checked.store):
            yield checked


def findings(page: PageCheck | None) -> list[str]:
    return [one.message for block in page.blocks if block for one in block.findings] if page is not None else []


def test_pages_are_checked_again_after_a_change_and_after_the_process_was_killed(folder: CheckedFolder) -> None:
    with folder.checking() as service:
        wait_for(lambda: folder.store.run("query", "v5") is not None)
        page = folder.page()
        assert findings(page) == ["`staleTimes` is no option of `useQuery`."]
        assert page is not None
        assert page.packages == (("@tanstack/react-query", "5.90.2"),)
        assert [one.symbol.name for one in folder.store.symbols("query", "v5", "useQuery")] == ["useQuery"]
        revision, stale = stale_checks(folder.store, 0)
        assert len(stale) == 1
        with folder.checking() as second:
            # Only one service of a folder checks.
            second.wake()
            folder.write(PAGE, WRONG.replace("staleTimes", "staleTime"))
            folder.write("framework/react/guides/new", WRONG)
            service.wake()
            wait_for(lambda: folder.page("framework/react/guides/new") is not None)
            wait_for(lambda: findings(folder.page()) == [])
            assert len(stale_checks(folder.store, revision)[1]) == 2
            assert second.pid is None
        first = service.pid
        os.killpg(first or 0, signal.SIGKILL)
        folder.write(PAGE, WRONG)
        service.wake()
        wait_for(lambda: findings(folder.page()) != [])
        assert service.pid not in (None, first)
