"""Previews of pull requests, from the webhook to their pages. Upstream is a real repository."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html
from lxml.html import HtmlElement
from starlette.testclient import TestClient
from tests.http.html_pages import texts
from tests.inputs.script_vectors import COMPONENT_VECTORS, SCRIPT_VECTORS, dangers_of
from tests.inputs.word_checks import WordChecker, WordTypes
from tests.servers.comment_hosts import CommentServer, serve_comments
from tests.sites.previewed_site import SECRET, PullRequests, event, previewed_environment, signed
from tests.sites.released_site import PIXEL
from tests.sites.sample_site import read_settings

from kinfolk.content.code_checks.check_store import CheckRun, CheckStore
from kinfolk.content.dependencies import code_check_of
from kinfolk.content.docs.snapshots.code_check_run import CodeCheckRun
from kinfolk.content.pull_requests.comment_client import CommentClient
from kinfolk.db.database import utc_now
from kinfolk.site.preview_code_checks import PreviewCodeChecks
from kinfolk.web.app import SiteApp, create_app
from kinfolk.web.background.previews.preview_comments import CODE_WAIT_S, PreviewComments

WAIT_S = 20.0
MENU = '{"sections": [{"label": "Guides", "children": [{"label": "Added", "to": "added"}]}]}'


class PreviewedSite:
    def __init__(self, app: SiteApp, client: TestClient, folder: Path, comments: CommentServer) -> None:
        self.app = app
        self.comments = comments
        self.client = client
        self.pulls = PullRequests(folder)

    def send(self, body: bytes) -> int:
        return self.client.post("/_hooks/github", content=body, headers=signed(body)).status_code

    def is_ready(self, number: int, head: str) -> bool:
        previews, releases = self.app.site.previews, self.app.site.content.publisher.docs.releases
        assert previews is not None
        assert releases is not None
        known = previews.find("tiles", f"pr-{number}")
        return known is not None and known.pull_request.head == head and releases.is_fetched(known.ref)

    def open(self, number: int, head: str, **facts: str) -> None:
        """Send the event of a head, and wait until its preview is ready."""
        assert self.send(event(number, head, **facts)) == 202
        deadline_s = time.monotonic() + WAIT_S
        while not self.is_ready(number, head):
            assert time.monotonic() < deadline_s, "no preview"
            time.sleep(0.02)

    def wait_for_comment(self, number: int, text: str) -> dict[int, str]:
        """The comments of a pull request, once one of them has this text."""
        deadline_s = time.monotonic() + WAIT_S
        while not any(text in each for each in self.comments.comments.get(f"acme/tiles#{number}", {}).values()):
            assert time.monotonic() < deadline_s, "no comment"
            time.sleep(0.02)
        return dict(self.comments.comments[f"acme/tiles#{number}"])

    def page(self, path: str, status: int = 200) -> HtmlElement:
        answer = self.client.get(path)
        assert answer.status_code == status, answer.text
        return html.document_fromstring(answer.text)


@pytest.fixture(scope="module")
def previewed(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[PreviewedSite]:
    assert built
    folder = tmp_path_factory.mktemp("previews")
    variables = {"KINFOLK_VAR": str(folder / "var"), "KINFOLK_ORIGIN": "http://testserver"}
    with serve_comments() as comments:
        variables |= {"KINFOLK_COMMENT_TOKENS": "github.com=a-token", "KINFOLK_GITHUB_API": comments.url}
        app = create_app(read_settings(previewed_environment(folder) | variables))
        with TestClient(app, follow_redirects=False) as client:
            yield PreviewedSite(app, client, folder, comments)


@pytest.fixture(scope="module")
def opened(previewed: PreviewedSite) -> PreviewedSite:
    """Pull request 7, which changes one page, adds one, moves one and breaks a link."""
    guide = "# Guide\n\nA new sentence. [Nowhere](./nowhere.md) ![A pixel](./new.gif)\n\n```js\nconst a = 1\n```\n"
    head = previewed.pulls.push(
        7,
        {
            "docs/guide.md": guide,
            "docs/added.md": "# Added page\n\nSee [the guide](./guide.md).\n",
            "docs/new.gif": PIXEL,
            "docs/config.json": MENU,
            "docs/overview.md": "---\ntitle: Overview\n---\n\nOverview of main. See [the guide](./guide.md).\n",
        },
    )
    previewed.open(7, head)
    return previewed


def test_page_is_that_of_the_pull_request(opened: PreviewedSite) -> None:
    page = opened.page("/pr/tiles/7/docs/guide")
    assert "A new sentence." in texts(page, "//main")[0]
    (notice,) = page.xpath("//aside[@aria-label='Preview of a pull request']")
    assert "Preview of pull request #7: Better words, by ada, commit" in notice.text_content()
    assert "not reviewed; 2 pages changed." in notice.text_content()
    assert notice.xpath(".//a/@href") == ["https://github.com/acme/tiles/pull/7", "/pr/tiles/7"]
    assert "/pr/tiles/7/docs/added" in page.xpath("//nav[@aria-label='Docs']//a/@href")
    assert "/pr/tiles/7/docs/guide" in opened.page("/pr/tiles/7/docs/added").xpath("//main//p/a/@href")
    (source,) = page.xpath("//main//img/@src")
    assert opened.client.get(source).content == PIXEL


def test_start_page_lists_changed_pages_with_their_differences(opened: PreviewedSite) -> None:
    page = opened.page("/pr/tiles/7")
    assert texts(page, "//main//h1") == ["Better words"]
    assert texts(page, "//main//section/h2") == ["New findings 1", "Changed pages 1", "New pages 1"]
    assert texts(page, "//main//li[contains(@class, 'preview-finding')]") == [
        "The link ./nowhere.md leads nowheredocs/guide.md, line 3"
    ]
    assert page.xpath("//main//article//h3/a/@href") == ["/pr/tiles/7/docs/guide", "/pr/tiles/7/docs/added"]
    (changed, added) = texts(page, "//main//*[@class='difference']")
    assert "A new sentence." in changed
    assert "See the guide." in added
    assert page.xpath("//main//*[@class='difference']//ins")


def test_start_page_lists_wrong_code_once_it_was_checked(previewed: PreviewedSite, tmp_path: Path) -> None:
    site, store = previewed.app.site, CheckStore(tmp_path / "checks.sqlite")
    publisher = site.content.publisher
    assert site.previews is not None
    run = CodeCheckRun(lambda: publisher.docs, WordTypes(), WordChecker({"lay": "put"}), store, now=utc_now)
    checks = PreviewCodeChecks(site.previews, lambda: publisher.docs, run)
    code = "```ts\nconst size = 1\nlay(<b>)\n```\n"
    head = previewed.pulls.push(9, {"docs/guide.md": f"# Guide\n\n{code}", "docs/more.md": f"# More\n\n{code}"})
    previewed.open(9, head)
    publisher.docs.code_checks = store
    new = "//main//section[h2[starts-with(., 'New findings')]]//li"
    try:
        assert texts(previewed.page("/pr/tiles/9"), new) == []
        assert checks.check() == 0  # the base was not checked
        run.check_all()
        assert checks.check() > 0
        assert checks.check() == 0
        _, changed = store.changed_since(0)
        publisher.purge(frozenset(code_check_of(*page) for page in changed))
        assert texts(previewed.page("/pr/tiles/9"), new) == [
            f"lay is no export. The nearest name is put.lay(<b>)docs/{path}.md, line 5" for path in ("guide", "more")
        ]
        assert ("tiles", "pr-9") in store.checked_versions()
        store.put_run("tiles", "pr-99", CheckRun("former", "2026-11-29T10:00:00"))
        checks.check()
        assert ("tiles", "pr-99") not in store.checked_versions()
    finally:
        publisher.docs.code_checks = None
        store.close()


def test_comment_waits_for_the_check_of_code(opened: PreviewedSite, tmp_path: Path) -> None:
    site, store, now_s = opened.app.site, CheckStore(tmp_path / "checks.sqlite"), [0.0]
    assert site.previews is not None
    known = site.previews.find("tiles", "pr-7")
    assert known is not None
    head = "f" * 40
    preview = dataclasses.replace(known, pull_request=dataclasses.replace(known.pull_request, head=head))
    checking = dataclasses.replace(site, maintenance=dataclasses.replace(site.maintenance, code_checks=store))
    client = CommentClient(site.settings.comment_tokens, SECRET, now=utc_now, github_api=site.settings.github_api)
    comments = PreviewComments(checking, client, clock=lambda: now_s[0])
    other = PreviewComments(checking, client, clock=lambda: now_s[0])
    assert not PreviewComments(checking, client).put([preview])  # its base is not checked
    store.put_run("tiles", "v2", CheckRun("a", "2026-11-29T10:00:00"))
    assert comments.put([preview])
    assert other.put([preview])
    now_s[0] = CODE_WAIT_S
    assert not other.put([preview])
    now_s[0] = 0
    key = store.preview_state("tiles", "pr-7", base="v2", commit=head).key or ""
    store.put_run("tiles", "pr-7", CheckRun(key, "2026-11-29T10:00:00"))
    assert not comments.put([preview])
    store.close()


@pytest.mark.parametrize("path", ["/pr/tiles/7", "/pr/tiles/7/docs/guide"])
def test_preview_is_not_for_search_engines(opened: PreviewedSite, path: str) -> None:
    answer = opened.client.get(path)
    assert answer.headers["x-robots-tag"] == "noindex, nofollow"
    assert '<meta name="robots" content="noindex, nofollow"' in answer.text


def test_preview_is_in_no_list_of_the_site(opened: PreviewedSite) -> None:
    client = opened.client
    assert "Disallow: /pr/" in client.get("/robots.txt").text.splitlines()
    paths = ("sitemap-site.xml", "sitemap-tiles-latest.xml", "llms.txt", "llms-full.txt", "tiles/changes.atom")
    listed = "".join(client.get(f"/{path}").text for path in paths)
    assert "pr-7" not in listed
    assert "/pr/" not in listed


@pytest.mark.parametrize(
    ("path", "status", "to"),
    [
        ("/pr/tiles/7/docs", 307, "/pr/tiles/7/docs/start"),
        ("/tiles/pr-7/docs/guide", 307, "/pr/tiles/7/docs/guide"),
        ("/tiles/pr-7", 307, "/pr/tiles/7"),
        ("/pr/tiles/8", 404, None),
        ("/pr/tiles/8/docs/guide", 404, None),
        ("/pr/tiles/07/docs/guide", 404, None),
        ("/pr/nothing/7/docs/guide", 404, None),
        ("/pr/tiles/7/docs/nothing", 307, "/pr/tiles/7/docs/start?from=/pr/tiles/7/docs/nothing"),
        ("/pr/tiles/7/docs/guide.md", 307, "/pr/tiles/7/docs/start?from=/pr/tiles/7/docs/guide.md"),
        ("/pr/tiles/7/docs/guide.atom", 307, "/pr/tiles/7/docs/start?from=/pr/tiles/7/docs/guide.atom"),
        ("/og/tiles/pr-7/docs/guide.jpg", 404, None),
        ("/api/md/tiles/pr-7/docs/guide", 404, None),
        ("/tiles/changes/pr-7...latest", 404, None),
    ],
)
def test_address(opened: PreviewedSite, path: str, status: int, to: str | None) -> None:
    answer = opened.client.get(path)
    assert (answer.status_code, answer.headers.get("location")) == (status, to)


def test_next_push_replaces_the_preview(previewed: PreviewedSite) -> None:
    first = previewed.pulls.push(20, {"docs/guide.md": "# Guide\n\nFirst.\n"})
    previewed.open(20, first)
    assert "First." in texts(previewed.page("/pr/tiles/20/docs/guide"), "//main")[0]
    second = previewed.pulls.push(20, {"docs/guide.md": "# Guide\n\nSecond.\n"})
    previewed.open(20, second, title="Other words")
    assert "Second." in texts(previewed.page("/pr/tiles/20/docs/guide"), "//main")[0]
    assert texts(previewed.page("/pr/tiles/20"), "//main//h1") == ["Other words"]
    assert previewed.send(event(20, second, state="closed")) == 202
    assert previewed.send(event(21, second, state="closed")) == 200  # it has no preview


def test_each_head_is_commented_on_once(opened: PreviewedSite) -> None:
    head = opened.pulls.push(23, {"docs/guide.md": "# Guide\n\n[Nowhere](./nowhere.md)\n"})
    opened.open(23, head)
    comments = opened.wait_for_comment(23, head[:7])
    opened.send(event(23, head))
    head = opened.pulls.push(23, {"docs/guide.md": "# Guide\n\nA line.\n"})
    opened.comments.failures = [(500, {}, "")]
    opened.open(23, head)
    opened.send(event(23, head))  # the next look at the table is the second attempt
    (text,) = opened.wait_for_comment(23, head[:7]).values()
    assert len(comments) == 1
    link = "**[Preview of the docs of Tiles](http://testserver/pr/tiles/23)**"
    assert text.splitlines()[1:] == [
        f"{link} at {head[:7]}: 1 page changed, no new findings.",
        "",
        "- changed: [`Guide`](http://testserver/pr/tiles/23/docs/guide)",
    ]


def test_only_what_the_pull_request_changed_is_listed(previewed: PreviewedSite) -> None:
    """Its branch began before the last commit of the base."""
    head = previewed.pulls.push(22, {"docs/start.md": "# Start\n\nHere.\n"}, base="refs/heads/main~1")
    previewed.open(22, head)
    assert texts(previewed.page("/pr/tiles/22"), "//main//article//h3") == ["Start"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (event(30, "0" * 40, base="other"), 200),
        (event(30, "not a commit"), 400),
        (event(-1, "0" * 40), 400),
        (event(10**12, "0" * 40), 400),
        (b'{"number": 30}', 400),
        (b"[" * 100_000, 400),
    ],
)
def test_other_event_opens_no_preview(previewed: PreviewedSite, body: bytes, status: int) -> None:
    assert previewed.send(body) == status
    assert previewed.client.get("/pr/tiles/30").status_code == 404


def test_unsigned_event_is_refused(previewed: PreviewedSite) -> None:
    body = event(30, "0" * 40)
    headers = signed(body, secret="another")
    assert previewed.client.post("/_hooks/github", content=body, headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("host", "headers"),
    [
        ("gitlab", {"x-gitlab-event": "Merge Request Hook", "x-gitlab-token": SECRET}),
        ("codeberg", {"x-gitea-event": "pull_request", "x-gitea-signature": ""}),
    ],
)
def test_event_of_a_host_counts_for_its_own_repositories(
    previewed: PreviewedSite, host: str, headers: dict[str, str]
) -> None:
    """The library is on GitHub, so another host cannot open a preview of it."""
    body = event(30, "0" * 40)
    if "x-gitea-signature" in headers:
        headers = headers | {"x-gitea-signature": signed(body)["x-hub-signature-256"].removeprefix("sha256=")}
    answer = previewed.client.post(f"/_hooks/{host}", content=body, headers=headers)
    assert (answer.status_code, answer.json()["message"]) == (200, "Nothing here depends on that")


def test_head_that_upstream_does_not_have_is_no_preview(previewed: PreviewedSite) -> None:
    assert previewed.send(event(31, "1" * 40)) == 202
    answer = previewed.client.get("/pr/tiles/31")
    assert answer.status_code in (404, 503)


def test_hostile_pull_request_harms_nothing(previewed: PreviewedSite) -> None:
    vectors = (*SCRIPT_VECTORS, *COMPONENT_VECTORS)
    pages = {f"docs/vector-{at}.md": f"# Vector {at}\n\n{text}\n" for at, text in enumerate(vectors)}
    bombs = {
        "docs/config.json": '{"sections":' + "[" * 50_000,
        "docs/large.md": "[" * 3_000_000,
        "docs/front.md": "---\na: &a [x]\n" + "".join(f"b{at}: [*a, *a]\n" for at in range(50)) + "---\n\n# Front\n",
        "docs/" + "d/" * 100 + "deep.md": "# Deep\n",
        "docs/.git/config": "[core]\n",
    }
    head = previewed.pulls.push(40, pages | bombs)
    # git refuses `.git` in a fetched folder, so nothing of that head is shown.
    assert previewed.send(event(40, head, title="<script>alert(1)</script>")) == 202
    del bombs["docs/.git/config"]
    head = previewed.pulls.push(40, pages | bombs)
    previewed.open(40, head, title="<script>alert(1)</script>")
    for at in range(len(vectors)):
        answer = previewed.client.get(f"/pr/tiles/40/docs/vector-{at}")
        assert answer.status_code == 200
        (body,) = html.document_fromstring(answer.text).xpath("//*[@class='prose']")
        assert dangers_of(html.tostring(body, encoding="unicode")) == []
    start = previewed.client.get("/pr/tiles/40")
    assert start.status_code == 200
    assert "<script>alert(1)</script>" not in start.text
    for body in html.document_fromstring(start.text).xpath("//*[@class='prose']"):
        assert dangers_of(html.tostring(body, encoding="unicode")) == []
    assert previewed.client.get("/pr/tiles/40/docs/front").status_code in (200, 404)
    assert previewed.client.get("/tiles/latest/docs/guide").status_code == 200


def test_symbolic_links_lead_to_no_other_file(previewed: PreviewedSite) -> None:
    links: dict[str, str | bytes] = {"docs/out.md": "../../../../etc/passwd", "docs/loop.md": "loop.md"}
    head = previewed.pulls.push(41, links, mode="120000")
    previewed.open(41, head)
    answers = [previewed.client.get(f"/pr/tiles/41/docs/{name}") for name in ("out", "loop")]
    assert [answer.headers["location"].partition("?")[0] for answer in answers] == ["/pr/tiles/41/docs/start"] * 2
