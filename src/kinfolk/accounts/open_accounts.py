"""Opens the accounts of a site."""

from __future__ import annotations

from kinfolk.accounts.accounts import Accounts
from kinfolk.accounts.oauth import configured_providers
from kinfolk.accounts.outgoing_mail import MailQueue, MailSender, mail_server
from kinfolk.accounts.saved_items import SavedItems
from kinfolk.accounts.secret_tokens import SecretKey
from kinfolk.accounts.sessions import Sessions
from kinfolk.config.catalog import Catalog
from kinfolk.config.settings import Settings
from kinfolk.db.database import Database, utc_now


def open_accounts(settings: Settings, catalog: Catalog, database: Database) -> Accounts:
    """Accounts with the ways to sign in that are set up; with none, where readers have no accounts.

    Raises Invalid for a setting of mail that is wrong.
    """
    mail = MailQueue(database, now=utc_now)
    server = mail_server(settings.smtp, settings.mail_from) if settings.smtp and catalog.accounts else None
    return Accounts(
        database,
        SecretKey(settings.secret),
        Sessions(database, maintainers=settings.maintainers, now=utc_now),
        SavedItems(database),
        providers=configured_providers(settings) if catalog.accounts else (),
        mail=mail,
        sender=MailSender(mail, server, database, now=utc_now) if server else None,
        are_open=catalog.accounts,
        family=catalog.family,
        origin=settings.origin,
        now=utc_now,
    )
