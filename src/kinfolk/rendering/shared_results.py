"""Answers that many pages have in common are served as files: the site shell, the navigation of a library version.

A page contains the address of the file instead of its content. The address names the function, its input and a digest
of the content, so that every worker can serve it, and a file with other content is never served in its place.
"""

from __future__ import annotations

import hashlib
import json
from urllib.parse import quote

from kinfolk.api.registry import FunctionResult, to_json

BASE = "/_shared"


def shared_file(answer: FunctionResult) -> tuple[str, bytes]:
    """Digest and content of the file for an answer of kind "ok"."""
    body = json.dumps(to_json(answer.data), ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return hashlib.blake2b(body, digest_size=8).hexdigest(), body


def shared_href(digest: str, id: str, data: object) -> str:
    """The address of the file."""
    payload = json.dumps({"data": data}, ensure_ascii=False, separators=(",", ":"))
    return f"{BASE}/{digest}/{id}?payload={quote(payload, safe='')}"
