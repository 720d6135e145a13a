"""What maintainers see on their dashboard. All functions refuse readers who are not maintainers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal
from urllib.parse import quote

from pydantic import Field

from kinfolk.api.registry import Call, registry, request_data
from kinfolk.config.docs_address import DocsAddress, Ref
from kinfolk.content.docs import ContentReader
from kinfolk.content.docs.pages.page_digest import section_digest
from kinfolk.content.markdown.html.section_texts import section_texts
from kinfolk.maintenance.content_faults import ContentFault
from kinfolk.maintenance.feedback_store import FeedbackEntry, FeedbackStatus, PageVotes
from kinfolk.maintenance.missed_requests import MissedPath
from kinfolk.runtime.cache import PRIVATE
from kinfolk.runtime.errors import NotFound, SiteError
from kinfolk.runtime.metrics import ConnectionCounts, connection_counts
from kinfolk.search.analytics.query_log import PositionClicks, QueryCounts
from kinfolk.statistics.importing.import_coverage import PackageCoverage

SEARCH_DAYS, MISSED_DAYS = 30, 30
MOST_FAULTS = 500
"""Faults that the dashboard lists."""
MOST_EVENTS = 200
LONGEST_QUOTE = 700
"""Characters of a section in a new issue: GitHub accepts addresses of 8 kB."""


@dataclass(frozen=True)
class VersionState:
    """The docs of a version that are served. Times are in UTC; without a commit there are none.

    `synced_at` is the last successful sync of the repository. `failure` is the reason of the last one, if it failed.
    """

    library: str
    version: str
    repo: str
    branch: str
    commit: str | None
    history: str | None
    committed_at: str | None
    pages: int
    synced_at: str | None
    failed_at: str | None
    failure: str


@dataclass(frozen=True)
class ContentState:
    """`mirrored` is false where the site serves a folder, which nothing syncs."""

    mirrored: bool
    source: str
    versions: tuple[VersionState, ...]


@registry.function("maintenance.content", cache=PRIVATE)
async def maintenance_content(call: Call) -> ContentState:
    """Which commit of each version is served, and how the last syncs went."""
    await call.require_maintainer()
    return await asyncio.to_thread(_content_state, call)


def _content_state(call: Call) -> ContentState:
    syncs = call.site.maintenance.syncs.all()
    states = []
    for library in call.site.catalog.libraries:
        for version in library.versions:
            facts = library.docs_facts(version.name)
            ref = facts.ref
            branch, sync = call.docs.find_branch(ref), syncs.get(library.content_repo)
            states.append(
                VersionState(
                    library=library.name,
                    version=version.name,
                    repo=library.content_repo,
                    branch=ref.branch,
                    commit=branch.revision if branch else None,
                    history=library.code_host.history(ref.repo, ref.branch) if library.code_host else None,
                    committed_at=branch.changed_at.isoformat() if branch and branch.changed_at else None,
                    pages=len(call.docs.pages(ref, facts.docs_root)) if branch else 0,
                    synced_at=_utc(sync.synced_at) if sync else None,
                    failed_at=_utc(sync.failed_at) if sync else None,
                    failure=sync.reason if sync and sync.is_failing else "",
                )
            )
    return ContentState(call.site.settings.mirror is not None, call.site.content_source, tuple(states))


@request_data
class SyncRequest:
    repo: str
    branch: str


@registry.function("maintenance.sync", method="POST", cache=PRIVATE)
async def maintenance_sync(call: Call, request: SyncRequest) -> None:
    """Request a sync of a branch. Raises NotFound for a branch that the site does not show."""
    account = await call.require_maintainer()
    ref = Ref(request.repo, request.branch)
    if ref not in call.site.catalog.refs:
        raise NotFound(f"{ref} is no branch of this site")
    call.site.content.request_sync(ref)
    await asyncio.to_thread(call.site.accounts.record, account, "sync-requested", str(ref))


@dataclass(frozen=True)
class MissedDayCount:
    """Requests of a day, which is a date in UTC."""

    day: str
    missing: int
    redirects: int


@dataclass(frozen=True)
class Referrer:
    """`name` is a path of this site, the host of another one, or empty."""

    name: str
    count: int


@dataclass(frozen=True)
class MissedAddress:
    """`path` is empty for all further addresses of a day."""

    path: str
    count: int
    referrers: tuple[Referrer, ...]


@dataclass(frozen=True)
class LinkReport:
    """Requests that did not find a page in the last MISSED_DAYS days, and the faults that the last check found.

    `checks` says whether this site checks its docs.
    """

    days: tuple[MissedDayCount, ...]
    missing: tuple[MissedAddress, ...]
    redirects: tuple[MissedAddress, ...]
    checks: bool
    checked_at: str | None
    checked_pages: int
    checked_links: int
    fault_count: int
    faults: tuple[ContentFault, ...]


@registry.function("maintenance.links", cache=PRIVATE)
async def maintenance_links(call: Call) -> LinkReport:
    await call.require_maintainer()
    return await asyncio.to_thread(_link_report, call)


def _link_report(call: Call) -> LinkReport:
    log, checked = call.site.maintenance.missed_requests, call.site.maintenance.faults.read()
    return LinkReport(
        days=tuple(
            MissedDayCount(each.day.isoformat(), each.missing, each.redirects) for each in log.by_day(MISSED_DAYS)
        ),
        missing=tuple(_missed_address(each) for each in log.most("missing", days=MISSED_DAYS)),
        redirects=tuple(_missed_address(each) for each in log.most("redirect", days=MISSED_DAYS)),
        checks=call.site.settings.link_check,
        checked_at=_utc(checked.checked_at) if checked else None,
        checked_pages=checked.pages if checked else 0,
        checked_links=checked.links if checked else 0,
        fault_count=checked.total if checked else 0,
        faults=checked.faults[:MOST_FAULTS] if checked else (),
    )


def _missed_address(missed: MissedPath) -> MissedAddress:
    return MissedAddress(missed.path, missed.count, tuple(Referrer(*each) for each in missed.referrers))


@dataclass(frozen=True)
class SearchDay:
    """Searches of a day, which is a date in UTC."""

    day: str
    searches: int
    without_result: int
    clicks: int


@dataclass(frozen=True)
class SearchFigures:
    """Searches of the last SEARCH_DAYS days."""

    days: tuple[SearchDay, ...]
    texts: tuple[QueryCounts, ...]
    without_result: tuple[QueryCounts, ...]
    places: tuple[PositionClicks, ...]


@registry.function("maintenance.searches", cache=PRIVATE)
async def maintenance_searches(call: Call) -> SearchFigures:
    await call.require_maintainer()
    report = await asyncio.to_thread(call.site.search.report, SEARCH_DAYS)
    return SearchFigures(
        days=tuple(
            SearchDay(each.day.isoformat(), each.searches, each.without_result, each.clicks) for each in report.days
        ),
        texts=report.texts,
        without_result=report.without_result,
        places=report.places,
    )


@dataclass(frozen=True)
class QuestionItem:
    """A question that its reader shared, and its day in UTC. `hidden` sentences of the answer failed the check."""

    day: str
    text: str
    outcome: str
    sentences: int
    hidden: int


@dataclass(frozen=True)
class QuestionReport:
    """Shared questions of the last SEARCH_DAYS days, the newest first, and what all questions used today.

    A limit of 0 is none.
    """

    questions: tuple[QuestionItem, ...]
    used_questions: int
    max_questions: int
    used_characters: int
    max_characters: int


@registry.function("maintenance.questions", cache=PRIVATE)
async def maintenance_questions(call: Call) -> QuestionReport:
    await call.require_maintainer()
    return await asyncio.to_thread(_question_report, call)


def _question_report(call: Call) -> QuestionReport:
    answers, settings = call.site.answers, call.site.settings
    if answers is None:
        raise NotFound("This site answers no questions")
    used = answers.budget.used()
    return QuestionReport(
        questions=tuple(
            QuestionItem(each.day.isoformat(), each.text, each.outcome, each.sentences, each.hidden)
            for each in answers.questions.newest(days=SEARCH_DAYS)
        ),
        used_questions=used.questions,
        max_questions=settings.ask_daily_questions,
        used_characters=used.characters,
        max_characters=settings.ask_daily_characters,
    )


@dataclass(frozen=True)
class FeedbackItem:
    """An answer of a reader. `text_changed` says that the section has another text now.

    `issue` is the address of a new issue in the library's repository with the page, the section and the note.
    """

    id: str
    at: str
    page: str
    title: str
    library: str
    heading: str
    quote: str
    helpful: bool | None
    note: str
    text_changed: bool
    issue: str


@dataclass(frozen=True)
class FeedbackQueue:
    """The answers with a status, and pages by their votes."""

    items: tuple[FeedbackItem, ...]
    votes: tuple[PageVotes, ...]


@request_data
class FeedbackRequest:
    """`outdated` are open answers whose section has changed since."""

    view: Literal["open", "outdated", "done", "spam"]


@registry.function("feedback.queue", cache=PRIVATE)
async def feedback_queue(call: Call, request: FeedbackRequest) -> FeedbackQueue:
    await call.require_maintainer()
    return await asyncio.to_thread(_queue, call, request.view)


def _queue(call: Call, view: Literal["open", "outdated", "done", "spam"]) -> FeedbackQueue:
    status: FeedbackStatus = "open" if view == "outdated" else view
    items = [_item(call, entry) for entry in call.site.maintenance.feedback.entries(status=status)]
    if status == "open":
        items = [item for item in items if item.text_changed == (view == "outdated")]
    return FeedbackQueue(tuple(items), tuple(call.site.maintenance.feedback.votes()))


def _item(call: Call, entry: FeedbackEntry) -> FeedbackItem:
    section = entry.section
    address = DocsAddress(section.library, section.version, section.path)
    return FeedbackItem(
        id=entry.id,
        at=f"{entry.at.isoformat(timespec='seconds')}Z",
        page=f"{address}#{quote(section.heading)}" if section.heading else str(address),
        title=section.title,
        library=section.library,
        heading=section.heading_text,
        quote=section.text[:LONGEST_QUOTE],
        helpful=entry.helpful,
        note=entry.note,
        text_changed=_text_changed(call.docs, address, entry),
        issue=_issue_address(call, address, entry),
    )


def _text_changed(docs: ContentReader, address: DocsAddress, entry: FeedbackEntry) -> bool:
    """Whether the section has another text than the reader saw, or is gone."""
    try:
        page = docs.page(docs.locate_address(address))
    except SiteError:
        return True
    section = entry.section
    if page.digest == section.page_digest:
        return False
    texts = section_texts(page.page)
    text = texts.get(section.heading) if section.heading else " ".join(texts.values())
    return text is None or section_digest(text) != section.section_digest


def _issue_address(call: Call, address: DocsAddress, entry: FeedbackEntry) -> str:
    section = entry.section
    try:
        library = call.site.catalog.library(section.library)
    except SiteError:
        return ""
    anchor = f"#{quote(section.heading)}" if section.heading else ""
    page = f"{call.site.settings.origin}{address}{anchor}"
    where = f"{section.title}: {section.heading_text}" if section.heading_text else section.title
    quoted = "\n".join(f"> {line}" for line in section.text[:LONGEST_QUOTE].splitlines())
    body = f"Page: {page}\n\n{quoted}\n\nA reader wrote:\n\n{entry.note or '(no note)'}\n"
    if library.code_host is None:
        return ""
    return library.code_host.new_issue(library.content_repo, title=f"Docs: {where}", body=body)


@request_data
class FeedbackStatusRequest:
    ids: Annotated[tuple[str, ...], Field(min_length=1, max_length=200)]
    status: FeedbackStatus


@registry.function("feedback.move", method="POST", cache=PRIVATE)
async def feedback_move(call: Call, request: FeedbackStatusRequest) -> int:
    """Move answers to another status. Returns how many."""
    account = await call.require_maintainer()
    count = await asyncio.to_thread(call.site.maintenance.feedback.set_status, request.ids, request.status)
    detail = f"{count} to {request.status}"
    await asyncio.to_thread(call.site.accounts.record, account, "feedback-moved", detail)
    return count


@dataclass(frozen=True)
class StatisticsImport:
    """The state of the importer of npm's download counts. Times are in UTC."""

    enabled: bool
    packages: tuple[PackageCoverage, ...]
    waiting: tuple[str, ...]
    not_found: tuple[str, ...]
    with_versions: int
    last_success_at: str | None
    last_failure: str
    last_failure_at: str | None
    paused_until: str | None


