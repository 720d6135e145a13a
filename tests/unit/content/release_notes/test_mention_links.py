"""What release notes mention is linked as on their code host."""

from __future__ import annotations

import pytest
from tests.inputs.script_vectors import SCRIPT_VECTORS, dangers
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.config.code_hosts import code_host
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile
from kinfolk.content.release_notes.mention_links import MentionLinks
from kinfolk.runtime.errors import NotFound

GITHUB = MentionLinks(code_host(), "acme/query")
GITLAB = MentionLinks(code_host("gitlab"), "acme/query")
BASE = "https://github.com/acme/query"


def link(address: str, text: str) -> str:
    return f'<a href="{address}" rel="noopener">{text}</a>'


def no_file(path: str) -> str:
    raise NotFound(path)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("#123", f"{BASE}/issues/123"),
        ("acme/other#7", "https://github.com/acme/other/issues/7"),
        ("@octo", "https://github.com/octo"),
        ("@octo-cat", "https://github.com/octo-cat"),
        ("3b0f0d6", f"{BASE}/commit/3b0f0d6"),
        ("3b0f0d6f54f78624e53c1c6f9cadd678504bee8a", f"{BASE}/commit/3b0f0d6f54f78624e53c1c6f9cadd678504bee8a"),
    ],
)
@pytest.mark.parametrize("around", ["{}", "({})", "a {}, b", "a {}.", "{}\n", "<em>{}</em>", "a {}</p>", "&lt;{}&gt;"])
def test_mentions_are_linked(text: str, address: str, around: str) -> None:
    assert GITHUB.html(f"<p>{around.format(text)}") == f"<p>{around.format(link(address, text))}"


@pytest.mark.parametrize(
    "text",
    [
        "#",
        "#abc",
        "#12345678",
        "a#1",
        "&#123;",
        "docs/#1",
        "#1-2",
        "@",
        "@acme/query",
        "@acme/query@5.1.0",
        "me@acme.test",
        "@deprecated",
        "@media",
        "@dependabot[bot]",
        "@acme.com",
        "1234567",
        "deadbeef",
        "abcdef",
        "3b0f0d",
        "a-3b0f0d6",
        "3b0f0d6.tar",
        "!12",
        "<code>#1 @octo 3b0f0d6</code>",
        "<pre><code>#1</code></pre>",
        '<a href="/x">#1</a>',
        '<a href="/x"><em>#1</em> @octo</a>',
        '<img alt="#1 &gt; @octo" src="x">',
        '<img alt="> #1 < @octo" src="x">',
    ],
)
def test_other_text_stays(text: str) -> None:
    assert GITHUB.html(text) == text


def test_text_after_code_and_links_is_linked_again() -> None:
    html = '<code>#1</code> <a href="/x">#2</a> #3'
    assert GITHUB.html(html) == html.replace("#3", link(f"{BASE}/issues/3", "#3"))


def test_merge_requests_of_gitlab() -> None:
    address = "https://gitlab.com/acme/query/-/merge_requests/12"
    assert GITLAB.html("in !12") == f"in {link(address, '!12')}"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (f"{BASE}/pull/12", "#12"),
        (f"{BASE}/issues/12", "#12"),
        ("https://github.com/Acme/Query/pull/12", "#12"),
        ("https://github.com/acme/other/pull/12", "acme/other#12"),
        (f"{BASE}/commit/3b0f0d6f54f78624e53c1c6f9cadd678504bee8a", "3b0f0d6"),
        (f"{BASE}/compare/v1.0.0...v1.1.0", "v1.0.0...v1.1.0"),
        (f"{BASE}/compare/a&amp;b...c", "a&amp;b...c"),
    ],
)
def test_bare_addresses_of_the_host_are_short(address: str, shown: str) -> None:
    assert GITHUB.html(f'<a href="{address}" rel="noopener">{address}</a>') == (
        f'<a href="{address}" rel="noopener">{shown}</a>'
    )


@pytest.mark.parametrize(
    "address",
    [BASE, f"{BASE}/pull/12/files", f"{BASE}/pull/12#note", "https://x.test/acme/query/pull/12", f"{BASE}/wiki"],
)
def test_other_addresses_stay(address: str) -> None:
    html = f'<a href="{address}">{address}</a>'
    assert GITHUB.html(html) == html


def test_code_blocks_stand_between_chunks() -> None:
    source = MarkdownFile("x", "a #1\n\n```js\n#2 @octo\n```\n\nb #3\n", no_file)
    page = GITHUB.page(InProcessJobs().page(source))
    assert page.html().count('rel="noopener"') == 2
    assert "#2 @octo" in page.html()


@pytest.mark.parametrize("vector", SCRIPT_VECTORS)
def test_active_content_stays_inactive(vector: str) -> None:
    source = MarkdownFile("x", f"#1 @octo\n\n{vector} #2 @octo 3b0f0d6\n\n#3", no_file)
    assert dangers(GITHUB.page(InProcessJobs().page(source))) == []


@pytest.mark.parametrize(
    "part", ["#1 ", "@a-", "a/", "a.b/c#", "3b0f0d6", "<a>", "<", '<a "', "<code>", "a", "&lt;", "[", "-0"]
)
def test_linking_takes_linear_time(part: str) -> None:
    def write(size: int) -> object:
        return GITHUB.html(part * (size // len(part)))

    assert cpu_time_growth(write, 16_000) < MAX_LINEAR_GROWTH
