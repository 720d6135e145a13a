"""A reader never waits for colours, and has them as soon as there are any."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from kinfolk.markdown.page import Snippet
from kinfolk.settings import Settings
from kinfolk.web.app import Kinfolk, create_app

pytestmark = pytest.mark.anyio

PATIENCE_S = 60.0
PLAIN = "<code class=\"language-ts\">const a = '&lt;b&gt;'</code>"
COLOURED = '<code class="language-ts"><span class="line"><span class="k">const</span> a <span class="o">=</span> '


@pytest.fixture
def own(settings: Settings, built: Path, tmp_path: Path) -> Settings:
    """A site on a folder of its own, with highlighting."""
    assert built
    page = tmp_path / "repos/TanStack/query/main/docs/overview.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Overview\n")
    (page.parent / "config.json").write_text('{"sections": []}')
    var, words = tmp_path / "var", tmp_path / "words"
    return dataclasses.replace(settings, content=tmp_path / "repos", words=words, var=var, highlight=True)


def write(settings: Settings, name: str) -> str:
    """A page with code on it, and its address."""
    path = settings.content / f"TanStack/query/main/docs/{name}.md"
    path.write_text(f"# {name}\n\n```ts\nconst a = '<b>'\n```\n")
    return f"/query/latest/docs/{name}"


@contextlib.asynccontextmanager
async def browsing(app: Kinfolk) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app)
    async with app.running(), httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        yield client


class Busy:
    """Keeps the highlighting thread from doing anything else until it is let go."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.over = threading.Event()

    def section(self) -> Iterator[Snippet]:
        self.begun.set()
        self.over.wait(PATIENCE_S)
        yield from ()


async def test_a_page_is_plain_until_its_code_is_ready_and_then_it_is_purged(own: Settings) -> None:
    app = create_app(own)
    highlighter = app.site.highlighter
    assert highlighter is not None
    busy, purged = Busy(), threading.Event()
    async with browsing(app) as client:
        highlighter.warm([("busy", busy.section())])
        await asyncio.to_thread(busy.begun.wait, PATIENCE_S)
        path = write(own, "new")
        await asyncio.to_thread(app.site.editions.refresh)
        app.site.editions.on_purge(lambda tags: purged.set() if any(map(is_code, tags)) else None)

        first = await client.get(path)
        again = await client.get(path)
        assert (first.status_code, again.status_code) == (200, 200)
        assert PLAIN in first.text
        assert again.headers["etag"] == first.headers["etag"]
        assert any(map(is_code, first.headers["cache-tag"].split(",")))

        busy.over.set()
        assert await asyncio.to_thread(purged.wait, PATIENCE_S)
        later = await client.get(path)
        assert COLOURED in later.text
        assert not any(map(is_code, later.headers["cache-tag"].split(",")))


def is_code(tag: str) -> bool:
    return tag.startswith("code:")


async def test_what_was_highlighted_once_is_there_at_once_after_a_restart(own: Settings) -> None:
    path = write(own, "guide")
    first = create_app(own)
    async with browsing(first):
        assert first.site.highlighter is not None
        assert await asyncio.to_thread(first.site.highlighter.settle, PATIENCE_S)
    restarted = create_app(own)
    async with browsing(restarted) as client:
        assert COLOURED in (await client.get(path)).text
        assert restarted.site.highlighter is not None
        assert first.site.highlighter.made > 0
        assert restarted.site.highlighter.made == 0


async def test_a_change_of_the_docs_is_highlighted_before_anybody_asks(own: Settings) -> None:
    app = create_app(own)
    highlighter = app.site.highlighter
    assert highlighter is not None
    async with browsing(app) as client:
        path = write(own, "pushed")
        await asyncio.to_thread(app.site.editions.refresh)
        assert await asyncio.to_thread(highlighter.settle, PATIENCE_S)
        assert COLOURED in (await client.get(path)).text


@pytest.mark.parametrize("missing", ["bundle", "setting"])
async def test_without_highlighting_pages_are_complete_and_plain(own: Settings, tmp_path: Path, missing: str) -> None:
    path = write(own, "guide")
    frontend = tmp_path / "frontend"
    (frontend / "ssr").mkdir(parents=True)
    (frontend / "client").symlink_to(own.frontend / "client")
    for name in ("ssr.js", "manifest.json"):
        (frontend / "ssr" / name).symlink_to(own.frontend / "ssr" / name)
    without = {"bundle": {"frontend": frontend}, "setting": {"highlight": False}}[missing]
    app = create_app(dataclasses.replace(own, **without))  # type: ignore[arg-type]
    assert app.site.highlighter is None
    async with browsing(app) as client:
        answer = await client.get(path)
    assert PLAIN in answer.text
    assert "code:" not in answer.headers["cache-tag"]
