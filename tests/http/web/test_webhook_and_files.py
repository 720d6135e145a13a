"""Requests that are not for pages: malformed addresses, files of repositories, the webhook."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import json
import shutil
from collections.abc import AsyncIterator, Collection
from copy import copy
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode

import httpx
import pytest
from prometheus_client import REGISTRY
from tests.sites.sample_site import SITE, complete_site

from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "path",
    [
        "/query/latest/docs/..%2f..%2fsecret",
        "/query/%2e%2e/etc/passwd",
        "/query/latest/docs/x%00.md",
        "/query/latest/docs/%5c..%5cx",
        "//evil.example/x",
        "/query//latest",
        "/_files/TanStack/query/main/docs/..%2f..%2fx",
        "/query/latest/docs/%07bell",
    ],
)
async def test_ambiguous_address_is_malformed(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(httpx.URL("http://kinfolk.test", raw_path=path.encode()))
    assert (answer.status_code, answer.text) == (400, "This address is malformed")


async def test_address_of_8000_letters_is_too_long(client: httpx.AsyncClient) -> None:
    assert (await client.get("/query/" + "x" * 8192)).status_code == 414


async def test_docs_image_with_content_hash_is_immutable(client: httpx.AsyncClient) -> None:
    path = "/_files/TanStack/query/main/examples/react/basic/package.json"
    plain = await client.get(path)
    blob = plain.headers["etag"].strip('"')
    named = await client.get(path, params={"v": blob[:12]})
    assert plain.headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert named.headers["cache-control"] == "public, max-age=31536000, immutable"


async def test_executable_file_is_a_download(client: httpx.AsyncClient) -> None:
    answer = await client.get("/_files/TanStack/query/main/examples/react/basic/index.html")
    assert answer.headers["content-disposition"] == "attachment"
    assert answer.headers["x-robots-tag"] == "noindex"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/_files/TanStack/query/main/docs/nope.png", 404),
        ("/_files/TanStack/query/nope/docs/config.json", 404),
        ("/_files/torvalds/linux/master/README", 404),
        ("/_files/TanStack/query/main/package.json", 403),
    ],
)
async def test_other_files_are_not_served(client: httpx.AsyncClient, path: str, status: int) -> None:
    assert (await client.get(path)).status_code == status


async def test_unsupported_method_is_rejected(client: httpx.AsyncClient) -> None:
    assert (await client.delete("/query")).status_code == 405
    assert (await client.post("/query/latest")).status_code == 405


class RecordingRefresher:
    """A refresher that records the branches of `wake`."""

    def __init__(self) -> None:
        self.refs: list[Ref] = []

    def wake(self, refs: Collection[Ref]) -> None:
        self.refs += refs


SECRET = "a secret between two"


@pytest.fixture
def refresher() -> RecordingRefresher:
    return RecordingRefresher()


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """The folder of a mirror, which `kinfolk sync` has made."""
    (tmp_path / "published.json").write_text("{}")
    return tmp_path


@pytest.fixture
async def webhook_client(site: Site, mirror: Path, refresher: RecordingRefresher) -> AsyncIterator[httpx.AsyncClient]:
    settings = dataclasses.replace(site.settings, webhook_secret=SECRET, mirror=mirror)
    app = SiteApp(dataclasses.replace(site, settings=settings))
    app.router.state.refresher = refresher
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        yield client


def signed(body: bytes, *, event: str = "push", secret: str = SECRET) -> dict[str, str]:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"x-hub-signature-256": f"sha256={digest}", "x-github-event": event}


def push(repo: str, ref: str) -> bytes:
    return json.dumps({"ref": ref, "repository": {"full_name": repo}}).encode()


async def test_push_to_a_known_branch_wakes_the_refresher(
    webhook_client: httpx.AsyncClient, refresher: RecordingRefresher
) -> None:
    body = push("tanstack/Query", "refs/heads/v4")  # The case of names varies in GitHub's events
    answer = await webhook_client.post("/_hooks/github", content=body, headers=signed(body))
    assert (answer.status_code, refresher.refs) == (202, [Ref("TanStack/query", "v4")])


async def test_push_to_a_server_without_a_mirror_is_unavailable(
    webhook_client: httpx.AsyncClient, refresher: RecordingRefresher, mirror: Path
) -> None:
    (mirror / "published.json").unlink()
    body = push("TanStack/query", "refs/heads/v4")
    answer = await webhook_client.post("/_hooks/github", content=body, headers=signed(body))
    message = {"message": "This server has no mirror of TanStack/query@v4. Run kinfolk sync."}
    assert (answer.status_code, answer.json(), refresher.refs) == (503, message, [])


async def test_push_as_a_form_is_accepted(webhook_client: httpx.AsyncClient, refresher: RecordingRefresher) -> None:
    body = urlencode({"payload": push("TanStack/query", "refs/heads/v4").decode()}).encode()
    form = {"content-type": "application/x-www-form-urlencoded"}
    answer = await webhook_client.post("/_hooks/github", content=body, headers=form | signed(body))
    assert (answer.status_code, refresher.refs) == (202, [Ref("TanStack/query", "v4")])


@pytest.mark.parametrize("body", [b"", b"other=1", b"payload=%7B", b"payload=%FF"])
async def test_form_without_a_push_is_rejected(webhook_client: httpx.AsyncClient, body: bytes) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert (await webhook_client.post("/_hooks/github", content=body, headers=form | signed(body))).status_code == 400


@pytest.mark.parametrize(
    ("repo", "ref"),
    [("TanStack/query", "refs/heads/feature"), ("else/where", "refs/tags/v4"), ("else/where", "refs/heads/main")],
)
async def test_push_to_another_repository_is_ignored(
    webhook_client: httpx.AsyncClient, refresher: RecordingRefresher, repo: str, ref: str
) -> None:
    body = push(repo, ref)
    answer = await webhook_client.post("/_hooks/github", content=body, headers=signed(body))
    assert (answer.status_code, refresher.refs) == (200, [])


async def test_pushed_tag_makes_the_next_refresh_look_for_releases(
    site: Site, mirror: Path, refresher: RecordingRefresher
) -> None:
    expired: list[str] = []
    releases = SimpleNamespace(expect_new=expired.append)
    docs = copy(site.content.publisher.docs)
    docs.releases = releases  # type: ignore[assignment]
    publisher = copy(site.content.publisher)
    publisher.docs = docs
    content = dataclasses.replace(site.content, publisher=publisher)
    settings = dataclasses.replace(site.settings, webhook_secret=SECRET, mirror=mirror)
    app = SiteApp(dataclasses.replace(site, settings=settings, content=content))
    app.router.state.refresher = refresher
    body = push("TanStack/query", "refs/tags/v5.1.0")
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        answer = await client.post("/_hooks/github", content=body, headers=signed(body))
    assert (answer.status_code, expired) == (202, ["TanStack/query"])
    assert Ref("TanStack/query", "main") in refresher.refs


async def test_announced_release_makes_its_repository_due(site: Site, mirror: Path) -> None:
    requested: list[str] = []
    notes = SimpleNamespace(request=lambda library: requested.append(library.content_repo))
    settings = dataclasses.replace(site.settings, webhook_secret=SECRET, mirror=mirror, release_notes=True)
    app = SiteApp(dataclasses.replace(site, settings=settings, release_notes=notes))  # type: ignore[arg-type]
    bodies = {
        b'{"action": "published", "release": {}, "repository": {"full_name": "tanstack/Query"}}': 202,
        b'{"action": "published", "release": {}, "repository": {"full_name": "else/where"}}': 200,
        b'{"repository": {"full_name": "TanStack/query"}}': 400,
    }
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        for body, status in bodies.items():
            answer = await client.post("/_hooks/github", content=body, headers=signed(body, event="release"))
            assert answer.status_code == status
    assert requested == ["TanStack/query"]


async def test_invalid_signature_is_rejected(webhook_client: httpx.AsyncClient, refresher: RecordingRefresher) -> None:
    body = push("TanStack/query", "refs/heads/main")
    for headers in (signed(body, secret="guess"), {"x-github-event": "push"}, {"x-hub-signature-256": "sha256=é"}):
        encoded = {name: value.encode() for name, value in headers.items()}
        answer = await webhook_client.post("/_hooks/github", content=body, headers=encoded)  # type: ignore[arg-type]
        assert answer.status_code == 403
    assert refresher.refs == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"ref": 5}', b"\xff"])
async def test_invalid_push_is_rejected(webhook_client: httpx.AsyncClient, body: bytes) -> None:
    assert (await webhook_client.post("/_hooks/github", content=body, headers=signed(body))).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        b'{"ref": "refs/heads/main", "repository": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b'{"a":' * 100_000,
        b'{"ref": {"a": 1}, "repository": {"full_name": ["TanStack/query"]}}',
        b'{"ref": "refs/heads/main", "repository": "TanStack/query"}',
        b'{"ref": NaN, "repository": {"full_name": 1e999}}',
        b"null",
    ],
)
@pytest.mark.parametrize("event", ["push", "issues"])
async def test_signed_body_of_another_shape_is_not_a_push(
    webhook_client: httpx.AsyncClient, body: bytes, event: str
) -> None:
    answer = await webhook_client.post("/_hooks/github", content=body, headers=signed(body, event=event))
    assert (answer.status_code, answer.json()) == (400 if event == "push" else 200, {"message": "This is not a push"})


async def test_rejected_webhook_is_counted(webhook_client: httpx.AsyncClient) -> None:
    def counter_value(reason: str) -> float:
        return REGISTRY.get_sample_value("kinfolk_refused_total", {"kind": "webhook", "reason": reason}) or 0.0

    before = counter_value("signature"), counter_value("payload")
    await webhook_client.post("/_hooks/github", content=b"{}", headers=signed(b"{}", secret="guess"))
    await webhook_client.post("/_hooks/github", content=b"{}", headers=signed(b"{}"))
    assert (counter_value("signature"), counter_value("payload")) == (before[0] + 1, before[1] + 1)


async def test_ping_is_answered(webhook_client: httpx.AsyncClient) -> None:
    answer = await webhook_client.post("/_hooks/github", content=b"{}", headers=signed(b"{}", event="ping"))
    assert (answer.status_code, answer.json()) == (200, {"message": "pong"})


@pytest.fixture(scope="module")
def site_on_other_hosts(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site with a library on GitLab, and one on Codeberg."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(SITE / "libraries", folder / "libraries")
    complete_site(folder)
    for id, host, base in (("query", "gitlab", "gitlab.com"), ("store", "codeberg", "codeberg.org")):
        file = folder / "libraries" / f"{id}.toml"
        file.write_text(f'host = "{host}"\n{file.read_text().replace("//github.com", f"//{base}")}')
    return open_site(dataclasses.replace(settings, site=folder, webhook_secret=SECRET))


@pytest.fixture
async def other_hosts_client(
    site_on_other_hosts: Site, mirror: Path, refresher: RecordingRefresher
) -> AsyncIterator[httpx.AsyncClient]:
    settings = dataclasses.replace(site_on_other_hosts.settings, mirror=mirror, release_notes=True)
    app = SiteApp(dataclasses.replace(site_on_other_hosts, settings=settings))
    app.router.state.refresher = refresher
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        yield client


def gitlab_push(repo: str, ref: str) -> bytes:
    return json.dumps({"object_kind": "push", "ref": ref, "project": {"path_with_namespace": repo}}).encode()


def signed_by_forgejo(body: bytes, *, secret: str = SECRET) -> dict[str, str]:
    return {"x-gitea-event": "push", "x-gitea-signature": hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}


async def test_push_to_gitlab_wakes_the_refresher(
    other_hosts_client: httpx.AsyncClient, refresher: RecordingRefresher
) -> None:
    headers = {"x-gitlab-event": "Push Hook", "x-gitlab-token": SECRET}
    body = gitlab_push("TanStack/query", "refs/heads/v4")
    answer = await other_hosts_client.post("/_hooks/gitlab", content=body, headers=headers)
    assert (answer.status_code, refresher.refs) == (202, [Ref("TanStack/query", "v4")])
    tag = {**headers, "x-gitlab-event": "Tag Push Hook"}
    tagged = gitlab_push("TanStack/query", "refs/tags/v4.0.0")
    assert (await other_hosts_client.post("/_hooks/gitlab", content=tagged, headers=tag)).status_code == 202
    assert {ref.branch for ref in refresher.refs} == {"main", "v4", "v3"}
    released = b'{"object_kind": "release", "project": {"path_with_namespace": "TanStack/query"}}'
    announced = {**headers, "x-gitlab-event": "Release Hook"}
    assert (await other_hosts_client.post("/_hooks/gitlab", content=released, headers=announced)).status_code == 202
    refresher.refs.clear()
    for wrong in ({**headers, "x-gitlab-token": "guess"}, {"x-gitlab-event": "Push Hook"}, signed(body)):
        assert (await other_hosts_client.post("/_hooks/gitlab", content=body, headers=wrong)).status_code == 403
    assert not refresher.refs


async def test_push_to_codeberg_wakes_the_refresher(
    other_hosts_client: httpx.AsyncClient, refresher: RecordingRefresher
) -> None:
    body = push("TanStack/store", "refs/heads/main")
    answer = await other_hosts_client.post("/_hooks/codeberg", content=body, headers=signed_by_forgejo(body))
    assert (answer.status_code, refresher.refs) == (202, [Ref("TanStack/store", "main")])
    for wrong in (signed_by_forgejo(body, secret="guess"), {"x-gitea-event": "push"}):
        assert (await other_hosts_client.post("/_hooks/codeberg", content=body, headers=wrong)).status_code == 403
    assert len(refresher.refs) == 1


async def test_push_counts_for_libraries_on_its_host(
    other_hosts_client: httpx.AsyncClient, refresher: RecordingRefresher
) -> None:
    body = push("TanStack/query", "refs/heads/main")
    answers = [
        await other_hosts_client.post("/_hooks/github", content=body, headers=signed(body)),
        await other_hosts_client.post("/_hooks/codeberg", content=body, headers=signed_by_forgejo(body)),
    ]
    assert ([answer.status_code for answer in answers], refresher.refs) == ([200, 200], [])


async def test_webhook_of_an_unknown_host_is_not_found(webhook_client: httpx.AsyncClient) -> None:
    body = push("TanStack/query", "refs/heads/main")
    assert (await webhook_client.post("/_hooks/sourcehut", content=body, headers=signed(body))).status_code in (
        404,
        405,
    )


async def test_webhook_without_secret_is_not_found(client: httpx.AsyncClient) -> None:
    body = push("TanStack/query", "refs/heads/main")
    assert (await client.post("/_hooks/github", content=body, headers=signed(body, secret=""))).status_code == 404


async def test_shared_answer_is_a_file_until_it_changes(client: httpx.AsyncClient) -> None:
    shell = (await client.get("/_server/site.shell")).json()["data"]
    body = json.dumps(shell, ensure_ascii=False, separators=(",", ":")).encode()
    digest = hashlib.blake2b(body, digest_size=8).hexdigest()
    file = await client.get(f"/_shared/{digest}/site.shell", params={"payload": '{"data":null}'})
    assert (file.json(), file.headers["cache-control"]) == (shell, "public, max-age=31536000, immutable")
    assert (await client.get(f"/_shared/{'0' * 16}/site.shell")).status_code == 404


@pytest.mark.parametrize("id", ["docs.page", "theme.get", "nope"])
async def test_other_answers_are_not_files(client: httpx.AsyncClient, id: str) -> None:
    assert (await client.get(f"/_shared//{id}")).status_code == 400
    assert (await client.get(f"/_shared/x/{id}", params={"payload": "{}"})).status_code == 404


@pytest.mark.parametrize("path", ["/assets/boot-00000000.js", "/assets/", "/assets/..%2e/x", "/assets/boot-1.js.map"])
async def test_missing_build_file_is_plain_text_that_no_cache_stores(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(httpx.URL(f"http://kinfolk.test{path}"))
    assert (answer.status_code, answer.text) == (404, "Not found")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"


async def test_build_files_are_compressed_and_immutable(client: httpx.AsyncClient, built: Path) -> None:
    (boot,) = (built / "client" / "assets").glob("boot-*.js")
    for encoding in ("br", "gzip"):
        answer = await client.get(f"/assets/{boot.name}", headers={"accept-encoding": encoding})
        assert answer.headers["content-encoding"] == encoding
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    plain = await client.get(f"/assets/{boot.name}", headers={"accept-encoding": "br;q=0"})
    assert plain.content == boot.read_bytes()
