"""`kinfolk dev` follows the files of a new site, and shows what is wrong with them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from tests.serving import free_port

TIMEOUT_S = 60


@dataclass
class Development:
    """A running `kinfolk dev`, and the events of one browser."""

    url: str
    site: Path
    events: Iterator[tuple[str, object]]

    def until(self, name: str) -> object:
        """The data of the next event with this name."""
        for found, data in self.events:
            if found == name:
                return data
        raise AssertionError(f"the stream ended before {name}")

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, timeout=TIMEOUT_S)


def parsed(lines: Iterator[str]) -> Iterator[tuple[str, object]]:
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


@pytest.fixture
def development(built: Path, tmp_path: Path) -> Iterator[Development]:
    assert built
    site, port = tmp_path / "acme", free_port()
    environment = {name: value for name, value in os.environ.items() if name != "KINFOLK_SITE"}
    run = [sys.executable, "-m", "kinfolk"]
    subprocess.run([*run, "new", str(site), "--name", "Acme"], check=True, env=environment)
    (site / "pages").mkdir()
    process = subprocess.Popen(
        [*run, "dev", "--port", str(port)], cwd=site, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.startswith("Open "):
                break
        url = f"http://127.0.0.1:{port}"
        with httpx.stream("GET", f"{url}/_dev/events", timeout=TIMEOUT_S) as stream:
            made = Development(url, site, parsed(stream.iter_lines()))
            assert made.until("problems") == []
            yield made
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=15)
        assert process.returncode == 0


def test_page_has_the_script_and_follows_its_file(development: Development) -> None:
    path = "/acme/latest/docs/overview"
    assert "/_dev/client.js" in development.get(path).text
    page = development.site / "docs/overview.md"
    page.write_text(page.read_text() + "\n\nA sentence of its own.\n")
    development.until("reload")
    assert "A sentence of its own." in development.get(path).text


def test_posts_and_configuration_are_followed(development: Development) -> None:
    post = development.site / "blog/first-post.md"
    post.write_text(post.read_text() + "\n\nMore words.\n")
    development.until("reload")
    assert "More words." in development.get("/blog/first-post").text
    configuration = development.site / "kinfolk.toml"
    configuration.write_text(configuration.read_text() + '\n[[footer]]\nlabel = "A new link"\nto = "/blog"\n')
    development.until("reload")
    assert "A new link" in development.get("/").text


def test_invalid_configuration_is_shown_and_the_last_valid_site_stays(development: Development) -> None:
    configuration = development.site / "kinfolk.toml"
    valid = configuration.read_text()
    configuration.write_text(valid + "\nzip = 5\n")
    problems = development.until("problems")
    line = len(valid.splitlines()) + 2
    assert problems == [{"file": "kinfolk.toml", "line": line, "reason": "zip is not a known key"}]
    assert development.get("/").status_code == 200
    configuration.write_text(valid)
    assert development.until("problems") == []


def test_invalid_front_matter_of_a_post_is_shown(development: Development) -> None:
    post = development.site / "blog/first-post.md"
    valid = post.read_text()
    post.write_text(valid.replace("published: ", "published: soon "))
    assert development.until("problems") == [
        {"file": "blog/first-post.md", "line": 4, "reason": "published should be a date such as 2026-11-21"}
    ]
    post.write_text(valid)
    assert development.until("problems") == []
