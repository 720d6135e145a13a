"""`POST /feedback`: the form below a docs page. Without scripts the answer is a redirect to a page, else JSON."""

from __future__ import annotations

import asyncio
import re

import structlog
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from kinfolk.config.base_path import BasePath
from kinfolk.config.docs_address import parse_docs_address
from kinfolk.content.docs import ContentReader
from kinfolk.content.docs.pages.page_digest import section_digest
from kinfolk.content.markdown.html.section_texts import section_texts
from kinfolk.maintenance.feedback_store import LONGEST_NOTE, FeedbackSubject
from kinfolk.runtime.errors import Invalid, NotFound, SiteError, Unavailable
from kinfolk.site.site import Site
from kinfolk.web.endpoints.pages.page_responses import unavailable_response
from kinfolk.web.protocol.client_address import request_client
from kinfolk.web.protocol.client_limits import read_body
from kinfolk.web.refusal_log import log_refusal
from kinfolk.web.responses import NO_STORE, parse_form
from kinfolk.web.same_origin import check_same_origin

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

ADDRESS = "/feedback"
MAX_FORM_BYTES = 24 << 10
"""A note of 2,000 characters has at most 18 kB in a form."""
LONGEST_NAME = 300
THANKS = "Thank you for your answer."
NOT_STORED = "Your answer could not be stored right now."
STILL_IN_FORM = "What you wrote is still in the form: send it again in a minute."
GO_BACK = "What you wrote is still in the form: go back, and send it again in a minute."
_CONTROL = re.compile(r"[^\S\n]+|[\x00-\x09\x0b-\x1f\x7f]")


class FeedbackEndpoint:
    """The route of the form."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[Route]:
        return [Route(ADDRESS, self._respond, methods=["POST"])]

    async def _respond(self, request: Request) -> Response:
        wants_json = "application/json" in request.headers.get("accept", "")
        try:
            check_same_origin(request, self._site.settings, strict=True)
            form = await parse_form(request, await read_body(request, MAX_FORM_BYTES))
            client = request_client(request, self._site.settings)
            id = await asyncio.to_thread(self._store, form, client)
        except Unavailable as failure:
            log.warning("feedback not stored", reason=failure.message)
            if wants_json:
                return JSONResponse({"message": f"{NOT_STORED} {STILL_IN_FORM}"}, failure.status, headers=NO_STORE)
            return unavailable_response(f"{NOT_STORED} {GO_BACK}", BasePath.of(self._site.settings.origin))
        except SiteError as failure:
            log_refusal("feedback", failure.code)
            if wants_json:
                return JSONResponse({"message": failure.message}, failure.status, headers=NO_STORE)
            return RedirectResponse(f"{ADDRESS}?error={failure.code}", 303, headers=NO_STORE)
        if wants_json:
            return JSONResponse({"id": id, "message": THANKS}, headers=NO_STORE)
        return RedirectResponse(ADDRESS, 303, headers=NO_STORE)

    def _store(self, form: FormData, client: str) -> str:
        """Store the answer. Returns its id. Raises Invalid, NotFound and Refused."""
        helpful = {"yes": True, "no": False}.get(_text(form, "helpful"))
        note = _CONTROL.sub(" ", _text(form, "note").replace("\r\n", "\n")).strip()
        if helpful is None and not note:
            raise Invalid("Choose Yes or No, or write a note.")
        if len(note) > LONGEST_NOTE:
            raise Invalid(f"The note is longer than {LONGEST_NOTE} characters.")
        section = self._section(_text(form, "page"), _text(form, "heading"))
        # Readers do not see this field; programs that fill in every field do. They are told that all is well.
        if _text(form, "website"):
            return ""
        id = _text(form, "id")[:16] or None
        return self._site.maintenance.feedback.add(section, helpful=helpful, note=note, client=client, id=id)

    def _section(self, page_address: str, heading: str) -> FeedbackSubject:
        address = parse_docs_address(page_address[:1024])
        docs = ContentReader(self._site.content.publisher.docs)
        if address is None:
            raise NotFound("There is no docs page at this address.")
        page = docs.page(docs.locate_address(address))
        if not page.is_written:
            raise Invalid("This page is generated. Report errors in the repository of the library.")
        texts = section_texts(page.page)
        known = next((each for each in page.headings if each.id == heading), None)
        # The page may have changed since it was opened: then the answer is about the page.
        text = texts.get(known.id, "") if known is not None else " ".join(texts.values())
        return FeedbackSubject(
            library=address.library,
            version=address.version,
            path=address.path,
            title=page.title[:LONGEST_NAME],
            page_digest=page.digest,
            heading=known.id[:LONGEST_NAME] if known else "",
            heading_text=known.text[:LONGEST_NAME] if known else "",
            section_digest=section_digest(text),
            text=text,
        )


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value if isinstance(value, str) else ""
