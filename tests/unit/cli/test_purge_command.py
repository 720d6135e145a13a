"""`kinfolk purge` against stand-ins for the CDNs: what it drops, and what it prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from click.testing import CliRunner, Result
from tests.servers.cdn_apis import KINDS, TAG_HEADERS, CdnKind, CdnStandIn, serve_cdn
from tests.sites.sample_site import SITE

from kinfolk.cli.main import main
from kinfolk.content.dependencies import cdn_tag

NAMES = {
    "cloudflare": "Cloudflare",
    "fastly": "Fastly",
    "bunny": "Bunny",
    "hook": "The purge hook",
    "varnish": "Varnish",
}
PAGE = "acme/query@main:docs/overview.md"


@pytest.fixture(params=[*KINDS, "varnish"])
def cdn(request: pytest.FixtureRequest) -> Iterator[CdnStandIn]:
    kind: CdnKind = request.param
    with serve_cdn(kind) as cdn:
        for path, name in (("/blog", "blog"), ("/query", PAGE), ("/all-of-query", "acme/query@main:*")):
            headers = {"cache-control": "max-age=60, s-maxage=60", TAG_HEADERS[kind]: cdn_tag(name)}
            cdn.store(path, 200, headers, b"")
        yield cdn


def purge(environment: Mapping[str, str], *arguments: str) -> Result:
    return CliRunner().invoke(main, ["purge", *arguments], env={"KINFOLK_SITE": str(SITE), **environment})


def test_all_purges_everything(cdn: CdnStandIn) -> None:
    done = purge(cdn.environment, "--all")
    assert (done.exit_code, done.output) == (0, f"{NAMES[cdn.kind]} has purged everything\n")
    assert (cdn.cached, cdn.purges) == ({}, [None])


def test_names_purge_what_depends_on_them_or_on_all_of_their_branch(cdn: CdnStandIn) -> None:
    done = purge(cdn.environment, PAGE)
    assert (done.exit_code, done.output) == (0, f"{NAMES[cdn.kind]} has purged 3 tags\n")
    assert list(cdn.cached) == ["/blog"]


def test_more_names_than_a_purge_may_have_become_one_of_the_branch() -> None:
    with serve_cdn("bunny") as cdn:
        done = purge(cdn.environment, *(f"acme/query@main:docs/page-{number}.md" for number in range(9)))
        assert (done.exit_code, done.output) == (0, "Bunny has purged 3 tags\n")
        names = ("acme/query@main:**", "**", "*")
        assert set(map(cdn_tag, names)) == frozenset().union(*filter(None, cdn.purges))


def test_refused_purge_says_when_to_repeat_it(cdn: CdnStandIn) -> None:
    cdn.failures = [(429, {"retry-after": "7"}, "")]
    done = purge(cdn.environment, "--all")
    assert done.exit_code == 1
    assert f"{NAMES[cdn.kind]} limits the rate of requests: repeat the command after 7 s" in str(done.output)
    assert len(cdn.cached) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_refused_token_is_an_error_with_the_status(kind: CdnKind) -> None:
    with serve_cdn(kind) as cdn:
        cdn.token = "another"
        done = purge(cdn.environment, "--all")
        assert done.exit_code == 1
        assert f"{NAMES[kind]} answers 40" in done.output
        assert "token-of-the-cdn" not in done.output


@pytest.mark.parametrize("arguments", [(), ("--all", "blog")])
def test_either_all_or_names_are_needed(arguments: tuple[str, ...]) -> None:
    done = purge({}, *arguments)
    assert done.exit_code == 2
    assert "Name what to purge, or use --all" in done.output


def test_site_without_a_cdn_has_nothing_to_purge() -> None:
    done = purge({}, "--all")
    assert done.exit_code == 1
    assert "There is no CDN to purge: KINFOLK_CDN is empty" in done.output
