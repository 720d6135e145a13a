"""The checks of `kinfolk doctor`, against settings, files and servers that are wrong."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.sites.sample_site import SITE, read_settings

from kinfolk.cli.doctor import upstream_checks
from kinfolk.cli.doctor.checkup import Check, CheckFinding, ok, run_checks, worst
from kinfolk.cli.doctor.machine_checks import GB, check_disks, check_git, check_limits
from kinfolk.cli.doctor.settings_checks import check_settings
from kinfolk.cli.doctor.storage_checks import check_database, check_mirror, check_search
from kinfolk.cli.doctor.upstream_checks import check_github, check_mail, check_server
from kinfolk.cli.main import main
from kinfolk.db.database import Database, database_url
from kinfolk.db.schema import downgrade
from kinfolk.search.docs_index.generations import index_folder

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def statuses(findings: list[CheckFinding]) -> list[tuple[str, str]]:
    return [(finding.name, finding.status) for finding in findings]


# The checkup


def test_stuck_check_does_not_delay_the_others() -> None:
    released = threading.Event()
    checks = [
        Check("stuck", lambda: [ok("stuck", str(released.wait(60)))], deadline_s=0.05),
        Check("broken", lambda: [ok("broken", str(1 // 0))]),
        Check("sound", lambda: [ok("sound", "fine")]),
    ]
    try:
        found = run_checks(checks)
    finally:
        released.set()
    assert statuses(found) == [("stuck", "fault"), ("broken", "fault"), ("sound", "ok")]
    assert "within 0.05 s" in found[0].message
    assert worst(found) == "fault"


@pytest.mark.parametrize(
    ("skews", "expected"),
    [
        ([], []),
        ([0.2, -3.0], [("clock", "ok")]),
        ([90.0, 88.0, 0.1], [("clock", "fault")]),
        ([0.1, 0.2, 9000.0], [("clock", "ok")]),
    ],
)
def test_clock_is_compared_with_the_median_of_other_clocks(skews: list[float], expected: list[tuple[str, str]]) -> None:
    found = run_checks([Check("a", lambda: [CheckFinding("a", "ok", "", "", skew) for skew in skews])])
    assert statuses(found[len(skews) :]) == expected


# Settings


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"KINFOLK_ORIGN": "x"}, "KINFOLK_ORIGN is no setting"),
        ({"KINFOLK_ORIGIN": "https://docs.example.com"}, "KINFOLK_SECRET has fewer"),
        ({"KINFOLK_ORIGIN": "https://docs.example.com", "KINFOLK_SECRET": "0" * 32}, "KINFOLK_HSTS_S is 0"),
        ({"KINFOLK_ORIGIN": "http://docs.example.com", "KINFOLK_SECRET": "0" * 32}, "plain text"),
        ({"KINFOLK_ORIGIN": "https://docs.example.com", "KINFOLK_TRUSTED_PROXIES": " "}, "names no proxy"),
        ({"KINFOLK_GITHUB_OAUTH_ID": "x"}, "KINFOLK_GITHUB_OAUTH_SECRET is not"),
        ({"KINFOLK_MAIL_FROM": "a@b.example"}, "KINFOLK_SMTP is not"),
        ({"KINFOLK_MAINTAINER_ORGANIZATION": "acme"}, "needs sign-in with GitHub"),
        ({"KINFOLK_PREVIEWS": "5"}, "needs a mirror and a webhook"),
        ({"KINFOLK_COMMENT_TOKENS": "github.com=x"}, "KINFOLK_PREVIEWS is 0"),
        (
            {"KINFOLK_REFRESH_S": "0", "KINFOLK_ORIGIN": "https://docs.example.com", "KINFOLK_MIRROR": "m"},
            "Nothing fetches",
        ),
    ],
)
def test_wrong_settings_are_found(environment: Mapping[str, str], expected: str) -> None:
    found = check_settings(read_settings(environment), environment)
    assert any(expected in finding.message and finding.advice for finding in found), found


def test_settings_of_development_are_ok() -> None:
    assert statuses(check_settings(read_settings({}), {"KINFOLK_SITE": str(SITE)})) == [("settings", "ok")]


# The machine


@dataclass(frozen=True)
class DiskState:
    f_bavail: int
    f_favail: int
    f_frsize: int = 1
    f_files: int = 100


@pytest.mark.parametrize(
    ("disk", "status"),
    [
        (DiskState(5 * GB, 90), "ok"),
        (DiskState(GB // 2, 90), "warning"),
        (DiskState(1000, 90), "fault"),
        (DiskState(5 * GB, 5), "warning"),
        (DiskState(5 * GB, 1), "fault"),
        (DiskState(5 * GB, 0, f_files=0), "ok"),
    ],
)
def test_full_disk_is_found(disk: DiskState, status: str, tmp_path: Path) -> None:
    settings = read_settings({"KINFOLK_VAR": str(tmp_path / "new"), "KINFOLK_MIRROR": str(tmp_path / "mirror")})
    found = check_disks(settings, stat=lambda _: disk)
    assert statuses(found) == [(f"disk of {name}", status) for name in ("var", "temporary files", "mirror")]
    assert not (tmp_path / "new").exists()


def test_low_limits_are_found() -> None:
    settings = read_settings({})
    assert statuses(check_limits(settings, descriptors=1024, memory=GB // 4)) == [("limits", "warning")] * 2
    assert statuses(check_limits(settings, descriptors=4096, memory=GB)) == [("limits", "ok")]


def test_missing_git_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    assert statuses(check_git()) == [("git", "ok")]
    monkeypatch.setenv("PATH", "")
    assert statuses(check_git()) == [("git", "fault")]


# What is stored


def test_current_database_is_ok(database: Database) -> None:
    assert statuses(check_database(database)) == [("database", "ok")]


def test_older_database_is_found(sqlite_database: Database) -> None:
    downgrade(sqlite_database, "0004")
    found = check_database(sqlite_database)
    assert statuses(found) == [("database", "warning")]
    assert "0004" in found[0].message


def test_damaged_missing_and_unreachable_databases_are_found(tmp_path: Path) -> None:
    file = tmp_path / "kinfolk.sqlite"
    here = Database(database_url(read_settings({"KINFOLK_VAR": str(tmp_path)})), lock_folder=tmp_path)
    assert statuses(check_database(here)) == [("database", "warning")]
    assert not file.exists()
    file.write_bytes(b"no database" * 1000)
    assert "kinfolk restore" in check_database(here)[0].advice
    there = read_settings({"KINFOLK_DATABASE_URL": f"postgresql://me:secret@127.0.0.1:{closed_port()}/site"})
    found = check_database(Database(database_url(there), lock_folder=tmp_path))
    assert statuses(found) == [("database", "fault")]
    assert "secret" not in found[0].message


def test_old_and_broken_mirror_is_found(tmp_path: Path) -> None:
    settings = read_settings({"KINFOLK_MIRROR": str(tmp_path)})
    assert statuses(check_mirror(settings, now_s=0)) == [("mirror", "warning")]
    (tmp_path / "published.json").write_text(json.dumps({"acme/query@main": "0" * 40}))
    now_s = (tmp_path / "published.json").stat().st_mtime
    assert "acme/query@main" in check_mirror(settings, now_s=now_s)[0].message
    assert statuses(check_mirror(settings, now_s=now_s + 86400)) == [("mirror", "fault"), ("mirror", "warning")]
    (tmp_path / "published.json").write_text("{}")
    assert statuses(check_mirror(settings, now_s=now_s)) == [("mirror", "ok")]


def test_site_without_an_index_is_found(tmp_path: Path) -> None:
    on = read_settings({"KINFOLK_VAR": str(tmp_path), "KINFOLK_SEARCH": "on"})
    assert statuses(check_search(on, now_s=0)) == [("search", "warning")]
    index_folder(tmp_path).mkdir(parents=True)
    current = {"generation": "g", "revisions": {}, "files": {}}
    (index_folder(tmp_path) / "current.json").write_text(json.dumps(current))
    assert worst(check_search(on, now_s=0)) != "ok"


# Other servers


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def server(answer: Callable[[BaseHTTPRequestHandler], None], *, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, format: str, *_: object) -> None:
            """Nothing is logged."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.handle_error = lambda *_: None  # type: ignore[method-assign] # clients leave in the middle
    if tls is not None:
        listening.socket = tls.wrap_socket(listening.socket, server_side=True)
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{listening.server_port}"
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()


