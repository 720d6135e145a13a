"""nginx and Caddy with the files of deploy/: HTTP/2, compression, headers, streams, and a server that is down."""

from __future__ import annotations

import os
import re
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.deploy.deploy_files import DEPLOY, program, run, tool
from tests.servers.serving import LEAN, free_port, serving

from kinfolk.live.topics import encode_topics

HOST = "docs.example.com"
PAGE = "/query/latest/docs/framework/react/guides/caching"
TOPICS = {"q": encode_topics(("figures.family", {}))}
START_S = 30.0
NGINX = """daemon off; pid {folder}/nginx.pid; error_log stderr; worker_processes 1;
events {{}}
http {{
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  include {folder}/docs.conf;
}}
"""


class Relay:
    """Passes connections on to a server, and keeps what clients send."""

    def __init__(self, target: int) -> None:
        self.received = b""
        self._target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._target))
            for source, sink, keep in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._copy, args=(source, sink, keep), daemon=True).start()

    def _copy(self, source: socket.socket, sink: socket.socket, keep: bool) -> None:
        try:
            while arrived := source.recv(65_536):
                if keep:
                    self.received += arrived
                sink.sendall(arrived)
        except OSError:
            pass
        finally:
            for each in (source, sink):
                each.close()

    def header(self, name: str) -> str:
        """The value of a header in the last request that has it."""
        values: list[str] = re.findall(rf"(?im)^{name}: (.*)\r$", self.received.decode("latin-1"))
        return values[-1]

    def close(self) -> None:
        self._listening.close()


@dataclass(frozen=True)
class Proxy:
    """A running proxy. Its first server is down, the second is `relay`."""

    url: str
    port: int
    relay: Relay

    def client(self, **options: object) -> httpx.Client:
        headers = {"host": HOST} if self.url.startswith("https") else {}
        return httpx.Client(base_url=self.url, verify=False, headers=headers, timeout=30, **options)  # type: ignore[arg-type]  # noqa: S501


@pytest.fixture(scope="module")
def relay(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Relay]:
    assert built
    with serving(tmp_path_factory.mktemp("proxied"), environment=LEAN) as site:
        relay = Relay(urlsplit(site.url).port or 0)
        yield relay
        relay.close()


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest, relay: Relay, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    folder = tmp_path_factory.mktemp(request.param)
    with (nginx_running if request.param == "nginx" else caddy_running)(folder, relay) as proxy:
        yield proxy


