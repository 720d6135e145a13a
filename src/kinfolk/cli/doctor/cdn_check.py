"""The check of the CDN: whether it accepts purges with the credentials of the settings."""

from __future__ import annotations

import asyncio
import math
from http import HTTPStatus

from kinfolk.cli.doctor.checkup import CheckFinding, fault, ok, warning
from kinfolk.content.dependencies import cdn_tag
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.upstream_client import RequestsRefused, UnexpectedStatus
from kinfolk.web.background.cdn.cdn_apis import CdnApi, CdnClient, Varnish

NAME = "CDN"
UNUSED = frozenset({cdn_tag("kinfolk doctor")})
"""A tag that no response has. Its purge drops nothing, and needs the same permission as any other."""
_REFUSED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


def check_cdn(cdn: CdnApi) -> list[CheckFinding]:
    """Purge a tag that no response has: a call that only verifies a token says nothing about its permissions."""
    try:
        asyncio.run(CdnClient(cdn).purge(UNUSED))
    except RequestsRefused as refused:
        advice = f"Repeat the check after {math.ceil(refused.retry_after_s)} s"
        return [warning(NAME, refused.message, advice)]
    except UnexpectedStatus as answer:
        if answer.status not in _REFUSED:
            return [fault(NAME, answer.message, "Compare KINFOLK_CDN_ID and KINFOLK_CDN_API with its documentation")]
        return [fault(NAME, f"{cdn.name} refuses purges (status {answer.status})", _advice(cdn))]
    except NotFound as missing:
        return [fault(NAME, missing.message, "Correct KINFOLK_CDN_ID, or the address in KINFOLK_CDN_API")]
    except Unavailable as failure:
        return [fault(NAME, failure.message, "Check the address, the firewall and the name server of this machine")]
    return [ok(NAME, f"{cdn.name} accepts purges")]


def _advice(cdn: CdnApi) -> str:
    if isinstance(cdn, Varnish):
        return "Add the address of this machine to `purgers` in the VCL file"
    return "Correct KINFOLK_CDN_TOKEN, or give the token the permission to purge"
