"""`kinfolk export` in a process of its own: the files of a small site, as a plain web server has them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.servers.kinfolk_process import RunningCommand, run_kinfolk
from tests.sites.sample_export import ORIGIN, SAMPLE_EXPORT, SMALL_EXPORT, environment, run_export
from tests.sites.sample_site import SITE
from tests.sites.site_crawl import local_targets

SERVER_ONLY = re.compile(r"/(?:_server|auth|login|dashboard|feedback|api|1|mcp)(?:/|$)")
CONTENT_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".xml": "application/xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".atom": "application/atom+xml",
}


@pytest.fixture(scope="module")
def shared(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export that other tests read."""
    assert built
    return SAMPLE_EXPORT.folder()


@pytest.fixture(scope="module")
def exported(shared: Path) -> Path:
    return shared / "site"


@dataclass(frozen=True)
class ChangedExport:
    """An export of the small site, with its docs and its cache, which tests change."""

    folder: Path

    @property
    def site(self) -> Path:
        return self.folder / "export"

    @property
    def docs(self) -> Path:
        return self.folder / "acme" / "repos" / "acme"

    @property
    def arguments(self) -> tuple[str, ...]:
        return "export", str(self.site), "--content", str(self.docs.parent), "--no-share-images", "--workers", "1"

    @property
    def environment(self) -> dict[str, str]:
        return environment(self.folder / "var", self.folder / "acme")

    def run(self) -> subprocess.CompletedProcess[str]:
        done = run_kinfolk(*self.arguments, environment=self.environment)
        assert done.returncode == 0, done.stderr[-3000:]
        return done


@pytest.fixture(scope="module")
def changed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> ChangedExport:
    assert built
    folder = tmp_path_factory.mktemp("export")
    shutil.copytree(SMALL_EXPORT.folder(), folder, dirs_exist_ok=True, symlinks=True)
    return ChangedExport(folder)


def file_at(folder: Path, url: str) -> Path | None:
    """The file that a plain web server returns for a URL of the site."""
    path = unquote(urlsplit(url).path).removeprefix("/below")
    file = folder / path.lstrip("/")
    if file.is_dir():
        file /= "index.html"
    return file if file.is_file() else None


def test_every_address_in_every_file_is_a_file_of_the_export(exported: Path) -> None:
    missing: dict[str, set[str]] = {}
    outside, server = set(), set()
    for file in exported.rglob("*"):
        kind = CONTENT_TYPES.get(file.suffix)
        name = file.relative_to(exported).as_posix()
        if kind is None or not file.is_file() or name.startswith((".", "_files/", "_examples/", "_data/", "_search/")):
            continue
        page = f"{ORIGIN}/{name.removesuffix('index.html')}"
        for target in local_targets(page, kind, file.read_text()):
            path = urlsplit(target).path
            if target != ORIGIN and not target.startswith(f"{ORIGIN}/"):
                outside.add((name, target))
            elif SERVER_ONLY.match(path.removeprefix("/below")) and name != "robots.txt":
                server.add((name, target))
            elif name != "robots.txt" and file_at(exported, target) is None:
                missing.setdefault(target, set()).add(name)
    assert (outside, server) == (set(), set())
    redirects = {to for to, names in missing.items() if any(is_redirect(exported / name) for name in names)}
    # Old addresses of pages that the sample docs do not have.
    assert missing.keys() - redirects == set()


def is_redirect(file: Path) -> bool:
    return 'http-equiv="refresh"' in file.read_text()[:2000]


def test_links_to_pages_lead_to_folders(exported: Path) -> None:
    page = (exported / "query/latest/docs/framework/react/overview/index.html").read_text()
    links = [path for path in re.findall(r'<a[^>]* href="(/below/[^"#?]*)', page) if "." not in path.rsplit("/", 1)[-1]]
    assert links
    assert all(link.endswith("/") for link in links)
    assert f'<link rel="canonical" href="{ORIGIN}/query/latest/docs/framework/react/overview/"/>' in page


def test_redirects_are_pages_and_lines_of_a_file(exported: Path) -> None:
    page = (exported / "query/index.html").read_text()
    assert 'content="0; url=/below/query/latest/"' in page
    assert f'<link rel="canonical" href="{ORIGIN}/query/latest/">' in page
    assert "/below/query /below/query/latest/ 301" in (exported / "_redirects").read_text().splitlines()


def test_missing_pages_have_a_file(exported: Path) -> None:
    page = (exported / "404.html").read_text()
    assert "404 Not Found" in page
    assert 'href="/below/"' in page


def test_texts_for_machines_are_files(exported: Path) -> None:
    names = ("robots.txt", "sitemap.xml", "llms.txt", "blog/feed.xml", "blog/feed.json", "site.webmanifest")
    of_version = ("query/latest/llms.txt", "query/latest/docs.zip")
    assert [name for name in (*names, *of_version) if not (exported / name).is_file()] == []
    markdown = (exported / "query/latest/docs/framework/react/overview.md").read_text()
    assert markdown.startswith(("---", "#"))


def test_code_is_highlighted(exported: Path) -> None:
    page = (exported / "query/latest/docs/framework/react/guides/caching/index.html").read_text()
    assert re.search(r'<figure class="code[^>]*>.*?<span class="', page, re.DOTALL)


