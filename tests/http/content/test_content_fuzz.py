"""Fuzz tests of functions and the webhook: no input causes an internal error. FUZZ_CASES sets the number of cases."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import hmac
import json
import os
from collections.abc import Callable, Collection, Iterator

import httpx
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from kinfolk.api.all_functions import registry
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.site.site import open_site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.fuzz

CASES = int(os.environ.get("FUZZ_CASES", "200"))
SECRET = "a secret between two"

Post = Callable[[str, bytes, dict[str, str]], httpx.Response]


class IdleRefresher:
    """A refresher that does nothing."""

    def wake(self, refs: Collection[Ref]) -> None:
        """Do nothing."""


@pytest.fixture(scope="module")
def post(settings: Settings) -> Iterator[Post]:
    app = SiteApp(open_site(dataclasses.replace(settings, webhook_secret=SECRET)))
    app.router.state.refresher = IdleRefresher()

    async def send(path: str, body: bytes, headers: dict[str, str]) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
            if body:
                return await client.post(path, content=body, headers=headers)
            return await client.get(path, headers=headers)

    with asyncio.Runner() as runner:
        yield lambda path, body, headers: runner.run(send(path, body, headers))


words = st.text(max_size=30) | st.sampled_from(
    [
        "TanStack/query",
        "main",
        "docs",
        "docs/framework/react/overview.md",
        "../x",
        "latest",
        "query",
        "react",
        "basic",
        "examples",
    ]
)
names = st.sampled_from(
    "repo branch filePath version docsRoot startingPath path library framework name id text page mode data x".split()
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(names, inner, max_size=6),
    max_leaves=20,
)
bodies = (
    st.dictionaries(names, words, max_size=6).map(lambda data: json.dumps({"data": data}).encode())
    | values.map(lambda value: json.dumps({"data": value, "context": {}}).encode())
    | values.map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=100)
    | st.builds(
        lambda part, depth: (part * depth).encode(), st.sampled_from(["[", '{"data":', '{"a":[']), st.integers(1, 9000)
    )
)
kinds = st.sampled_from(
    ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)


@hypothesis_settings(max_examples=CASES)
@given(id=st.sampled_from(sorted(registry.functions)), body=bodies, kind=kinds, as_get=st.booleans())
def test_fuzzed_calls_get_envelopes(post: Post, id: str, body: bytes, kind: str, as_get: bool) -> None:
    if as_get:
        payload = str(httpx.QueryParams({"payload": body.decode(errors="replace")}))
        answer = post(f"/_server/{id}?{payload[:60_000]}", b"", {})
    else:
        answer = post(f"/_server/{id}", body or b" ", {"content-type": kind})
    envelope = answer.json()
    assert envelope["kind"] in ("ok", "redirect", "not_found", "error")
    assert answer.status_code != 500, envelope


@hypothesis_settings(max_examples=CASES)
@given(
    body=bodies
    | st.builds(
        lambda ref, repo: json.dumps({"ref": ref, "repository": repo}).encode(),
        values | st.just("refs/heads/main"),
        values | st.builds(lambda name: {"full_name": name}, values),
    ),
    kind=kinds,
    event=st.sampled_from(["push", "ping", "issues", ""]),
)
def test_fuzzed_webhooks_are_answered(post: Post, body: bytes, kind: str, event: str) -> None:
    body = body or b" "
    digest = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    headers = {"content-type": kind, "x-hub-signature-256": f"sha256={digest}", "x-github-event": event}
    assert post("/_hooks/github", body, headers).status_code in (200, 202, 400)
