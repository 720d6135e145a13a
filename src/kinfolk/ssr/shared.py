"""Answers that many pages share travel as files of their own: the shell of the site, a library's navigation.

A page then only points into them. The address names function, input and digest, so that every process can make the
file, and one that says something else by now is never taken for it.
"""

from __future__ import annotations

import hashlib
import json
from urllib.parse import quote

from kinfolk.rpc import Answer, plain

BASE = "/_shared"


def shared_file(answer: Answer) -> tuple[str, bytes]:
    """Digest and bytes of the file for an answer that went well."""
    body = json.dumps(plain(answer.data), ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return hashlib.blake2b(body, digest_size=8).hexdigest(), body


def shared_href(digest: str, id: str, data: object) -> str:
    """Where the file is served."""
    wanted = json.dumps({"data": data}, ensure_ascii=False, separators=(",", ":"))
    return f"{BASE}/{digest}/{id}?payload={quote(wanted, safe='')}"
