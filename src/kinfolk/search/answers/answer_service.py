"""Answers one question: sections, budget, the stream of the service, and the check of each sentence."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

import structlog

from kinfolk.runtime import metrics
from kinfolk.runtime.errors import Unavailable
from kinfolk.search.answers.answer_events import (
    AnswerEnded,
    AnswerEvent,
    AnswerFailed,
    AnswerSentence,
    ReaderQuestion,
    SourceSection,
    SourcesFound,
)
from kinfolk.search.answers.answer_sources import find_sources
from kinfolk.search.answers.answer_usage import AnswerBudget
from kinfolk.search.answers.chat_service import ChatFailed, ChatService
from kinfolk.search.answers.prompt import chat_messages
from kinfolk.search.answers.question_log import QuestionLog, QuestionOutcome
from kinfolk.search.answers.sentence_check import NOT_IN_DOCS, checked_sentence
from kinfolk.search.answers.sentence_reader import SentenceReader
from kinfolk.search.query import SearchableIndex

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MAX_SENTENCES = 12
MAX_ANSWER_LENGTH = 12_000
"""Characters that are read of an answer."""


@dataclass
class _Progress:
    """What was written of an answer so far."""

    received: int = 0
    shown: int = 0
    hidden: int = 0
    outcome: QuestionOutcome = "stopped"


class AnswerService:
    """For one event loop."""

    def __init__(
        self,
        chat: ChatService,
        budget: AnswerBudget,
        questions: QuestionLog,
        *,
        product: str,
        index: Callable[[], SearchableIndex],
    ) -> None:
        """`index` returns the current index of this site's pages. It raises Unavailable before there is one."""
        self.chat = chat
        self.budget = budget
        self.questions = questions
        self._product = product
        self._index = index

    async def sources(self, question: ReaderQuestion) -> tuple[SourceSection, ...]:
        """The sections for a question. Raises Unavailable and OverBudget."""
        return await asyncio.to_thread(lambda: find_sources(self._index(), question))

    async def begin(self, question: ReaderQuestion, sections: Sequence[SourceSection]) -> AsyncGenerator[AnswerEvent]:
        """Count the question, and return the events of its answer. Raises BudgetSpent and Unavailable.

        Without sections the service is not requested.
        """
        messages = chat_messages(self._product, question.text, sections, code=secrets.token_hex(8))
        if sections:
            await asyncio.to_thread(self.budget.take, sum(len(message["content"]) for message in messages))
        return self._events(question, tuple(sections), messages)

    async def _events(
        self, question: ReaderQuestion, sections: tuple[SourceSection, ...], messages: list[dict[str, str]]
    ) -> AsyncGenerator[AnswerEvent]:
        progress = _Progress()
        yield SourcesFound(sections)
        try:
            if sections:
                async with aclosing(self._sentences(question, sections, messages, progress)) as sentences:
                    async for sentence in sentences:
                        yield sentence
            progress.outcome = "answered" if progress.shown else "not_in_docs"
            yield AnswerEnded("answered" if progress.shown else "not_in_docs")
        except ChatFailed as failed:
            progress.outcome = "failed"
            log.warning("answer not completed", reason=failed.reason, sentences=progress.shown)
            yield AnswerFailed(failed.message)
        finally:
            metrics.ANSWERS.labels(progress.outcome).inc()
            # Also where the reader has left: another task must not be awaited in a cancelled one.
            await asyncio.shield(asyncio.to_thread(self._record, question, progress))

    async def _sentences(
        self,
        question: ReaderQuestion,
        sections: tuple[SourceSection, ...],
        messages: list[dict[str, str]],
        progress: _Progress,
    ) -> AsyncGenerator[AnswerSentence]:
        """The sentences that pass the check. Ends at the word that the docs do not say it. Raises ChatFailed."""
        reader = SentenceReader()
        async with aclosing(self.chat.stream(messages)) as pieces:
            async for piece in pieces:
                progress.received += len(piece)
                for written in reader.feed(piece):
                    if NOT_IN_DOCS in written:
                        return
                    sentence = self._checked(written, sections, question, progress)
                    if sentence is not None:
                        yield sentence
                if progress.shown >= MAX_SENTENCES or progress.received > MAX_ANSWER_LENGTH:
                    return
        last = reader.rest()
        sentence = self._checked(last, sections, question, progress) if last and NOT_IN_DOCS not in last else None
        if sentence is not None:
            yield sentence

    @staticmethod
    def _checked(
        written: str, sections: tuple[SourceSection, ...], question: ReaderQuestion, progress: _Progress
    ) -> AnswerSentence | None:
        sentence = checked_sentence(written, sections, question.text)
        if sentence is None:
            progress.hidden += 1
        else:
            progress.shown += 1
        return sentence

    def _record(self, question: ReaderQuestion, progress: _Progress) -> None:
        """Count what was received; store the question if its reader consents."""
        try:
            if progress.received:
                self.budget.add(progress.received)
            if question.is_shared:
                self.questions.add(question.text, progress.outcome, sentences=progress.shown, hidden=progress.hidden)
        except Unavailable as failure:
            log.warning("answer not counted", reason=failure.message)
