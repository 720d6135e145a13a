"""Mail: a queue in the database, and the service that sends it over SMTP.

A request only adds a row, so it takes the same time whatever the mail server does. A row is deleted once it is sent.
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import Any
from urllib.parse import unquote, urlsplit

import structlog
from sqlalchemy import Connection, Row, delete, or_, select, update

from kinfolk.db.database import Database
from kinfolk.db.tables import outgoing_mail
from kinfolk.runtime.errors import Invalid
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.runtime.services.supervisor import OnDemand, Supervisor

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

CHECK_S = 5.0
"""Seconds between two looks for mail of other processes, and for mail whose next attempt is due."""
TIMEOUT_S = 10.0
"""Seconds for each step of the dialog with the mail server."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=2)
"""Until the second attempt; doubled with each further one."""
BATCH = 20
MOST_WAITING = 2000
"""Rows in the queue: older mail is deleted, so that a server that is away for long is not flooded."""
LOCK = "outgoing-mail"

_columns = outgoing_mail.c


@dataclass(frozen=True)
class Mail:
    recipient: str
    subject: str
    text: str


@dataclass(frozen=True)
class MailServer:
    """`user` and `password` are empty for none. `implicit_tls` is TLS from the first byte; else STARTTLS if offered."""

    host: str
    port: int
    user: str
    password: str
    implicit_tls: bool
    sender: str

    @property
    def is_local(self) -> bool:
        return self.host in ("localhost", "127.0.0.1", "::1")


def mail_server(address: str, sender: str) -> MailServer:
    """The server at `smtp://user:password@host:port` or `smtps://…`. Raises Invalid."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise Invalid("KINFOLK_SMTP is not the address of a mail server") from None
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise Invalid("KINFOLK_SMTP must start with smtp:// or smtps:// and name a host")
    if not sender:
        raise Invalid("KINFOLK_MAIL_FROM must be the address that mail comes from")
    implicit_tls = parts.scheme == "smtps"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, port or (465 if implicit_tls else 587), user, password, implicit_tls, sender)


def connect(server: MailServer, *, timeout_s: float = TIMEOUT_S) -> smtplib.SMTP:
    """A connection that can send mail: encrypted, unless the server is on this machine, and signed in.

    Raises OSError and SMTPException.
    """
    context = ssl.create_default_context()
    connection: smtplib.SMTP
    if server.implicit_tls:
        connection = smtplib.SMTP_SSL(server.host, server.port, timeout=timeout_s, context=context)
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=timeout_s)
    try:
        connection.ehlo_or_helo_if_needed()
        if not server.implicit_tls and connection.has_extn("starttls"):
            connection.starttls(context=context)
            connection.ehlo()
        elif not server.implicit_tls and not server.is_local:
            # A code in plain text could be read on the way, and so could a password.
            raise smtplib.SMTPException("the server offers no encryption")
        if server.user:
            connection.login(server.user, server.password)
    except BaseException:
        connection.close()
        raise
    return connection


class MailQueue:
    """Mail that waits. For any number of processes."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    def add(self, connection: Connection, mail: Mail, *, lifetime: timedelta) -> None:
        """Add mail within a transaction. It is not sent after its lifetime."""
        now = self._now()
        connection.execute(delete(outgoing_mail).where(_columns.expires_at <= now))
        newest = select(_columns.id).order_by(_columns.id.desc()).offset(MOST_WAITING - 1).limit(1).scalar_subquery()
        connection.execute(delete(outgoing_mail).where(_columns.id <= newest))
        times = {"created_at": now, "due_at": now, "expires_at": now + lifetime}
        content = {"recipient": mail.recipient, "subject": mail.subject, "text": mail.text}
        connection.execute(outgoing_mail.insert().values(**content, **times, attempts=0))

    def forget(self, connection: Connection, recipient: str) -> None:
        """Delete mail to an address."""
        connection.execute(delete(outgoing_mail).where(_columns.recipient == recipient))

    def waiting(self) -> list[Mail]:
        """What is not sent and not expired, the newest first."""
        query = select(outgoing_mail).where(_columns.expires_at > self._now()).order_by(_columns.id.desc())
        with self._database.reading() as connection:
            return [Mail(row.recipient, row.subject, row.text) for row in connection.execute(query.limit(BATCH))]

    def due(self) -> list[Row[Any]]:
        now = self._now()
        # A clock that was set back does not delay mail.
        is_due = or_(_columns.due_at <= now, _columns.due_at > now + LONGEST_PAUSE)
        query = select(outgoing_mail).where(is_due, _columns.expires_at > now)
        with self._database.reading() as connection:
            return list(connection.execute(query.order_by(_columns.id).limit(BATCH)))

    def remove(self, id: int) -> None:
        with self._database.transaction() as connection:
            connection.execute(delete(outgoing_mail).where(_columns.id == id))

    def postpone(self, row: Row[Any]) -> None:
        """Set the time of the next attempt."""
        pause = min(FIRST_PAUSE * 2**row.attempts, LONGEST_PAUSE)
        with self._database.transaction() as connection:
            values = {"attempts": row.attempts + 1, "due_at": self._now() + pause}
            connection.execute(update(outgoing_mail).where(_columns.id == row.id).values(values))


