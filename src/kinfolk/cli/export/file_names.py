"""Which file an address has in an export, and which addresses an export has at all."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import unquote

AddressKind = Literal["page", "file", "server"]

MISSING_PAGE = "/404"
"""An address without a page, whose response becomes `404.html`."""
MISSING_FILE = "404.html"
SERVER_ONLY = re.compile(
    r"/(?:_server|_hooks|auth|1|mcp|login|dashboard|feedback|design|api/live|healthz|readyz)(?:/.*)?"
    r"|/stats/npm(?:\.(?:svg|png|csv|json|atom)|/embed|/saved/.*)"
)
"""Addresses that need the server. An exported page does not link to them."""
_FILE_FOLDERS = tuple(
    f"/{name}/"
    for name in ("_files", "_examples", "_icons", "_patterns", "_brand", "_shared", "_data", "_search", "og", "assets")
)
_FILES = frozenset(
    {"/_logos.svg", "/_frameworks.svg", "/_partners.svg", "/_theme.css", "/blog/feed.xml", "/blog/feed.json"}
)
_ROOT_SUFFIXES = frozenset({"svg", "ico", "png", "txt", "xml", "webmanifest"})
"""Kinds of files at the root of the site, such as `/favicon.ico`."""
_INDEXES = frozenset({"llms.txt", "llms-full.txt", "docs.zip"})


def kind_of(path: str) -> AddressKind:
    """What an address is, by its path from the site's root."""
    if SERVER_ONLY.fullmatch(path):
        return "server"
    return "file" if _is_file(path) else "page"


def _is_file(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    stem, _, suffix = name.rpartition(".")
    if path in _FILES or name in _INDEXES or path.startswith(_FILE_FOLDERS):
        return True
    if suffix == "atom":
        return (name == "changes.atom" and folder.count("/") == 1) or "/docs/" in path
    return suffix == "md" or (not folder and bool(stem) and suffix in _ROOT_SUFFIXES)


def file_of(path: str) -> str:
    """The file of an address, relative to the folder of the export. The file of a page is the index of a folder."""
    if path == MISSING_PAGE:
        return MISSING_FILE
    name = unquote(path).strip("/")
    if kind_of(path) == "page":
        return f"{name}/index.html" if name else "index.html"
    return name


def source_of(target: str) -> str:
    """The address to request for the content of an address. Markdown of all pages is at one address of the server."""
    path, _, query = target.partition("?")
    if path.endswith(".md") and "/docs/" in path and not path.startswith("/_"):
        return f"/api/md{path.removesuffix('.md')}"
    return target if query and kind_of(path) == "file" else path
