"""Prints the lines that `kinfolk searches` proposes for a file of `meanings/`, as TOML. No file is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from kinfolk.config.catalog import Catalog
from kinfolk.config.settings import Settings
from kinfolk.runtime.errors import Unavailable
from kinfolk.search.analytics.learned_meanings import MIN_DAYS, learned_meanings
from kinfolk.search.analytics.proposed_meaning import ProposedMeaning, comment
from kinfolk.search.analytics.query_id import logged_text
from kinfolk.search.analytics.query_log import QueryLog
from kinfolk.search.analytics.suggested_meanings import suggested_meanings
from kinfolk.search.docs_index.generations import index_folder, own_copy, published
from kinfolk.search.docs_index.meanings import FOLDER, Meanings
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.open_search import site_index_name
from kinfolk.search.ranking_config import load_ranking_config

T = TypeVar("T")


class MeaningProposals:
    """Proposals from the searches of the last `days` days, at most `most` of them."""

    def __init__(self, settings: Settings, catalog: Catalog, query_log: QueryLog, *, days: int, most: int) -> None:
        self._settings = settings
        self._family = catalog.family
        self._index_name = site_index_name(catalog)
        self._query_log = query_log
        self._days = days
        self._most = most
        self._period = "from {} to {}".format(*query_log.period(days))

    def print_suggested(self, *, least: int, least_unclicked: int) -> None:
        """Texts without results, and texts whose results were not clicked. Raises ClickException without an index."""
        texts = self._query_log.unanswered_texts(
            self._index_name, days=self._days, least_without_results=least, least_without_clicks=least_unclicked
        )
        if not texts:
            _note(
                f"Nothing to suggest {self._period}: no text has {least} searches without results, or"
                f" {least_unclicked} with results and no click."
            )
            return
        with self._open_index() as index, _progress(texts) as steps:
            found = suggested_meanings(
                steps,
                index,
                index.vocabulary,
                accepted=self._accepted(),
                stop_words=index.settings.stop_words,
            )
            proposals = list(islice(found, self._most))
        self._print(
            proposals,
            f"Searches {self._period} whose results helped no reader. Remove the `#` of a page, or complete the key,"
            f" and add the lines to a file of {FOLDER}/. The pages are guesses of the search.",
            nothing=f"Nothing to suggest {self._period}: texts without results have some in the present index, or a"
            " line of [[meanings]].",
        )

    def print_learned(self, *, least: int, majority_percent: int) -> None:
        """Texts whose readers open one page that does not rank first. Raises ClickException without an index."""
        texts = self._query_log.clicked_texts(self._index_name, days=self._days, least=least)
        if not texts:
            _note(f"Nothing to learn {self._period}: no text has {least} searches and {least} clicks.")
            return
        with self._open_index() as index, _progress(texts) as steps:
            found = learned_meanings(
                steps,
                index,
                accepted=self._accepted(),
                majority_percent=majority_percent,
            )
            proposals = list(islice(found, self._most))
        self._print(
            proposals,
            f"Clicks {self._period} that lead to a page which the search does not rank first. Anyone can send clicks:"
            f" judge the evidence before you add a line to a file of {FOLDER}/.",
            nothing=f"Nothing to learn {self._period}: no page that ranks below the first, and that no line of"
            f" [[meanings]] names, has {majority_percent} % of the clicks of a text, on {MIN_DAYS} days.",
        )

    def _accepted(self) -> frozenset[str]:
        """The texts that the site's meanings have, as the query log has them."""
        phrases = Meanings(self._settings.site).phrases.values()
        return frozenset(logged_text(text) for texts in phrases for text in texts)

    @contextmanager
    def _open_index(self) -> Iterator[TantivyIndex]:
        folder = index_folder(self._settings.var)
        if published(folder) is None:
            raise click.ClickException("There is no search index of this version. Build it with `kinfolk index`.")
        rules = load_ranking_config(self._settings.site, family=self._family)
        try:
            with own_copy(folder) as (_, copy):
                yield TantivyIndex(copy, rules.settings)
        except Unavailable as damaged:
            raise click.ClickException(
                f"The search index cannot be read ({damaged.message}). Build it with `kinfolk index`."
            ) from damaged

    @staticmethod
    def _print(proposals: list[ProposedMeaning], heading: str, *, nothing: str) -> None:
        if not proposals:
            _note(nothing)
            return
        for part in ("\n".join(comment(heading)), *(proposal.toml() for proposal in proposals)):
            click.echo(f"{part}\n")


def _note(text: str) -> None:
    """On standard error: standard output is TOML."""
    click.echo(text, err=True)


@contextmanager
def _progress(items: Iterable[T]) -> Iterator[Iterable[T]]:
    """The items, with a bar on standard error that disappears."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield progress.track(items, description="Searching the index")
