"""A site below a path, with an announcement, behind nginx or an equivalent proxy that does not rewrite addresses."""

from __future__ import annotations

import contextlib
import http.client
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, expect
from tests.browser.axe import violations
from tests.browser.conftest import MAIN_TEXT, OpenPage, Reader
from tests.servers.serving import Server, free_port, serving
from tests.sites.sample_site import SITE
from tests.sites.sample_var import SAMPLE_VAR

BASE = "/below"
DOC = "/query/latest/docs/framework/react/guides/caching"
EXAMPLE = "/query/latest/docs/framework/react/examples/basic"
ANNOUNCEMENT = """
[announcement]
text = "The survey is open"
href = "/blog"
"""
RECORD_ANNOUNCEMENT = """(() => {
  window.announcementWasVisible = false
  new MutationObserver(() => {
    if (document.querySelector('.announcement')?.checkVisibility()) window.announcementWasVisible = true
  }).observe(document, { childList: true, subtree: true })
})()"""
NGINX = """daemon off; pid {folder}/nginx.pid; error_log stderr; worker_processes 1;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    location {base}/ {{
      proxy_pass {backend};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_buffering off;
    }}
  }}
}}
"""


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site whose public address is that of the proxy. The URL includes the base path."""
    assert built
    folder, port = tmp_path_factory.mktemp("below"), free_port()
    public = f"http://127.0.0.1:{port}{BASE}"
    shutil.copytree(SITE, folder / "data")
    with (folder / "data/kinfolk.toml").open("a") as file:
        file.write(ANNOUNCEMENT)
    environment = {"KINFOLK_ORIGIN": public, "KINFOLK_SITE": str(folder / "data")}
    with serving(folder, environment=environment, var=SAMPLE_VAR.folder()) as site:
        proxy = start_nginx(folder, port, site.url) if shutil.which("nginx") else start_proxy(port, site.url)
        wait_for(port)
        wait_until_searchable(site.url)
        yield Server(public, site.process, site.log_file)
        proxy()


def start_nginx(folder: Path, port: int, backend: str) -> Callable[[], object]:
    config = folder / "nginx.conf"
    config.write_text(NGINX.format(folder=folder, port=port, backend=backend, base=BASE))
    process = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(config)])

    def stop() -> None:
        process.terminate()
        process.wait(10)

    return stop


def start_proxy(port: int, backend: str) -> Callable[[], object]:
    """A proxy that passes requests on as they are, for machines without nginx."""
    host = urlsplit(backend).netloc

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            with contextlib.closing(http.client.HTTPConnection(host, timeout=30)) as upstream:
                upstream.request(self.command, self.path, body or None, dict(self.headers.items()))
                answer = upstream.getresponse()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding"):
                        self.send_header(name, value)
                self.end_headers()
                # Browsers close connections of pages that they leave.
                with contextlib.suppress(ConnectionError):
                    shutil.copyfileobj(answer, self.wfile)

        do_GET = do_POST = do_HEAD = pass_on  # noqa: N815 - names of the interface

        def log_message(self, *_: object) -> None:
            pass

    proxy = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()

    def stop() -> None:
        proxy.shutdown()
        proxy.server_close()

    return stop


def wait_for(port: int) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the proxy does not listen")


def wait_until_searchable(url: str) -> None:
    """The index is built in the background. Before, searches are refused."""
    deadline = time.monotonic() + 60
    while not httpx.get(f"{url}/readyz").json()["search"]["ready"] and time.monotonic() < deadline:
        time.sleep(0.1)


def requests_outside(reader: Reader) -> list[str]:
    paths = [urlsplit(url).path for url in reader.loaded_urls if "127.0.0.1" in url]
    return [path for path in paths if not path.startswith(f"{BASE}/")]


def test_visits_search_theme_and_tabs_stay_below_the_base_path(open_page: OpenPage) -> None:
    reader = open_page(DOC)
    page = reader.page
    page.get_by_role("link", name="Overview").first.click()
    reader.wait_until(lambda: reader.path().startswith(f"{BASE}/query/latest/docs/"), "the visit is done")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("button", name="theme").first.click()
    reader.wait_for("document.documentElement.dataset.theme === 'light'")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill("caching")
    option = page.get_by_role("listbox").get_by_role("option").first
    expect(option).to_be_visible()
    assert (option.get_attribute("href") or "").startswith(f"{BASE}/")
    option.click()
    reader.wait_until(lambda: page.get_by_role("dialog").count() == 0, "the dialog is closed")
    assert reader.path().startswith(f"{BASE}/")
    assert requests_outside(reader) == []
    assert reader.console_errors == []


def test_pages_hydrate_without_messages(open_page: OpenPage) -> None:
    reader = open_page("/", reduced_motion="reduce")
    for path in ("/", DOC, EXAMPLE, "/stats/npm", "/blog", "/form/latest/docs/overview"):
        reader.open(path)
        before = reader.page.evaluate(MAIN_TEXT)
        reader.calls.clear()
        reader.start_app()
        reader.page.wait_for_timeout(300)
        assert reader.console_errors == [], path
        assert reader.page.evaluate(MAIN_TEXT) == before, path
        assert not (reader.has_answers() and reader.calls), path
        assert requests_outside(reader) == [], path


def test_example_viewer_opens_files(open_page: OpenPage) -> None:
    reader = open_page(EXAMPLE)
    tree = reader.page.get_by_role("tree")
    tree.get_by_role("treeitem", name="package.json").click()
    expect(reader.page.locator(".example-path")).to_contain_text("package.json")
    assert reader.path().startswith(f"{BASE}/query/latest/docs/framework/react/examples/basic?path=")
    assert requests_outside(reader) == []
    assert reader.console_errors == []


def test_closed_announcement_is_not_shown_again(open_page: OpenPage) -> None:
    reader = open_page("/blog")
    page, bar = reader.page, reader.page.get_by_role("complementary", name="Announcement")
    page.emulate_media(media="print")
    expect(bar).to_be_hidden()
    page.emulate_media(media="screen")
    expect(bar).to_be_visible()
    for name in ("Skip to content", "The survey is open"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name=name)).to_be_focused()
    assert bar.get_by_role("link").get_attribute("href") == f"{BASE}/blog"
    page.keyboard.press("Tab")
    expect(bar.get_by_role("button", name="Close the announcement")).to_be_focused()
    assert violations(page, changed=".announcement") == []
    page.keyboard.press("Enter")
    expect(bar).to_be_hidden()
    expect(page.get_by_role("main")).to_be_focused()
    reader.visit(f"{BASE}/privacy")
    expect(page.get_by_role("heading", level=1, name="Privacy")).to_be_visible()
    expect(bar).to_be_hidden()
    page.add_init_script(RECORD_ANNOUNCEMENT)
    reader.open("/blog")
    assert page.evaluate("window.announcementWasVisible") is False
    assert reader.layout_shifts() == []
    assert reader.console_errors == []


def test_site_is_readable_without_scripts(open_page: OpenPage, browser: Browser) -> None:
    assert browser
    reader = open_page("/", javascript=False)
    bar = reader.page.get_by_role("complementary", name="Announcement")
    expect(bar.get_by_role("link", name="The survey is open")).to_be_visible()
    expect(bar.get_by_role("button")).to_be_hidden()
    reader.page.get_by_role("link", name="Query").first.click()
    assert urlsplit(reader.page.url).path.startswith(f"{BASE}/query")
    assert reader.page.locator("h1").count() == 1
