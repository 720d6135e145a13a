"""Cache tags of responses."""

from __future__ import annotations

import re

import pytest

from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import (
    ALL_CONTENT,
    BLOG,
    MANY_BROAD,
    MOST_TAGS,
    PENDING_CODE,
    BranchDates,
    BranchFrontMatter,
    BranchRevision,
    Dependency,
    DeprecatedPages,
    DirectoryListing,
    ExampleContents,
    FileContent,
    FrameworkTitles,
    PendingHighlight,
    cache_tag_header,
    cdn_purge_tags,
    cdn_tag,
    few_purge_tags,
    library_figures,
    npm_package,
    prose_page,
    purge_tags,
)

MAIN = Ref("acme/query", "main")
FILES = tuple(FileContent(MAIN, f"docs/guides/{number}.md") for number in range(100))
KINDS: tuple[Dependency, ...] = (
    FileContent(MAIN, "docs/ü, x#files.md"),
    DirectoryListing(MAIN),
    BranchFrontMatter(MAIN),
    FrameworkTitles(MAIN, "react", is_reference=True),
    DeprecatedPages(MAIN),
    BranchDates(MAIN),
    ExampleContents(MAIN),
    BranchRevision(MAIN),
    PendingHighlight("5d41402abc4b"),
    BLOG,
    prose_page("support"),
    npm_package("@acme/query"),
    library_figures("query"),
)


def header_of(*dependencies: Dependency) -> list[str]:
    return cache_tag_header(purge_tags(dependencies)).split(",")


def purged_by(dependency: Dependency) -> frozenset[str]:
    return cdn_purge_tags(purge_tags([dependency]))


def test_tag_is_the_beginning_of_a_digest_that_a_shell_computes() -> None:
    # printf %s 'acme/query@main:docs/overview.md' | sha256sum | cut -c1-10
    assert cdn_tag("acme/query@main:docs/overview.md") == "d4ac7337d3"


def test_tags_of_a_header_are_short_and_in_order() -> None:
    tags = header_of(*KINDS)
    assert tags == sorted(tags)
    assert len(tags) == len(KINDS) + len({"acme/query@main:**", "page:**", "npm:**", "figures:**"})
    assert all(re.fullmatch("[0-9a-f]{10}", tag) for tag in tags)


@pytest.mark.parametrize("dependency", KINDS, ids=str)
@pytest.mark.parametrize("others", [0, 100, 10_000], ids=["few tags", "a branch of many tags", "many branches"])
def test_purge_of_a_dependency_concerns_every_response_that_has_it(dependency: Dependency, others: int) -> None:
    branches = (DirectoryListing(Ref(f"acme/{number}", "main")) for number in range(others // 100))
    tags = header_of(dependency, *FILES[:others], *branches)
    assert len(tags) <= MOST_TAGS
    assert purged_by(dependency) & set(tags)


def test_purge_concerns_no_response_without_the_dependency() -> None:
    many_of_a_branch = header_of(*FILES, *map(npm_package, map(str, range(100))))
    assert not purged_by(FILES[0]) & set(header_of(*FILES[1:5], BLOG))
    assert not purged_by(FileContent(Ref("acme/query", "v1"), "docs/guides/0.md")) & set(many_of_a_branch)
    assert not purged_by(BLOG) & set(many_of_a_branch)


def test_branch_with_the_most_tags_gets_one_tag() -> None:
    of_other_branch = FileContent(Ref("acme/query", "v1"), "docs/overview.md")
    assert set(header_of(*FILES, of_other_branch, BLOG)) == {
        cdn_tag("acme/query@main:*"),
        cdn_tag("acme/query@main:**"),
        cdn_tag("acme/query@v1:docs/overview.md"),
        cdn_tag("acme/query@v1:**"),
        cdn_tag("blog"),
    }


def test_response_of_too_many_branches_has_two_tags() -> None:
    branches = (DirectoryListing(Ref(f"acme/{number}", "main")) for number in range(120))
    assert set(header_of(*branches, BLOG)) == {cdn_tag(ALL_CONTENT), cdn_tag(MANY_BROAD)}


@pytest.mark.parametrize("dependency", KINDS, ids=str)
@pytest.mark.parametrize("most", [100, 5, 3])
def test_purge_of_many_tags_as_few_concerns_every_response_that_has_one(dependency: Dependency, most: int) -> None:
    stale = purge_tags([dependency, *FILES])
    few = few_purge_tags(stale, most=most)
    if few is not None:
        assert len(few) <= most
        many_branches = (DirectoryListing(Ref(f"acme/{number}", "main")) for number in range(120))
        for tags in (header_of(dependency), header_of(dependency, *FILES), header_of(dependency, *many_branches)):
            if isinstance(dependency, PendingHighlight):
                continue
            assert few & set(tags)


def test_few_stale_tags_are_purged_as_they_are() -> None:
    stale = purge_tags([FILES[0], BLOG])
    assert few_purge_tags(stale, most=10) == cdn_purge_tags(stale)


def test_purge_of_too_many_branches_and_names_concerns_everything() -> None:
    stale = purge_tags([*map(prose_page, "abc"), *map(npm_package, "abc"), BLOG])
    assert few_purge_tags(stale, most=3) is None


def test_code_that_is_shown_plain_has_one_tag() -> None:
    assert header_of(PendingHighlight("a"), PendingHighlight("b")) == [cdn_tag(PENDING_CODE)]


def test_purge_of_nothing_has_no_tags() -> None:
    assert cdn_purge_tags(()) == frozenset()
