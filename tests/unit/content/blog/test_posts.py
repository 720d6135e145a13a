"""Tests of posts: front matter, reading time, changes, feeds and Markdown."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.servers.captured_logs import captured_logs

from kinfolk.config.catalog import Catalog
from kinfolk.config.settings import Settings
from kinfolk.content.blog import Blog, BlogPost, read_posts
from kinfolk.content.blog.cover import cover_patterns
from kinfolk.content.blog.feeds import FeedMetadata, atom, json_feed, post_html
from kinfolk.content.blog.post_markdown import post_markdown
from kinfolk.content.blog.posts import LARGEST_POST
from kinfolk.content.dependencies import BLOG
from kinfolk.content.landing.library_face import pattern_file
from kinfolk.content.markdown.export import ExportedMarkdown
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile, ResolverFactory
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.search.ranking import scores

LIBRARIES = ("query", "router")
FRONT = {
    "title": "On tides",
    "description": "When they come, and when they go.",
    "published": "2026-11-21",
    "authors": "[Ada Lovelace, Kinfolk]",
    "libraries": "[query]",
}
CHANNEL = FeedMetadata("The Blog", "News.", "https://docs.example", "Kinfolk")


def text_of(front: dict[str, str], body: str = "Some words.") -> str:
    block = "\n".join(f"{key}: {value}" for key, value in front.items())
    return f"---\n{block}\n---\n\n{body}\n"


def write(folder: Path, name: str, body: str = "Some words.", **front: str) -> Path:
    path = folder / name
    path.write_text(text_of(FRONT | front, body), encoding="utf-8")
    return path


def faults(folder: Path) -> list[str]:
    return [fault.message for fault in read_posts(folder, LIBRARIES)[1]]


def post_of(folder: Path, body: str, **front: str) -> BlogPost:
    write(folder, "post.md", body, **front)
    (post,), wrong = read_posts(folder, LIBRARIES)
    assert wrong == ()
    return post


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("title", "", "title: should be one line of text without space around it"),
        ("description", '" "', "description: should be one line of text without space around it"),
        ("published", "yesterday", "published: should be a date such as 2026-11-21"),
        ("published", "2026-02-30", "published: should be a date such as 2026-11-21"),
        ("published", "2026-11-21 10:00:00", "published: should be a date such as 2026-11-21"),
        ("updated", "2026-11-20", "updated: is before 2026-11-21, when the post was published"),
        ("authors", "Ada Lovelace", "authors: should be a valid array"),
        ("authors", "[{name: Ada Lovelace}]", "authors[0]: should be a valid string"),
        ("authors", "[Ada Lovelace and Charles Babbage]", "authors[0]: should be one name, such as Ada Lovelace"),
        ("authors", '["@ada"]', "authors[0]: should be one name, such as Ada Lovelace"),
        ("authors", '[""]', "authors[0]: should be one line of text without space around it"),
        ("authors", "[Ada, Ada]", "authors: has a duplicate entry"),
        ("libraries", "[query, jquery]", "libraries[1]: there is no library jquery"),
        ("image", "picture.png", "image: should be a path on this site or an https:// address"),
        ("draft", "maybe", "draft: should be 'true' or 'false'"),
        ("tags", "sea", "tags: should be a valid array"),
        ("tags", "[{name: sea}]", "tags[0]: should be a valid string"),
        ("tags", "[sea, '']", "tags[1]: should be a tag of 1 to 40 characters"),
        ("tags", f"[{'x' * 41}]", "tags[0]: should be a tag of 1 to 40 characters"),
        ("tags", f"[{', '.join(map(str, range(21)))}]", "tags: should be at most 20 tags"),
        ("keywords", "[sea]", "keywords: is not a known key"),
        ("ref", "blog/other.md", "ref: a post has a text of its own"),
    ],
)
def test_invalid_front_matter_is_reported_with_file_key_and_reason(
    tmp_path: Path, key: str, value: str, complaint: str
) -> None:
    write(tmp_path, "on-tides.md", **{key: value})
    assert faults(tmp_path) == [f"blog/on-tides.md: {complaint}"]


@pytest.mark.parametrize("key", ["title", "description", "published", "authors"])
def test_missing_field_is_reported_with_file_and_key(tmp_path: Path, key: str) -> None:
    (tmp_path / "on-tides.md").write_text(text_of({name: value for name, value in FRONT.items() if name != key}))
    assert faults(tmp_path) == [f"blog/on-tides.md: {key}: is missing"]


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("On_Tides.md", text_of(FRONT), "the file's name should be lower-case words joined by hyphens"),
        ("on-tides.md", "Only words.\n", "has no front matter"),
        ("on-tides.md", text_of(FRONT, ""), "has no text"),
        ("on-tides.md", "---\ntitle: [\n---\n\nWords.\n", "the front matter is not supported YAML: "),
        ("on-tides.md", "---\ntitle: &a x\nlead: *a\n---\n\nWords.\n", "the front matter is not supported YAML: "),
    ],
)
def test_file_that_is_not_a_post_is_reported(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    (tmp_path / name).write_text(text)
    assert [fault.startswith(f"blog/{name}: {complaint}") for fault in faults(tmp_path)] == [True]


def test_all_errors_are_reported_together(tmp_path: Path) -> None:
    write(tmp_path, "one.md", title="", published="soon")
    write(tmp_path, "two.md", authors="[]", libraries="[jquery]")
    assert len(faults(tmp_path)) == 3


def test_post_without_authors_is_valid(tmp_path: Path) -> None:
    post = post_of(tmp_path, "Words.", authors="[]")
    assert CHANNEL.authors(post) == ("Kinfolk",)


def test_tags_that_differ_in_case_or_spaces_are_one(tmp_path: Path) -> None:
    post = post_of(tmp_path, "Words.", tags='[" Release  notes ", release notes, 2024, "C++"]')
    assert post.front.tags == ("Release notes", "2024", "C++")
    assert [tag.slug for tag in post.tags] == ["release-notes", "2024", "c++"]


def test_feeds_have_the_libraries_and_the_tags_of_a_post(tmp_path: Path) -> None:
    post = post_of(tmp_path, "Words.", tags="""[Query, '<b> & "sea"']""")
    entry = ET.fromstring(atom(CHANNEL, [post])).find("{*}entry")  # noqa: S314
    assert entry is not None
    assert [category.get("term") for category in entry.iterfind("{*}category")] == ["query", '<b> & "sea"']
    assert json.loads(json_feed(CHANNEL, [post]))["items"][0]["tags"] == ["query", '<b> & "sea"']


def test_tags_change_neither_feeds_nor_markdown_of_other_posts(tmp_path: Path) -> None:
    post = post_of(tmp_path, "Words.", libraries="[]")
    tagged = post_of(tmp_path, "Words.", libraries="[]", tags="[sea]")
    assert b"category" not in atom(CHANNEL, [post])
    assert b"tags" not in json_feed(CHANNEL, [post])
    assert post_markdown(post, "", by="Kinfolk") == post_markdown(tagged, "", by="Kinfolk")


def test_posts_are_ordered_by_date_newest_first(tmp_path: Path) -> None:
    for name, day in (("middle", "2026-03-01"), ("newest", "2026-11-21"), ("oldest", "2025-12-31")):
        write(tmp_path, f"{name}.md", published=day)
    blog = Blog(tmp_path, LIBRARIES)
    assert [post.slug for post in blog.posts] == ["newest", "middle", "oldest"]
    older, newer = blog.around("middle")
    assert older is not None
    assert newer is not None
    assert (older.slug, newer.slug) == ("oldest", "newest")
    assert blog.around("oldest")[0] is None
    assert blog.around("newest")[1] is None


@pytest.mark.parametrize(
    ("body", "minutes"),
    [
        ("Words.", 1),
        ("word " * 220, 1),
        ("word " * 221, 2),
        ("word " * 2200, 10),
        ("[word](/a/rather/long/address/that/nobody/reads) " * 220, 1),
        ("```ts\n" + "const x = 1\n" * 80 + "```\n", 2),
    ],
)
def test_reading_time_counts_words_and_lines_of_code(tmp_path: Path, body: str, minutes: int) -> None:
    assert post_of(tmp_path, body).minutes == minutes


# Drafts


def test_drafts_are_shown_only_if_enabled_and_never_published(tmp_path: Path) -> None:
    write(tmp_path, "draft.md", draft="true")
    write(tmp_path, "done.md")
    reader, author = Blog(tmp_path, LIBRARIES), Blog(tmp_path, LIBRARIES, drafts=True)
    assert [post.slug for post in reader.posts] == ["done"]
    assert {post.slug for post in author.posts} == {"draft", "done"}
    assert [post.slug for post in author.published] == ["done"]
    with pytest.raises(NotFound, match=r"^Post not found\.$"):
        reader.post("draft")


# Changes


def test_changed_file_is_read_again_and_purges_the_blog(tmp_path: Path) -> None:
    path = write(tmp_path, "post.md")
    blog = Blog(tmp_path, LIBRARIES)
    before = blog.version
    assert blog.refresh() == frozenset()
    path.write_text(text_of(FRONT | {"title": "On storms"}))
    assert blog.refresh() == {BLOG}
    assert (blog.post("post").title, blog.version == before) == ("On storms", False)
    assert blog.refresh() == frozenset()


def test_added_and_deleted_files_add_and_remove_posts(tmp_path: Path) -> None:
    path = write(tmp_path, "old.md")
    blog = Blog(tmp_path, LIBRARIES)
    path.unlink()
    write(tmp_path, "new.md")
    assert blog.refresh() == {BLOG}
    assert [post.slug for post in blog.posts] == ["new"]


def test_touched_file_purges_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "post.md")
    blog = Blog(tmp_path, LIBRARIES)
    os.utime(path, ns=(1, 1))
    assert blog.refresh() == frozenset()


def test_post_that_becomes_invalid_keeps_its_last_valid_version(tmp_path: Path) -> None:
    path = write(tmp_path, "post.md")
    blog = Blog(tmp_path, LIBRARIES)
    path.write_text(text_of(FRONT | {"published": "soon"}))
    assert blog.refresh() == frozenset()
    assert blog.post("post").title == "On tides"


def test_post_that_becomes_unreadable_keeps_its_last_valid_version(tmp_path: Path) -> None:
    write(tmp_path, "post.md")
    blog = Blog(tmp_path, LIBRARIES)
    (tmp_path / "link.md").symlink_to(tmp_path / "nowhere.md")
    assert blog.refresh() == frozenset()
    assert blog.post("post").title == "On tides"


def test_invalid_post_is_left_out_and_others_are_shown(tmp_path: Path) -> None:
    write(tmp_path, "good.md")
    write(tmp_path, "wrong.md", published="soon")
    (tmp_path / "link.md").symlink_to(tmp_path / "nowhere.md")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "large.md").write_bytes(b"x" * (LARGEST_POST + 1))
    (tmp_path / "deep.md").write_text(f"---\ntitle: {'[' * 5000}\n---\n\nWords.\n")
    (tmp_path / os.fsdecode(b"\xff.md")).write_text(text_of(FRONT))
    with captured_logs("post left out") as logs:
        blog = Blog(tmp_path, LIBRARIES)

    assert [post.slug for post in blog.posts] == ["good"]
    reasons = sorted(entry["reason"].partition(":")[0] for entry in logs)
    assert reasons == sorted(
        ["blog/wrong.md", "blog/link.md", "blog/folder.md", "blog/large.md", "blog/deep.md", r"blog/'\udcff.md'"]
    )
    assert sorted(fault.message.partition(":")[0] for fault in read_posts(tmp_path, LIBRARIES)[1]) == reasons


def test_other_posts_change_while_one_is_invalid(tmp_path: Path) -> None:
    wrong = write(tmp_path, "wrong.md")
    other = write(tmp_path, "other.md")
    blog = Blog(tmp_path, LIBRARIES)
    wrong.write_text(text_of(FRONT | {"published": "soon"}))
    other.write_text(text_of(FRONT | {"title": "On storms"}))
    assert blog.refresh() == {BLOG}
    assert (blog.post("wrong").title, blog.post("other").title) == ("On tides", "On storms")


# Rendering


class CountingRenderer(InProcessJobs):
    """Records the jobs, and refuses texts that contain a certain word."""

    def __init__(self) -> None:
        super().__init__()
        self.jobs: list[tuple[str, str]] = []

    def page(
        self, source: MarkdownFile, *, links: ResolverFactory | None = None, framework: str | None = None
    ) -> MarkdownPage:
        self.jobs.append(("page", source.name))
        if "busy" in source.text:
            raise Unavailable("The site is too busy")
        return super().page(source, links=links, framework=framework)

    def export(self, source: MarkdownFile, *, framework: str | None = None) -> ExportedMarkdown:
        self.jobs.append(("export", source.name))
        return super().export(source, framework=framework)


def test_post_is_rendered_once_when_its_text_is_first_used(tmp_path: Path) -> None:
    write(tmp_path, "one.md")
    write(tmp_path, "two.md")
    jobs = CountingRenderer()
    blog = Blog(tmp_path, LIBRARIES, markdown=MarkdownRenderer(jobs))
    assert (blog.post("one").title, jobs.jobs) == ("On tides", [])
    assert (blog.post("one").minutes, blog.post("one").minutes) == (1, 1)
    assert jobs.jobs == [("page", "blog/one.md")]


def test_refresh_renders_what_no_reader_has_requested_and_what_has_changed(tmp_path: Path) -> None:
    write(tmp_path, "one.md")
    jobs = CountingRenderer()
    blog = Blog(tmp_path, LIBRARIES, markdown=MarkdownRenderer(jobs))
    assert blog.refresh() == frozenset()
    assert jobs.jobs == [("page", "blog/one.md"), ("export", "blog/one.md")]
    write(tmp_path, "two.md")
    assert blog.refresh() == {BLOG}
    assert jobs.jobs[2:] == [("page", "blog/two.md"), ("export", "blog/two.md")]


def test_post_that_cannot_be_rendered_is_reported_and_tried_again(tmp_path: Path) -> None:
    write(tmp_path, "one.md", "busy")
    write(tmp_path, "two.md")
    markdown = MarkdownRenderer(CountingRenderer())
    posts, wrong = read_posts(tmp_path, LIBRARIES, markdown)
    assert [post.slug for post in posts] == ["two"]
    assert [fault.message for fault in wrong] == ["blog/one.md: The site is too busy"]

    blog = Blog(tmp_path, LIBRARIES, markdown=markdown)
    with captured_logs("post not rendered") as logs:
        blog.refresh()
        blog.refresh()
    assert [entry["reason"] for entry in logs] == ["blog/one.md: The site is too busy"] * 2
    assert {post.slug for post in blog.posts} == {"one", "two"}


# Feeds and Markdown


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("[x](/query/latest)", '<a href="https://docs.example/query/latest">x</a>'),
        ("[x](https://other.example/)", '<a href="https://other.example/">x</a>'),
        ("## Part\n\n[x](#part)", '<h2>Part</h2>\n<p><a href="https://docs.example/blog/post#part">x</a></p>'),
        ("![x](/logos/query.svg)", '<img src="https://docs.example/logos/query.svg" alt="x">'),
        ("```ts\nconst x = 1 < 2\n```", "<figure><pre><code>const x = 1 &lt; 2</code></pre></figure>"),
        ("> [!NOTE] Mind\n> The gap.", "<p><strong>Mind</strong></p>"),
        ("a\vb", "ab"),
    ],
)
def test_feed_html_has_absolute_links_and_no_classes(tmp_path: Path, body: str, expected: str) -> None:
    html = post_html(CHANNEL, post_of(tmp_path, body))
    assert expected in html
    assert "class=" not in html


def test_post_markdown_has_title_and_absolute_links(tmp_path: Path) -> None:
    post = post_of(tmp_path, "[x](/query/latest) and [y](#part)\n\n## Part", updated="2026-11-22")
    assert post_markdown(post, "https://docs.example", by="Kinfolk") == (
        "# On tides\n\n> When they come, and when they go.\n\nIndex of all pages: https://docs.example/llms.txt\n\n"
        "By Ada Lovelace, Kinfolk, 2026-11-21, updated 2026-11-22\n\n"
        "[x](https://docs.example/query/latest) and [y](https://docs.example/blog/post#part)\n\n## Part\n"
    )


# Bundled posts


@pytest.mark.parametrize("name", ["WORD", "TYPO", "PREFERRED", "FULL_HEADING"])
def test_post_about_search_quotes_the_scores_of_the_search(settings: Settings, name: str) -> None:
    text = (settings.site / "blog/how-search-ranks.md").read_text(encoding="utf-8")
    assert re.search(rf"\b{getattr(scores, name):,.0f}\b", text)


def test_post_about_search_quotes_scores_in_the_order_of_its_queries() -> None:
    few = max(scores.TIER, scores.ADJACENT_WORDS, scores.INEXACT)
    order = [scores.WORD, scores.TYPO, scores.PREFERRED, scores.FULL_HEADING, 1_000, few, scores.INEXACT]
    assert order == sorted(order, reverse=True)


def covers(folder: Path, catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """The pictures on the cover of each post."""
    posts, faults = read_posts(folder, LIBRARIES)
    assert faults == ()
    return {
        post.slug: tuple(pattern_file(pattern).svg for pattern in cover_patterns(post, posts, catalog).values())
        for post in posts
    }


@pytest.mark.parametrize("libraries", ["[]", "[query]", "[router, query]"])
def test_covers_of_all_posts_differ(tmp_path: Path, catalog: Catalog, libraries: str) -> None:
    for number in range(40):
        write(tmp_path, f"part-{number}.md", libraries=libraries)
    found = covers(tmp_path, catalog)
    assert len(set(found.values())) == len(found) == 40


def test_new_post_changes_no_other_cover(tmp_path: Path, catalog: Catalog) -> None:
    for number in range(5):
        write(tmp_path, f"part-{number}.md", libraries="[]", published=f"2026-10-0{number + 1}")
    before = covers(tmp_path, catalog)
    write(tmp_path, "new.md", libraries="[]", published="2026-11-01")
    assert before.items() <= covers(tmp_path, catalog).items()
