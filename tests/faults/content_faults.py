"""Attacks through the content of repositories and through addresses."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from urllib.parse import quote

import httpx
from tests.faults.site import LEAN, PLAIN, Server, Site, connect, expect, fault, probe
from tests.sites.sample_site import complete_site

PAGE = "/query/latest/docs/framework/react/overview"
SECRET = "a shared secret"


def small_site(site: Site, files: dict[str, str | bytes]) -> dict[str, str]:
    """Settings of a site whose docs are one page and these files of one branch."""
    branch = site.folder / "small/TanStack/query/main"
    config = json.dumps({"sections": [{"label": "Start", "children": [{"label": "Overview", "to": "overview"}]}]})
    for name, content in {"docs/config.json": config, "docs/overview.md": "# Overview\n", **files}.items():
        path = branch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return {"KINFOLK_CONTENT": str(site.folder / "small")}


def check(site: Site) -> str:
    """The output of `kinfolk check` for the small site."""
    command = [sys.executable, "-m", "kinfolk", "check", "--content", str(site.folder / "small")]
    environment = {"PATH": "/usr/bin:/bin", **site.environment()}
    done = subprocess.run(
        command, capture_output=True, timeout=60, check=False, env=environment, cwd=site.source, text=True
    )
    return done.stdout + done.stderr


def status(server: Server, path: str, *, timeout_s: float = 30.0) -> int:
    """The status of the response; 0 without a response."""
    try:
        return httpx.get(server.url + path, timeout=timeout_s).status_code
    except httpx.HTTPError:
        return 0


@fault("D4", "A file name with a no-break space")
def odd_name(site: Site) -> str:
    environment = small_site(site, {"docs/migration\u00a0guide.md": "# Guide\n"})
    found = {}
    with site.serving(environment=PLAIN | environment) as server:
        for path in ("/sitemap-query-latest.xml", "/llms-full.txt"):
            found[path] = status(server, path)
        search = f"/1/indexes/tanstack?{search_credentials(server)}&query=overview"
        for _ in range(30):
            found["search"] = status(server, search)
            if found["search"] == 200:
                break
            time.sleep(0.5)
    named = "migration" in check(site)
    figure = ", ".join(f"{path} {code}" for path, code in found.items())
    return expect(
        named and set(found.values()) == {200},
        f"{figure}; kinfolk check {'names' if named else 'does not name'} the file",
    )


def search_credentials(server: Server) -> str:
    """The query parameters with the application id and the search key."""
    config = httpx.get(f"{server.url}/_server/search.config").json()["data"]
    return f"x-algolia-application-id={config['appId']}&x-algolia-api-key={config['apiKey']}"


@fault("D10", "Invented addresses that return a page")
def endless_addresses(site: Site) -> str:
    tried = [f"{PAGE}{'%20' * n}" for n in range(1, 25)]
    tried += [PAGE.replace("docs", word) for word in ("Docs", "dOcs", "DOCS", "docS")]
    tried += [f"/query/latest/docs/framework/made-up-{n}/examples" for n in range(10)]
    with site.serving(environment=LEAN) as server:
        shown = sum(status(server, path) == 200 for path in tried)
    return expect(shown == 0, f"{shown} of {len(tried)} invented addresses answer 200")


@fault("D12", "Six calls for a file of 50 MB")
def large_file(site: Site) -> str:
    environment = small_site(site, {"examples/react/basic/large.txt": b"word " * (10 << 20)})
    data = {"repo": "TanStack/query", "branch": "main", "filePath": "examples/react/basic/large.txt"}
    target = f"/_server/repo.file?payload={quote(json.dumps({'data': data}))}"
    with site.serving(environment=LEAN | environment) as server:
        calls = [threading.Thread(target=status, args=(server, target)) for _ in range(6)]
        for call in calls:
            call.start()
        worst = 0.0
        while any(call.is_alive() for call in calls):
            worst = max(worst, probe(server))
        code = status(server, target)
    return expect(worst < 0.7, f"a small request waits {worst:.2f} s meanwhile; the call answers {code}")


@fault("D14c", "A navigation of 200,000 links")
def large_navigation(site: Site) -> str:
    links = [{"label": f"Link {n}", "to": "overview"} for n in range(200_000)]
    environment = small_site(site, {"docs/config.json": json.dumps({"sections": [{"label": "x", "children": links}]})})
    with site.serving(environment=LEAN | environment) as server:
        code = status(server, "/query/latest/docs/overview")
    lines = check(site).splitlines()
    named = any("config.json: sections" in line or "config.json: is larger" in line for line in lines)
    figure = f"a page answers {code}; kinfolk check {'names' if named else 'does not name'} the limit"
    return expect(code == 503 and named, figure)


@fault("D14p", "A post without a title")
def bad_post(site: Site) -> str:
    words = site.folder / "words"
    for name, title in {"good": "title: Good\n", "wrong": ""}.items():
        text = f"---\n{title}description: Words.\npublished: 2026-11-21\nauthors: []\n---\n\nWords.\n"
        path = words / "blog" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (words / "pages").mkdir(exist_ok=True)
    environment = small_site(site, {}) | {"KINFOLK_SITE": str(complete_site(words))}
    try:
        with site.serving(environment=LEAN | environment) as server:
            codes = status(server, "/blog/good"), status(server, "/blog/wrong")
            named = "blog/wrong.md" in server.log
    except RuntimeError:
        return expect(False, "the site does not start")
    figure = (
        f"the site starts: good post {codes[0]}, wrong post {codes[1]}, log {'names' if named else 'does not name'} it"
    )
    return expect(codes == (200, 404) and named, figure)


def hook(server: Server, body: bytes, secret: str = SECRET) -> int:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    headers = {"x-hub-signature-256": f"sha256={digest}", "x-github-event": "push"}
    return httpx.post(f"{server.url}/_hooks/github", content=body, headers=headers, timeout=30).status_code


@fault("D14w", "A signed webhook of 100,000 lists")
def deep_webhook(site: Site) -> str:
    with site.serving(environment=LEAN | {"KINFOLK_WEBHOOK_SECRET": SECRET}) as server:
        code = hook(server, b'{"ref":' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    return expect(code == 400, f"it answers {code}")


@fault("D15l", "Refusals in the log")
def silent_refusals(site: Site) -> str:
    with site.serving(environment=LEAN | {"KINFOLK_WEBHOOK_SECRET": SECRET}) as server:
        codes = {hook(server, b"{}", secret="guess") for _ in range(50)}
        time.sleep(0.2)
        lines = [line for line in server.log.splitlines() if "refused" in line and "webhook" in line]
    return expect(codes == {403} and 1 <= len(lines) <= 5, f"{len(lines)} lines for 50 refused webhooks")


@contextlib.contextmanager
def invented_requests(server: Server, clients: int) -> Iterator[list[int]]:
    """Run clients that request invented addresses one after another. The list counts the responses of each."""
    going = threading.Event()
    answered = [0] * clients

    def invent(client: int) -> None:
        with contextlib.suppress(OSError), connect(server) as connection:
            while not going.is_set():
                target = f"/query/latest/docs/framework/react/invented-{client}-{answered[client]}"
                connection.sendall(f"GET {target} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
                read_answer(connection)
                answered[client] += 1

    threads = [threading.Thread(target=invent, args=(client,)) for client in range(clients)]
    for thread in threads:
        thread.start()
    try:
        yield answered
    finally:
        going.set()
        for thread in threads:
            thread.join(10)


def read_answer(connection: socket.socket) -> None:
    """Read one response with a content-length to its end."""
    got = b""
    while b"\r\n\r\n" not in got:
        part = connection.recv(65536)
        if not part:
            raise ConnectionError
        got += part
    head, _, body = got.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head)
    missing = int(length[1]) - len(body) if length else 0
    while missing > 0:
        missing -= len(connection.recv(min(missing, 65536)))


@fault("D15q", "Real pages while 8 clients request invented addresses")
def queue(site: Site) -> str:
    with site.serving(environment=LEAN) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        listed = re.findall(r"<loc>https?://[^/<]*(/[^<]*)</loc>", "".join(sitemaps(client)))
        pages = [path for path in listed if "/docs/" in path]
        client.get(pages[0])
        quiet = sorted(timed(client, path) for path in pages[1::2])
        with invented_requests(server, 8) as answered:
            began = time.perf_counter()
            busy = sorted(timed(client, path) for path in pages[2::2])
            seconds = time.perf_counter() - began
    at = [(run[len(run) // 2] * 1000, run[int(len(run) * 0.99)] * 1000) for run in (quiet, busy)]
    ratio = at[1][0] / at[0][0]
    figure = (
        f"p50 {at[0][0]:.0f} -> {at[1][0]:.0f} ms ({ratio:.1f}x), p99 {at[0][1]:.0f} -> {at[1][1]:.0f} ms, "
        f"{len(busy)} cold pages, {sum(answered) / seconds:.0f} invented addresses a second"
    )
    return expect(ratio < 3, figure)


def sitemaps(client: httpx.Client) -> Iterator[str]:
    for path in re.findall(r"<loc>https?://[^/<]*(/[^<]*)</loc>", client.get("/sitemap.xml").text):
        yield client.get(path).text


def timed(client: httpx.Client, path: str) -> float:
    began = time.perf_counter()
    client.get(path)
    return time.perf_counter() - began
