"""Git connects to the addresses of a remote that were checked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kinfolk.content.sources.git.git_command import GitFailed, connection_settings


def finds(*addresses: str) -> Sequence[str]:
    return addresses


def test_git_gets_the_checked_addresses() -> None:
    settings = connection_settings(
        "https://github.com/TanStack/query.git", lambda *_: finds("2606:50c0::1", "140.82.112.3")
    )
    assert settings == ("http.curloptResolve=github.com:443:[2606:50c0::1],140.82.112.3",)


def test_code_host_of_the_operator_may_be_private() -> None:
    settings = connection_settings("http://git.acme.test:3000/query.git", lambda *_: finds("10.0.0.7"))
    assert settings == ("http.curloptResolve=git.acme.test:3000:10.0.0.7",)


def test_public_code_host_with_a_private_address_fails() -> None:
    with pytest.raises(GitFailed, match="private"):
        connection_settings("https://github.com/TanStack/query.git", lambda *_: finds("169.254.169.254"))


@pytest.mark.parametrize(
    "remote", ["", "/srv/git/query.git", "git@github.com:TanStack/query.git", "ssh://git@acme.test/a"]
)
def test_remote_without_http_has_no_settings(remote: str) -> None:
    assert connection_settings(remote) == ()
