"""Requests to the APIs of CDNs, against stand-ins that check them as those do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.servers.cdn_apis import ID, KINDS, TAG_HEADERS, TOKEN, CdnKind, CdnStandIn, serve_cdn
from tests.sites.sample_site import SITE

from kinfolk.config.settings import read_settings
from kinfolk.runtime.errors import Invalid, SiteError
from kinfolk.runtime.upstream.upstream_client import RequestsRefused, UnexpectedStatus
from kinfolk.web.background.cdn.cdn_apis import CdnClient, cdn_of

pytestmark = pytest.mark.anyio

TAGS = frozenset({"0a1b2c3d4e", "ffffffffff"})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=[*KINDS, "varnish"])
def cdn(request: pytest.FixtureRequest) -> Iterator[CdnStandIn]:
    kind: CdnKind = request.param
    with serve_cdn(kind) as cdn:
        yield cdn


def client_of(cdn: CdnStandIn) -> CdnClient:
    found = cdn_of(read_settings({"KINFOLK_SITE": str(SITE), **cdn.environment}))
    assert found is not None
    return CdnClient(found)


async def test_purge_drops_the_responses_with_a_tag_only(cdn: CdnStandIn) -> None:
    forever = {"cache-control": "max-age=60, s-maxage=60"}
    separator = " " if cdn.kind == "fastly" else ","
    header = TAG_HEADERS[cdn.kind]
    cdn.store("/stale", 200, {**forever, header: separator.join(["0a1b2c3d4e", "aaaaaaaaaa"])}, b"")
    cdn.store("/fresh", 200, {**forever, header: "aaaaaaaaaa"}, b"")
    await client_of(cdn).purge(TAGS)
    assert (cdn.lookup("/stale"), cdn.lookup("/fresh") is not None) == (None, True)
    assert frozenset().union(*filter(None, cdn.purges)) == TAGS


async def test_purge_of_everything_drops_all(cdn: CdnStandIn) -> None:
    cdn.store("/", 200, {"cache-control": "s-maxage=60"}, b"")
    assert await client_of(cdn).purge(None) == 1
    assert (cdn.purges, cdn.cached) == ([None], {})


@pytest.mark.parametrize("kind", KINDS)
async def test_wrong_token_is_an_error_that_names_the_status(kind: CdnKind) -> None:
    with serve_cdn(kind) as cdn:
        cdn.token = "another"
        with pytest.raises(UnexpectedStatus, match=r"answers 40[13]"):
            await client_of(cdn).purge(TAGS)


@pytest.mark.parametrize("failure", [(500, {}, "oops"), (302, {"location": "http://127.0.0.1:9/"}, ""), (202, {}, "")])
async def test_other_answers_are_no_confirmation(cdn: CdnStandIn, failure: tuple[int, dict[str, str], str]) -> None:
    cdn.failures = [failure]
    with pytest.raises(SiteError):
        await client_of(cdn).purge(TAGS)


async def test_success_of_another_server_is_no_confirmation_of_varnish() -> None:
    with serve_cdn("varnish") as cdn:
        cdn.failures = [(200, {}, "<!doctype html>")]
        with pytest.raises(SiteError, match="Varnish does not confirm"):
            await client_of(cdn).purge(TAGS)


@pytest.mark.parametrize("body", ["<!doctype html>", "[]", '{"success": false}', "null"])
async def test_garbage_is_no_confirmation_of_cloudflare(body: str) -> None:
    with serve_cdn("cloudflare") as cdn:
        cdn.failures = [(200, {}, body)]
        with pytest.raises(SiteError, match="does not confirm"):
            await client_of(cdn).purge(TAGS)


async def test_refusal_says_how_long_to_wait(cdn: CdnStandIn) -> None:
    cdn.failures = [(429, {"retry-after": "7"}, "")]
    with pytest.raises(RequestsRefused) as refused:
        await client_of(cdn).purge(TAGS)
    assert refused.value.retry_after_s == 7.0


def test_settings_without_a_cdn_purge_nothing() -> None:
    assert cdn_of(read_settings({"KINFOLK_SITE": str(SITE)})) is None


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"KINFOLK_CDN": "cloudflare", "KINFOLK_CDN_ID": ID}, "KINFOLK_CDN_TOKEN"),
        ({"KINFOLK_CDN": "fastly", "KINFOLK_CDN_TOKEN": TOKEN}, "KINFOLK_CDN_ID"),
        ({"KINFOLK_CDN": "hook", "KINFOLK_CDN_TOKEN": TOKEN}, "KINFOLK_CDN_API"),
        ({"KINFOLK_CDN": "varnish"}, "KINFOLK_CDN_API"),
        (
            {
                "KINFOLK_CDN": "varnish",
                "KINFOLK_CDN_API": "http://127.0.0.1:6081",
                "KINFOLK_CDN_TAGS": "surrogate-key",
            },
            "KINFOLK_CDN_TAGS",
        ),
        ({"KINFOLK_CDN": "bunny", "KINFOLK_CDN_ID": ID, "KINFOLK_CDN_TOKEN": "a\nb"}, "KINFOLK_CDN_TOKEN"),
        ({"KINFOLK_CDN": "bunny", "KINFOLK_CDN_ID": "../1", "KINFOLK_CDN_TOKEN": TOKEN}, "KINFOLK_CDN_ID"),
        ({"KINFOLK_CDN": "akamai"}, "KINFOLK_CDN"),
        ({"KINFOLK_CDN_MAX_AGE_S": "31536001"}, "KINFOLK_CDN_MAX_AGE_S must be at most"),
    ],
)
def test_wrong_settings_are_named(given: dict[str, str], missing: str) -> None:
    with pytest.raises(Invalid, match=missing):
        cdn_of(read_settings({"KINFOLK_SITE": str(SITE), **given}))
