"""What each event of a webhook changes: a push refreshes docs, a release its notes, a star a figure."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

import structlog

from kinfolk.config.catalog import Library
from kinfolk.config.code_hosts import HostKind
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.docs_source import refreshed_refs
from kinfolk.maintenance.webhooks.delivery import DeliveryOutcome
from kinfolk.runtime.errors import SiteError
from kinfolk.site.site import Site
from kinfolk.web.endpoints.webhooks.webhook_payloads import (
    parse_pull_request_event,
    parse_push,
    parse_release,
    parse_star,
    repository_of,
)

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

_TAG, _BRANCH = "refs/tags/", "refs/heads/"
STAR_ACTIONS = ("created", "deleted")
NOTHING = "Nothing here depends on that"


@dataclass(frozen=True)
class WebhookAnswer:
    """The response to an event, and what is recorded of it. `refs` are the branches to refresh."""

    status: int
    message: str
    outcome: DeliveryOutcome
    repo: str = ""
    ref: str = ""
    commit: str = ""
    detail: str = ""
    refs: tuple[Ref, ...] = ()


async def answer_push(site: Site, host: HostKind, payload: object, *, is_push: bool) -> WebhookAnswer:
    """Find the branch of a push in the catalog; for a tag, all branches of its repository."""
    pushed = parse_push(payload)
    if pushed is None or not is_push:
        outcome: DeliveryOutcome = "invalid" if is_push else "unused_event"
        message = "This is not a push" if pushed is None else NOTHING
        return WebhookAnswer(400 if is_push else 200, message, outcome, repository_of(payload))
    is_tag = pushed.ref.startswith(_TAG)
    name = pushed.ref.removeprefix(_BRANCH).removeprefix(_TAG)
    answer = WebhookAnswer(200, NOTHING, "other_repository", pushed.repo, name, pushed.commit)
    libraries = _libraries_of(site, host, pushed.repo)
    if not libraries:
        return answer
    answer = replace(answer, repo=libraries[0].content_repo)
    branches = dict.fromkeys(library.ref(version.name) for library in libraries for version in library.versions)
    refs = tuple(ref for ref in branches if is_tag or pushed.ref == f"{_BRANCH}{ref.branch}")
    if not refs:
        return replace(answer, outcome="other_branch", detail=", ".join(ref.branch for ref in branches))
    shown = site.content.publisher.docs.snapshot
    if not await asyncio.to_thread(refreshed_refs, site.settings, site.catalog, refs, shown):
        log.warning("push not fetched", ref=str(refs[0]), reason="this server has no mirror of it")
        message = f"This server has no mirror of {refs[0]}. Run kinfolk sync."
        return replace(answer, status=503, message=message, outcome="no_mirror")
    log.info("push received", ref=str(refs[0]))
    releases = site.content.publisher.docs.releases
    if is_tag and releases is not None:
        await asyncio.to_thread(releases.expect_new, refs[0].repo)
    message = f"Looking at {refs[0]} now"
    return replace(answer, status=202, message=message, outcome="tag" if is_tag else "push", refs=refs)


async def answer_pull_request(site: Site, host: HostKind, payload: object) -> WebhookAnswer:
    """Store the pull request, and wake the queue that fetches it. Requests never fetch one."""
    found = await asyncio.to_thread(parse_pull_request_event, payload)
    if found is None:
        return WebhookAnswer(400, "This is not a pull request", "invalid", repository_of(payload))
    previews = site.previews
    library = next(iter(_libraries_of(site, host, found.repository)), None)
    answer = WebhookAnswer(200, NOTHING, "other_repository", found.repository, f"#{found.number}", found.head)
    if previews is None or library is None:
        return replace(answer, outcome="other_repository" if library is None else "turned_off")
    repo = library.content_repo
    named = replace(found, repository=repo)
    answer = replace(answer, repo=repo)
    if not previews.base_branches(named):
        message = f"Nothing here depends on the branch {named.base[:80]}"
        branches = dict.fromkeys(library.ref(version.name).branch for version in library.versions)
        return replace(answer, message=message, outcome="other_branch", detail=", ".join(branches))
    try:
        stored = await asyncio.to_thread(previews.store.put, named)
    except SiteError as failure:
        return _not_stored(answer, failure)
    if not stored:
        return replace(answer, outcome="no_change")
    log.info("pull request received", repository=repo, number=named.number, head=named.head[:12], state=named.state)
    previews.request_update()
    message = f"Looking at pull request {named.number} of {repo} now"
    return replace(answer, status=202, message=message, outcome="pull_request")


async def answer_release(site: Site, host: HostKind, payload: object) -> WebhookAnswer:
    """Request the releases of the repository with the next look of the service that reads them."""
    repo = parse_release(payload)
    if repo is None:
        return WebhookAnswer(400, "This is not a release", "invalid", repository_of(payload))
    library = next(iter(_libraries_of(site, host, repo)), None)
    if library is None:
        return WebhookAnswer(200, NOTHING, "other_repository", repo)
    answer = WebhookAnswer(200, NOTHING, "turned_off", library.content_repo)
    if not site.settings.release_notes:
        return answer
    try:
        await asyncio.to_thread(site.release_notes.request, library)
    except SiteError as failure:
        return _not_stored(answer, failure)
    message = f"Looking at the releases of {library.content_repo} now"
    return replace(answer, status=202, message=message, outcome="release")


async def answer_star(site: Site, payload: object) -> WebhookAnswer:
    """Store the stars of the repository: a star was given or removed."""
    starred = parse_star(payload)
    if starred is None:
        return WebhookAnswer(400, "This is not a star", "invalid", repository_of(payload))
    answer = WebhookAnswer(200, NOTHING, "unused_event", starred.repo)
    if starred.action not in STAR_ACTIONS:
        return answer
    try:
        stale = await asyncio.to_thread(site.statistics.figures.put_stars, starred.repo, starred.stars)
    except SiteError as failure:
        return _not_stored(answer, failure)
    if stale is None:
        return replace(answer, outcome="other_repository")
    if stale:
        site.content.publisher.purge(stale)
    return replace(answer, status=202, message="The stars are stored", outcome="star")


def _not_stored(answer: WebhookAnswer, failure: SiteError) -> WebhookAnswer:
    return replace(answer, status=failure.status, message=failure.message, outcome="not_stored", detail=failure.message)


def _libraries_of(site: Site, host: HostKind, repo: str) -> list[Library]:
    """The libraries whose docs are in a repository of this host."""
    on_host = (library for library in site.catalog.libraries if library.code_host and library.host == host)
    # The case of owner and repository varies in GitHub's events.
    return [library for library in on_host if library.content_repo.lower() == repo.lower()]
