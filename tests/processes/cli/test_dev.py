"""`kinfolk dev` follows the files of a new site, and shows what is wrong with them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.sites.dev_site import DevSite, developing

DIGEST = re.compile('data-page-digest="([0-9a-f]+)"')
TIMEOUT_S = 60


@dataclass
class Development:
    """A running `kinfolk dev`."""

    site: DevSite

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.site.url + path, timeout=TIMEOUT_S)

    @contextmanager
    def browser(self, page: str = "") -> Iterator[Events]:
        """The events of a browser that shows a page."""
        found = DIGEST.search(self.get(page).text) if page else None
        query = {"page": page, "digest": found[1] if found else ""}
        with httpx.stream("GET", f"{self.site.url}/_dev/events", params=query, timeout=TIMEOUT_S) as stream:
            events = Events(parsed(stream.iter_lines()))
            assert events.until("problems") == []
            yield events


@dataclass
class Events:
    """The events of a stream: name and data."""

    all: Iterator[tuple[str, Any]]

    def until(self, name: str) -> Any:
        """The data of the next event with this name."""
        for found, data in self.all:
            if found == name:
                return data
        raise AssertionError(f"the stream ended before {name}")

    def until_problems(self) -> Any:
        """The next problems. A change before the stream began may report that there are none."""
        while not (problems := self.until("problems")):
            pass
        return problems

    def until_solved(self) -> None:
        """Read up to the event without problems. A check that began before the file was mended reports them again."""
        while self.until("problems"):
            pass


def parsed(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


@pytest.fixture(scope="module")
def development(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Development]:
    with developing(tmp_path_factory.mktemp("dev") / "acme", built) as site:
        yield Development(site)


def test_changed_text_is_sent_to_browsers_with_the_page(development: Development) -> None:
    path = "/acme/latest/docs/overview"
    file = development.site.folder / "docs/overview.md"
    with development.browser(path) as events:
        file.write_text(file.read_text() + "\n\nA sentence of its own.\n")
        update = events.until("update")
        assert "A sentence of its own." in update["parts"]["main"]
        html = development.get(path).text
        assert "A sentence of its own." in html
        assert f'data-page-digest="{update["digest"]}"' in html
        file.write_text(file.read_text() + "\n## Another heading\n")
        assert "Another heading" in events.until("update")["parts"][".toc"]


def test_browser_with_an_older_version_loads_the_page_again(development: Development) -> None:
    query = {"page": "/acme/latest/docs/overview", "digest": "0"}
    with httpx.stream("GET", f"{development.site.url}/_dev/events", params=query, timeout=TIMEOUT_S) as stream:
        Events(parsed(stream.iter_lines())).until("reload")


def test_posts_and_configuration_are_followed(development: Development) -> None:
    folder = development.site.folder
    with development.browser("/blog/first-post") as events:
        post = folder / "blog/first-post.md"
        post.write_text(post.read_text() + "\n\nMore words.\n")
        assert "More words." in events.until("update")["parts"]["main"]
        configuration = folder / "kinfolk.toml"
        before = configuration.read_text()
        configuration.write_text(before + '\n[[footer]]\nlabel = "A new link"\nto = "/blog"\n')
        events.until("reload")
        assert "A new link" in development.get("/").text
        configuration.write_text(before)
        events.until("reload")


def test_page_with_another_title_is_loaded_again(development: Development) -> None:
    file = development.site.folder / "docs/overview.md"
    with development.browser("/acme/latest/docs/overview") as events:
        # Another one in each run.
        file.write_text(re.sub("(?m)^title: .*$", f"title: Introduction {time.time_ns()}", file.read_text()))
        events.until("reload")


def test_invalid_configuration_is_shown_and_the_last_valid_site_stays(development: Development) -> None:
    configuration = development.site.folder / "kinfolk.toml"
    valid = configuration.read_text()
    with development.browser() as events:
        configuration.write_text(valid + "\nzip = 5\n")
        problems = events.until_problems()
        line = len(valid.splitlines()) + 2
        assert problems == [{"file": "kinfolk.toml", "line": line, "reason": "zip is not a known key"}]
        assert development.get("/").status_code == 200
        configuration.write_text(valid)
        events.until_solved()


def test_invalid_front_matter_of_a_post_is_shown(development: Development) -> None:
    post = development.site.folder / "blog/first-post.md"
    valid = post.read_text()
    with development.browser() as events:
        post.write_text(valid.replace("published: ", "published: soon "))
        assert events.until_problems() == [
            {"file": "blog/first-post.md", "line": 4, "reason": "published should be a date such as 2026-11-21"}
        ]
        post.write_text(valid)
        events.until_solved()
