"""The interface through which callers resolve the links and images of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


class LinkResolver(Protocol):
    """Resolves the links and images of a page. Implemented by callers, which have the files and the routes."""

    def link(self, href: str) -> tuple[str, bool]:
        """The href to write into the page, and whether the link is broken."""

    def image(self, src: str) -> str:
        """The src to write into the page."""


@runtime_checkable
class BatchLinkResolver(LinkResolver, Protocol):
    """A LinkResolver that resolves prefetched addresses in one batch, at a lower cost."""

    def prefetch(self, links: Sequence[str], images: Sequence[str]) -> None:
        """Resolve these links and images in one step, before `link` and `image` are called for them."""


class UnchangedLinks:
    """A LinkResolver that leaves every address as written, for callers that do not use the links."""

    def link(self, href: str) -> tuple[str, bool]:
        return href, False

    def image(self, src: str) -> str:
        return src


@dataclass(frozen=True)
class AbsoluteLinks:
    """Makes links of a page absolute, because a copied text has no base URL. `address` is the path of the page."""

    origin: str
    address: str

    def link(self, href: str) -> tuple[str, bool]:
        return self._absolute(href), False

    def image(self, src: str) -> str:
        return self._absolute(src)

    def _absolute(self, target: str) -> str:
        if target.startswith("#"):
            return f"{self.origin}{self.address}{target}"
        return f"{self.origin}{target}" if target.startswith("/") and not target.startswith("//") else target
