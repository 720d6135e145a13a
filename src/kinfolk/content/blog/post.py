"""One post: a Markdown file with a title, a description, a date and authors."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from html import unescape
from math import ceil
from pathlib import Path
from typing import Annotated, Literal

import yaml

from kinfolk.config.data_files import STRICT_CONFIG, PathOrUrl, Slug, TextLine, satisfies, validate_table
from kinfolk.content.blog.post_tags import PostTag, TagNames, tag_slug
from kinfolk.content.markdown.export import ExportedMarkdown
from kinfolk.content.markdown.front_matter import LARGEST_BLOCK, UnsupportedYaml, parse_yaml_block, split_front_matter
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import MarkdownFile
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.runtime.errors import InvalidFile, NotFound

WORDS_A_MINUTE = 220
CODE_LINES_A_MINUTE = 40
"""Code is read more slowly than prose, and is measured in lines."""
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


def is_author_name(text: str) -> bool:
    return len(text) <= LONGEST_NAME and any(map(str.isalpha, text)) and _NOT_A_NAME.search(text) is None


IsoDate = Annotated[str, satisfies(_is_day, "date", "a date such as 2026-11-21")]
AuthorName = Annotated[TextLine, satisfies(is_author_name, "name", "one name, such as Ada Lovelace")]


@dataclass(frozen=True)
class PostFrontMatter:
    """The front matter of a post. A post without authors is attributed to the product."""

    __pydantic_config__ = STRICT_CONFIG

    title: TextLine
    description: TextLine
    published: IsoDate
    authors: tuple[AuthorName, ...]
    libraries: tuple[Slug, ...] = ()
    tags: TagNames = ()
    updated: IsoDate | None = None
    image: PathOrUrl | None = None
    draft: Literal["true", "false"] = "false"


@dataclass(frozen=True)
class BlogPost:
    """A post, rendered when its text is first used. `published` and `updated` are ISO dates."""

    slug: str
    front: PostFrontMatter
    source: MarkdownFile
    markdown: MarkdownRenderer = field(repr=False, compare=False)

    @cached_property
    def page(self) -> MarkdownPage:
        """The rendered text, without the title. Blocks. Raises Unavailable."""
        return self.markdown.page(self.source)

    @cached_property
    def exported(self) -> ExportedMarkdown:
        """The text as standalone Markdown. Blocks. Raises Unavailable."""
        return self.markdown.export(self.source)

    @property
    def title(self) -> str:
        return self.front.title

    @property
    def is_draft(self) -> bool:
        return self.front.draft == "true"

    @property
    def changed(self) -> str:
        """The date of the last change."""
        return self.front.updated or self.front.published

    @property
    def tags(self) -> tuple[PostTag, ...]:
        return tuple(PostTag(name, tag_slug(name)) for name in self.front.tags)

    @cached_property
    def minutes(self) -> int:
        """Estimated reading time, at least a minute. Blocks. Raises Unavailable."""
        prose = len(_WORD.findall(unescape(_TAG.sub(" ", "".join(self.page.chunks)))))
        code = sum(snippet.code.count("\n") + 1 for snippet in self.page.code_blocks)
        return ceil(prose / WORDS_A_MINUTE + code / CODE_LINES_A_MINUTE) or 1


def read_post(
    name: str, text: str, libraries: Collection[str], faults: list[InvalidFile], markdown: MarkdownRenderer
) -> BlogPost | None:
    """The post in the file `name`, or None after adding its errors to `faults`."""
    file = display_path(name)
    slug = Path(name).stem
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    before = len(faults)
    if not _SLUG.fullmatch(slug):
        faults.append(InvalidFile(file, "", "the file's name should be lower-case words joined by hyphens"))
    block, body = split_front_matter(text)
    front = _front(file, block, faults)
    if front is not None:
        faults.extend(_faults_of(file, front, libraries))
    if not body.strip():
        faults.append(InvalidFile(file, "", "has no text"))
    if front is None or len(faults) > before:
        return None
    return BlogPost(slug, front, MarkdownFile(file, text, _no_ref_target), markdown)


def display_path(name: str) -> str:
    """The file's path in error messages. Unprintable names are escaped."""
    return f"blog/{name}" if name.isprintable() else f"blog/{name!r}"


def _front(file: str, block: str, faults: list[InvalidFile]) -> PostFrontMatter | None:
    if len(block) > LARGEST_BLOCK:
        faults.append(InvalidFile(file, "", f"the front matter is longer than {LARGEST_BLOCK} characters"))
        return None
    try:
        table = parse_yaml_block(block)
    except (yaml.YAMLError, UnsupportedYaml) as wrong:
        reason = " ".join(str(wrong).split()) or "it has more than keys, texts and lists"
        faults.append(InvalidFile(file, "", f"the front matter is not supported YAML: {reason}"))
        return None
    if not isinstance(table, dict) or not table:
        faults.append(InvalidFile(file, "", "has no front matter"))
        return None
    if "ref" in table:
        faults.append(InvalidFile(file, "ref", "a post has a text of its own"))
        return None
    return validate_table(table, file, PostFrontMatter, faults)


def _faults_of(file: str, front: PostFrontMatter, libraries: Collection[str]) -> Iterator[InvalidFile]:
    for at, library in enumerate(front.libraries):
        if library not in libraries:
            yield InvalidFile(file, f"libraries[{at}]", f"there is no library {library}")
    for key, values in (("authors", front.authors), ("libraries", front.libraries)):
        if len(set(values)) < len(values):
            yield InvalidFile(file, key, "has a duplicate entry")
    if front.updated is not None and front.updated < front.published:
        yield InvalidFile(file, "updated", f"is before {front.published}, when the post was published")


def _no_ref_target(path: str) -> str:
    raise NotFound(f"a post cannot refer to the text of {path}")
