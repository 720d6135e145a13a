"""`kinfolk check` reports broken content with its location."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from tests.sites.sample_site import complete_site

from kinfolk.cli.check.content_check import check_content
from kinfolk.config.settings import Settings

CONFIG = '{"sections": [{"label": "Start", "children": [{"label": "Overview", "to": "overview"}]}]}'
PAGE = "---\ntitle: Overview\n---\n\n## Part\n\n"


@pytest.fixture
def family(tmp_path: Path) -> Path:
    """A directory with a valid page and its navigation."""
    write(tmp_path, "docs/config.json", CONFIG)
    write(tmp_path, "docs/overview.md", PAGE + "[here](./overview.md#part)")
    return tmp_path


def write(family: Path, path: str, text: str) -> None:
    file = family / "TanStack/query/main" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def faults(settings: Settings, family: Path) -> list[str]:
    ours = dataclasses.replace(settings, site=complete_site(family), content=family)
    found = check_content(ours, family).faults
    # The docs of these tests lack the pages that menus of the sample site name.
    return [fault.message for fault in found if not fault.file.endswith(".toml")]


def test_valid_content_has_no_faults(settings: Settings, family: Path) -> None:
    assert faults(settings, family) == []


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("[x](./gone.md)", "line 7: the link ./gone.md leads nowhere"),
        ("[x](#nowhere)", "line 7: the link #nowhere leads nowhere"),
        (
            "[x](./other.md#nowhere)",
            "line 7: ./other.md#nowhere names an anchor that TanStack/query/main/docs/other.md does not have",
        ),
        ("![x](./gone.png)", "line 7: the image ./gone.png does not exist"),
        (
            "![x](https://raw.githubusercontent.com/TanStack/query/main/docs/gone.png)",
            "line 7: the image https://raw.githubusercontent.com/TanStack/query/main/docs/gone.png does not exist",
        ),
    ],
)
def test_broken_link_is_reported_with_file_and_line(
    settings: Settings, family: Path, line: str, complaint: str
) -> None:
    write(family, "docs/other.md", PAGE)
    write(family, "docs/overview.md", PAGE + line)
    assert faults(settings, family) == [f"TanStack/query/main/docs/overview.md: {complaint}"]


@pytest.mark.parametrize(
    ("href", "faults"), [("/query/latest", []), ("/gone", ["announcement.href: /gone leads nowhere"])]
)
def test_address_of_the_announcement_is_checked(settings: Settings, family: Path, href: str, faults: list[str]) -> None:
    text = (settings.site / "kinfolk.toml").read_text()
    (family / "kinfolk.toml").write_text(f'{text}\n[announcement]\ntext = "Query 6"\nhref = "{href}"\n')
    found = check_content(dataclasses.replace(settings, site=complete_site(family), content=family), family).faults
    announced = [fault.message for fault in found if fault.key == "announcement.href"]
    assert announced == [f"kinfolk.toml: {fault}" for fault in faults]


def test_navigation_entry_without_a_page_is_reported(settings: Settings, family: Path) -> None:
    write(family, "docs/config.json", CONFIG.replace('"to": "overview"', '\n"to": "gone"'))
    assert faults(settings, family) == ["TanStack/query/main/docs/config.json: line 2: Overview: gone leads nowhere"]


def test_empty_navigation_section_is_reported(settings: Settings, family: Path) -> None:
    misspelt = CONFIG.replace('[{"label": "Start"', '[\n{"label": "Guides", "childs": []}, {"label": "Start"')
    write(family, "docs/config.json", misspelt)
    assert faults(settings, family) == [
        "TanStack/query/main/docs/config.json: line 2: the section Guides has no entries"
    ]


@pytest.mark.parametrize(
    ("front", "complaint"),
    [
        ("title: [unclosed", "line 3: the front matter is not supported YAML: did not find expected ',' or ']'"),
        ("title: A: B", "line 2: the front matter is not supported YAML: mapping values are not allowed in this"),
        ("title: *x", "the front matter is not supported YAML: "),
        ("just words", "line 2: the front matter is not a table of keys"),
    ],
)
def test_invalid_front_matter_is_reported(settings: Settings, family: Path, front: str, complaint: str) -> None:
    write(family, "docs/overview.md", PAGE.replace("title: Overview", front))
    (fault,) = faults(settings, family)
    assert fault.startswith(f"TanStack/query/main/docs/overview.md: {complaint}")


def test_invalid_config_is_reported(settings: Settings, family: Path) -> None:
    write(family, "docs/config.json", "{")
    (fault,) = faults(settings, family)
    assert fault.startswith("TanStack/query/main/docs/config.json: is not valid")


def test_page_with_ref_to_a_missing_file_is_reported(settings: Settings, family: Path) -> None:
    write(family, "docs/x.md", "---\nref: docs/gone.md\n---\n")
    (fault,) = faults(settings, family)
    assert fault.startswith("TanStack/query/main/docs/x.md: ")
    assert "docs/gone.md" in fault


def test_post_with_a_link_to_missing_docs_is_reported(settings: Settings, family: Path) -> None:
    post = (
        "---\ntitle: T\ndescription: D\npublished: 2026-11-21\nauthors: [Kinfolk]\n---\n[x](/query/latest/docs/gone)\n"
    )
    (family / "blog").mkdir()
    (family / "blog/a-post.md").write_text(post)
    assert faults(settings, family) == ["blog/a-post.md: line 7: the link /query/latest/docs/gone leads nowhere"]


def test_blog_is_not_checked_against_another_directory(settings: Settings, family: Path) -> None:
    assert check_content(settings, family).faults == ()


POST = "---\ntitle: T\ndescription: D\npublished: 2026-11-21\nauthors: [Kinfolk]\n---\n"
MISSING = [
    "/nothing",
    "/nope",
    "/stats/nothing",
    "/query/latest/nothing",
    "/query/v0",
    "/nothing/latest/docs/a",
    "/a.txt",
]
EXISTING = ["/", "/support", "/design", "/search?q=x", "/query", "/query/latest", "/blog/a-post", "/merch", "/llms.txt"]


@pytest.mark.parametrize("path", [*MISSING, "/blog/gone", "/blog/a-post/more"])
def test_link_of_a_post_to_a_missing_page_is_reported(settings: Settings, family: Path, path: str) -> None:
    (family / "blog").mkdir()
    (family / "blog/a-post.md").write_text(f"{POST}[x]({path})\n")
    assert faults(settings, family) == [f"blog/a-post.md: line 7: the link {path} leads nowhere"]


@pytest.mark.parametrize("path", [*MISSING, "/blog/gone"])
def test_link_of_a_docs_page_to_a_missing_page_is_reported(settings: Settings, family: Path, path: str) -> None:
    write(family, "docs/overview.md", f"{PAGE}[x]({path})")
    expected = [f"TanStack/query/main/docs/overview.md: line 7: the link {path} leads nowhere"]
    assert faults(settings, family) == expected


@pytest.mark.parametrize("path", EXISTING)
def test_link_to_an_existing_page_is_not_reported(settings: Settings, family: Path, path: str) -> None:
    (family / "blog").mkdir()
    (family / "blog/a-post.md").write_text(f"{POST}[x]({path})\n")
    write(family, "docs/overview.md", f"{PAGE}[x]({path})")
    assert faults(settings, family) == []


@pytest.mark.parametrize(
    ("name", "quoted", "reason"),
    [
        (
            "migration\u00a0guide.md",
            r"migration\xa0guide.md",
            "left out, because it holds U+00A0, which is not printed",
        ),
        ("two\nlines.md", r"two\nlines.md", "left out, because it holds U+000A, which is not printed"),
        ("trail .md", "trail .md", "no page, because its address would end with a space"),
    ],
)
def test_file_left_out_for_its_name_is_reported(
    settings: Settings, family: Path, name: str, quoted: str, reason: str
) -> None:
    write(family, f"docs/{name}", PAGE)
    assert faults(settings, family) == [f"TanStack/query/main: 'docs/{quoted}': is {reason}"]


def warnings(settings: Settings, family: Path) -> list[str]:
    ours = dataclasses.replace(settings, site=complete_site(family), content=family)
    return [warning.message for warning in check_content(ours, family).warnings]


def write_old(family: Path, path: str) -> None:
    file = family / "TanStack/query/v4" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(PAGE)


def test_old_pages_whose_link_to_the_latest_leads_to_another_framework_are_a_warning(
    settings: Settings, family: Path
) -> None:
    write(family, "docs/framework/vue/guides/queries.md", PAGE)
    write_old(family, "docs/framework/vue/guides/queries.md")
    write_old(family, "docs/framework/svelte/guides/queries.md")
    reason = "the latest version has no docs for svelte: links to it from 1 page lead to vue"
    assert warnings(settings, family) == [f"TanStack/query/v4/docs/framework/svelte: {reason}"]


def test_old_version_without_a_copy_of_the_latest_is_a_warning(settings: Settings, tmp_path: Path) -> None:
    write_old(tmp_path, "docs/overview.md")
    assert warnings(settings, tmp_path) == [
        "TanStack/query/v4/docs: the link to the latest version is missing: its branch has no copy"
    ]


def test_links_and_pictures_of_the_repository_are_checked(settings: Settings, family: Path) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 1\n"
    for path, text in {"LICENSE": "MIT", "logo.svg": "<svg/>", "docs/large.png": pointer}.items():
        write(family, path, text)
    write(family, "docs/folder/README.md", "# Folder\n\n[child](./child.md) [up](../overview.md)\n")
    write(family, "docs/folder/child.md", "[x](./README.md) [y](./) [z](../folder#folder)")
    write(
        family,
        "docs/overview.md",
        PAGE + "[a](../LICENSE) [b](../GONE) ![c](../logo.svg) ![d](../gone.svg) ![e](large.png)",
    )
    ours = dataclasses.replace(settings, site=complete_site(family), content=family)
    report = check_content(ours, family)
    assert [fault.message for fault in report.faults if not fault.file.endswith(".toml")] == [
        "TanStack/query/main/docs/overview.md: line 7: the image ../gone.svg does not exist",
        "TanStack/query/main/docs/overview.md: line 7: the link ../GONE leads nowhere",
    ]
    (warning,) = report.warnings
    assert warning.key == "line 7"
    assert warning.reason == "the image large.png is kept in Git LFS: it is shown from the code host"


def test_dropped_tags_and_links_are_reported_with_their_lines(settings: Settings, family: Path) -> None:
    write(family, "docs/overview.md", PAGE + "<button>a</button>\n\n[b](vscode:c)\n")
    ours = dataclasses.replace(settings, site=complete_site(family), content=family)
    report = check_content(ours, family)
    assert [fault.message for fault in report.warnings] == [
        "TanStack/query/main/docs/overview.md: line 7: the tag <button> is not shown"
    ]
    (fault,) = (fault for fault in report.faults if not fault.file.endswith(".toml"))
    assert fault.key == "line 9"
    assert fault.reason == "the link vscode:c is not shown: this site has no links of its scheme"


def test_links_that_are_not_followed_are_named(settings: Settings, family: Path) -> None:
    docs = family / "TanStack/query/main/docs"
    for link, text in {"out.md": "/etc/hostname", "loop.md": "loop.md", "copy.md": "overview.md", "../x": "/"}.items():
        (docs / link).symlink_to(text)
    write(family, "docs/overview.md", PAGE + "[here](./copy.md#part)")
    assert faults(settings, family) == [
        "TanStack/query/main: 'docs/loop.md': is left out, because it is a link in a circle",
        "TanStack/query/main: 'docs/out.md': is left out, because it is a link that leaves the repository",
    ]


UNREADABLE = [
    (b"# Caf\xe9\n", "line 1: is not UTF-8: byte 0xE9 begins no letter"),
    (b"# A\n\nText\n\n\x93quoted\x94\n", "line 5: is not UTF-8: byte 0x93 begins no letter"),
    (b"\xff\xfet\x00", "is UTF-16: save it as UTF-8"),
    (b"\xfe\xff\x00t", "is UTF-16: save it as UTF-8"),
    (b"# A \xf0\x9f\x98", "line 1: is not UTF-8: byte 0xF0"),
    (b"# A \xc0\xaf", "line 1: is not UTF-8: byte 0xC0"),
    (b"---\ntitle: [list, of]\ntags: !custom x\n---\n", "line 3: the front matter has a tag (!custom)"),
    (b"---\nsee: *nope\n---\n", "the front matter is not supported YAML: it uses an alias (*nope) in line 2"),
    (b"---\na: &x 1\nb: *x\n---\n", "the front matter is not supported YAML: it uses an alias (*x) in line 3"),
    (b"---\na: [[[[[[[1]]]]]]]\n---\n", "the front matter is not supported YAML: it is nested too deeply in line 2"),
]
READABLE = [b"\xef\xbb\xbf# A\n", "# Größe 缓存 😀\n".encode(), b"", b"---\na: '!x'\n---\n"]


def test_unreadable_files_are_named_with_the_reason(settings: Settings, family: Path) -> None:
    for at, content in enumerate([*(content for content, _ in UNREADABLE), *READABLE]):
        (family / f"TanStack/query/main/docs/{at}.md").write_bytes(content)
    found = faults(settings, family)
    expected = {f"TanStack/query/main/docs/{at}.md: {complaint}" for at, (_, complaint) in enumerate(UNREADABLE)}
    assert len(found) == len(UNREADABLE)
    assert {one for one in expected if not any(fault.startswith(one) for fault in found)} == set()


def test_docs_without_pages_say_what_is_there(settings: Settings, tmp_path: Path) -> None:
    write(tmp_path, "docs/index.rst", "# A\n")
    (fault,) = faults(settings, tmp_path)
    assert fault == (
        "TanStack/query/main/docs/config.json: TanStack/query@main has no docs/config.json, and no pages:"
        " it has 1 .rst file (reStructuredText, which is not supported)"
    )
