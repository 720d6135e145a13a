"""Tests of texts over a limit: they are tried once and shown as plain text; others are unaffected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.inputs.docs_pages import export_page, render_page
from tests.servers.captured_logs import captured_logs

from kinfolk.cli.check.content_check import check_content
from kinfolk.cli.main import main
from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.blog import Blog
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.machine_readable.llms_txt import version_full_text, version_llms_txt
from kinfolk.content.docs.snapshots.docs_snippets import docs_snippets
from kinfolk.content.docs.snapshots.version_docs import find_version_docs
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile, ResolverFactory
from kinfolk.content.markdown.processes.plain_text_fallback import LONGEST_PLAIN, TOO_COMPLEX, MarkdownRenderer
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.pages.prose_pages import ProsePages
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.runtime.budget import BUDGETS, Limit, OverBudget
from kinfolk.runtime.errors import NotFound
from kinfolk.runtime.metrics import REFUSED
from kinfolk.search.docs_index.index_build import SearchableContent, groups
from kinfolk.search.ranking_config import load_ranking_config

POISON = "---\ntitle: Poison <b>\n---\nSome **words** & <i>tags</i>.\n\n" + "## Same\n" * 6_000
"""More headings than a page may have. Exceeds this limit in a fraction of a second, also on a busy machine."""
QUERY = Ref("TanStack/query", "main")


class CountingRenderer(InProcessJobs):
    """Counts the jobs, and refuses those whose text contains a certain word."""

    def __init__(self) -> None:
        super().__init__()
        self.tried = 0

    def page(
        self, source: MarkdownFile, *, links: ResolverFactory | None = None, framework: str | None = None
    ) -> MarkdownPage:
        self.tried += 1
        if "ref: " in source.text:
            source.read_target("docs/target.md")
        if "poison" in source.text:
            raise OverBudget("markdown", "time", "it takes too long")
        return super().page(source, links=links, framework=framework)


def source(text: str, target: str = "") -> MarkdownFile:
    def read(path: str) -> str:
        if not target:
            raise NotFound(path)
        return target

    return MarkdownFile("query/main:docs/a.md", text, read)


def refused(limit: Limit) -> float:
    return float(REFUSED.labels("markdown", limit)._value.get())


def test_page_over_a_limit_is_plain_text_with_a_notice() -> None:
    page = MarkdownRenderer().page(source(POISON))
    assert page.limit == "items"
    assert (page.title, page.description) == ("Poison <b>", "Some words & tags.")
    html = page.html()
    assert TOO_COMPLEX in html
    assert "Some **words** &amp; &lt;i&gt;tags&lt;/i&gt;." in html
    assert (page.headings, page.links, page.code_blocks) == ((), (), ())
    assert page.text.startswith("Some **words**")


def test_plain_text_of_a_very_long_page_is_truncated() -> None:
    page = MarkdownRenderer().page(source("x" * (BUDGETS["markdown"].input_bytes + 1)))
    assert page.limit == "size"
    assert len(page.text) == LONGEST_PLAIN
    assert "Only its first 200,000 characters are shown." in page.html()
    assert len(page.html()) < LONGEST_PLAIN + 2_000


def test_text_over_a_limit_is_tried_again_only_after_a_change() -> None:
    jobs = CountingRenderer()
    renderer = MarkdownRenderer(jobs)
    before = refused("time")
    with captured_logs("page shown as plain text") as logs:
        for _ in range(3):
            assert renderer.page(source("poison")).limit == "time"
    assert jobs.tried == 1
    assert [(line["file"], line["limit"]) for line in logs] == [("query/main:docs/a.md", "time")]
    assert refused("time") == before + 1
    assert renderer.page(source("poison, changed")).limit == "time"
    assert renderer.page(source("fine")).limit is None
    assert jobs.tried == 3


def test_page_over_a_limit_is_tried_again_when_its_target_changes() -> None:
    class Refers(CountingRenderer):
        def page(
            self, source: MarkdownFile, *, links: ResolverFactory | None = None, framework: str | None = None
        ) -> MarkdownPage:
            self.tried += 1
            if "poison" in source.read_target("docs/target.md"):
                raise OverBudget("markdown", "time", "it takes too long")
            return InProcessJobs().page(source, links=links, framework=framework)

    jobs = Refers()
    renderer = MarkdownRenderer(jobs)
    own = "---\nref: docs/target.md\n---\n"
    for _ in range(2):
        page = renderer.page(source(own, "---\ntitle: Target\n---\npoison"))
        assert (page.title, page.text, page.ref_path) == ("Target", "poison", "docs/target.md")
    assert jobs.tried == 1
    assert renderer.page(source(own, "well")).html() == "<p>well</p>\n"


def test_cache_of_exceeded_limits_is_bounded() -> None:
    renderer = MarkdownRenderer(CountingRenderer())
    for number in range(1_100):
        renderer.page(source(f"poison {number}"))
    assert len(renderer._exceeded) == 1_000


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A branch with one page over a limit among valid pages."""
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
def docs(content: Path, catalog: Catalog, bundled: DocsSnapshot) -> Iterator[DocsSnapshot]:
    pool = MarkdownProcessPool()
    opened = DirectorySource(content, catalog.refs, "made here").open()
    yield DocsSnapshot(catalog, bundled.redirects, opened, markdown=MarkdownRenderer(pool))
    pool.close()


