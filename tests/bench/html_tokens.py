"""Normalizes responses so that two builds of the same site compare equal, and cuts them into lines for a diff."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape

IGNORABLE = {
    "asset-lists": "attributes of the boot script that list assets; stylesheet, modulepreload and preload links",
    "inline-scripts": "text of inline scripts other than data",
    "scripts": "all script elements other than data, and the attributes of asset-lists",
    "csp": "the Content-Security-Policy header (hashes of inline scripts never count)",
    "cache-tag": "the Cache-Tag header",
    "page-data": 'the data of the app in <script id="Site-answers">, and addresses of shared data',
    "comments": "HTML comments, which React puts between texts",
    "attribute-order": "the order of attributes within a tag",
    "classes": "class attributes",
    "functions": "responses of /_server/ and /_shared/",
}
"""Kinds of differences that `--ignore` accepts."""

_ASSET = re.compile(r"/assets/[\w.$-]+?\.([a-z0-9]+)\b")
_SHARED = re.compile(r"/_shared/[0-9a-f]{8,}/")
_CSP_HASH = re.compile(r"(?: 'sha256-[^']*')+")
_RANDOM = re.compile(r'(?<="data":)0\.\d{6,}|(?<=style=")--from:#[0-9a-f]{6};--to:#[0-9a-f]{6}(?=")')
"""The response of home.random, and the colors that depend on it."""
_VOLATILE_JSON = frozenset({"processingTimeMS", "processingTimingsMS", "serverTimeMS", "queryID"})
_REACT_ID = re.compile(r"(?:_[rR]_|:[rR])[0-9a-zA-Z]*[_:]")
_TOKEN = re.compile(r"""<!--.*?-->|<(?:[^<>"']|"[^"]*"|'[^']*')+>|[^<]+|<""", re.DOTALL)
_SCRIPT = re.compile(r"(<script\b[^>]*>)(.*?)(</script>)", re.DOTALL)
_ATTRIBUTE = re.compile(r"""\s([^\s=>/"']+)(?:=("[^"]*"|'[^']*'))?""")
_CLASS = re.compile(r'(?<=\sclass=)"([^"]*)"')
_ASSET_LINK = re.compile(r'<link\b[^>]*\brel="(?:stylesheet|modulepreload|preload)"[^>]*>')


@dataclass(frozen=True)
class Rules:
    """Differences that are not reported."""

    ignored: frozenset[str] = frozenset()
    renamed_classes: Mapping[str, str] | None = None
    ignored_attributes: frozenset[str] = frozenset()

    def lines(self, status: int, headers: Mapping[str, str], body: bytes) -> list[str]:
        """The response in comparable lines, the headers first."""
        kind = headers.get("content-type", "").partition(";")[0]
        return [f"status: {status}", *self._header_lines(headers), *self._body_lines(kind, body)]

    def _header_lines(self, headers: Mapping[str, str]) -> Iterator[str]:
        for name, value in sorted(headers.items()):
            if name == "content-security-policy":
                if "csp" not in self.ignored:
                    yield from (f"{name}: {part}" for part in _CSP_HASH.sub(" 'sha256-*'", value).split("; "))
            elif name == "cache-tag":
                if "cache-tag" not in self.ignored:
                    yield from (f"{name}: {tag}" for tag in value.split(","))
            else:
                yield f"{name}: {_addresses(value)}"

    def _body_lines(self, kind: str, body: bytes) -> list[str]:
        if kind == "text/html":
            return list(self._html_lines(body.decode()))
        if kind.endswith("json"):
            return _json_lines(body.decode())
        try:
            return _addresses(body.decode()).splitlines()
        except UnicodeDecodeError:
            return [body.hex()]

    def _html_lines(self, text: str) -> Iterator[str]:
        text = _RANDOM.sub("0", _number_react_ids(_addresses(text)))
        at = 0
        for script in _SCRIPT.finditer(text):
            yield from self._markup_lines(text[at : script.start()])
            yield from self._script_lines(script)
            at = script.end()
        yield from self._markup_lines(text[at:])

    def _script_lines(self, script: re.Match[str]) -> Iterator[str]:
        opening, text = script[1], script[2]
        if 'type="application/json"' in opening or 'type="application/ld+json"' in opening:
            if "page-data" not in self.ignored or "ld+json" in opening:
                yield opening
                yield from _json_lines(text)
        elif "scripts" not in self.ignored:
            yield from self._markup_lines(opening)
            if text and "inline-scripts" not in self.ignored:
                yield from text.splitlines()

    def _markup_lines(self, text: str) -> Iterator[str]:
        for token in _TOKEN.findall(text):
            if token.startswith("<!--"):
                if "comments" not in self.ignored:
                    yield token
            elif token.startswith("<"):
                if not (self.ignored & {"asset-lists", "scripts"} and _ASSET_LINK.fullmatch(token)):
                    yield self._tag(token)
            else:
                yield token

    def _tag(self, tag: str) -> str:
        if self.renamed_classes:
            tag = _CLASS.sub(lambda found: f'"{self._renamed(found[1])}"', tag)
        for name in self.ignored_attributes:
            tag = re.sub(rf'\s{re.escape(name)}(?:="[^"]*")?(?=[\s>/])', "", tag)
        if "classes" in self.ignored:
            tag = _CLASS.sub('"*"', tag)
        if self.ignored & {"asset-lists", "scripts"} and tag.startswith("<script"):
            tag = re.sub(r'\sdata-[\w-]+="[^"]*"', "", tag)
        if "attribute-order" in self.ignored:
            found = sorted(name + (f"={value}" if value else "") for name, value in _ATTRIBUTE.findall(tag))
            tag = " ".join((re.split(r"[\s>]", tag, maxsplit=1)[0], *found)) + ">"
        return tag

    def _renamed(self, classes: str) -> str:
        renamed = self.renamed_classes or {}
        return " ".join(filter(None, (renamed.get(name, name) for name in classes.split())))


def signature(removed: list[str], added: list[str]) -> tuple[str, str]:
    """The key of a hunk: its tags without values, so that the same difference on other pages has the same key."""
    return _general(removed), _general(added)


def _general(lines: list[str]) -> str:
    shown = [_shape(line) for line in lines[:6]]
    return "\n".join(shown) + (f"\n… {len(lines) - 6} more lines" if len(lines) > 6 else "")


def _shape(line: str) -> str:
    if line.startswith("<"):
        return re.sub(r'\b(href|src|content|id|title|alt|value|for|aria-[\w]+|style)="[^"]*"', r'\1="…"', line)[:240]
    name, colon, _ = line.partition(": ")
    return f"{name}: …" if colon and re.fullmatch(r'\s*"?[\w-]+"?', name) else line.strip()[:120]


def _addresses(text: str) -> str:
    return _SHARED.sub("/_shared/*/", _ASSET.sub(r"/assets/*.\1", text))


def _number_react_ids(text: str) -> str:
    """Replace React ids, which depend on the component tree, by numbers in order of appearance."""
    numbers: dict[str, str] = {}
    return _REACT_ID.sub(lambda found: numbers.setdefault(found[0], f"react-{len(numbers)}"), text)


def _json_lines(text: str) -> list[str]:
    try:
        value = json.loads(unescape(text) if text.startswith("&") else text)
    except ValueError:
        return text.splitlines()
    return _addresses(json.dumps(_stable(value), indent=0, ensure_ascii=False)).splitlines()


def _stable(value: object) -> object:
    match value:
        case dict():
            return {name: "*" if name in _VOLATILE_JSON else _stable(inner) for name, inner in value.items()}
        case list():
            return [_stable(inner) for inner in value]
    return value
