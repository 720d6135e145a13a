"""A text that costs too much is shown as plain text, once tried, while everything else goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner

from kinfolk.blog import Blog
from kinfolk.budget import BUDGETS, Limit, OverBudget
from kinfolk.catalog import Catalog
from kinfolk.checks import check_docs
from kinfolk.cli import main
from kinfolk.docs import Docs
from kinfolk.docs.listing import library_index, library_texts, volume
from kinfolk.docs.plain import plain_page
from kinfolk.docs.snippets import sections
from kinfolk.errors import NotFound
from kinfolk.markdown.jobs import JobsHere, LinksOf, Source
from kinfolk.markdown.page import Page
from kinfolk.markdown.pool import MarkdownPool
from kinfolk.markdown.renderer import LONGEST_PLAIN, TOO_COMPLEX, MarkdownRenderer
from kinfolk.metrics import REFUSED
from kinfolk.pages import WrittenPages
from kinfolk.search.build import Words, groups
from kinfolk.search.rules import load_rules
from kinfolk.settings import Settings
from kinfolk.site import family_refs
from kinfolk.sources.directory import DirectorySource
from kinfolk.sources.snapshot import Ref

POISON = "---\ntitle: Poison <b>\n---\nSome **words** & <i>tags</i>.\n\n" + "## Same\n" * 6_000
"""More headings than a page may have. It takes a fraction of a second, whatever else the machine does."""
QUERY = Ref("TanStack/query", "main")


class Counting(JobsHere):
    """Counts the jobs that were tried, and refuses those whose text says so."""

    def __init__(self) -> None:
        self.tried = 0

    def page(self, source: Source, *, links: LinksOf | None = None, framework: str | None = None) -> Page:
        self.tried += 1
        if "ref: " in source.text:
            source.read_target("docs/target.md")
        if "poison" in source.text:
            raise OverBudget("markdown", "time", "it takes too long")
        return super().page(source, links=links, framework=framework)


def source(text: str, target: str = "") -> Source:
    def read(path: str) -> str:
        if not target:
            raise NotFound(path)
        return target

    return Source("query/main:docs/a.md", text, read)


def refused(limit: Limit) -> float:
    return float(REFUSED.labels("markdown", limit)._value.get())


def test_a_refused_page_is_its_text_with_a_note() -> None:
    page = MarkdownRenderer().page(source(POISON))
    assert page.limit == "items"
    assert (page.title, page.description) == ("Poison <b>", f"Some **words** & <i>tags</i>. {'## Same ' * 50}"[:200])
    html = page.html()
    assert TOO_COMPLEX in html
    assert "Some **words** &amp; &lt;i&gt;tags&lt;/i&gt;." in html
    assert (page.headings, page.links, page.snippets) == ((), (), ())
    assert page.text.startswith("Some **words**")


def test_only_the_beginning_of_a_very_long_text_is_shown() -> None:
    page = MarkdownRenderer().page(source("x" * (BUDGETS["markdown"].input_bytes + 1)))
    assert page.limit == "size"
    assert len(page.text) == LONGEST_PLAIN
    assert "Only its first 200,000 characters are shown." in page.html()
    assert len(page.html()) < LONGEST_PLAIN + 2_000


def test_a_refused_text_is_tried_again_only_when_it_changes() -> None:
    jobs = Counting()
    renderer = MarkdownRenderer(jobs)
    before = refused("time")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(0))
    with structlog.testing.capture_logs() as logs:
        for _ in range(3):
            assert renderer.page(source("poison")).limit == "time"
    assert jobs.tried == 1
    assert [(line["file"], line["limit"]) for line in logs] == [("query/main:docs/a.md", "time")]
    assert refused("time") == before + 1
    assert renderer.page(source("poison, changed")).limit == "time"
    assert renderer.page(source("fine")).limit is None
    assert jobs.tried == 3


def test_a_page_is_tried_again_when_the_text_it_refers_to_changes() -> None:
    class Refers(Counting):
        def page(self, source: Source, *, links: LinksOf | None = None, framework: str | None = None) -> Page:
            self.tried += 1
            if "poison" in source.read_target("docs/target.md"):
                raise OverBudget("markdown", "time", "it takes too long")
            return JobsHere().page(source, links=links, framework=framework)

    jobs = Refers()
    renderer = MarkdownRenderer(jobs)
    own = "---\nref: docs/target.md\n---\n"
    for _ in range(2):
        page = renderer.page(source(own, "---\ntitle: Target\n---\npoison"))
        assert (page.title, page.text, page.ref_path) == ("Target", "poison", "docs/target.md")
    assert jobs.tried == 1
    assert renderer.page(source(own, "well")).html() == "<p>well</p>\n"


def test_what_is_remembered_of_refused_texts_is_bounded() -> None:
    renderer = MarkdownRenderer(Counting())
    for number in range(1_100):
        renderer.page(source(f"poison {number}"))
    assert len(renderer._refused) == 1_000


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A branch with one poisonous page among good ones."""
    docs = tmp_path / "repos/TanStack/query/main/docs"
    (docs / "framework/react").mkdir(parents=True)
    (docs / "config.json").write_text(
        '{"sections": [{"label": "Start", "children": [{"label": "Good", "to": "good"},'
        ' {"label": "Poison", "to": "poison"}]}]}'
    )
    (docs / "good.md").write_text("# Good\n\n[to poison](./poison.md#SAME)\n\n```ts\nconst good = 1\n```\n")
    (docs / "poison.md").write_text(POISON)
    return tmp_path / "repos"


