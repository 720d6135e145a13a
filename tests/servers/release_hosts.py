"""Lists of releases as GitHub, GitLab and Forgejo answer them, for the stand-in of `figure_servers`.

with serve_figures() as server:
    server.replies["/repos/acme/query/releases"] = release_pages([release("v1.0.0", "- a")])
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from tests.servers.figure_servers import Reply, send

FIRST_DAY = datetime(2026, 1, 1, 12, tzinfo=UTC)


def release(tag: str, body: object = "", *, day: int = 0, **others: object) -> dict[str, object]:
    """A release of GitHub or Forgejo; `day` counts from the first of January 2026."""
    published = (FIRST_DAY + timedelta(days=day)).isoformat().replace("+00:00", "Z")
    facts = {"tag_name": tag, "name": tag, "body": body, "draft": False, "prerelease": False, "published_at": published}
    return {"id": 1, "html_url": "https://x.test", **facts, **others}


def gitlab_release(tag: str, description: object = "", **others: object) -> dict[str, object]:
    facts = {"tag_name": tag, "name": tag, "description": description, "released_at": "2026-01-01T14:00:00.000+02:00"}
    return {"upcoming_release": False, **facts, **others}


def many_releases(count: int) -> list[dict[str, object]]:
    """Releases with the newest first."""
    return [release(f"v1.{number}.0", f"- change {number}", day=number) for number in range(count, 0, -1)]


def release_pages(releases: Sequence[dict[str, object]], *, links: bool = True, most: int = 100) -> Reply:
    """The requested page of a list, which tests may change. `links` says whether answers have a Link header."""

    def reply(handler: BaseHTTPRequestHandler) -> None:
        query = parse_qs(urlsplit(handler.path).query)
        size = min(int((query.get("per_page") or query["limit"])[0]), most)
        page = int(query["page"][0])
        listed = releases[(page - 1) * size : page * size]
        following = f'<http://127.0.0.1/?page={page + 1}>; rel="next"'
        link = {"link": following} if links and page * size < len(releases) else {}
        send(handler, 200, json.dumps(listed), link)

    return reply


def page_of(handler: BaseHTTPRequestHandler) -> int:
    """The page that a request names."""
    return int(parse_qs(urlsplit(handler.path).query)["page"][0])
