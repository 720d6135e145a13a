"""A site with previews of pull requests: the library of `released_site`, and heads in its upstream repository."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from pathlib import Path

from tests.sites.released_site import TILES, released_environment
from tests.unit.content.sources.git.sources_upstream import Upstreams, git

from kinfolk.config.docs_address import Ref

SECRET = "a secret between two"


def previewed_environment(folder: Path) -> dict[str, str]:
    """The variables of the site, which has no pull requests yet."""
    return released_environment(folder) | {"KINFOLK_PREVIEWS": "200", "KINFOLK_WEBHOOK_SECRET": SECRET}


class PullRequests:
    """Pull requests in the upstream repository of `previewed_environment`."""

    def __init__(self, folder: Path) -> None:
        self.upstreams = Upstreams(folder / "upstream", commits=100)

    def push(
        self,
        number: int,
        files: Mapping[str, str | bytes],
        *,
        base: str = "refs/heads/main",
        mode: str = "100644",
        replace: bool = False,
    ) -> str:
        """Set the head of a pull request to a commit with these files on top of `base`. Returns the commit."""
        here = f"--git-dir={self.upstreams.path(TILES)}"
        branch = Ref(TILES.repo, f"work-{number}")
        git(here, "update-ref", f"refs/heads/{branch.branch}", base)
        head = self.upstreams.commit(branch, files, mode=mode, replace=replace)
        git(here, "update-ref", f"refs/pull/{number}/head", head)
        git(here, "update-ref", "-d", f"refs/heads/{branch.branch}")
        return head


def event(number: int, head: str, *, title: str = "Better words", state: str = "open", base: str = "main") -> bytes:
    """The body of GitHub's event about a pull request."""
    request = {
        "title": title,
        "state": state,
        "draft": False,
        "merged": False,
        "user": {"login": "ada"},
        "base": {"ref": base},
        "head": {"sha": head},
    }
    return json.dumps(
        {"action": "opened", "number": number, "repository": {"full_name": "acme/tiles"}, "pull_request": request}
    ).encode()


def signed(body: bytes, *, secret: str = SECRET) -> dict[str, str]:
    """GitHub's headers of an event about a pull request."""
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"x-hub-signature-256": f"sha256={digest}", "x-github-event": "pull_request"}