@pytest.fixture
def docs(content: Path, catalog: Catalog, bundled: Docs) -> Iterator[Docs]:
    pool = MarkdownPool()
    opened = DirectorySource(content, family_refs(catalog), "made here").open()
    yield Docs(catalog, bundled.redirects, opened, markdown=MarkdownRenderer(pool))
    pool.close()


def test_docs_show_a_refused_page_as_plain_text_and_every_other_as_ever(docs: Docs) -> None:
    poison = docs.page(QUERY, "docs/poison", None, set())
    assert (poison.title, poison.page.limit) == ("Poison <b>", "items")
    assert TOO_COMPLEX in poison.html
    good = docs.page(QUERY, "docs/good", None, set())
    assert 'href="/query/latest/docs/poison#SAME"' in good.html


def test_a_refused_page_that_is_mended_is_formatted_again(docs: Docs, content: Path, catalog: Catalog) -> None:
    docs.page(QUERY, "docs/poison", None, set())
    (content / "TanStack/query/main/docs/poison.md").write_text("# Mended\n")
    newer = docs.succeed(DirectorySource(content, family_refs(catalog), "made here").open())
    assert newer.page(QUERY, "docs/poison", None, set()).page.limit is None


def test_a_refused_page_is_searchable_as_plain_text(docs: Docs, settings: Settings) -> None:
    words = Words(docs, (), load_rules(settings.data))
    records = [record for group in groups(words) if "query" in group.name for record in group.make()]
    found = [record for record in records if "Some **words**" in str(record.get("content"))]
    assert len(found) == 1
    assert any("good" in str(record.get("code")) for record in records)


def test_llms_full_and_markdown_hold_a_refused_page_as_it_is(docs: Docs, catalog: Catalog) -> None:
    whole = "".join(library_texts(volume(docs, catalog.library("query"), "latest"), "https://x.example"))
    assert "# Poison <b>\n\nSource: https://x.example/query/latest/docs/poison\n\nSome **words**" in whole
    assert "# Good" in whole
    assert "Poison" in library_index(volume(docs, catalog.library("query"), "latest"), "https://x.example")
    assert plain_page(docs, QUERY, "docs/poison", None, origin="").title == "Poison <b>"


def test_code_of_other_pages_is_highlighted_ahead(docs: Docs) -> None:
    snippets = [snippet.code for _, several in sections(docs) for snippet in several]
    assert snippets == ["const good = 1"]


def test_the_check_names_the_file_and_the_limit(content: Path, settings: Settings) -> None:
    report = check_docs(settings, content)
    messages = [fault.message for fault in report.faults]
    (fault,) = [message for message in messages if "too complex" in message]
    assert fault.startswith("TanStack/query/main/docs/poison.md: the page is too complex to format")
    assert "more than 5000 headings" in fault
    result = CliRunner().invoke(main, ["check", "--content", str(content)])
    assert "docs/poison.md: the page is too complex to format" in result.output
    assert result.exit_code == 1


def test_posts_and_written_pages_become_plain_text_too(tmp_path: Path) -> None:
    front = "title: T\ndescription: D\n"
    body = "## Same\n" * 6_000
    (tmp_path / "bad.md").write_text(f"---\n{front}published: 2026-01-01\nauthors: [Ada]\n---\n{body}")
    (post,) = Blog(tmp_path, ()).posts
    assert (post.title, post.page.limit) == ("T", "items")
    (tmp_path / "terms.md").write_text(f"---\n{front}---\n{body}")
    assert WrittenPages(tmp_path, {}).page("terms").page.limit == "items"


def test_a_rendered_page_weighs_what_it_holds() -> None:
    renderer = MarkdownRenderer()

    def weight(text: str) -> int:
        return renderer.page(source(text)).weight

    assert weight("x" * 10_000) > 20_000
    assert weight("[a](b)\n" * 1_000) - weight("a\n" * 3_500) > 1_000 * 250
    assert weight("## a\n" * 1_000) > 1_000 * 400
    assert weight("```\n" + "y" * 100_000 + "\n```\n") > 200_000


def test_front_matter_that_is_too_long_is_named(
    shelved: Callable[[dict[str, str]], Docs], settings: Settings, tmp_path: Path
) -> None:
    shelved({"TanStack/query/main/docs/a.md": "---\ntitle: T\nx: " + "y" * 70_000 + "\n---\nA\n"})
    report = check_docs(replace(settings), tmp_path / "repos")
    assert any("longer than 64000 characters" in fault.message for fault in report.faults)
