"""A site in this process whose responses become files of an export."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from kinfolk.api.all_functions import registry
from kinfolk.api.functions.examples import ExampleTree
from kinfolk.api.registry import Call
from kinfolk.cli.export.answer_files import (
    CODE_NAMES,
    EXAMPLE_FILE,
    EXAMPLE_FILES,
    AnswerFile,
    answer_file,
    code_name_requests,
    example_file_requests,
)
from kinfolk.cli.export.file_names import MISSING_PAGE, file_of, kind_of, source_of
from kinfolk.cli.export.link_form import LinkForm, is_external, redirect_page
from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import PENDING_CODE, cdn_tag
from kinfolk.site.site import Site, open_site, upgrade_database
from kinfolk.web.app import SiteApp

EXAMPLE = re.compile(r"/[^/]+/[^/]+/docs/framework/[^/]+/examples/[^/]+")
_TEXTS = ("text/", "application/json", "application/xml", "application/atom+xml", "application/feed+json")
_REDIRECTS = range(300, 400)


@dataclass(frozen=True)
class ExportedFile:
    """One file of an export."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Exported:
    """What an address is in an export. `tags` are those of a purge that makes it stale.

    An address without files has a `redirect` or a `fault`. `is_missing`: the fault is that it names nothing.
    """

    target: str
    files: tuple[ExportedFile, ...] = ()
    links: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()
    redirect: str = ""
    fault: str = ""
    is_missing: bool = False

    @property
    def has_pending_code(self) -> bool:
        """Whether some code is shown plain until it is highlighted. The tags of that are purged then."""
        return cdn_tag(PENDING_CODE) in self.tags


@dataclass
class SiteRenderer:
    """Exports addresses of a running site. Make it with `open`."""

    app: SiteApp
    form: LinkForm
    _headers: list[tuple[bytes, bytes]] = field(
        default_factory=lambda: [(b"host", b"export"), (b"accept-encoding", b"identity")]
    )

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: Settings, *, share_images: bool = True) -> AsyncIterator[SiteRenderer]:
        """A site without background work that changes its content."""
        site = dataclasses.replace(open_site(export_settings(settings)), is_static=True)
        upgrade_database(site.database, site.settings)
        app = SiteApp(site)
        async with app.running():
            yield cls(app, LinkForm(site.settings.origin, app.base, share_images))

    @property
    def site(self) -> Site:
        return self.app.site

    async def export(self, target: str) -> Exported:
        """The files of an address, which is from the site's root. An address without content is a fault."""
        path = target.partition("?")[0]
        status, headers, body = await self._request(source_of(target))
        tags = frozenset(filter(None, headers.get("cache-tag", "").split(",")))
        if status in _REDIRECTS:
            return self._redirect(target, headers["location"], tags)
        if status != HTTPStatus.OK and not (path == MISSING_PAGE and status == HTTPStatus.NOT_FOUND):
            return Exported(target, tags=tags, fault=f"status {status}", is_missing=status == HTTPStatus.NOT_FOUND)
        kind = headers.get("content-type", "")
        if kind.startswith("text/html"):
            html = body.decode()
            html = self.form.html(html)
            links = tuple(dict.fromkeys(self.form.targets(html)))
            page = ExportedFile(file_of(path), html.encode())
            answers = await self._answers_of(path, html)
            data = (ExportedFile(answer.address.lstrip("/"), answer.content) for answer in answers)
            return Exported(target, (page, *data), links, tags.union(*(answer.tags for answer in answers)))
        if kind.startswith(_TEXTS) and not path.startswith(("/_files/", "/_examples/", "/_shared/")):
            write = self.form.markdown if file_of(path).endswith(".md") else self.form.text
            body = write(body.decode()).encode()
        return Exported(target, (ExportedFile(file_of(path), body),), (), tags)

    async def _answers_of(self, path: str, html: str) -> list[AnswerFile]:
        """The answers that a page requests: of an example, and of docs whose names in code are known."""
        if not EXAMPLE.fullmatch(path):
            names = [await answer_file(self.site, CODE_NAMES, data) for data in code_name_requests(path, html)]
            return [answer for answer in names if answer is not None]
        path = unquote(path)
        _, library, version, _, _, framework, _, name = path.split("/")
        request = {"library": library, "version": version, "framework": framework, "name": name}
        answer = await registry.call(EXAMPLE_FILES, request, Call.begin(self.site))
        tree = answer.data
        if not isinstance(tree, ExampleTree):
            return []
        requests = example_file_requests(path, tree.files, tree.root, tree.start)
        answers = [await answer_file(self.site, EXAMPLE_FILE, data) for data in requests]
        return [answer for answer in answers if answer is not None]

    def _redirect(self, target: str, location: str, tags: frozenset[str]) -> Exported:
        """A page that leads to the target of a redirect. Files cannot redirect."""
        if is_external(location) and not location.startswith(self.form.origin):
            to, links = location, ()
        else:
            inner = self.form.target(location) or "/"
            fragment = location.partition("#")[2]
            page = inner.partition("?")[0]
            to = self.form.base.add(page if kind_of(page) == "file" or page == "/" else f"{page}/")
            to += f"#{fragment}" if fragment else ""
            links = (page,)  # type: ignore[assignment]
        path = target.partition("?")[0]
        if kind_of(path) != "page":
            return Exported(target, links=links, tags=tags, redirect=to)
        canonical = to if is_external(to) else self.form.origin.removesuffix(self.form.base.path) + to
        page_file = ExportedFile(file_of(path), redirect_page(to, canonical.partition("#")[0]).encode())
        return Exported(target, (page_file,), links, tags, to)

    async def _request(self, target: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the response to a GET request."""
        path, _, query = (self.form.base.path + target).partition("?")
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "https" if self.form.origin.startswith("https") else "http",
            "path": unquote(path),
            "raw_path": path.encode("latin-1", "replace"),
            "query_string": query.encode("latin-1", "replace"),
            "root_path": "",
            "headers": self._headers,
            "client": ("127.0.0.1", 0),
            "server": ("export", 80),
        }
        status, headers, parts = 0, dict[str, str](), list[bytes]()

        has_body = True

        async def receive() -> dict[str, Any]:
            nonlocal has_body
            if not has_body:
                # The client of a streamed response stays connected.
                await asyncio.get_running_loop().create_future()
            has_body = False
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers.update((name.decode().lower(), value.decode("latin-1")) for name, value in message["headers"])
            else:
                parts.append(message.get("body", b""))

        await self.app(scope, receive, send)
        return status, headers, b"".join(parts)


def export_settings(settings: Settings) -> Settings:
    """Settings of a site that is exported: nothing is fetched, indexed or checked in the background.

    Files cannot fetch the docs of releases, so an export has none.
    """
    return dataclasses.replace(
        settings,
        search=False,
        npm_import=False,
        figures=False,
        release_notes=False,
        link_check=False,
        refresh_s=0,
        github_token="",
        releases_mb=0,
    )
