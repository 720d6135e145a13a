"""Comments on pull requests whose previews are ready: links to the preview and its pages, and new findings."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

import structlog

from kinfolk.content.code_checks.check_store import CheckStore
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
CODE_WAIT_S = 180.0
"""Seconds for which a comment waits until the code of the changed pages is checked."""


class PreviewComments:
    """For one thread. A failure is logged."""

    def __init__(self, site: Site, client: CommentClient, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._site = site
        self._client = client
        self._clock = clock
        self._first_s: dict[tuple[str, int], tuple[str, float]] = {}
        """The last head of each pull request, and when it was seen first."""
        self._attempts: dict[tuple[str, int], tuple[str, int]] = {}
        """The last head of each pull request, and the attempts for it: MOST_ATTEMPTS for one that is done."""

    def put(self, previews: Sequence[KnownPreview]) -> bool:
        """Comment on the pull request of these previews, unless a process has for its head. Blocks.

        Returns whether the comment waits for the check of code.
        """
        request, host = previews[0].pull_request, previews[0].library.code_host
        known = self._site.previews
        if host is None or known is None or not request.is_open or not self._client.has_token(host):
            return False
        name = (request.repository, request.number)
        head, attempts = self._attempts.get(name, ("", 0))
        if head != request.head:
            attempts = 0
        if attempts >= MOST_ATTEMPTS:
            return False
        if len(self._attempts) > MOST_KNOWN or len(self._first_s) > MOST_KNOWN:
            self._attempts.clear()
            self._first_s.clear()
        if self._waits_for_code(previews):
            return True
        try:
            if not known.store.claim_comment(request):
                self._attempts[name] = request.head, MOST_ATTEMPTS
                return False
            text = comment_text([self._described(each) for each in previews])
            is_written = asyncio.run(self._client.put(host, request.repository, request.number, text))
        except SiteError as failure:
            self._attempts[name] = request.head, attempts + 1
            log.warning("not commented", repository=name[0], number=name[1], reason=failure.message)
            known.store.release_comment(request)
            return False
        self._attempts[name] = request.head, MOST_ATTEMPTS
        log.info("commented", repository=name[0], number=name[1], is_written=is_written)
        return False

    def _waits_for_code(self, previews: Sequence[KnownPreview]) -> bool:
        """Whether code of the changed pages will be checked soon: it was in the base, and is not in the preview."""
        store, request = self._site.maintenance.code_checks, previews[0].pull_request
        name = (request.repository, request.number)
        head, first_s = self._first_s.get(name, ("", 0.0))
        if head != request.head:
            first_s = self._clock()
            self._first_s[name] = request.head, first_s
        if store is None or self._clock() - first_s >= CODE_WAIT_S:
            return False
        return any(_will_be_checked(store, each) for each in previews)

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


def _will_be_checked(store: CheckStore, preview: KnownPreview) -> bool:
    library, version = preview.library, preview.version
    release = library.releases.table.version(version)
    head = release.pull_request if release else None
    if head is None:
        return False
    state = store.preview_state(library.id, version, base=head.base, commit=preview.ref.branch)
    return state.key is not None and not state.is_checked


def open_comments(site: Site) -> PreviewComments | None:
    """None without tokens."""
    settings = site.settings
    if not settings.comment_tokens or not settings.webhook_secret:
        return None
    client = CommentClient(
        settings.comment_tokens, settings.webhook_secret, now=utc_now, github_api=settings.github_api
    )
    return PreviewComments(site, client)
