"""Tests of prose pages: reading, inserted variables, and invalid files."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from tests.servers.captured_logs import captured_logs
from tests.sites.sample_site import complete_site

from kinfolk.cli.check.content_check import check_content
from kinfolk.config.catalog import Catalog
from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import DependencyRecorder, purge_tags
from kinfolk.content.pages.prose_markdown import page_markdown
from kinfolk.content.pages.prose_pages import ProsePages
from kinfolk.runtime.errors import InvalidFile, NotFound
from kinfolk.web.background.daily_purge import seconds_until_midnight

FACTS = {"owner": "Acme Limited", "family": "Acme"}
FRONT = "title: Terms\ndescription: What {{owner}} promises."
TEXT = "## First\n\nThis is {{owner}}.\n\n```ts\nconst a = 1\n```\n"

Write = Callable[..., ProsePages]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Creates pages from one file: `write(front="title: x", text="y")`."""

    def make(front: str = FRONT, text: str = TEXT) -> ProsePages:
        (tmp_path / "terms.md").write_text(f"---\n{front}\n---\n\n{text}", encoding="utf-8")
        return ProsePages(tmp_path, FACTS)

    return make


def test_page_has_front_matter_and_text_with_variables_inserted(write: Write) -> None:
    pages = write(f"{FRONT}\nupdated: 2026-11-21\noutline: true")
    page = pages.page("terms")
    html = pages.html(page, DependencyRecorder())
    assert (page.title, page.description) == ("Terms", "What Acme Limited promises.")
    assert (page.updated, page.outline) == ("2026-11-21", True)
    assert '<h2 id="first">First' in html
    assert "This is Acme Limited." in html


def test_page_has_picture_and_links_beside_its_text(write: Write, tmp_path: Path) -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 5"><path d="M0 0h8"/></svg>'
    (tmp_path / "terms.svg").write_text(picture)
    pages = write(f"{FRONT}\nlinks:\n  - label: Ask\n    to: mailto:{{{{owner}}}}@example.com\n    text: By mail")
    page = pages.page("terms")
    assert page.picture == picture
    assert [(link.label, link.to, link.text) for link in page.links] == [
        ("Ask", "mailto:Acme Limited@example.com", "By mail")
    ]
    (tmp_path / "terms.svg").unlink()
    assert pages.stale()
    assert pages.page("terms").picture is None


def test_ids_of_a_picture_differ_from_those_of_headings(write: Write, tmp_path: Path) -> None:
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 5"><style>#a { fill: #abc } g #ab{fill:url(#b)}</style>'
        '<path id="a" fill="#abc"/><g id="ab" stroke="a"><set id="b" begin="a.end" attributeName="x" to="a"/></g></svg>'
    )
    (tmp_path / "terms.svg").write_text(picture)
    shown = write().page("terms").picture
    assert shown == (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 5">'
        "<style>#Site-picture-a { fill: #abc } g #Site-picture-ab{fill:url(#Site-picture-b)}</style>"
        '<path id="Site-picture-a" fill="#abc"/><g id="Site-picture-ab" stroke="a">'
        '<set id="Site-picture-b" begin="Site-picture-a.end" attributeName="x" to="a"/></g></svg>'
    )


