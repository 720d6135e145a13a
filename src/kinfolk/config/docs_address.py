"""Names of content: a branch of a repository, and a page of a library's docs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote


@dataclass(frozen=True, order=True)
class Ref:
    """A branch of a repository: `acme/query@main`."""

    repo: str
    branch: str

    def __str__(self) -> str:
        return f"{self.repo}@{self.branch}"


@dataclass(frozen=True)
class DocsAddress:
    """A page in the docs of a library: `/query/latest/docs/guides/caching`.

    `version` is the name in URLs. `path` is relative to the docs root and has no extension.
    """

    library: str
    version: str
    path: str

    @property
    def base(self) -> str:
        return f"/{self.library}/{self.version}/docs"

    @property
    def decoded(self) -> str:
        """The address without percent-encoding, as rules of redirects match it. `str` makes the URL."""
        return f"{self.base}/{self.path}"

    def with_version(self, version: str) -> DocsAddress:
        """The same path in another version."""
        return DocsAddress(self.library, version, self.path)

    def __str__(self) -> str:
        return f"{self.base}/{quote(self.path)}"


_ADDRESS = re.compile(r"/([^/]+)/([^/]+)/docs/([^?#]+)")


def parse_docs_address(address: str) -> DocsAddress | None:
    """The page of an address such as `/query/latest/docs/overview`; None for other addresses."""
    found = _ADDRESS.fullmatch(address)
    return DocsAddress(found[1], found[2], unquote(found[3])) if found else None
