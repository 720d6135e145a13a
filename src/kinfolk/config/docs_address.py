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
        return f"{version_path(self.library, self.version)}/docs"

    @property
    def decoded(self) -> str:
        """The address without percent-encoding, as rules of redirects match it. `str` makes the URL."""
        return f"{self.base}/{self.path}"

    def with_version(self, version: str) -> DocsAddress:
        """The same path in another version."""
        return DocsAddress(self.library, version, self.path)

    def __str__(self) -> str:
        return f"{self.base}/{quote(self.path)}"


_PREVIEW_NAME = re.compile(r"pr-([1-9]\d{0,8})")
_PREVIEW_DOCS = re.compile(r"/pr/([^/]+)/([1-9]\d{0,8})(/docs(?:/.*)?)", re.DOTALL)


PREVIEWS = "/pr/"
"""The beginning of the addresses of previews."""


def preview_name(number: int | str) -> str:
    """The name of the version that a pull request is: `pr-12`."""
    return f"pr-{number}"


def is_preview_name(version: str) -> bool:
    """Whether a version is named as the previews of pull requests are."""
    return _PREVIEW_NAME.fullmatch(version) is not None


def version_path(library: str, version: str) -> str:
    """The path of a version: `/query/v5`, and `/pr/query/12` for the preview of a pull request."""
    preview = _PREVIEW_NAME.fullmatch(version)
    return f"/pr/{library}/{preview[1]}" if preview else f"/{library}/{version}"


def routed_path(path: str) -> str:
    """The path by which routes know a page: `/query/pr-12/docs/x` for `/pr/query/12/docs/x`, others as they are."""
    found = _PREVIEW_DOCS.fullmatch(path)
    return f"/{found[1]}/pr-{found[2]}{found[3]}" if found else path


_ADDRESS = re.compile(r"/([^/]+)/([^/]+)/docs/([^?#]+)")


def parse_docs_address(address: str) -> DocsAddress | None:
    """The page of an address such as `/query/latest/docs/overview`; None for other addresses."""
    found = _ADDRESS.fullmatch(address)
    return DocsAddress(found[1], found[2], unquote(found[3])) if found else None