def test_picture_that_runs_code_is_invalid(write: Write, tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 5"><script/></svg>'
    (tmp_path / "terms.svg").write_text(svg)
    with pytest.raises(InvalidFile, match="should be a picture only, without <script"):
        write().read("terms")


def test_page_html_is_sanitized(write: Write) -> None:
    pages = write(text='<script>alert(1)</script><p onclick="x()">Words</p>')
    html = pages.html(pages.page("terms"), DependencyRecorder())
    assert "Words" in html
    assert "script" not in html
    assert "onclick" not in html


@pytest.mark.parametrize("name", ["nope", "../terms", "terms.md", "", "Terms", "a/b"])
def test_missing_page_raises_not_found(write: Write, name: str) -> None:
    with pytest.raises(NotFound, match=r"The page you are looking for does not exist\."):
        write().page(name)


@pytest.mark.parametrize(
    ("front", "complaint"),
    [
        ("description: x", "pages/terms.md: title: is missing"),
        ("title: ' '\ndescription: x", "pages/terms.md: title: is missing"),
        ("title: x", "pages/terms.md: description: is missing"),
        (f"{FRONT}\nupdated: soon", "pages/terms.md: updated: must be a date such as 2026-11-21"),
        (f"{FRONT}\nupdated: 2026-11-21 10:00:00", "pages/terms.md: updated: must be a date such as 2026-11-21"),
        (f"{FRONT}\noutline: 1", "pages/terms.md: outline: must be true or false"),
        (f"{FRONT}\nlinks: x", "pages/terms.md: links: must be a list"),
        (f"{FRONT}\nlinks:\n- to: /x", "pages/terms.md: links[0]: must have the keys label, text, to"),
        (f"{FRONT}\nlinks:\n- {{to: x, label: y, text: z}}", "pages/terms.md: links[0]: must lead to a path"),
        (f"{FRONT}\nsections: [words]", "pages/terms.md: sections: words is not one of text, support-options"),
        (f"{FRONT}\nmenu: sidebar", "pages/terms.md: menu: sidebar is not one of header, footer"),
        (f"{FRONT}\nmenu_order: last", "pages/terms.md: menu_order: must be a whole number"),
        (f"{FRONT}\nauthor: x", "pages/terms.md: author: is not a known key"),
        ("- a list", "pages/terms.md: has no front matter"),
        ("title: {{nobody}}\ndescription: x", "pages/terms.md: {{nobody}}: is not one of family, owner"),
        ("title: [", "pages/terms.md: front matter is not YAML"),
    ],
)
def test_invalid_page_is_reported_with_file_key_and_reason(write: Write, front: str, complaint: str) -> None:
    with pytest.raises(InvalidFile) as wrong:
        write(front).read("terms")
    assert wrong.value.message.startswith(complaint)


def test_page_that_becomes_invalid_keeps_its_last_valid_version(write: Write) -> None:
    pages = write()
    before = pages.page("terms")
    write("title: [")
    with captured_logs("page stays as it was") as logs:
        assert [pages.page("terms") for _ in range(2)] == [before, before]
    assert len(logs) == 1


def test_page_that_was_never_valid_is_missing_and_others_are_shown(write: Write, tmp_path: Path) -> None:
    pages = write()
    (tmp_path / "wrong.md").write_text("---\ntitle: [\n---\n")
    (tmp_path / "bytes.md").write_bytes(b"---\ntitle: \xff\n---\n")
    (tmp_path / "deep.md").write_text(f"---\ntitle: {'[' * 5000}\n---\n")
    with pytest.raises(NotFound), captured_logs("page left out") as logs:
        pages.page("wrong")
    assert [entry["reason"].startswith("pages/wrong.md: front matter is not YAML") for entry in logs] == [True]
    assert [page.name for page in pages.valid_pages] == ["terms"]


def test_folders_are_part_of_the_address(tmp_path: Path) -> None:
    pages = folder_of_pages(tmp_path, "guides/index.md", "guides/start.md", "about.md")
    assert [page.address for page in pages.valid_pages] == ["/about", "/guides", "/guides/start"]
    assert pages.has("guides/start")
    assert not pages.has("guides/index")


def folder_of_pages(folder: Path, *files: str) -> ProsePages:
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("---\ntitle: A page\ndescription: x\n---\n")
    return ProsePages(folder, FACTS, reserved={"blog": "an address of the engine", "atlas": "the library atlas"})


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (("blog.md",), "pages/blog.md: has the address /blog, but /blog is an address of the engine"),
        (("atlas/start.md",), "pages/atlas/start.md: has the address /atlas/start, but /atlas is the library atlas"),
        (("index.md",), "pages/index.md: has the address /, which is the home page"),
        (("a/index.md", "a.md"), "pages/a/index.md: has the same address as pages/a.md"),
        (("Two words.md",), "pages/Two words.md: the names of files and folders should be lower-case words"),
    ],
)
def test_file_without_an_address_of_its_own_is_reported(tmp_path: Path, files: tuple[str, ...], complaint: str) -> None:
    pages = folder_of_pages(tmp_path, *files)
    with pytest.raises(InvalidFile) as wrong:
        pages.read_file(tmp_path / files[0])
    assert wrong.value.message.startswith(complaint)
    assert tmp_path / files[0] in pages.files


def test_sections_have_the_order_of_the_front_matter_and_begin_with_the_text(write: Write) -> None:
    named = write(f"{FRONT}\nsections: [consultants, text, library-links]").page("terms")
    assert named.sections == ("consultants", "text", "library-links")
    assert write(f"{FRONT}\nsections: [courses]").page("terms").sections == ("text", "courses")
    assert write().page("terms").sections == ("text",)


def test_page_names_its_menus_label_and_order(write: Write) -> None:
    placed = write(f"{FRONT}\nmenu: footer\nmenu_label: Legal\nmenu_order: 3").page("terms")
    assert (placed.place.menus, placed.place.label, placed.place.order) == (("footer",), "Legal", 3)
    assert write(f"{FRONT}\nmenu: [header, footer]").page("terms").place.label == "Terms"


def test_new_page_makes_the_list_of_pages_and_its_own_address_stale(write: Write, tmp_path: Path) -> None:
    pages = write()
    assert [name for name, _ in pages.listing()] == ["terms"]
    folder_of_pages(tmp_path, "guides/start.md")
    assert purge_tags(pages.stale()) == {"pages", "page:guides/start"}
    assert pages.stale() == frozenset()


def test_text_change_leaves_the_list_of_pages_as_it_is(write: Write, tmp_path: Path) -> None:
    pages = write()
    pages.listing()
    (tmp_path / "terms.md").write_text("---\ntitle: Terms\ndescription: y\n---\nOther words")
    assert purge_tags(pages.stale()) == {"page:terms"}


