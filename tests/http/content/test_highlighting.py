"""Tests of highlighting over HTTP: pages are served at once and purged when their code is highlighted."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import shutil
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from tests.sites.sample_site import complete_site
from tests.sites.sample_var import HIGHLIGHTED_CODE

from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import PENDING_CODE, cdn_tag
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.web.app import SiteApp, create_app

pytestmark = pytest.mark.anyio

PATIENCE_S = 60.0
PLAIN = "<code class=\"language-ts\">const a = '&lt;b&gt;'</code>"
HIGHLIGHTED = '<code class="language-ts"><span class="line"><span class="k">const</span> a <span class="o">=</span> '


@pytest.fixture
def highlight_settings(settings: Settings, built: Path, tmp_path: Path) -> Settings:
    """A site with its own folder and with highlighting. The code of landing pages is highlighted already."""
    assert built
    page = tmp_path / "repos/TanStack/query/main/docs/overview.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Overview\n")
    (page.parent / "config.json").write_text('{"sections": []}')
    var, words = tmp_path / "var", tmp_path / "words"
    shutil.copytree(HIGHLIGHTED_CODE.folder(), var)
    return dataclasses.replace(settings, content=tmp_path / "repos", site=complete_site(words), var=var, highlight=True)


def write(settings: Settings, name: str) -> str:
    """A page with a code block, and its address."""
    path = settings.content / f"TanStack/query/main/docs/{name}.md"
    path.write_text(f"# {name}\n\n```ts\nconst a = '<b>'\n```\n")
    return f"/query/latest/docs/{name}"


@contextlib.asynccontextmanager
async def open_client(app: SiteApp) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app)
    async with app.running(), httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        yield client


class BlockingSection:
    """Blocks the highlighting thread until it is released."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.over = threading.Event()

    def section(self) -> Iterator[CodeBlock]:
        self.begun.set()
        self.over.wait(PATIENCE_S)
        yield from ()


async def test_page_is_plain_until_its_code_is_highlighted_and_then_purged(highlight_settings: Settings) -> None:
    app = create_app(highlight_settings)
    highlighter = app.site.content.highlighter
    assert highlighter is not None
    busy, purged = BlockingSection(), threading.Event()
    async with open_client(app) as client:
        highlighter.warm([("busy", busy.section())])
        await asyncio.to_thread(busy.begun.wait, PATIENCE_S)
        path = write(highlight_settings, "new")
        await asyncio.to_thread(app.site.content.publisher.refresh)
        app.site.content.publisher.on_purge(lambda tags: purged.set() if any(map(is_code, tags)) else None)

        first = await client.get(path)
        again = await client.get(path)
        assert (first.status_code, again.status_code) == (200, 200)
        assert PLAIN in first.text
        assert again.headers["etag"] == first.headers["etag"]
        assert cdn_tag(PENDING_CODE) in first.headers["cache-tag"].split(",")

        busy.over.set()
        assert await asyncio.to_thread(purged.wait, PATIENCE_S)
        later = await client.get(path)
        assert HIGHLIGHTED in later.text
        assert cdn_tag(PENDING_CODE) not in later.headers["cache-tag"].split(",")


def is_code(tag: str) -> bool:
    return tag.startswith("code:")


@pytest.mark.no_cover
async def test_highlighted_code_is_available_after_a_restart(highlight_settings: Settings) -> None:
    path = write(highlight_settings, "guide")
    first = create_app(highlight_settings)
    async with open_client(first):
        assert first.site.content.highlighter is not None
        assert await asyncio.to_thread(first.site.content.highlighter.wait_until_idle, PATIENCE_S)
    restarted = create_app(highlight_settings)
    async with open_client(restarted) as client:
        assert HIGHLIGHTED in (await client.get(path)).text
        assert restarted.site.content.highlighter is not None
        assert first.site.content.highlighter.highlighted_count > 0
        assert restarted.site.content.highlighter.highlighted_count == 0


@pytest.mark.no_cover
async def test_changed_docs_are_highlighted_before_the_first_request(highlight_settings: Settings) -> None:
    app = create_app(highlight_settings)
    highlighter = app.site.content.highlighter
    assert highlighter is not None
    async with open_client(app) as client:
        path = write(highlight_settings, "pushed")
        await asyncio.to_thread(app.site.content.publisher.refresh)
        assert await asyncio.to_thread(highlighter.wait_until_idle, PATIENCE_S)
        assert HIGHLIGHTED in (await client.get(path)).text


@pytest.mark.no_cover
@pytest.mark.parametrize("missing", ["bundle", "setting"])
async def test_pages_without_highlighting_are_complete_and_plain(
    highlight_settings: Settings, tmp_path: Path, missing: str
) -> None:
    path = write(highlight_settings, "guide")
    frontend = tmp_path / "frontend"
    (frontend / "ssr").mkdir(parents=True)
    (frontend / "client").symlink_to(highlight_settings.frontend / "client")
    for name in ("ssr.js", "manifest.json", "stylesheets.json"):
        (frontend / "ssr" / name).symlink_to(highlight_settings.frontend / "ssr" / name)
    without = {"bundle": {"frontend": frontend}, "setting": {"highlight": False}}[missing]
    app = create_app(dataclasses.replace(highlight_settings, **without))  # type: ignore[arg-type]
    assert app.site.content.highlighter is None
    async with open_client(app) as client:
        answer = await client.get(path)
    assert PLAIN in answer.text
    assert cdn_tag(PENDING_CODE) not in answer.headers["cache-tag"].split(",")
