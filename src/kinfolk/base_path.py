"""The base path: the path of the site's public address, such as `/docs` of `https://example.com/docs`.

    base = BasePath.of("https://example.com/docs")
    base.strip("/docs/query/latest")      # "/query/latest"
    base.add("/query/latest")             # "/docs/query/latest"

Within the server and its caches, paths start at the site's root, with and without a base path (decisions/0023).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import AnyStr
from urllib.parse import urlsplit

from kinfolk.errors import Invalid

_VALID = re.compile(r"(/[A-Za-z0-9._~-]+)*")
_TAG = re.compile(r"""<[a-zA-Z](?:[^"'>]|"[^"]*"|'[^']*')*>""")
"""A start tag of well-formed HTML, whose texts contain no `<`."""
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
        return _TAG.sub(lambda tag: self._add_to_tag(tag[0]), html) if self.path else html

    def _add_to_tag(self, tag: str) -> str:
        tag = _ADDRESS.sub(lambda found: f"{found[1]}{self.path}{found[2]}", tag)
        return _SRCSET.sub(
            lambda found: _FURTHER_CANDIDATE.sub(lambda each: f"{each[1]}{self.path}{each[2]}", found[0]), tag
        )


def is_rooted(address: str) -> bool:
    """Whether an address is a path from the root of its host."""
    return address.startswith("/") and not address.startswith(("//", "/\\"))
