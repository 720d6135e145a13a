"""`kinfolk dev`: what a change needs, where a fault is, and the script in pages."""

from __future__ import annotations

import asyncio
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.types import Message

from kinfolk.cli.dev.dev_app import DevApp
from kinfolk.cli.dev.page_script import with_client
from kinfolk.cli.dev.page_version import PageVersion
from kinfolk.cli.dev.problems import Problem, configuration_problems, line_of_key
from kinfolk.cli.dev.watcher import Effect, branches_of, effect_of
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.sources.file_changes import until_complete

SITE = Path("/site")


@pytest.mark.parametrize(
    ("changed", "effect"),
    [
        ("kinfolk.toml", Effect.REOPEN),
        ("libraries/widgets.toml", Effect.REOPEN),
        ("libraries/widgets/logo.svg", Effect.REOPEN),
        ("theme.css", Effect.REOPEN),
        ("blog/news.md", Effect.REFRESH),
        ("pages/guides/start.md", Effect.REFRESH),
        ("docs/overview.md", Effect.REFRESH),
        ("repos/acme/gears/main/docs/overview.md", Effect.REFRESH),
    ],
)
def test_effect_of_a_change_in_a_site_that_is_a_checkout(settings: Settings, changed: str, effect: Effect) -> None:
    assert effect_of(SITE / changed, settings_of(settings), [SITE]) is effect


def test_checkout_beside_the_site_is_docs_only(settings: Settings) -> None:
    gears, settings = Path("/gears"), settings_of(settings)
    assert effect_of(gears / "docs/mkdocs.toml", settings, [gears]) is Effect.REFRESH
    assert effect_of(Path("/elsewhere/a.md"), settings, [gears]) is Effect.NOTHING
    assert effect_of(SITE / "other/file.txt", settings, [gears]) is Effect.REOPEN


def test_effect_of_files_of_the_frontend(settings: Settings) -> None:
    settings = settings_of(settings)
    assert effect_of(settings.frontend / "ssr/manifest.json", settings, []) is Effect.RENDER
    assert effect_of(settings.frontend / "ssr/problems.json", settings, []) is Effect.REPORT
    assert effect_of(settings.frontend / "ssr/ssr.js", settings, []) is Effect.NOTHING


def test_branches_of_changed_files() -> None:
    widgets, gears, gears_v1 = Ref("acme/widgets", "main"), Ref("acme/gears", "main"), Ref("acme/gears", "v1/x")
    folders = {widgets: SITE, gears: SITE / "repos/acme/gears/main", gears_v1: SITE / "repos/acme/gears/v1/x"}
    assert branches_of([SITE / "docs/a.md"], folders) == {widgets}
    assert branches_of([SITE / "repos/acme/gears/v1/x/docs/a.md"], folders) == {widgets, gears_v1}
    assert branches_of([Path("/elsewhere/a.md")], folders) == frozenset()


def test_empty_and_missing_files_are_waited_for(tmp_path: Path) -> None:
    truncated, renamed = tmp_path / "a.md", tmp_path / "b.md"
    truncated.write_text("")

    async def run() -> tuple[bool, bool]:
        waiting = asyncio.create_task(until_complete([truncated, renamed]))
        await asyncio.sleep(0)
        was_waiting = not waiting.done()
        truncated.write_text("text")
        renamed.write_text("text")
        await waiting
        complete = asyncio.create_task(until_complete([truncated, renamed, tmp_path / "folder"]))
        await asyncio.sleep(0)
        return was_waiting, complete.done()

    assert asyncio.run(run()) == (True, True)


def test_deleted_file_is_not_waited_for_forever(tmp_path: Path) -> None:
    asyncio.run(until_complete([tmp_path / "deleted.md"]))