def respond(status: int = 200, headers: Mapping[str, str] | None = None) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response_only(status)
        for name, value in ({"Content-Length": "0"} | dict(headers or {})).items():
            handler.send_header(name, value)
        handler.end_headers()

    return answer


def test_clock_of_a_server_is_read() -> None:
    with server(respond(headers={"Date": "Sun, 29 Nov 2026 11:00:00 GMT"})) as url:
        [found] = check_server("npm API", url, now=lambda: NOW)
    assert found.status == "ok"
    assert found.skew_s == pytest.approx(3600, abs=1)


@pytest.mark.parametrize(("status", "expected"), [(404, "ok"), (503, "fault")])
def test_failing_server_is_found(status: int, expected: str) -> None:
    with server(respond(status, {"Date": "no date"})) as url:
        assert statuses(check_server("npm API", url)) == [("npm API", expected)]


def test_slow_and_refusing_servers_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upstream_checks, "TIMEOUT_S", 0.2)
    released = threading.Event()
    with server(lambda _: (released.wait(30), None)[1]) as url:
        [slow] = check_server("npm API", url)
        released.set()
    assert (slow.status, "within 0.2 s" in slow.message) == ("fault", True)
    [refused] = check_server("npm API", f"http://me:secret@127.0.0.1:{closed_port()}")
    assert refused.status == "fault"
    assert "secret" not in refused.message


