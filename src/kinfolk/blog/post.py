"""One post: a Markdown file with a title, a description, a date and authors."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from html import unescape
from math import ceil
from pathlib import Path
from typing import Annotated, Literal

import yaml

from kinfolk.errors import BadFact, NotFound, SiteError
from kinfolk.facts import STRICT, Link, Slug, Words, must, shaped
from kinfolk.markdown.front import LARGEST_BLOCK, ForeignYaml, read_block, split_front
from kinfolk.markdown.jobs import Source
from kinfolk.markdown.page import Page
from kinfolk.markdown.plain import Wording
from kinfolk.markdown.renderer import MarkdownRenderer

WORDS_A_MINUTE = 220
CODE_LINES_A_MINUTE = 40
"""Code is read more slowly than prose, and its words are no measure of it."""
LONGEST_NAME = 80

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TAG = re.compile(r"<[^>]*+>?")
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
_NOT_A_NAME = re.compile(r"[,;:<>@/\\{}()\[\]]|\band\b|&")


def _is_day(text: str) -> bool:
    try:
        return _DAY.fullmatch(text) is not None and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _is_name(text: str) -> bool:
    return len(text) <= LONGEST_NAME and any(map(str.isalpha, text)) and _NOT_A_NAME.search(text) is None


Day = Annotated[str, must(_is_day, "should be a date such as 2026-11-21")]
Author = Annotated[Words, must(_is_name, "should be one name, such as Ada Lovelace")]


@dataclass(frozen=True)
class Front:
    """What stands between the `---` lines. No authors means that the product itself speaks."""

    __pydantic_config__ = STRICT

    title: Words
    description: Words
    published: Day
    authors: tuple[Author, ...]
    libraries: tuple[Slug, ...] = ()
    updated: Day | None = None
    image: Link | None = None
    draft: Literal["true", "false"] = "false"


@dataclass(frozen=True)
class Post:
    """A post. `published` and `updated` are ISO dates; the page's body is without the title."""

    slug: str
    front: Front
    wording: Wording
    page: Page

    @property
    def title(self) -> str:
        return self.front.title

    @property
    def is_draft(self) -> bool:
        return self.front.draft == "true"

    @property
    def changed(self) -> str:
        """The date of the words that stand there now."""
        return self.front.updated or self.front.published

    @cached_property
    def minutes(self) -> int:
        """How long reading takes, at least a minute."""
        prose = len(_WORD.findall(unescape(_TAG.sub(" ", "".join(self.page.chunks)))))
        code = sum(snippet.code.count("\n") + 1 for snippet in self.page.snippets)
        return ceil(prose / WORDS_A_MINUTE + code / CODE_LINES_A_MINUTE) or 1


def read_post(
    name: str, text: str, libraries: Collection[str], faults: list[BadFact], markdown: MarkdownRenderer
) -> Post | None:
    """The post in a file of that name, or None after adding everything that is wrong with it to `faults`."""
    file = file_of(name)
    slug = Path(name).stem
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    before = len(faults)
    if not _SLUG.fullmatch(slug):
        faults.append(BadFact(file, "", "the file's name should be lower-case words joined by hyphens"))
    block, body = split_front(text)
    front = _front(file, block, faults)
    if front is not None:
        faults.extend(_faults_of(file, front, libraries))
    if not body.strip():
        faults.append(BadFact(file, "", "has no text"))
    if front is None or len(faults) > before:
        return None
    source = Source(file, text, _nothing_to_borrow)
    try:
        return Post(slug, front, markdown.wording(source), markdown.page(source))
    except SiteError as wrong:
        faults.append(BadFact(file, "", wrong.message))
        return None


def file_of(name: str) -> str:
    """How faults call a file: a name that cannot be printed is shown with escapes."""
    return f"blog/{name}" if name.isprintable() else f"blog/{name!r}"


def _front(file: str, block: str, faults: list[BadFact]) -> Front | None:
    if len(block) > LARGEST_BLOCK:
        faults.append(BadFact(file, "", f"the front matter is longer than {LARGEST_BLOCK} characters"))
        return None
    try:
        table = read_block(block)
    except (yaml.YAMLError, ForeignYaml) as wrong:
        reason = " ".join(str(wrong).split()) or "it holds more than keys, texts and lists"
        faults.append(BadFact(file, "", f"the front matter is not YAML that we read: {reason}"))
        return None
    if not isinstance(table, dict) or not table:
        faults.append(BadFact(file, "", "has no front matter"))
        return None
    if "ref" in table:
        faults.append(BadFact(file, "ref", "a post has a text of its own"))
        return None
    return shaped(table, file, Front, faults)


def _faults_of(file: str, front: Front, libraries: Collection[str]) -> Iterator[BadFact]:
    for at, library in enumerate(front.libraries):
        if library not in libraries:
            yield BadFact(file, f"libraries[{at}]", f"there is no library {library}")
    for key, values in (("authors", front.authors), ("libraries", front.libraries)):
        if len(set(values)) < len(values):
            yield BadFact(file, key, "names somebody or something twice")
    if front.updated is not None and front.updated < front.published:
        yield BadFact(file, "updated", f"is before {front.published}, when the post was published")


def _nothing_to_borrow(path: str) -> str:
    raise NotFound(f"a post cannot borrow the text of {path}")
