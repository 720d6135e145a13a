"""What README.md and docs/ mention: addresses, headers, parameters, commands and code blocks, with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from kinfolk.config.settings import ROOT

OWN_HOSTS = ("docs.example.com", "example.com", "acme.github.io", "127.0.0.1:8000", "127.0.0.1:9464")
"""Hosts of the sites in the documents. Addresses of other hosts are of other programs."""
SYNTAX = ("markdown", "toml", "json", "ini", "dockerfile", "css", "nginx")
"""Languages whose blocks name files and addresses of their own. Tests of their own read them."""
FOLDERS = ("/dev/", "/etc/", "/run/", "/site/", "/srv/", "/tmp", "/usr/", "/var/")  # noqa: S108 - a name in documents
"""Folders of servers in the documents."""
_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<language>\w*)(?: title=\"(?P<title>[^\"]*)\")?\s*$")
_CODE = re.compile(r"`([^`\n]+)`")
_URL = re.compile(r"https?://[^\s\"'`|)\\;]+")
_PATH = re.compile(r"(?<![\w./:<@{}-])/[\w{.][^\s\"'`|);]*")
_HEADER = re.compile(r"(?P<name>[A-Z][A-Za-z0-9]*(?:-[A-Z0-9][A-Za-z0-9]*)+|Accept|Host|ETag)(?:: \S+)?")
_PARAMETER = re.compile(r"(?:parameter|object)\s+`(\w+)`")
_TABLE = re.compile(r"^\| (?P<first>[^|]*)\|")


@dataclass(frozen=True)
class Mention:
    """A text of a document, such as an address, and where it is."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@dataclass(frozen=True)
class CodeBlock:
    file: str
    line: int
    language: str
    title: str
    text: str


@dataclass(frozen=True)
class _Line:
    number: int
    text: str
    language: str | None
    """The language of the code block that the line is in; None for prose."""


@cache
def documents() -> dict[str, str]:
    """README.md and all pages of docs/, by their paths in the repository."""
    paths = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def code_blocks() -> Iterator[CodeBlock]:
    for file, text in documents().items():
        opened: tuple[re.Match[str], int] | None = None
        lines: list[str] = []
        for number, line in enumerate(text.splitlines(), start=1):
            found = _FENCE.match(line)
            if opened is None:
                opened, lines = ((found, number), []) if found else (None, lines)
            elif found and found["fence"] == opened[0]["fence"] and not found["language"]:
                fence, start = opened
                yield CodeBlock(file, start, fence["language"], fence["title"] or "", "\n".join(lines))
                opened = None
            else:
                lines.append(line)


def addresses() -> Iterator[Mention]:
    """Addresses of a site: paths in code, and URLs of the sites in the documents without their origins."""
    for file, line in _lines():
        if line.language in SYNTAX:
            continue
        codes = [line.text] if line.language is not None else _CODE.findall(line.text)
        for code in codes:
            for url in _URL.findall(code):
                parts = urlsplit(url)
                if parts.netloc in OWN_HOSTS and parts.path not in ("", "/"):
                    yield Mention(file, line.number, parts.path)
            rest = re.sub(r"^(?:GET|POST) ", "", _URL.sub("", code))
            # Inline code is an address only as a whole.
            found = _PATH.findall(rest) if line.language is not None or rest.startswith("/") else []
            yield from (Mention(file, line.number, path) for path in found if not path.startswith(FOLDERS))


def headers() -> Iterator[Mention]:
    """Names of HTTP headers in inline code, and in requests with curl. The reference of the configuration has none."""
    for file, line in _lines():
        codes = re.findall(r"-H '([^']*)'", line.text) if line.language == "" else _CODE.findall(line.text)
        codes = codes if line.language in ("", None) else []
        for code in codes:
            if (found := _HEADER.fullmatch(code)) and file != "docs/configuration.md":
                yield Mention(file, line.number, found["name"])


def parameters() -> Iterator[Mention]:
    """Names of parameters: in tables of them, and in sentences such as "in the parameter `payload`"."""
    for file, text in documents().items():
        for found in _PARAMETER.finditer(text):
            yield Mention(file, text.count("\n", 0, found.start(1)) + 1, found[1])
        in_table = False
        for number, line in enumerate(text.splitlines(), start=1):
            row = _TABLE.match(line)
            in_table = row is not None and (in_table or row["first"].strip() == "Parameter")
            if row and in_table:
                yield from (Mention(file, number, name) for name in _CODE.findall(row["first"]))


def commands(program: str) -> Iterator[Mention]:
    """Calls of a program with their arguments, in code blocks and in inline code."""
    call = re.compile(rf"(?:^|(?<=[\s;\"&])){program} ([^;|\"#]*?)(?=\s{{2,}}|;|\||\"|#|$)")
    for file, line in _lines():
        codes = [line.text] if line.language in ("", "dockerfile", "ini") else []
        codes = _CODE.findall(line.text) if line.language is None else codes
        for code in codes:
            # In `docker build --tag kinfolk .` it is the name of an image.
            called = (found.strip() for found in call.findall(code))
            yield from (Mention(file, line.number, found) for found in called if found not in (".", "\\"))


def assignments() -> Iterator[Mention]:
    """Settings with a value: `KINFOLK_LOG=json`."""
    for file, line in _lines():
        for found in re.findall(r"KINFOLK_[A-Z_]+=[^\s`]+", line.text):
            yield Mention(file, line.number, found)


def _lines() -> Iterator[tuple[str, _Line]]:
    """The lines of all documents that are not fences."""
    for file, text in documents().items():
        fence: re.Match[str] | None = None
        for number, line in enumerate(text.splitlines(), start=1):
            found = _FENCE.match(line)
            if found and fence is None:
                fence = found
            elif found and fence and found["fence"] == fence["fence"] and not found["language"]:
                fence = None
            else:
                yield file, _Line(number, line, fence["language"] if fence else None)