@registry.function("maintenance.statistics", cache=PRIVATE)
async def maintenance_statistics(call: Call) -> StatisticsImport:
    await call.require_maintainer()
    coverage = await asyncio.to_thread(call.site.import_coverage)
    state = coverage.state
    return StatisticsImport(
        enabled=call.site.settings.npm_import,
        packages=coverage.packages,
        waiting=coverage.waiting,
        not_found=coverage.not_found,
        with_versions=coverage.with_versions,
        last_success_at=_utc(state.last_success_at),
        last_failure=state.last_failure,
        last_failure_at=_utc(state.last_failure_at),
        paused_until=_utc(state.paused_until),
    )


@dataclass(frozen=True)
class ActivityEvent:
    """What an account did. `by` is empty for accounts that were deleted."""

    at: str
    action: str
    by: str
    detail: str


@registry.function("maintenance.activity", cache=PRIVATE)
async def maintenance_activity(call: Call) -> tuple[ActivityEvent, ...]:
    """The latest events of all accounts."""
    await call.require_maintainer()
    events = await asyncio.to_thread(call.site.accounts.events, limit=MOST_EVENTS)
    return tuple(ActivityEvent(_utc(each.at) or "", each.action, each.by, each.detail) for each in events)


@registry.function("maintenance.connections", cache=PRIVATE)
async def maintenance_connections(call: Call) -> ConnectionCounts:
    """How many connections are open, and how many of them are live streams."""
    await call.require_maintainer()
    return await asyncio.to_thread(connection_counts)


def _utc(time: datetime | None) -> str | None:
    return None if time is None else f"{time.isoformat(timespec='seconds')}Z"
