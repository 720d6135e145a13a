"""Pages of the site with the script of `kinfolk dev`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from html import escape
from urllib.parse import unquote

from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Scope, Send

from kinfolk.cli.dev.problems import Problem

CLIENT = "/_dev/client.js"
REDIRECTS = range(300, 400)
_HELD_HEADERS = frozenset({b"content-length", b"etag", b"cache-control"})


def without_encodings(scope: Scope) -> Scope:
    """The request for an uncompressed response, because a script is added to it."""
    return {**scope, "headers": [header for header in scope["headers"] if header[0] != b"accept-encoding"]}


async def page_html(app: ASGIApp, page: str) -> bytes | None:
    """The HTML at an address, whose path and query are as in a request; None where there is a redirect or no HTML.

    The page of an error is one, too: browsers show it until it changes.
    """
    path, _, query = page.partition("?")
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode("latin-1", "replace"),
        "query_string": query.encode("latin-1", "replace"),
        "root_path": "",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 80),
    }
    is_page, body = False, bytearray()

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        nonlocal is_page
        if message["type"] == "http.response.start":
            is_page = _is_html(message) and message["status"] not in REDIRECTS
        else:
            body.extend(message.get("body", b""))

    await app(scope, receive, send)
    return bytes(body) if is_page else None


def _is_html(start: Message) -> bool:
    headers: dict[bytes, bytes] = dict(start["headers"])
    return headers.get(b"content-type", b"").startswith(b"text/html")


def script_of(digest: str, change: int) -> bytes:
    """The script of a page with this digest, which shows this change of the site."""
    return (
        f'<script src="{CLIENT}" type="module" data-page-digest="{digest}" data-page-change="{change}"></script>'
    ).encode()


def with_client(send: Send, script: Callable[[bytes], bytes]) -> Send:
    """A `send` that adds a script to HTML, made from it."""
    held: Message | None = None
    body = bytearray()

    async def send_with_script(message: Message) -> None:
        nonlocal held
        if message["type"] == "http.response.start":
            if _is_html(message) and message["status"] not in (304, 204):
                held = message
                return
        elif held is not None and message["type"] == "http.response.body":
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            html = _with_script(bytes(body), script(bytes(body))) if body else b""
            other = [_allowing_client(*header) for header in held["headers"] if header[0].lower() not in _HELD_HEADERS]
            length = [(b"content-length", b"%d" % len(html))] if html else []
            await send({**held, "headers": [*other, *length, (b"cache-control", b"no-store")]})
            held = None
            await send({"type": "http.response.body", "body": html})
            return
        await send(message)

    return send_with_script


def _with_script(html: bytes, script: bytes) -> bytes:
    """The HTML with the script at the end of its body."""
    end = max(html.rfind(b"</body>"), 0) or max(html.rfind(b"</html>"), 0) or len(html)
    return html[:end] + script + html[end:]


def _allowing_client(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """A header; a Content-Security-Policy also allows the script, and the script to replace parts of the page."""
    if name.lower() != b"content-security-policy":
        return name, value
    if b"script-src" in value:
        return name, value.replace(b"trusted-types default", b"trusted-types default dev")
    return name, value + b"; script-src 'self'; connect-src 'self'"


_STYLE = """:root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:44rem;margin:10vh auto;
padding:0 1rem}li{overflow-wrap:anywhere}"""


def problem_page(problems: Collection[Problem], change: int) -> Response:
    """The page of a site that cannot open."""
    if not problems:
        return PlainTextResponse("The site is starting", 503, headers={"retry-after": "1"})
    rows = "".join(f"<li>{escape(str(problem))}</li>" for problem in problems)
    html = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>The site cannot start</title><style>{_STYLE}</style></head><body><h1>The site cannot start</h1>"
        f"<ul>{rows}</ul><p>Correct the files. This page then shows the site.</p>"
        f"{script_of('', change).decode()}</body></html>"
    )
    return HTMLResponse(html, 500, headers={"cache-control": "no-store"})