def test_change_that_a_request_read_first_is_stale_once(write: Write, tmp_path: Path) -> None:
    pages = write()
    pages.page("terms")
    (tmp_path / "terms.md").write_text("---\ntitle: Terms\ndescription: y\n---\nOther words")
    pages.page("terms")
    assert purge_tags(pages.stale()) == {"page:terms"}
    assert pages.stale() == frozenset()


def test_page_is_exported_as_markdown_with_absolute_links(write: Write) -> None:
    pages = write(text="[Docs](/query) and [above](#first)\n")
    page = pages.page("terms")
    text = page_markdown(page, pages.export(page), "https://acme.example")
    assert text.startswith("# Terms\n\n> What Acme Limited promises.\n\n")
    assert "[Docs](https://acme.example/query) and [above](https://acme.example/terms#first)" in text


def test_changed_page_is_stale_until_it_is_read_again(write: Write, tmp_path: Path) -> None:
    pages = write()
    assert pages.page("terms").title == "Terms"
    assert pages.stale() == frozenset()
    (tmp_path / "terms.md").write_text("---\ntitle: New terms\ndescription: x\n---\n")
    os.utime(tmp_path / "terms.md", ns=(1, 1))
    assert purge_tags(pages.stale()) == {"page:terms"}
    assert pages.page("terms").title == "New terms"
    assert pages.stale() == frozenset()


@pytest.mark.parametrize(
    ("link", "complaint"),
    [
        ("/terms#first", None),
        ("#first", None),
        ("/query/latest/docs/overview#part", None),
        ("/query", None),
        ("/query/v5", None),
        ("/merch", None),
        ("https://example.com/nowhere", None),
        ("mailto:somebody@example.com", None),
        ("/nope", "the link /nope leads nowhere"),
        ("/query/v99", "the link /query/v99 leads nowhere"),
        ("/query/latest/docs/gone", "the link /query/latest/docs/gone leads nowhere"),
        ("./other.md", "the link ./other.md leads nowhere"),
        ("#nowhere", "the link #nowhere leads nowhere"),
        ("/privacy#nowhere", "/privacy#nowhere names an anchor that pages/privacy.md does not have"),
    ],
)
def test_check_follows_links_of_prose_pages(
    settings: Settings, tmp_path: Path, link: str, complaint: str | None
) -> None:
    files = {
        "repos/TanStack/query/main/docs/config.json": '{"sections": []}',
        "repos/TanStack/query/main/docs/overview.md": "---\ntitle: Overview\n---\n\n## Part\n",
        "pages/terms.md": f"---\ntitle: Terms\ndescription: x\n---\n\n## First\n\n[a link]({link})\n",
        "pages/privacy.md": "---\ntitle: Privacy\ndescription: x\n---\n\n## Second\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    ours = dataclasses.replace(settings, site=complete_site(tmp_path), content=tmp_path / "repos")
    found = [fault.message for fault in check_content(ours, ours.content).faults if not fault.file.endswith(".toml")]
    assert found == ([f"pages/terms.md: line 8: {complaint}"] if complaint else [])


def test_check_follows_links_beside_the_text(settings: Settings, tmp_path: Path) -> None:
    links = "links:\n  - {label: a, to: /nope, text: b}\n  - {label: c, to: /terms#first, text: d}\n"
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/terms.md").write_text(f"---\ntitle: Terms\ndescription: x\n{links}---\n\n## First\n")
    docs = tmp_path / "repos/TanStack/query/main/docs"
    docs.mkdir(parents=True)
    (docs / "config.json").write_text('{"sections": []}')
    ours = dataclasses.replace(settings, site=complete_site(tmp_path), content=tmp_path / "repos")
    found = [fault.message for fault in check_content(ours, ours.content).faults if not fault.file.endswith(".toml")]
    assert "pages/terms.md: links: the link /nope leads nowhere" in found
    assert not [message for message in found if "/terms#first" in message]


def test_first_consultant_stays_first_and_others_rotate(catalog: Catalog) -> None:
    first, *others = catalog.consultants
    days = [catalog.consultants_on(date(2026, 11, 21) + timedelta(days=day)) for day in range(len(others))]
    assert {day[0] for day in days} == {first}
    assert {day[1] for day in days} == set(others)
    assert all(set(day) == set(catalog.consultants) for day in days)


@pytest.mark.parametrize(
    ("now", "seconds"),
    [
        (datetime(2026, 11, 21, 23, 59, 50, tzinfo=UTC), 11),
        (datetime(2026, 11, 21, tzinfo=UTC), 24 * 3600 + 1),
        (datetime(2026, 12, 31, 12, tzinfo=UTC), 12 * 3600 + 1),
    ],
)
def test_consultant_order_changes_at_midnight(now: datetime, seconds: int) -> None:
    assert seconds_until_midnight(now) == seconds