@contextmanager
def nginx_running(folder: Path, relay: Relay) -> Iterator[Proxy]:
    tls, plain = free_port(), free_port()
    write_nginx_files(folder, {80: plain, 443: tls, 8000: free_port(), 8001: relay.port})
    with running([program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")], tls, {}):
        yield Proxy(f"https://127.0.0.1:{tls}", tls, relay)


@contextmanager
def caddy_running(folder: Path, relay: Relay) -> Iterator[Proxy]:
    """Without TLS: Caddy would install a certificate authority of its own into this machine."""
    port = free_port()
    environment = {
        "SITE_HOST": f"http://127.0.0.1:{port}",
        "UPSTREAMS": f"127.0.0.1:{free_port()} 127.0.0.1:{relay.port}",
        "CADDY_ADMIN": f"unix/{folder}/admin.sock",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    command = [tool("caddy"), "run", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
    with running(command, port, environment):
        yield Proxy(f"http://127.0.0.1:{port}", port, relay)


@contextmanager
def running(command: list[str], port: int, environment: dict[str, str]) -> Iterator[None]:
    process = subprocess.Popen(
        command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + START_S
        while process.poll() is None and time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.02)
        assert process.poll() is None, "the proxy did not start"
        yield
    finally:
        process.terminate()
        process.wait(30)


def write_nginx_files(folder: Path, ports: dict[int, int]) -> None:
    """The shipped file with other ports and a certificate for this test."""
    certificate, key = self_signed()
    (folder / "fullchain.pem").write_bytes(certificate)
    (folder / "privkey.pem").write_bytes(key)
    text = (DEPLOY / "nginx.conf").read_text()
    text = text.replace(f"/etc/letsencrypt/live/{HOST}", str(folder)).replace("/var/log/nginx", str(folder))
    for shipped, port in ports.items():
        listen = rf"(?m)^(\s+listen ){shipped}\b" if shipped < 1000 else rf"(server 127\.0\.0\.1:){shipped}\b"
        text, count = re.subn(listen, rf"\g<1>{'127.0.0.1:' if shipped < 1000 else ''}{port}", text)
        assert count == 1, shipped
    (folder / "docs.conf").write_text(text)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder))


def self_signed() -> tuple[bytes, bytes]:
    """A certificate and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    unsigned = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    certificate = unsigned.not_valid_before(now).not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    plain = serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    return certificate.public_bytes(pem), key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)


@contextmanager
def connect(proxy: Proxy, *protocols: str) -> Iterator[ssl.SSLSocket]:
    """A TLS connection that offers these protocols."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(protocols)
    with socket.create_connection(("127.0.0.1", proxy.port)) as plain, context.wrap_socket(plain) as connection:
        yield connection


def test_nginx_accepts_the_file(tmp_path: Path) -> None:
    write_nginx_files(tmp_path, {80: free_port(), 443: free_port()})
    ran = run(program("nginx"), "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"))
    assert ran.returncode == 0, ran.stderr
    assert "[warn]" not in ran.stderr.replace('the "user" directive', "")


def test_caddy_accepts_the_file_and_its_format() -> None:
    names = {"SITE_HOST": HOST, "UPSTREAMS": "127.0.0.1:8000 127.0.0.1:8001"}
    command = ("--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile")
    ran = run(tool("caddy"), "validate", *command, env=os.environ | names)
    assert ran.returncode == 0, ran.stderr
    assert run(tool("caddy"), "fmt", str(DEPLOY / "Caddyfile")).returncode == 0


def test_page_is_served_although_the_first_server_is_down(proxy: Proxy) -> None:
    with proxy.client() as client:
        answers = [client.get(PAGE) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200] * 5


@pytest.mark.parametrize("encoding", ["br", "gzip", "identity"])
def test_responses_keep_the_encoding_that_kinfolk_chose(proxy: Proxy, encoding: str) -> None:
    with proxy.client() as client:
        answer = client.get(PAGE, headers={"accept-encoding": encoding})
    assert answer.headers.get("content-encoding", "identity") == encoding
    assert "accept-encoding" in answer.headers["vary"].lower()


def test_server_gets_the_client_address_the_host_and_a_request_id(proxy: Proxy) -> None:
    with proxy.client() as client:
        client.get(PAGE, headers={"x-forwarded-for": "203.0.113.9", "x-request-id": "chosen by the client"})
    # Kinfolk reads the right-most address that is not that of a proxy.
    assert proxy.relay.header("x-forwarded-for").split(", ")[-1] == "127.0.0.1"
    assert proxy.relay.header("x-forwarded-proto") == urlsplit(proxy.url).scheme
    assert proxy.relay.header("host") in (HOST, f"127.0.0.1:{proxy.port}")
    assert re.fullmatch(r"[0-9a-f-]{32,36}", proxy.relay.header("x-request-id"))


def test_live_events_arrive_while_the_stream_is_open(proxy: Proxy) -> None:
    with proxy.client() as client, client.stream("GET", "/api/live", params=TOPICS) as answer:
        assert answer.status_code == 200
        assert b"serverTime" in next(answer.iter_raw())


def test_post_is_sent_to_one_server_only_once(proxy: Proxy) -> None:
    before = proxy.relay.received.count(b"POST /_hooks/github")
    with proxy.client() as client:
        answer = client.post("/_hooks/github", content=b"{}")
    assert answer.status_code in (401, 403, 404, 502, 503)
    assert proxy.relay.received.count(b"POST /_hooks/github") - before <= 1


def test_nginx_offers_http2_and_redirects_to_tls(proxy: Proxy) -> None:
    if proxy.url.startswith("http:"):
        pytest.skip("Caddy does both without settings, with a certificate that it cannot get here")
    with connect(proxy, "h2", "http/1.1") as connection:
        assert connection.selected_alpn_protocol() == "h2"
        assert connection.version() == "TLSv1.3"


def test_many_requests_of_an_address_are_limited_by_nginx(relay: Relay, tmp_path: Path) -> None:
    request = f"HEAD /healthz HTTP/1.1\r\nHost: {HOST}\r\n"
    requests = f"{request}\r\n" * 299 + f"{request}Connection: close\r\n\r\n"
    with nginx_running(tmp_path, relay) as proxy, connect(proxy) as connection:
        connection.sendall(requests.encode())
        answers = b"".join(iter(lambda: connection.recv(65_536), b""))
    statuses = re.findall(rb"^HTTP/1.1 (\d+)", answers, re.MULTILINE)
    assert (len(statuses), set(statuses)) == (300, {b"200", b"429"})
    assert statuses.count(b"200") >= 200