def certificate(folder: Path, ends: datetime) -> ssl.SSLContext:
    """A server's context with a certificate of its own for 127.0.0.1, in `folder/certificate.pem`."""
    from ipaddress import ip_address

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(ends - timedelta(days=90))
        .not_valid_after(ends)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "certificate.pem").write_bytes(built.public_bytes(pem))
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context


@pytest.mark.parametrize(
    ("days", "is_known", "status", "expected"),
    [
        (80, True, "ok", "valid for 80 days"),
        (5, True, "warning", "valid for 5 days"),
        (-1, True, "fault", "expired"),
        (80, False, "fault", "self-signed"),
    ],
)
def test_certificates_are_checked(tmp_path: Path, days: int, is_known: bool, status: str, expected: str) -> None:
    tls = certificate(tmp_path, datetime.now(UTC) + timedelta(days=days, minutes=5))
    context = ssl.create_default_context()
    if is_known:
        context.load_verify_locations(tmp_path / "certificate.pem")
    with server(respond(), tls=tls) as url:
        [found] = check_server("origin", url, context=context)
    assert (found.status, expected in found.message) == (status, True), found


@pytest.mark.parametrize(
    ("token", "status", "left", "expected"),
    [("t", 200, "4999", "ok"), ("t", 200, "3", "warning"), ("", 200, "59", "warning"), ("t", 401, "59", "fault")],
)
def test_requests_that_are_left_at_github(token: str, status: int, left: str, expected: str) -> None:
    with server(respond(status, {"X-RateLimit-Remaining": left, "X-RateLimit-Limit": "5000"})) as url:
        settings = read_settings({"KINFOLK_GITHUB_API": url, "KINFOLK_GITHUB_TOKEN": token})
        assert statuses(check_github(settings)) == [("GitHub API", expected)]


def test_mail_server_is_checked_without_sending(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoMail:
        """Fails the test for any mail: it has no handler."""

    monkeypatch.setattr(upstream_checks, "TIMEOUT_S", 2.0)
    listening = Controller(NoMail(), hostname="127.0.0.1", port=closed_port())
    listening.start()
    try:
        environment = {"KINFOLK_SMTP": f"smtp://127.0.0.1:{listening.port}", "KINFOLK_MAIL_FROM": "a@b.example"}
        assert statuses(check_mail(read_settings(environment))) == [("mail", "ok")]
        environment["KINFOLK_SMTP"] = f"smtp://me:secret@127.0.0.1:{listening.port}"
        assert "secret" not in check_mail(read_settings(environment))[0].message
    finally:
        listening.stop()
    environment["KINFOLK_SMTP"] = f"smtp://127.0.0.1:{closed_port()}"
    assert statuses(check_mail(read_settings(environment))) == [("mail", "fault")]


# The command


OFFLINE = {"KINFOLK_NPM_IMPORT": "off", "KINFOLK_FIGURES": "off", "KINFOLK_MIRROR": "off", "KINFOLK_SITE": str(SITE)}


def test_command_prints_a_line_for_each_check(tmp_path: Path) -> None:
    environment = OFFLINE | {"KINFOLK_VAR": str(tmp_path), "KINFOLK_GITHUB_OAUTH_ID": "x"}
    done = CliRunner().invoke(main, ["doctor"], env=environment)
    assert done.exit_code == 1
    assert "fault    settings" in done.output
    assert "Set KINFOLK_GITHUB_OAUTH_SECRET, or neither" in done.output
    assert list(tmp_path.iterdir()) == []


def test_report_as_json(tmp_path: Path) -> None:
    environment = OFFLINE | {"KINFOLK_VAR": str(tmp_path), "KINFOLK_MEMORY_MB": "none"}
    done = CliRunner().invoke(main, ["doctor", "--json"], env=environment)
    report = json.loads(done.output)
    assert (done.exit_code, report["status"], len(report["checks"])) == (1, "fault", 1)
    assert report["checks"][0]["message"].startswith("KINFOLK_MEMORY_MB must be")
