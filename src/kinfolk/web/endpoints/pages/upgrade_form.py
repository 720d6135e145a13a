"""`POST /upgrade`: the form of the page for readers without scripts, answered with a redirect to the page.

The address that it leads to has the packages of the family and their ranges, and nothing else of the file.
"""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kinfolk.api.upgrades.package_files import PackageFileError, read_packages
from kinfolk.config.routes import UPGRADE, UPGRADE_VALUE
from kinfolk.runtime.errors import SiteError
from kinfolk.site.site import Site
from kinfolk.web.protocol.client_limits import TooLarge, read_body
from kinfolk.web.refusal_log import log_refusal
from kinfolk.web.responses import NO_STORE, parse_form

MAX_FORM_BYTES = 512 << 10
"""A `package.json` of 150 kB, percent-encoded. Browsers with scripts send no file."""


class UpgradeForm:
    """The route of the form."""

    def __init__(self, site: Site) -> None:
        self._family = frozenset(name for names in site.catalog.npm_names.values() for name in names)

    def routes(self) -> list[Route]:
        return [Route(UPGRADE, self._respond, methods=["POST"])]

    async def _respond(self, request: Request) -> Response:
        """Nothing is stored, so that other sites may send the form, too."""
        try:
            form = await parse_form(request, await read_body(request, MAX_FORM_BYTES))
            text = form.get("file", "")
            query = await asyncio.to_thread(self._query, text if isinstance(text, str) else "")
        except TooLarge:
            query = {"error": "large"}
        except SiteError as failure:
            log_refusal("upgrade", failure.code)
            query = {"error": "json"}
        return RedirectResponse(f"{UPGRADE}?{urlencode(query, safe='@/:,^~*')}", 303, headers=NO_STORE)

    def _query(self, text: str) -> dict[str, str]:
        """The parameters of the page that shows what is in a file, or what is wrong with it."""
        try:
            packages = ",".join(read_packages(text, self._family))
        except PackageFileError as failure:
            line = {"line": str(failure.line)} if failure.line else {}
            return {"error": failure.fault, **line}
        query = {"packages": packages}
        return query if len(urlencode(query)) <= UPGRADE_VALUE else {"error": "many"}
