"""The base path: the path of the site's public address, such as `/docs` of `https://example.com/docs`.

    base = BasePath.of("https://example.com/docs")
    base.strip("/docs/query/latest")      # "/query/latest"
    base.add("/query/latest")             # "/docs/query/latest"

Within the server and its caches, paths start at the site's root, with and without a base path (decisions/0023).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import AnyStr
from urllib.parse import urlsplit

from kinfolk.runtime.errors import Invalid

_VALID = re.compile(r"(/[A-Za-z0-9._~-]+)*")
_TAG_NAME = re.compile(r"<[a-zA-Z]")
_DELIMITER = re.compile(r"""["'>]""")
_ADDRESS = re.compile(r"""(\s(?:href|src|srcset|poster|action|xlink:href)=["'])(/(?!/))""")
_FURTHER_CANDIDATE = re.compile(r"""(?<=,)(\s*)(/(?!/))""")
_SRCSET = re.compile(r"""\ssrcset=(?:"[^"]*"|'[^']*')""")


@dataclass(frozen=True)
class BasePath:
    """`path` is empty for a site at the root of its host."""

    path: str = ""

    @classmethod
    def of(cls, origin: str) -> BasePath:
        """The base path of a public address. Raises Invalid for a path that needs encoding."""
        path = urlsplit(origin).path.rstrip("/")
        if not _VALID.fullmatch(path) or {".", ".."} & set(path.split("/")):
            raise Invalid(f"The path of KINFOLK_ORIGIN may have letters, digits and -._~ only, not {path!r}")
        return cls(path)

    def __bool__(self) -> bool:
        return bool(self.path)

    def add(self, address: str) -> str:
        """The address as clients request it. Addresses of other sites, and hashes, stay as they are."""
        return self.path + address if is_rooted(address) else address

    def strip(self, target: AnyStr) -> AnyStr | None:
        """The path from the site's root, with the query of the target; None for a target outside of the base path."""
        if isinstance(target, bytes):
            stripped = self.strip(target.decode("latin-1"))
            return None if stripped is None else stripped.encode("latin-1")
        if not target.startswith(self.path):
            return None
        rest = target[len(self.path) :]
        if rest.startswith("/"):
            return rest
        return f"/{rest}" if rest.startswith("?") or not rest else None

    def add_to_html(self, html: str) -> str:
        """HTML of this server with the base path in all addresses of the site. The HTML must be well-formed."""
        if not self.path:
            return html
        parts: list[str] = []
        at = 0
        for start, end in start_tags(html):
            parts += (html[at:start], self._add_to_tag(html[start:end]))
            at = end
        return "".join((*parts, html[at:]))

    def _add_to_tag(self, tag: str) -> str:
        tag = _ADDRESS.sub(lambda found: f"{found[1]}{self.path}{found[2]}", tag)
        return _SRCSET.sub(
            lambda found: _FURTHER_CANDIDATE.sub(lambda each: f"{each[1]}{self.path}{each[2]}", found[0]), tag
        )


def start_tags(html: str) -> Iterator[tuple[int, int]]:
    """Where each start tag of well-formed HTML begins and ends. Ends at a tag or a quotation that is not closed."""
    at = 0
    while opening := _TAG_NAME.search(html, at):
        end = opening.end()
        while (delimiter := _DELIMITER.search(html, end)) and delimiter[0] != ">":
            closing = html.find(delimiter[0], delimiter.end())
            if closing < 0:
                return
            end = closing + 1
        if delimiter is None:
            return
        at = delimiter.end()
        yield opening.start(), at


def is_rooted(address: str) -> bool:
    """Whether an address is a path from the root of its host."""
    return address.startswith("/") and not address.startswith(("//", "/\\"))
