"""Mail: sent to a local SMTP server, which also misbehaves."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy import func, select

from kinfolk.accounts.outgoing_mail import LOCK, MOST_WAITING, Mail, MailQueue, MailSender, MailServer, mail_server
from kinfolk.db.database import Database
from kinfolk.db.tables import outgoing_mail
from kinfolk.runtime.errors import Invalid
from kinfolk.runtime.services.supervisor import Supervisor

NOW = datetime(2026, 11, 23, 12, 0)  # noqa: DTZ001 - the tables have UTC without a time zone
LIFETIME = timedelta(minutes=10)
MAIL = Mail("ada@example.com", "1234 5678 is your code", "Enter this code:\n\n    1234 5678\n")


class Sink:
    """Keeps mail. `answers` are those to the next recipients, instead of 250."""

    def __init__(self) -> None:
        self.received: list[Message] = []
        self.recipients: list[str] = []
        self.answers: list[str] = []
        self.arrived = threading.Event()

    async def handle_RCPT(self, _: SMTP, __: Session, envelope: Envelope, address: str, ___: list[str]) -> str:  # noqa: N802
        if self.answers:
            return self.answers.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _: SMTP, __: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        self.recipients += envelope.rcpt_tos
        self.received.append(message_from_bytes(envelope.content))
        self.arrived.set()
        return "250 OK"


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@contextmanager
def listening(sink: Sink, host: str = "127.0.0.1", *, tls: ssl.SSLContext | None = None) -> Iterator[MailServer]:
    """A mail server on a free port, with STARTTLS if there is a certificate."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        port = probe.getsockname()[1]
    controller = Controller(sink, hostname=host, port=port, tls_context=tls)
    controller.start()
    try:
        yield MailServer(host, port, "", "", implicit_tls=False, sender="TanStack <login@example.com>")
    finally:
        controller.stop()


@dataclass
class Mailing:
    """A queue, and what its mail server received."""

    database: Database
    server: MailServer
    sink: Sink
    clock: Clock

    @property
    def queue(self) -> MailQueue:
        return MailQueue(self.database, now=self.clock)

    @property
    def sender(self) -> MailSender:
        return self.sender_to(self.server)

    def sender_to(self, server: MailServer) -> MailSender:
        return MailSender(self.queue, server, self.database, now=self.clock)

    def add(self, mail: Mail = MAIL) -> None:
        with self.database.transaction() as connection:
            self.queue.add(connection, mail, lifetime=LIFETIME)


@pytest.fixture
def mailing(database: Database) -> Iterator[Mailing]:
    sink = Sink()
    with listening(sink) as server:
        yield Mailing(database, server, sink, Clock())


def test_mail_of_a_clock_that_was_ahead_is_sent_at_once(mailing: Mailing) -> None:
    mailing.clock.now += timedelta(days=1)
    mailing.add()
    mailing.clock.now -= timedelta(days=1)

    mailing.sender.send_due()

    assert mailing.sink.recipients == [MAIL.recipient]


def test_mail_is_sent_once(mailing: Mailing) -> None:
    mailing.add()
    mailing.sender.send_due()
    mailing.sender.send_due()
    (message,) = mailing.sink.received
    assert mailing.sink.recipients == ["ada@example.com"]
    assert message["Subject"] == MAIL.subject
    assert message["From"] == "TanStack <login@example.com>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Message-ID"].endswith("@example.com>")
    assert "1234 5678" in str(message.get_payload())
    assert mailing.queue.waiting() == []


def test_service_sends_mail_when_it_is_woken(mailing: Mailing) -> None:
    sender, supervisor = mailing.sender, Supervisor()
    sender.start(supervisor)
    mailing.add()
    sender.wake()
    assert mailing.sink.arrived.wait(10)
    assert supervisor.stop(within_s=5) == []
    assert len(mailing.sink.received) == 1


def test_one_process_sends_at_a_time(mailing: Mailing, tmp_path: Path) -> None:
    mailing.add()
    other = Database(mailing.database.url, lock_folder=tmp_path / "locks")
    with other.exclusive(LOCK) as held:
        assert held
        mailing.sender.send_due()
        assert mailing.sink.received == []
    other.close()
    mailing.sender.send_due()
    assert len(mailing.sink.received) == 1


