"""Finds the addresses in responses of a site: links, assets, forms, feeds, and addresses in JSON and Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urljoin, urlsplit

_TAG = re.compile(r"""<[a-zA-Z][\w:-]*((?:[^"'>]|"[^"]*"|'[^']*')*)>""")
_ATTRIBUTE = re.compile(r"""\s([a-zA-Z][\w:-]*)=(?:"([^"]*)"|'([^']*)')""")
_SCRIPT = re.compile(r"(<script\b[^>]*>)(.*?)</script>", re.DOTALL)
_STYLE = re.compile(r"<style\b[^>]*>(.*?)</style>", re.DOTALL)
_CSS_URL = re.compile(r"""url\(\s*["']?([^"')]+)["']?\s*\)""")
_MARKDOWN_LINK = re.compile(r"\]\(<?([^)\s>]+)")
_FENCE = re.compile(r"^\s*(`{3,}|~{3,}).*?^\s*\1", re.MULTILINE | re.DOTALL)
ADDRESSES = frozenset({"href", "src", "action", "formaction", "poster", "data-boot", "data-font", "data-copy-page"})
"""Attributes with an address."""
LISTS = frozenset({"data-files", "data-shared"})
"""Attributes with addresses that are separated by spaces."""


def addresses_of(content_type: str, text: str) -> Iterator[str]:
    """Every address in a response, as it is written there, without those in code of docs."""
    kind = content_type.partition(";")[0].strip()
    if kind in ("text/html", "image/svg+xml") or kind.endswith("xml"):
        yield from _in_markup(text)
        if kind != "text/html":
            yield from re.findall(r">\s*(https?://[^<\s]+)\s*<", text)
    elif kind == "text/css":
        yield from _CSS_URL.findall(text)
    elif kind.endswith("json"):
        yield from _in_json(json.loads(text))
    elif kind in ("text/markdown", "text/plain"):
        prose = _FENCE.sub("", text)
        prose = re.sub(r"`[^`\n]*`", "", prose)
        yield from _MARKDOWN_LINK.findall(prose)
        yield from re.findall(r"^(?:Sitemap|Allow|Disallow): (\S+)", prose, re.MULTILINE)


def _in_markup(text: str) -> Iterator[str]:
    for style in _STYLE.findall(text):
        yield from _CSS_URL.findall(style)
    for opening, script in _SCRIPT.findall(text):
        if "ld+json" in opening:
            yield from _in_json(json.loads(script))
    text = _STYLE.sub("", _SCRIPT.sub(r"\1</script>", text))
    for attributes in _TAG.findall(text):
        for name, double, single in _ATTRIBUTE.findall(attributes):
            yield from _in_attribute(name, unescape(double or single))


def _in_attribute(name: str, value: str) -> Iterator[str]:
    if name in ADDRESSES or (name == "content" and value.startswith(("/", "http"))):
        yield value
    elif name in LISTS:
        yield from value.split()
    elif name == "srcset":
        yield from (candidate.split()[0] for candidate in value.split(",") if candidate.strip())
    elif name == "style":
        yield from _CSS_URL.findall(value)


def _in_json(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _in_json(part)
    elif isinstance(value, list):
        for part in value:
            yield from _in_json(part)
    elif isinstance(value, str) and re.fullmatch(r"(?:https?:/)?/[^\s<{]*", value):
        yield value


def local_targets(page: str, content_type: str, text: str) -> set[str]:
    """The absolute URLs of all addresses on the host of the page, without fragments."""
    host = urlsplit(page).netloc
    found = set()
    for address in addresses_of(content_type, text):
        if address.startswith(("data:", "mailto:", "javascript:", "#")):
            continue
        url = urljoin(page, address)
        if urlsplit(url).netloc == host:
            found.add(url.partition("#")[0])
    return found
