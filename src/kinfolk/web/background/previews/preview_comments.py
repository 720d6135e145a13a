"""Comments on pull requests whose previews are ready: links to the preview and its pages, and new findings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog

from kinfolk.content.docs.snapshots.preview_report import PreviewComparison
from kinfolk.content.pull_requests.comment_client import CommentClient
from kinfolk.content.pull_requests.comment_text import CommentedPage, CommentedPreview, comment_text
from kinfolk.content.pull_requests.known_previews import KnownPreview
from kinfolk.db.database import utc_now
from kinfolk.runtime.errors import SiteError
from kinfolk.site.site import Site

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_ATTEMPTS = 3
"""Attempts of a process for one head: the first when it is ready, others when the queue looks at the table again."""
MOST_KNOWN = 5_000
"""Pull requests whose last attempts are remembered."""


class PreviewComments:
    """For one thread. A failure is logged."""

    def __init__(self, site: Site, client: CommentClient) -> None:
        self._site = site
        self._client = client
        self._attempts: dict[tuple[str, int], tuple[str, int]] = {}
        """The last head of each pull request, and the attempts for it: MOST_ATTEMPTS for one that is done."""

    def put(self, previews: Sequence[KnownPreview]) -> None:
        """Comment on the pull request of these previews, unless a process has for its head. Blocks."""
        request, host = previews[0].pull_request, previews[0].library.code_host
        known = self._site.previews
        if host is None or known is None or not request.is_open or not self._client.has_token(host):
            return
        name = (request.repository, request.number)
        head, attempts = self._attempts.get(name, ("", 0))
        if head != request.head:
            attempts = 0
        if attempts >= MOST_ATTEMPTS:
            return
        if len(self._attempts) > MOST_KNOWN:
            self._attempts.clear()
        try:
            if not known.store.claim_comment(request):
                self._attempts[name] = request.head, MOST_ATTEMPTS
                return
            text = comment_text([self._described(each) for each in previews])
            is_written = asyncio.run(self._client.put(host, request.repository, request.number, text))
        except SiteError as failure:
            self._attempts[name] = request.head, attempts + 1
            log.warning("not commented", repository=name[0], number=name[1], reason=failure.message)
            known.store.release_comment(request)
            return
        self._attempts[name] = request.head, MOST_ATTEMPTS
        log.info("commented", repository=name[0], number=name[1], is_written=is_written)

    def _described(self, preview: KnownPreview) -> CommentedPreview:
        origin, library = self._site.settings.origin, preview.library
        compared = PreviewComparison(self._site.content.publisher.reader(), library, preview.version)
        findings = [each for each in compared.findings() if each.is_new]
        return CommentedPreview(
            library.name,
            f"{origin}/pr/{library.id}/{preview.pull_request.number}",
            preview.pull_request.head[:7],
            [CommentedPage(each.change, each.title, f"{origin}{each.to}") for each in compared.pages()],
            [f"{each.file}{', ' if each.line else ''}{each.line}: {each.text}" for each in findings],
        )


def open_comments(site: Site) -> PreviewComments | None:
    """None without tokens."""
    settings = site.settings
    if not settings.comment_tokens or not settings.webhook_secret:
        return None
    client = CommentClient(
        settings.comment_tokens, settings.webhook_secret, now=utc_now, github_api=settings.github_api
    )
    return PreviewComments(site, client)
