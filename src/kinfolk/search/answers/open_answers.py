"""Opens the service of answers, where the settings name one."""

from __future__ import annotations

from datetime import date

from kinfolk.config.catalog import Catalog
from kinfolk.config.settings import Settings
from kinfolk.db.database import Database, utc_now
from kinfolk.search.answers.answer_service import AnswerService
from kinfolk.search.answers.answer_usage import AnswerBudget
from kinfolk.search.answers.chat_service import ChatService
from kinfolk.search.answers.question_log import QuestionLog
from kinfolk.search.open_search import SearchParts


def open_answers(settings: Settings, catalog: Catalog, database: Database, search: SearchParts) -> AnswerService | None:
    """None without KINFOLK_ASK_URL, if KINFOLK_ASK_ENABLED is off, and without a search index of this site."""
    updater = search.updater
    if not settings.ask_enabled or not settings.ask_url or updater is None:
        return None

    def today() -> date:
        return utc_now().date()

    return AnswerService(
        ChatService(settings.ask_url, key=settings.ask_key, model=settings.ask_model),
        AnswerBudget(
            database,
            questions=settings.ask_daily_questions,
            characters=settings.ask_daily_characters,
            today=today,
        ),
        QuestionLog(database, today=today),
        product=catalog.product,
        index=lambda: updater.index,
    )