def test_docs_show_a_page_over_a_limit_as_plain_text_and_format_others(docs: DocsSnapshot) -> None:
    poison = render_page(docs, QUERY, "docs/poison")
    assert (poison.title, poison.page.limit) == ("Poison <b>", "items")
    assert TOO_COMPLEX in poison.html
    good = render_page(docs, QUERY, "docs/good")
    assert 'href="/query/latest/docs/poison#SAME"' in good.html


def test_fixed_page_is_formatted_again(docs: DocsSnapshot, content: Path, catalog: Catalog) -> None:
    render_page(docs, QUERY, "docs/poison")
    (content / "TanStack/query/main/docs/poison.md").write_text("# Mended\n")
    newer = docs.with_snapshot(DirectorySource(content, catalog.refs, "made here").open())
    assert render_page(newer, QUERY, "docs/poison").page.limit is None


def test_page_over_a_limit_is_searchable_as_plain_text(docs: DocsSnapshot, settings: Settings) -> None:
    words = SearchableContent(docs, (), load_ranking_config(settings.site))
    records = [record for group in groups(words) if "query" in group.name for record in group.make()]
    found = [record for record in records if "Some **words**" in str(record.get("content"))]
    assert len(found) == 1
    assert any("good" in str(record.get("code")) for record in records)


def test_llms_full_and_markdown_contain_a_page_over_a_limit_unchanged(docs: DocsSnapshot, catalog: Catalog) -> None:
    whole = "".join(
        version_full_text(
            find_version_docs(ContentReader(docs), catalog.library("query"), "latest"), "https://x.example"
        )
    )
    assert "# Poison <b>\n\nSource: https://x.example/query/latest/docs/poison\n\nSome **words**" in whole
    assert "# Good" in whole
    assert "Poison" in version_llms_txt(
        find_version_docs(ContentReader(docs), catalog.library("query"), "latest"), "https://x.example"
    )
    assert export_page(docs, QUERY, "docs/poison", None, origin="").title == "Poison <b>"


def test_code_of_other_pages_is_highlighted_in_advance(docs: DocsSnapshot) -> None:
    snippets = [snippet.code for _, several in docs_snippets(docs) for snippet in several]
    assert snippets == ["const good = 1"]


def test_check_reports_the_file_and_the_limit(content: Path, settings: Settings) -> None:
    report = check_content(settings, content)
    messages = [fault.message for fault in report.faults]
    (fault,) = [message for message in messages if "too complex" in message]
    assert fault.startswith("TanStack/query/main/docs/poison.md: the page is too complex to format")
    assert "more than 5000 headings" in fault
    result = CliRunner().invoke(main, ["check", "--content", str(content)])
    assert "docs/poison.md: the page is too complex to format" in result.output
    assert result.exit_code == 1


@pytest.mark.no_cover
def test_posts_and_prose_pages_fall_back_to_plain_text(tmp_path: Path) -> None:
    front = "title: T\ndescription: D\n"
    body = "## Same\n" * 6_000
    (tmp_path / "bad.md").write_text(f"---\n{front}published: 2026-01-01\nauthors: [Ada]\n---\n{body}")
    (post,) = Blog(tmp_path, ()).posts
    assert (post.title, post.page.limit) == ("T", "items")
    (tmp_path / "terms.md").write_text(f"---\n{front}---\n{body}")
    assert ProsePages(tmp_path, {}).page("terms").page.limit == "items"


@pytest.mark.no_cover
def test_weight_of_a_page_is_about_its_memory() -> None:
    renderer = MarkdownRenderer()

    def weight(text: str) -> int:
        return renderer.page(source(text)).weight

    assert weight("x" * 10_000) > 20_000
    assert weight("[a](b)\n" * 1_000) - weight("a\n" * 3_500) > 1_000 * 240
    assert weight("## a\n" * 1_000) > 1_000 * 400
    assert weight("```\n" + "y" * 100_000 + "\n```\n") > 200_000


def test_too_long_front_matter_is_reported(
    docs_from_files: Callable[[dict[str, str]], DocsSnapshot], settings: Settings, tmp_path: Path
) -> None:
    docs_from_files({"TanStack/query/main/docs/a.md": "---\ntitle: T\nx: " + "y" * 70_000 + "\n---\nA\n"})
    report = check_content(replace(settings), tmp_path / "repos")
    assert any("longer than 64000 characters" in fault.message for fault in report.faults)