class MailSender(Service):
    """Sends what is in the queue: one process at a time, at once after `wake`."""

    def __init__(
        self, queue: MailQueue, server: MailServer, database: Database, *, now: Callable[[], datetime]
    ) -> None:
        self._queue = queue
        self._server = server
        self._database = database
        self._now = now
        self._service = OnDemand(self.send_due, every_s=CHECK_S)

    def start(self, supervisor: Supervisor) -> None:
        supervisor.start("mail", self._service.run, stop=self._service.stop)

    def wake(self) -> None:
        """Send what was added. Does not block."""
        self._service.wake()

    def send_due(self) -> None:
        """Send all mail that is due, unless another process does. Blocks. Raises Unavailable."""
        if not self._queue.due():
            return
        with self._database.exclusive(LOCK) as held:
            while held and (rows := self._queue.due()):
                self._send(rows)

    def _send(self, rows: list[Row[Any]]) -> None:
        try:
            connection = connect(self._server)
        except (OSError, smtplib.SMTPException) as failure:
            log.warning("mail server not reached", reason=_reason(failure), waiting=len(rows))
            for row in rows:
                self._queue.postpone(row)
            return
        try:
            for row in rows:
                self._send_one(connection, row)
        finally:
            disconnect(connection)

    def _send_one(self, connection: smtplib.SMTP, row: Row[Any]) -> None:
        try:
            connection.send_message(self._message(Mail(row.recipient, row.subject, row.text)))
        except smtplib.SMTPRecipientsRefused as refused:
            codes = [code for code, _ in refused.recipients.values()]
            is_final = all(code >= 500 for code in codes)  # noqa: PLR2004 - RFC 5321, 4.2.1: a permanent failure
            log.warning("mail recipient refused", code=codes[0] if codes else 0)
            (self._queue.remove(row.id) if is_final else self._queue.postpone(row))
        except (OSError, smtplib.SMTPException) as failure:
            log.warning("mail not sent", reason=_reason(failure))
            self._queue.postpone(row)
        else:
            self._queue.remove(row.id)

    def _message(self, mail: Mail) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self._server.sender
        message["To"] = mail.recipient
        message["Subject"] = mail.subject
        message["Date"] = format_datetime(self._now())
        message["Message-ID"] = make_msgid(domain=self._server.sender.rpartition("@")[2].rstrip("> "))
        # RFC 3834: automatic replies such as "out of office" are not sent to it.
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(mail.text)
        return message


def _reason(failure: Exception) -> str:
    """The failure without text of the server, which may quote the mail."""
    return type(failure).__name__


def disconnect(connection: smtplib.SMTP) -> None:
    """End the dialog, and close the connection."""
    try:
        connection.quit()
    except (OSError, smtplib.SMTPException):
        connection.close()
