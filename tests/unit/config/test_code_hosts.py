"""The address rules of each code host."""

from __future__ import annotations

import pytest

from kinfolk.config.code_hosts import CodeHost, code_host, codesandbox, netlify, stackblitz

REPO, BRANCH, FILE = "acme/tiles", "release/2.x", "docs/a b.md"
GITHUB, GITLAB, CODEBERG = code_host(), code_host("gitlab"), code_host("codeberg")
OWN_GITLAB = code_host("gitlab", "https://git.acme.example/")
OWN_FORGEJO = code_host("codeberg", "https://forge.acme.example")
ENTERPRISE = code_host("github", "https://github.acme.example")

ADDRESSES = [
    (GITHUB, "file", "https://github.com/acme/tiles/blob/release/2.x/docs/a%20b.md"),
    (GITHUB, "folder", "https://github.com/acme/tiles/tree/release/2.x/docs/a%20b.md"),
    (GITHUB, "edit", "https://github.com/acme/tiles/edit/release/2.x/docs/a%20b.md"),
    (GITHUB, "history", "https://github.com/acme/tiles/commits/release/2.x/docs/a%20b.md"),
    (GITHUB, "raw", "https://raw.githubusercontent.com/acme/tiles/release/2.x/docs/a%20b.md"),
    (ENTERPRISE, "raw", "https://github.acme.example/acme/tiles/raw/release/2.x/docs/a%20b.md"),
    (GITLAB, "file", "https://gitlab.com/acme/tiles/-/blob/release/2.x/docs/a%20b.md"),
    (GITLAB, "folder", "https://gitlab.com/acme/tiles/-/tree/release/2.x/docs/a%20b.md"),
    (GITLAB, "edit", "https://gitlab.com/acme/tiles/-/edit/release/2.x/docs/a%20b.md"),
    (GITLAB, "history", "https://gitlab.com/acme/tiles/-/commits/release/2.x/docs/a%20b.md"),
    (OWN_GITLAB, "raw", "https://git.acme.example/acme/tiles/-/raw/release/2.x/docs/a%20b.md"),
    (CODEBERG, "file", "https://codeberg.org/acme/tiles/src/branch/release/2.x/docs/a%20b.md"),
    (CODEBERG, "folder", "https://codeberg.org/acme/tiles/src/branch/release/2.x/docs/a%20b.md"),
    (CODEBERG, "edit", "https://codeberg.org/acme/tiles/_edit/release/2.x/docs/a%20b.md"),
    (CODEBERG, "history", "https://codeberg.org/acme/tiles/commits/branch/release/2.x/docs/a%20b.md"),
    (OWN_FORGEJO, "raw", "https://forge.acme.example/acme/tiles/raw/branch/release/2.x/docs/a%20b.md"),
]


@pytest.mark.parametrize(("host", "kind", "address"), ADDRESSES)
def test_addresses_of_files(host: CodeHost, kind: str, address: str) -> None:
    assert getattr(host, kind)(REPO, BRANCH, FILE) == address


@pytest.mark.parametrize(
    ("host", "label"),
    [
        (GITHUB, "GitHub"),
        (ENTERPRISE, "GitHub"),
        (OWN_GITLAB, "GitLab"),
        (CODEBERG, "Codeberg"),
        (OWN_FORGEJO, "Forgejo"),
    ],
)
def test_labels(host: CodeHost, label: str) -> None:
    assert host.label == label


@pytest.mark.parametrize("host", [GITHUB, ENTERPRISE, GITLAB, OWN_GITLAB, CODEBERG, OWN_FORGEJO])
def test_raw_path_reverses_raw(host: CodeHost) -> None:
    assert host.raw_path(host.raw(REPO, BRANCH, FILE)) == f"/{REPO}/{BRANCH}/{FILE}"