@pytest.mark.parametrize("answer", ["451 Try again later", "421 Busy"])
def test_temporary_failure_is_tried_again_later(mailing: Mailing, answer: str) -> None:
    mailing.add()
    mailing.sink.answers = [answer]
    mailing.sender.send_due()
    mailing.sender.send_due()
    assert mailing.sink.received == []
    mailing.clock.now += timedelta(seconds=5)
    mailing.sender.send_due()
    assert len(mailing.sink.received) == 1


def test_refused_recipient_is_not_tried_again(mailing: Mailing) -> None:
    mailing.add(Mail("nobody@example.com", "a", "b"))
    mailing.add()
    mailing.sink.answers = ["550 No such user"]
    mailing.sender.send_due()
    assert mailing.sink.recipients == ["ada@example.com"]
    assert mailing.queue.waiting() == []


def test_server_that_is_away_delays_mail(mailing: Mailing) -> None:
    mailing.add()
    away = MailServer("127.0.0.1", 1, "", "", implicit_tls=False, sender="login@example.com")
    mailing.sender_to(away).send_due()
    assert mailing.queue.due() == []
    assert mailing.queue.waiting() == [MAIL]


def test_expired_mail_is_not_sent(mailing: Mailing) -> None:
    mailing.add()
    mailing.clock.now += LIFETIME
    mailing.sender.send_due()
    assert mailing.sink.received == []
    mailing.add()
    assert mailing.queue.waiting() == [MAIL]


def test_plain_text_is_not_sent_to_other_hosts(mailing: Mailing) -> None:
    """Another loopback address stands for another host."""
    with listening(mailing.sink, "127.0.0.2") as remote:
        mailing.add()
        mailing.sender_to(remote).send_due()
    assert mailing.sink.received == []
    assert mailing.queue.waiting() == [MAIL]


def test_server_with_an_unknown_certificate_gets_no_mail(mailing: Mailing, tmp_path: Path) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*command, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with listening(mailing.sink, tls=context) as server:
        mailing.add()
        mailing.sender_to(server).send_due()
    assert mailing.sink.received == []
    assert mailing.queue.waiting() == [MAIL]


def test_queue_is_bounded(mailing: Mailing) -> None:
    times = {"created_at": NOW, "due_at": NOW, "expires_at": NOW + LIFETIME}
    earlier = {"recipient": "a@example.com", "subject": "a", "text": "b", "attempts": 0, **times}
    with mailing.database.transaction() as connection:
        connection.execute(outgoing_mail.insert(), [earlier] * (MOST_WAITING - 2))
        for number in range(5):
            mailing.queue.add(connection, Mail(f"a{number}@example.com", "a", "b"), lifetime=LIFETIME)
    with mailing.database.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(outgoing_mail)) == MOST_WAITING


@pytest.mark.parametrize(
    ("address", "server"),
    [
        ("smtp://mail.example.com", ("mail.example.com", 587, "", "", False)),
        ("smtp://me:p%40ss@mail.example.com:25", ("mail.example.com", 25, "me", "p@ss", False)),
        ("smtps://mail.example.com", ("mail.example.com", 465, "", "", True)),
    ],
)
def test_address_of_the_mail_server(address: str, server: tuple[object, ...]) -> None:
    found = mail_server(address, "login@example.com")
    assert (found.host, found.port, found.user, found.password, found.implicit_tls) == server


@pytest.mark.parametrize(
    ("address", "sender", "message"),
    [
        ("mail.example.com", "login@example.com", "smtp://"),
        ("http://mail.example.com", "login@example.com", "smtp://"),
        ("smtp://mail.example.com:99999", "login@example.com", "KINFOLK_SMTP"),
        ("smtp://mail.example.com", "", "KINFOLK_MAIL_FROM"),
    ],
)
def test_wrong_address_of_the_mail_server_is_refused(address: str, sender: str, message: str) -> None:
    with pytest.raises(Invalid, match=message):
        mail_server(address, sender)
