"""A push is shown by the cache of each CDN within two seconds, also after the server was killed."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import time
from pathlib import Path

import httpx
import pytest
from tests.processes.family import STORE, TIMEOUT_S, Family, eventually, kill, mirrored_family, revision_of
from tests.servers.cdn_apis import CdnKind, CdnStandIn, serve_cdn
from tests.servers.kinfolk_process import run_kinfolk
from tests.servers.serving import Server, free_port, serving
from tests.servers.shared_caches import varnish, wait_until

PAGE = "/store/latest/docs/overview"
WITHIN_S = 2.0
SECRET = {"KINFOLK_WEBHOOK_SECRET": "secret", "KINFOLK_REFRESH_S": "0"}


@pytest.fixture
def family(tmp_path: Path, built: Path) -> Family:
    assert built
    return mirrored_family(tmp_path / "family")


def page_of(cdn: CdnStandIn) -> tuple[str, int]:
    """Whether the cache has the page, and its revision."""
    answer = httpx.get(cdn.url + PAGE, timeout=TIMEOUT_S)
    assert answer.status_code == 200
    return answer.headers["x-cache"], revision_of(answer.text)


def notify(server: Server) -> None:
    """Send the webhook of a push."""
    body = json.dumps({"ref": "refs/heads/main", "repository": {"full_name": STORE.repo}}).encode()
    digest = hmac.new(b"secret", body, hashlib.sha256).hexdigest()
    headers = {"x-hub-signature-256": f"sha256={digest}", "x-github-event": "push"}
    assert httpx.post(f"{server.url}/_hooks/github", content=body, headers=headers, timeout=TIMEOUT_S).is_success


@pytest.mark.parametrize("kind", ["cloudflare", "fastly", "bunny"])
def test_push_is_shown_by_the_cache_of_a_cdn_within_two_seconds(family: Family, kind: CdnKind) -> None:
    with (
        serve_cdn(kind) as cdn,
        serving(family.folder, environment=family.environment | SECRET | cdn.environment) as server,
    ):
        cdn.origin = server.url
        eventually(lambda: cdn.purges, "the first start purges everything")
        assert cdn.purges[0] is None
        assert [page_of(cdn), page_of(cdn)] == [("MISS", 1), ("HIT", 1)]
        family.push(2)
        began = time.monotonic()
        notify(server)
        eventually(lambda: page_of(cdn)[1] == 2, "the cache has the new page")
        seconds = time.monotonic() - began
        print(f"{kind}: {seconds:.2f} s from push to the new page, {len(cdn.purges)} purges")
        assert seconds <= WITHIN_S
        assert cdn.refusals == []


def test_push_is_shown_by_varnish_within_two_seconds_and_a_command_purges_it(family: Family) -> None:
    port = free_port()
    purged = {"KINFOLK_CDN": "varnish", "KINFOLK_CDN_API": f"http://127.0.0.1:{port}"}
    environment = family.environment | SECRET | purged

    def at_cache() -> tuple[str, int]:
        answer = cache.get(PAGE)
        assert answer.status_code == 200
        return answer.headers["x-cache"], revision_of(answer.text)

    with (
        serving(family.folder, environment=environment) as server,
        varnish(family.folder / "varnish", server.url, port=port) as cache,
    ):
        wait_until(lambda: '"cdn purged"' in server.log)
        assert [at_cache(), at_cache()] == [("miss", 1), ("hit", 1)]
        family.push(2)
        began = time.monotonic()
        notify(server)
        eventually(lambda: at_cache()[1] == 2, "the cache has the new page")
        seconds = time.monotonic() - began
        print(f"varnish: {seconds:.2f} s from push to the new page")
        assert seconds <= WITHIN_S
        for names in (("--all",), ("TanStack/store@main:docs/overview.md",)):
            eventually(lambda: at_cache()[0] == "hit", "the page is stored")
            done = run_kinfolk("purge", *names, environment=os.environ | environment)
            assert (done.returncode, done.stdout.startswith("Varnish has purged")) == (0, True), done.stderr
            assert at_cache()[0] == "miss"


def test_purge_that_was_due_when_the_server_was_killed_is_sent_after_the_start(family: Family) -> None:
    with serve_cdn("fastly") as cdn:
        environment = family.environment | SECRET | cdn.environment
        with serving(family.folder, "--workers", "2", environment=environment) as server:
            cdn.origin = server.url
            eventually(lambda: cdn.purges, "the first start purges everything")
            assert page_of(cdn) == ("MISS", 1)
            cdn.failures = [(503, {}, "")] * 1000
            before = len(cdn.refusals)
            family.push(2)
            notify(server)
            eventually(lambda: len(cdn.refusals) > before + 1, "purges fail")
            assert page_of(cdn) == ("HIT", 1)
            kill(server)
        cdn.failures = []
        with serving(family.folder, environment=environment) as server:
            cdn.origin = server.url
            eventually(lambda: page_of(cdn)[1] == 2, "the cache has the new page")