PAGE = (
    "<html><head><title>Start</title><meta name='description' content='a'>"
    '<script type="application/json" data-boot="/assets/b.js"></script></head>'
    "<body><nav>Menu</nav>"
    '<main id="Site-content"><p>Text</p></main><nav id="Site-outline"><a>One</a></nav><footer>Links</footer>'
    '<script type="application/json" id="answers">{"digest":"1"}</script></body></html>'
)


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("<p>Text</p>", "<p>Words</p>", {"main": '<main id="Site-content"><p>Words</p></main>'}),
        ("<a>One</a>", "<a>Two</a>", {".toc": '<nav id="Site-outline"><a>Two</a></nav>'}),
        ("content='a'", "content='b'", {}),
        ("<title>Start", "<title>Begin", {"title": "<title>Begin</title>"}),
        (
            "b.js",
            "b2.js",
            {"script[data-boot]": '<script type="application/json" data-boot="/assets/b2.js"></script>'},
        ),
        ("Menu", "Another menu", None),
        ("Links", "Other links", None),
        ('<nav id="Site-outline"><a>One</a></nav>', "", None),
        ("<p>Text</p>", '<div role="tree"></div>', None),
        (PAGE, "<p>Not found</p>", None),
    ],
)
def test_parts_of_a_page_that_have_changed(old: str, new: str, changed: dict[str, str] | None) -> None:
    after = PAGE.replace(old, new)
    assert PageVersion.of(PAGE.encode()).changed_parts(PageVersion.of(after.encode())) == changed


def settings_of(settings: Settings) -> Settings:
    return replace(settings, site=SITE, content=SITE / "repos", frontend=Path("/frontend"))


TOML = """\
family = "Acme"

[home]
claim = "Words"

[[menu]]
label = "Blog"
to = "/blog"

[[menu]]
label = "Docs"
to = "docs"
"""


@pytest.mark.parametrize(
    ("key", "line"),
    [("family", 1), ("home.claim", 4), ("menu[1].to", 12), ("menu[0].to", 8), ("menu[1]", 10), ("menu", 6), ("x.y", 0)],
)
def test_line_of_a_key(key: str, line: int) -> None:
    assert line_of_key(TOML, key) == line


def test_problems_of_the_configuration_name_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "libraries/widgets.toml").write_text('repo = "acme/widgets"\nzip = 5\n')
    (tmp_path / "kinfolk.toml").write_text('family = "Acme"\n\n[home\n')
    problems = configuration_problems(tmp_path, tmp_path)
    assert [(problem.file, problem.line) for problem in problems] == [
        ("kinfolk.toml", 3),
        ("libraries/widgets.toml", 2),
    ]
    assert str(problems[1]) == "libraries/widgets.toml:2: zip is not a known key"
    assert str(Problem("a.md", 0, "is empty")) == "a.md: is empty"


def sent_with_script(*messages: Message) -> list[Message]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def run() -> None:
        added = with_client(send, lambda html: b"<script>%d</script>" % len(html))
        for message in messages:
            await added(message)

    asyncio.run(run())
    return sent


def start(content_type: str, status: int = 200) -> Message:
    headers = [(b"content-type", content_type.encode()), (b"content-length", b"5"), (b"etag", b'"x"')]
    return {"type": "http.response.start", "status": status, "headers": headers}


def test_html_gets_the_script_and_its_new_length() -> None:
    head, body = sent_with_script(
        start("text/html; charset=utf-8"),
        {"type": "http.response.body", "body": b"<body>Hi", "more_body": True},
        {"type": "http.response.body", "body": b"</body>"},
    )
    headers = dict(head["headers"])
    assert body["body"] == b"<body>Hi<script>15</script></body>"
    assert headers[b"content-length"] == b"%d" % len(body["body"])
    assert b"etag" not in headers


def test_other_responses_are_unchanged() -> None:
    messages = [start("text/css"), {"type": "http.response.body", "body": b"</body>"}]
    assert sent_with_script(*messages) == messages
    not_modified = [start("text/html", 304), {"type": "http.response.body", "body": b""}]
    assert sent_with_script(*not_modified) == not_modified


def test_isolates_are_replaced_after_a_build(tmp_path: Path, settings: Settings, built: Path) -> None:
    frontend = Path(shutil.copytree(built / "ssr", tmp_path / "frontend/ssr")).parent
    ours = replace(settings, frontend=frontend, renderers=1)
    app = DevApp(lambda: ours, lambda _: None)
    first = app.isolates_of(ours)
    assert app.isolates_of(ours) is first
    os.utime(frontend / "ssr/manifest.json", ns=(1, 1))
    assert app.isolates_of(ours) is not first
    app.close_shared()
