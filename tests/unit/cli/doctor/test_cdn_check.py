"""The check of the CDN against stand-ins that refuse, and against a server that is away."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.servers.cdn_apis import KINDS, CdnKind, CdnStandIn, Failure, serve_cdn
from tests.servers.serving import free_port
from tests.sites.sample_site import read_settings

from kinfolk.cli.doctor.cdn_check import check_cdn
from kinfolk.cli.doctor.checkup import CheckFinding
from kinfolk.cli.main import main
from kinfolk.web.background.cdn.cdn_apis import cdn_of


def checked(environment: Mapping[str, str]) -> CheckFinding:
    cdn = cdn_of(read_settings(environment))
    assert cdn is not None
    [found] = check_cdn(cdn)
    return found


@pytest.mark.parametrize("kind", [*KINDS, "varnish"])
def test_check_purges_a_tag_that_no_response_has(kind: CdnKind) -> None:
    with serve_cdn(kind) as cdn:
        assert checked(cdn.environment).status == "ok"
        assert [len(tags or ()) for tags in cdn.purges] == [1]


@pytest.mark.parametrize("kind", KINDS)
def test_refused_token_is_a_fault_that_names_the_setting(kind: CdnKind) -> None:
    with serve_cdn(kind) as cdn:
        cdn.token = "another"
        found = checked(cdn.environment)
        assert (found.status, "KINFOLK_CDN_TOKEN" in found.advice, cdn.purges) == ("fault", True, [])


@pytest.mark.parametrize(
    ("kind", "failure", "status", "advice"),
    [
        ("cloudflare", (429, {"retry-after": "7"}, ""), "warning", "after 7 s"),
        ("fastly", (404, {}, ""), "fault", "KINFOLK_CDN_ID"),
        ("bunny", (500, {}, ""), "fault", "Compare"),
        ("varnish", (403, {}, ""), "fault", "purgers"),
        ("varnish", (200, {}, "<!doctype html>"), "fault", "Check the address"),
    ],
)
def test_other_answers_have_an_advice(kind: CdnKind, failure: Failure, status: str, advice: str) -> None:
    with serve_cdn(kind) as cdn:
        cdn.failures = [failure]
        found = checked(cdn.environment)
        assert (found.status, advice in found.advice) == (status, True), found


def test_cdn_that_is_away_is_a_fault() -> None:
    found = checked(CdnStandIn("varnish", "", url=f"http://127.0.0.1:{free_port()}").environment)
    assert (found.status, found.message) == ("fault", "Varnish cannot be reached: ConnectError")


def test_doctor_names_a_setting_that_the_cdn_lacks(tmp_path: Path) -> None:
    away = {"KINFOLK_NPM_IMPORT": "off", "KINFOLK_FIGURES": "off", "KINFOLK_MIRROR": "off"}
    environment = {**away, "KINFOLK_VAR": str(tmp_path), "KINFOLK_CDN": "varnish"}
    done = CliRunner().invoke(main, ["doctor"], env=environment)
    assert done.exit_code == 1
    assert "KINFOLK_CDN is 'varnish', which needs KINFOLK_CDN_API" in done.output
