"""The addresses in an exported text. Pages are folders there, so that their addresses end with a slash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from urllib.parse import urlsplit

from kinfolk.cli.export.file_names import kind_of
from kinfolk.config.base_path import BasePath, start_tags

_ATTRIBUTE = re.compile(r"""\s(?:href|src|action|poster|data-copy-page|data-shared|srcset|content)="([^"]*)\"""")
_CSS_URL = re.compile(r"""url\(["']?([^"'()]+)["']?\)""")
_LINK = re.compile(r"""(\s(?:href|action)=")(/[^"?#]*)(\?[^"#]*)?(#[^"]*)?(")""")
_HREF = re.compile(r"""\shref="(/[^"?#]*)""")
_END_OF_LINK = "</a>"
_MARKDOWN_LINK = re.compile(r"\[([^\[\]]*)\]\(([^\s()]*)\)")
_SHARE_IMAGE = "/og/"
_MARKDOWN = "/api/md/"
SITE_IMAGE = "/og/site.jpg"


@dataclass(frozen=True)
class LinkForm:
    """How addresses are written in an export."""

    origin: str
    """The public address of the site, with the base path."""
    base: BasePath
    share_images: bool = True

    def targets(self, html: str) -> Iterator[str]:
        """The addresses of this site in a page, from the site's root and without fragments."""
        for found in (*_ATTRIBUTE.findall(html), *_CSS_URL.findall(html)):
            for address in unescape(found).split() if " " in found else (unescape(found),):
                target = self.target(address)
                if target is not None and (self.share_images or not target.startswith(_SHARE_IMAGE)):
                    yield target

    def target(self, address: str) -> str | None:
        """An address from the site's root; None for one of another site."""
        address = address.partition("#")[0]
        if address.startswith(f"{self.origin}/"):
            return address.removeprefix(self.origin)
        if address.startswith("/") and not address.startswith("//"):
            return self.base.strip(address)
        return None

    def html(self, html: str) -> str:
        """A page of an export."""
        return self.text(_LINK.sub(self._link, self._without_server_links(html)))

    def _without_server_links(self, html: str) -> str:
        """Text about a page that needs the server, such as the dashboard, stays without its link."""
        parts: list[str] = []
        at = 0
        for start, end in start_tags(html):
            href = _HREF.search(html, start, end) if html.startswith("<a ", start) else None
            path = self.base.strip(href[1]) if href else None
            if path is None or kind_of(path) != "server":
                continue
            closing = html.find(_END_OF_LINK, end)
            if closing < 0:
                break
            parts += (html[at:start], html[end:closing])
            at = closing + len(_END_OF_LINK)
        return "".join((*parts, html[at:]))

    def markdown(self, text: str) -> str:
        """Markdown of an export. Text about a page that needs the server stays without its link."""
        return self.text(_MARKDOWN_LINK.sub(self._markdown_link, text))

    def _markdown_link(self, found: re.Match[str]) -> str:
        path = self.target(found[2])
        return found[1] if path is not None and kind_of(path.partition("?")[0]) == "server" else found[0]

    def text(self, text: str) -> str:
        """Any text of an export: absolute addresses of pages end with a slash."""
        return self._absolute.sub(self._absolute_address, text)

    @property
    def _absolute(self) -> re.Pattern[str]:
        return re.compile(re.escape(self.origin) + r"(/[^\s\"'<>()\[\]#?&]*|)(?=[\s\"'<>()\[\]#?&]|$)")

    def _link(self, found: re.Match[str]) -> str:
        opening, address, query, fragment, closing = found.groups(default="")
        path = self.base.strip(address)
        if path is not None and path.startswith(_MARKDOWN):
            return f"{opening}{self.base.add(markdown_file(path))}{closing}"
        if path is None or path == "/" or kind_of(path) != "page":
            return found[0]
        # A notice about the way to a page needs the server.
        query = "" if query.startswith("?from=") else query
        return f"{opening}{address.rstrip('/')}/{query}{fragment}{closing}"

    def _absolute_address(self, found: re.Match[str]) -> str:
        path = found[1]
        bare = path.rstrip(".,:;")
        end = path[len(bare) :]
        if bare.startswith(_SHARE_IMAGE) and not self.share_images:
            return f"{self.origin}{SITE_IMAGE}{end}"
        if bare.startswith(_MARKDOWN):
            return f"{self.origin}{markdown_file(bare)}{end}"
        if bare in ("", "/") or bare.endswith("/") or kind_of(bare) != "page":
            return found[0]
        return f"{self.origin}{bare}/{end}"


def markdown_file(path: str) -> str:
    """The file with the Markdown of a page, by the address that the server has for it."""
    return f"{path.removeprefix(_MARKDOWN.rstrip('/'))}.md"


def redirect_page(to: str, canonical: str) -> str:
    """A page that leads to another one."""
    target, address = _escaped(to), _escaped(canonical)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Redirecting</title>'
        f'<meta name="robots" content="noindex"><link rel="canonical" href="{address}">'
        f'<meta http-equiv="refresh" content="0; url={target}">'
        f'<p><a href="{target}">This page has moved.</a></p></html>\n'
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def is_external(address: str) -> bool:
    return bool(urlsplit(address).netloc)