def test_code_of_examples_is_highlighted(exported: Path) -> None:
    answers = [file.read_text() for file in (exported / "_data/example.file").iterdir()]
    code = [answer for answer in answers if re.search(r'"path":"[^"]*\.tsx?"', answer)]
    assert code
    assert [answer for answer in code if '<span class=\\"' not in answer] == []


def test_controls_of_the_server_are_not_on_pages(exported: Path) -> None:
    page = (exported / "query/latest/docs/framework/react/guides/caching/index.html").read_text()
    assert 'data-static=""' in page
    assert not re.search(r"Sign in|data-feedback|data-live=|data-bookmark|Dashboard", page)


def test_search_records_are_files(exported: Path) -> None:
    config = json.loads((exported / "_search/config.json").read_text())
    records = [record for file in config["files"]["latest"] for record in json.loads((exported / file[1:]).read_text())]
    assert any(record["url"].startswith("/query/latest/docs/") for record in records)
    assert config["ranking"]["synonyms"]


def test_second_export_writes_what_has_changed(changed: ChangedExport) -> None:
    page = changed.site / "tiles/latest/docs/overview/index.html"
    other = changed.site / "routes/latest/docs/overview/index.html"
    (changed.site / "routes/latest/extra.html").write_text("not of an export")
    before = other.stat().st_ino
    source = changed.docs / "tiles/main/docs/overview.md"
    source.write_text(source.read_text() + "\nA new sentence about ranges.\n")
    done = changed.run()
    assert "A new sentence about ranges." in page.read_text()
    assert other.stat().st_ino == before
    assert not (changed.site / "routes/latest/extra.html").exists()
    found = re.search(r" (\d+) are new or changed", done.stdout)
    assert found is not None
    assert 0 < int(found[1]) < 20


def test_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    export = tmp_path / "export"
    export.mkdir()
    (export / "mine.txt").write_text("mine")
    done = run_export(export, SITE / "repos", tmp_path / "var")
    assert done.returncode == 1
    assert "is not empty and is not an export of kinfolk" in done.stderr
    assert (export / "mine.txt").read_text() == "mine"


class Watch:
    """A `kinfolk export --watch` that is ready. Tests wait for what it writes."""

    def __init__(self, export: ChangedExport, command: RunningCommand) -> None:
        self.folder = export.site
        self.docs = export.docs
        self._command = command

    def wait_until(self, is_done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not is_done():
            assert time.monotonic() < deadline
            assert self._command.poll() is None, self._command.errors[-3000:]
            time.sleep(0.05)

    def wait_for(self, name: str, text: str) -> None:
        file = self.folder / name
        self.wait_until(lambda: file.is_file() and text in file.read_text())

    def wait_for_line(self, text: str) -> None:
        self.wait_until(lambda: text in self._command.output)


@pytest.fixture(scope="module")
def watch(changed: ChangedExport) -> Iterator[Watch]:
    with RunningCommand(*changed.arguments, "--watch", environment=changed.environment) as command:
        watch = Watch(changed, command)
        watch.wait_for_line("Ready.")
        yield watch


def test_an_edit_is_exported_while_watching(watch: Watch) -> None:
    source = watch.docs / "tiles/main/docs/overview.md"
    source.write_text(source.read_text() + "\nA sentence of the watched edit.\n")
    watch.wait_for("tiles/latest/docs/overview/index.html", "A sentence of the watched edit.")
    watch.wait_for("tiles/latest/docs/overview.md", "A sentence of the watched edit.")
    watch.wait_for("tiles/latest/llms-full.txt", "A sentence of the watched edit.")
    watch.wait_for("_search/tiles.latest.json", "A sentence of the watched edit.")
    watch.wait_for_line("the search are current")


def test_pages_are_added_and_removed_while_watching(watch: Watch) -> None:
    source = watch.docs / "tiles/main/docs/added.md"
    page = watch.folder / "tiles/latest/docs/added/index.html"
    for title in ("First title", "Second title"):
        source.write_text(f"---\ntitle: {title}\n---\nText\n")
        watch.wait_for("tiles/latest/docs/added/index.html", title)
        watch.wait_for("tiles/latest/docs/added.md", title)
        watch.wait_for("tiles/latest/llms-full.txt", title)
        source.unlink()
        watch.wait_until(lambda: is_redirect(page) and not page.parent.with_suffix(".md").exists())


def test_linked_page_is_exported_when_it_is_added(watch: Watch) -> None:
    source = watch.docs / "tiles/main/docs/overview.md"
    before = source.read_text()
    source.write_text(f"{before}\n[The missing page](./linked.md)\n")
    watch.wait_for("tiles/latest/docs/overview/index.html", "The missing page")
    (watch.docs / "tiles/main/docs/linked.md").write_text("# Linked\n")
    watch.wait_for("tiles/latest/docs/linked/index.html", "Linked")
    watch.wait_for("tiles/latest/docs/overview/index.html", 'href="/below/tiles/latest/docs/linked/"')


def test_changed_title_changes_the_pages_that_show_it(watch: Watch) -> None:
    source = watch.docs / "routes/main/docs/guide.md"
    source.write_text(re.sub("(?m)^title: .*$", "title: Another title", source.read_text(), count=1))
    watch.wait_for("routes/latest/docs/guide/index.html", "Another title")