def test_addresses_of_other_hosts_have_no_raw_path() -> None:
    assert GITLAB.raw_path(GITHUB.raw(REPO, BRANCH, FILE)) is None
    assert GITHUB.raw_path("ftp://raw.githubusercontent.com/a/b/main/c.png") is None
    assert GITLAB.raw_path("https://gitlab.com/acme/tiles/-/blob/main/a.png") is None
    assert GITHUB.raw_path("https://github.com/acme/tiles/blob/main/a.png") is None


@pytest.mark.parametrize(
    ("host", "issues", "discussions"),
    [
        (GITHUB, "https://github.com/acme/tiles/issues", "https://github.com/acme/tiles/discussions"),
        (GITLAB, "https://gitlab.com/acme/tiles/-/issues", None),
        (CODEBERG, "https://codeberg.org/acme/tiles/issues", None),
    ],
)
def test_places_for_questions(host: CodeHost, issues: str, discussions: str | None) -> None:
    assert (host.issues(REPO), host.discussions(REPO)) == (issues, discussions)


def test_new_issues_are_filled_in() -> None:
    assert GITHUB.new_issue(REPO, title="A b", body="c").endswith("/issues/new?title=A+b&body=c")
    assert GITLAB.new_issue(REPO, title="A b", body="c").endswith("/-/issues/new?issue[title]=A+b&issue[description]=c")


def test_history_of_a_branch() -> None:
    assert CODEBERG.history(REPO, "main") == "https://codeberg.org/acme/tiles/commits/branch/main"


def test_services_get_only_hosts_that_they_read() -> None:
    place = (REPO, "main", "examples/a")
    assert stackblitz(GITHUB, *place) == "https://stackblitz.com/github/acme/tiles/tree/main/examples/a"
    assert [stackblitz(host, *place) for host in (GITLAB, CODEBERG, ENTERPRISE)] == [None, None, None]
    assert codesandbox(GITLAB, *place) is None
    assert netlify(GITLAB, REPO, "examples/a") is not None
    assert [netlify(host, REPO, "a") for host in (CODEBERG, OWN_GITLAB)] == [None, None]


@pytest.mark.parametrize(
    ("host", "release", "file", "commit"),
    [
        (GITHUB, "releases/tag/v1", "blob/v1/docs/a%20b.md", "commit/abc1234"),
        (GITLAB, "-/releases/v1", "-/blob/v1/docs/a%20b.md", "-/commit/abc1234"),
        (CODEBERG, "releases/tag/v1", "src/tag/v1/docs/a%20b.md", "commit/abc1234"),
    ],
)
def test_addresses_of_a_release(host: CodeHost, release: str, file: str, commit: str) -> None:
    repository = host.repository(REPO)
    assert host.release(REPO, "v1") == f"{repository}/{release}"
    assert host.at_tag(REPO, "v1", FILE) == f"{repository}/{file}"
    assert host.commit(REPO, "abc1234") == f"{repository}/{commit}"


@pytest.mark.parametrize(
    ("host", "api"),
    [
        (GITHUB, "https://api.github.com"),
        (ENTERPRISE, "https://github.acme.example/api/v3"),
        (OWN_GITLAB, "https://git.acme.example/api/v4"),
        (OWN_FORGEJO, "https://forge.acme.example/api/v1"),
    ],
)
def test_address_of_the_api(host: CodeHost, api: str) -> None:
    assert host.api == api


def test_raw_files_of_a_release() -> None:
    assert CODEBERG.raw_at_tag("a/b", "v1", "x.png") == "https://codeberg.org/a/b/raw/tag/v1/x.png"
    assert GITHUB.raw_at_tag("a/b", "v1", "x.png") == "https://raw.githubusercontent.com/a/b/v1/x.png"


def test_issues_and_merge_requests() -> None:
    assert GITLAB.merge_request("a/b", 7) == "https://gitlab.com/a/b/-/merge_requests/7"
    assert GITHUB.merge_request("a/b", 7) is None
    assert GITLAB.issue("a/b", 7) == "https://gitlab.com/a/b/-/issues/7"
    assert GITLAB.profile("acme") == "https://gitlab.com/acme"
