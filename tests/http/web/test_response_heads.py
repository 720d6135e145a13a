"""The size of response heads on a site of 120 libraries: a proxy refuses a head that exceeds its buffer."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from tests.http.site.test_other_sites import settings_for
from tests.servers.serving import free_port
from tests.sites.other_sites import page
from tests.suite.documents import code_blocks
from uvicorn import Config, Server

from kinfolk.config.settings import ROOT
from kinfolk.web.app import SiteApp, create_app
from kinfolk.web.protocol.http11 import Http11Protocol

LIBRARIES = tuple(f"library-{number:03}" for number in range(120))
FIRST = LIBRARIES[0]
PAGES = tuple(f"a-guide-with-a-long-name-about-part-{number:03}" for number in range(90))
MOST_HEAD_BYTES = 2000
HEAD_OF_SERVER = len("HTTP/1.1 200 OK\r\nserver: kinfolk\r\ndate: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n")
_PASSING = ("proxy", "fastcgi", "uwsgi", "scgi")
"""Modules of nginx with folders of their own."""


def _files() -> Mapping[str, str]:
    links = "\n".join(f"- [Part](./{name}.md)" for name in PAGES[1:])
    others = "\n".join(f"- [Library](/{library}/latest/docs/overview)" for library in LIBRARIES)
    guides = {f"{FIRST}/docs/guides/{name}.md": page(name, "A guide.") for name in PAGES}
    return {
        "kinfolk.toml": 'family = "Acme"\n',
        "blog/news.md": '---\ntitle: News\ndescription: "News."\npublished: 2026-01-01\nauthors: [Ada]\n---\n\nNews.\n',
        "pages/terms.md": page("Terms", "Be kind.", "description: Terms.\n"),
        **{
            f"libraries/{id}.toml": f'folder = "{id}"\nnpm_packages = ["@acme/{id}", "@acme/{id}-core"]\n'
            for id in LIBRARIES
        },
        **{f"{id}/docs/overview.md": page("Overview", "Call `spin()`.") for id in LIBRARIES},
        **guides,
        f"{FIRST}/docs/guides/{PAGES[0]}.md": page("Parts", f"{links}\n\n{others}"),
        f"{FIRST}/docs/spin.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
        f"{FIRST}/examples/react/basic/src/main.tsx": "export const one = 1\n",
    }


_DOCS = f"/{FIRST}/latest/docs"
ADDRESSES = (
    "/",
    "/llms.txt",
    "/llms-full.txt",
    "/robots.txt",
    "/sitemap.xml",
    "/sitemap-site.xml",
    f"/sitemap-{FIRST}-latest.xml",
    f"/{FIRST}",
    f"/{FIRST}/latest",
    f"/{FIRST}/latest/llms.txt",
    f"/{FIRST}/latest/llms-full.txt",
    f"/{FIRST}/changes.atom",
    f"/{FIRST}/unknown/docs/overview",
    _DOCS,
    f"{_DOCS}/overview",
    f"{_DOCS}/overview.md",
    f"{_DOCS}/overview.atom",
    f"/api/md{_DOCS.removesuffix('/docs')}/docs/overview",
    f"{_DOCS}/guides/{PAGES[0]}",
    f"{_DOCS}/guides/{PAGES[0]}?from=/old/address",
    f"{_DOCS}/examples",
    f"{_DOCS}/framework/react/examples/basic",
    f"{_DOCS}/missing",
    "/missing",
    "/blog",
    "/blog/news",
    "/blog/news.md",
    "/blog/feed.xml",
    "/blog/feed.json",
    "/terms",
    "/terms.md",
    "/stats/npm",
    "/stats/npm.json",
    "/search?q=usage",
    "/sponsors-embed",
    "/design",
    "/og/site.jpg",
    f"/og{_DOCS}/overview.jpg",
    "/site.webmanifest",
    "/opensearch.xml",
    "/favicon.svg",
    "/_theme.css",
    "/_logos.svg",
    "/assets/missing.js",
    "/api/live/snapshot",
    "/mcp",
    "/healthz",
    "/readyz",
)
"""An address of each kind."""


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def app(runner: asyncio.Runner, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteApp]:
    assert built
    settings = replace(settings_for(tmp_path_factory.mktemp("large-site"), _files()), search=False, renderers=1)
    app, stack = create_app(settings), AsyncExitStack()
    runner.run(stack.enter_async_context(app.running()))
    yield app
    runner.run(stack.aclose())


@pytest.fixture(scope="module")
def answers(runner: asyncio.Runner, app: SiteApp) -> dict[str, httpx.Response]:
    """The responses of the application."""

    async def fetch() -> dict[str, httpx.Response]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
            return {address: await client.get(address) for address in ADDRESSES}

    return runner.run(fetch())


def test_heads_of_all_addresses_have_at_most_2_kb(answers: dict[str, httpx.Response]) -> None:
    sizes = {
        address: HEAD_OF_SERVER + sum(len(name) + len(value) + 4 for name, value in answer.headers.raw)
        for address, answer in answers.items()
    }
    assert {address: size for address, size in sizes.items() if size > MOST_HEAD_BYTES} == {}
    assert {status for answer in answers.values() if (status := answer.status_code) >= 500} <= {503}


def documented_server(port: int, upstream: int) -> str:
    """The `server` of nginx in the documentation, without TLS, between these ports."""
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    assert any(block.text.strip() == text.strip() for block in code_blocks() if block.language == "nginx")
    for shipped, own in (
        ("127.0.0.1:8000 ", f"127.0.0.1:{upstream} "),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port};"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("server_name docs.example.com;\n    ssl", "server_name kinfolk.test;\n    ssl"),
    ):
        assert text.count(shipped) == 1, shipped
        text = text.replace(shipped, own)
    left_out = ("ssl_", "http2 ", "access_log", "error_log")
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(left_out))


@asynccontextmanager
async def served(app: SiteApp) -> AsyncIterator[int]:
    """The port at which this process answers requests with the protocol of the server."""
    config = Config(
        app, http=Http11Protocol, ws="none", lifespan="off", log_config=None, access_log=False, proxy_headers=False
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(config)
        task = asyncio.create_task(server.serve([listening]))
        yield listening.getsockname()[1]
        server.should_exit = True
        await task


@contextmanager
def nginx(folder: Path, upstream: int) -> Iterator[str]:
    """The address of nginx as documented, in front of a port."""
    port = free_port()
    temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", *_PASSING))
    (folder / "nginx.conf").write_text(
        f"master_process off; daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}"
        f"http {{ access_log off; {temporary} {documented_server(port, upstream)} }}"
    )
    process = subprocess.Popen(["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")])
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_documented_nginx_passes_on_every_response(runner: asyncio.Runner, app: SiteApp, tmp_path: Path) -> None:
    async def fetch() -> dict[str, int]:
        async with served(app) as upstream:
            with nginx(tmp_path, upstream) as origin:
                return await request(origin)

    async def request(origin: str) -> dict[str, int]:
        # The first connection is refused until nginx has started.
        transport = httpx.AsyncHTTPTransport(retries=5)
        async with httpx.AsyncClient(transport=transport, base_url=origin, headers={"host": "kinfolk.test"}) as client:
            return {address: (await client.get(address)).status_code for address in ADDRESSES}

    statuses = runner.run(fetch())
    assert {address: status for address, status in statuses.items() if status in (502, 504)} == {}
