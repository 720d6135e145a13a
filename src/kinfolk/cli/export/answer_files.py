"""Answers of API functions as files, at the addresses that `frontend/src/lib/staticSite.ts` requests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

from kinfolk.api.all_functions import registry
from kinfolk.api.registry import Call
from kinfolk.config.base_path import BasePath
from kinfolk.content.dependencies import cache_tag_header
from kinfolk.site.site import Site

_OFFSETS = (0x811C9DC5, 0x1B873593)
_PRIME = 0x01000193
SEARCH_CONFIG = ("search.config", None)
EXAMPLE_FILES, EXAMPLE_FILE = "example.files", "example.file"
CODE_NAMES = "docs.names"
_DOCS = re.compile(r"/([^/]+)/([^/]+)/docs/(.+)")
_BLOCK = re.compile(r'<code [^<>]{0,200}data-names="([0-9]{1,5})"')


def data_address(id: str, data: object) -> str:
    """The address of an answer."""
    return f"/_data/{quote(id)}/{_digest(_json(data))}.json"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _digest(text: str) -> str:
    """FNV-1a with two offsets."""
    digests = []
    for offset in _OFFSETS:
        hash = offset
        for byte in text.encode(errors="surrogatepass"):
            hash = ((hash ^ byte) * _PRIME) & 0xFFFFFFFF
        digests.append(f"{hash:08x}")
    return "".join(digests)


@dataclass(frozen=True)
class AnswerFile:
    """The file with the answer of a function. `tags` are those of a purge that makes it stale."""

    address: str
    content: bytes
    tags: frozenset[str]


async def answer_file(site: Site, id: str, data: object) -> AnswerFile | None:
    """The answer of a function; None where the function fails."""
    answer = await registry.call(id, data, Call.begin(site))
    if answer.kind == "error":
        return None
    envelope = answer.envelope(html=BasePath.of(site.settings.origin).add_to_html)
    content = _json(envelope).encode(errors="surrogatepass")
    return AnswerFile(data_address(id, data), content, frozenset(cache_tag_header(answer.tags).split(",")))


def example_file_requests(path: str, files: tuple[str, ...], root: str, start: str) -> Iterator[dict[str, object]]:
    """The requests of the viewer on the page of an example, for each of its files."""
    _, library, version, _, _, framework, _, name = path.split("/")
    example = {"library": library, "version": version, "framework": framework, "name": name}
    for file in files:
        yield {**example, "path": None if file == start else f"{root}/{file}"}


def code_name_requests(path: str, html: str) -> Iterator[dict[str, object]]:
    """The requests of a docs page for its code blocks with known names, as `codeNames/blockNames.ts` sends them."""
    page = _DOCS.fullmatch(unquote(path))
    if page is None:
        return
    for block in _BLOCK.findall(html):
        yield {"library": page[1], "version": page[2], "path": page[3], "block": int(block)}
