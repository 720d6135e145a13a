"""A stand-in of GitHub's and Google's sign-in, on loopback, that can misbehave.

    with OAuthProviderServer() as provider:
        code = provider.approve(authorization_address)      # what a reader's click on "Authorize" does
        provider.fault = "slow"                             # of the next requests for tokens

It checks what the real ones check: the client's secret, one use of a code, the redirect address, and the PKCE verifier.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT_ID, CLIENT_SECRET = "client", "client-secret"
Fault = Literal["slow", "server-error", "html", "endless", "list", "no-token", "cut"]


class OAuthProviderServer:
    """`user`, `emails` and `memberships` are what the API answers; `tokens` are those that were issued."""

    def __init__(self) -> None:
        self.user: Any = {"id": 1815, "login": "ada", "name": "Ada Lovelace"}
        self.emails: Any = [
            {"email": "old@example.com", "primary": False, "verified": True},
            {"email": "Ada@Example.com", "primary": True, "verified": True},
        ]
        self.google_user: Any = {
            "sub": "10769150350006150715113082367",
            "email": "ada@example.com",
            "email_verified": True,
            "name": "Ada Lovelace",
        }
        self.memberships: dict[str, str] = {}
        self.fault: Fault | None = None
        self.slow_s = 3.0
        self.tokens: list[str] = []
        self.scopes: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.provider = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def approve(self, address: str) -> str:
        """Where the provider sends a reader who agrees: the redirect address with a code and the state."""
        request = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        if request["client_id"] != CLIENT_ID or request["code_challenge_method"] != "S256":
            raise ValueError("the client is unknown or uses no PKCE")
        self.scopes.append(request["scope"])
        code = secrets.token_urlsafe(16)
        self._codes[code] = request
        return f"{request['redirect_uri']}?{urlencode({'code': code, 'state': request['state']})}"

    def issue_token(self, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        """The answer of the token endpoint."""
        basic = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        is_client = authorization == f"Basic {basic}" or form.get("client_secret") == CLIENT_SECRET
        request = self._codes.pop(form.get("code", ""), None)
        verifier = form.get("code_verifier", "")
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        if not is_client or request is None or request["code_challenge"] != challenge:
            # GitHub answers errors with status 200.
            return 200, {"error": "bad_verification_code", "error_description": "The code is incorrect or expired."}
        if request["redirect_uri"] != form.get("redirect_uri"):
            return 200, {"error": "redirect_uri_mismatch"}
        token = secrets.token_urlsafe(16)
        self.tokens.append(token)
        return 200, {"access_token": token, "token_type": "bearer", "scope": request["scope"]}

    def answer(self, path: str) -> tuple[int, Any]:
        """The answer of the API to a request with a valid token."""
        if path == "/user":
            return 200, self.user
        if path == "/user/emails":
            return 200, self.emails
        if path == "/userinfo":
            return 200, self.google_user
        organization = path.removeprefix("/user/memberships/orgs/")
        if organization in self.memberships:
            return 200, {"state": self.memberships[organization]}
        return 404, {"message": "Not Found"}


class _Server(ThreadingHTTPServer):
    provider: OAuthProviderServer
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that does not wait for its answer is no error."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    # Headers and body are sent at once: the client would delay the acknowledgement that the body waits for.
    wbufsize = -1

    def do_GET(self) -> None:
        provider = self.server.provider
        if self.path.startswith("/login/oauth/authorize"):
            self._redirect(provider.approve(self.path))
            return
        token = self.headers.get("authorization", "").removeprefix("Bearer ")
        status, answer = (
            provider.answer(self.path) if token in provider.tokens else (401, {"message": "Bad credentials"})
        )
        self._send(status, json.dumps(answer).encode())

    def do_POST(self) -> None:
        provider = self.server.provider
        body = self.rfile.read(int(self.headers.get("content-length", "0"))).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        match provider.fault:
            case "slow":
                time.sleep(provider.slow_s)
            case "server-error":
                return self._send(500, b'{"message": "Server Error"}')
            case "html":
                return self._send(200, b"<!doctype html><title>Unicorn!</title>", kind="text/html")
            case "endless":
                return self._send(200, b'{"access_token": "' + b"x" * (1 << 20) + b'"}')
            case "list":
                return self._send(200, b'["access_token"]')
            case "no-token":
                return self._send(200, b'{"scope": "user:email"}')
            case "cut":
                self.close_connection = True
                return None
        status, answer = provider.issue_token(form, self.headers.get("authorization", ""))
        return self._send(status, json.dumps(answer).encode())

    def _redirect(self, address: str) -> None:
        self.send_response(302)
        self.send_header("location", address)
        self.send_header("content-length", "0")
        self.end_headers()

    def _send(self, status: int, body: bytes, *, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""
