"""`kinfolk searches --suggest` and `--learn` print TOML for meanings/, and why where there is none."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.inputs.docs_records import publish_docs_index
from tests.sites.sample_site import complete_site

from kinfolk.cli.main import main
from kinfolk.db.database import Database, utc_now
from kinfolk.search.analytics.insights_event import InsightsEvent
from kinfolk.search.analytics.query_id import query_id
from kinfolk.search.analytics.query_log import QueryLog
from kinfolk.search.analytics.query_sessions import LoggedQuery
from kinfolk.search.docs_index.generations import CURRENT

INDEX = "tanstack"
TODAY = utc_now().date()
SORTING = "table:latest:guide/sorting#"
COMPARISON = "query:latest:comparison#"

Run = Callable[..., Result]


@pytest.fixture
def run(database: Database, tmp_path: Path) -> Run:
    """Runs `kinfolk searches` with the database of the test."""
    address = database.url.set(drivername=database.url.get_backend_name()).render_as_string(hide_password=False)
    environment = {"KINFOLK_VAR": str(tmp_path / "var"), "KINFOLK_DATABASE_URL": address}

    def invoke(*arguments: str, **more: str) -> Result:
        return CliRunner().invoke(main, ["searches", *arguments], env=environment | more)

    return invoke


def add_searches(database: Database, *queries: tuple[str, int], days: int = 1, record: str | None = None) -> None:
    """Three searches of each text with its number of hits on each of the last days, and clicks on the record."""
    for back in range(days):
        log = QueryLog(database, today=lambda back=back: TODAY - timedelta(days=back))  # type: ignore[misc]
        searched = queries * 3
        log.add([LoggedQuery(INDEX, text, hits) for text, hits in searched])
        if record is not None:
            ids = [query_id(text, f"{at:x}") for at, (text, _) in enumerate(searched)]
            log.add_events([InsightsEvent("click", INDEX, (record,), (2,), id) for id in ids])


def test_suggestions_are_toml_that_a_maintainer_completes(run: Run, database: Database, tmp_path: Path) -> None:
    publish_docs_index(tmp_path / "var")
    add_searches(database, ("serversidegetprops", 0), ("teleport", 0), days=2)
    add_searches(database, ("teleport", 0), ("rare", 0))
    ran = run("--suggest", "--least", "6")
    assert ran.exit_code == 0, ran.output
    lines = tomllib.loads(ran.stdout)["meanings"]
    period = f"from {TODAY - timedelta(days=1)} to {TODAY}"
    assert lines == [
        {"says": ["teleport"], "why": f"9 searches without results {period}"},
        {"says": ["serversidegetprops"], "why": f"6 searches without results {period}"},
    ]
    completed = ran.stdout.replace('# page = "start/guide', 'page = "start/guide')
    assert tomllib.loads(completed)["meanings"][1]["page"] == "start/guide/server-functions"
    assert len(tomllib.loads(run("--suggest", "--least", "6", "--most", "1").stdout)["meanings"]) == 1


def test_texts_without_clicks_have_their_own_threshold(run: Run, database: Database, tmp_path: Path) -> None:
    publish_docs_index(tmp_path / "var")
    add_searches(database, ("sorting rows", 4), days=2)
    add_searches(database, ("swr", 4), days=2, record=COMPARISON)
    assert run("--suggest").stdout == ""
    (line,) = tomllib.loads(run("--suggest", "--least-unclicked", "6").stdout)["meanings"]
    assert line["says"] == ["sorting rows"]


def test_learned_lines_have_page_and_evidence(run: Run, database: Database, tmp_path: Path) -> None:
    publish_docs_index(tmp_path / "var")
    add_searches(database, ("swr", 4), ("apollo", 1), days=4, record=SORTING)
    add_searches(database, ("comparison", 1), days=4, record=COMPARISON)
    ran = run("--learn")
    assert ran.exit_code == 0, ran.output
    period = f"from {TODAY - timedelta(days=3)} to {TODAY}"
    why = f"12 of 12 clicks {period}; not among the first 50"
    assert tomllib.loads(ran.stdout)["meanings"] == [
        {"says": [text], "page": "table/guide/sorting", "why": why} for text in ("apollo", "swr")
    ]
    assert f"# 12 searches. Clicks on the page by day: {TODAY - timedelta(days=3)} 3, " in ran.stdout
    assert run("--learn", "--least", "13").stdout == ""


def test_clicks_of_two_days_propose_nothing(run: Run, database: Database, tmp_path: Path) -> None:
    publish_docs_index(tmp_path / "var")
    add_searches(database, *[("swr", 4)] * 20, days=2, record=SORTING)
    ran = run("--learn")
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert "Nothing to learn" in ran.stderr
    assert "60 % of the clicks of a text, on 3 days" in ran.stderr


def test_texts_of_meanings_are_not_proposed(run: Run, database: Database, tmp_path: Path) -> None:
    publish_docs_index(tmp_path / "var")
    site = tmp_path / "site"
    (site / "meanings").mkdir(parents=True)
    lines = '[[meanings]]\nsays = ["SWR", "teleport"]\npage = "query/comparison"\nwhy = "The same."\n'
    (site / "meanings" / "query.toml").write_text(lines)
    add_searches(database, ("swr", 4), days=4, record=SORTING)
    add_searches(database, ("teleport", 0))
    complete_site(site)
    for option in ("--learn", "--suggest"):
        ran = run(option, KINFOLK_SITE=str(site))
        assert (ran.exit_code, ran.stdout) == (0, ""), ran.output
        assert "[[meanings]]" in ran.stderr


@pytest.mark.parametrize("option", ["--suggest", "--learn"])
def test_empty_log_proposes_nothing(run: Run, option: str) -> None:
    ran = run(option)
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert "Nothing to" in ran.stderr


@pytest.mark.parametrize("option", ["--suggest", "--learn"])
def test_missing_or_damaged_index_names_command(run: Run, database: Database, tmp_path: Path, option: str) -> None:
    add_searches(database, ("teleport", 0))
    add_searches(database, ("swr", 4), days=4, record=SORTING)
    ran = run(option)
    assert ran.exit_code == 1
    assert "Build it with `kinfolk index`" in ran.stderr
    publish_docs_index(tmp_path / "var")
    for file in (tmp_path / "var" / "search").rglob("*"):
        if file.is_file() and file.name != CURRENT:
            file.write_bytes(b"damaged")
    ran = run(option)
    assert ran.exit_code == 1
    assert "Build it with `kinfolk index`" in ran.stderr


def test_both_options_are_refused(run: Run) -> None:
    assert run("--suggest", "--learn").exit_code == 2
