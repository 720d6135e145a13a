"""The site's own pages, such as support and terms: Markdown files with a title and a description."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import structlog
import yaml

from kinfolk.budget import BUDGETS
from kinfolk.errors import BadFact, NotFound, SiteError
from kinfolk.markdown.colours import Colours, coloured
from kinfolk.markdown.front import ForeignYaml, Value, read_block, split_front
from kinfolk.markdown.jobs import Source
from kinfolk.markdown.page import Page
from kinfolk.markdown.renderer import MarkdownRenderer

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_HOLE = re.compile(r"\{\{([a-z]+)\}\}")
_KEYS = frozenset({"title", "description", "updated", "outline"})
_MISSING = "The page you are looking for does not exist."
LARGEST_PAGE = BUDGETS["markdown"].input_bytes

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class WrittenPage:
    """A page. `updated` is an ISO date; `outline` asks for a list of its headings beside it."""

    name: str
    title: str
    description: str
    updated: str | None
    outline: bool
    page: Page


@dataclass(frozen=True)
class _Kept:
    """A page, and what its file looked like when it was read."""

    stamp: tuple[int, int]
    page: WrittenPage | None
    """None for one that has been wrong since it was first read."""


class _AsWritten:
    """These pages name addresses of the site, not files beside them."""

    def link(self, href: str) -> tuple[str, bool]:
        return href, not href.startswith(("/", "#", "https://", "mailto:"))

    def image(self, src: str) -> str:
        return src


class WrittenPages:
    """The pages of one folder by name. `facts` are words that a text names instead of repeating: {{owner}}.

    A page that is wrong costs itself only: it stays as it was when it was good, or is missing, and the log names it.
    """

    def __init__(
        self,
        folder: Path,
        facts: Mapping[str, str],
        *,
        colours: Colours | None = None,
        markdown: MarkdownRenderer | None = None,
    ) -> None:
        self._markdown = markdown or MarkdownRenderer()
        self._folder = folder
        self._facts = facts
        self._colours = colours
        self._kept: dict[str, _Kept] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in self._folder.glob("*.md")))

    def page(self, name: str) -> WrittenPage:
        """The page as its file is now, or was when it was last right. Raises NotFound. May take some milliseconds."""
        stamp = _stamp(self._folder / f"{name}.md") if _NAME.fullmatch(name) else None
        if stamp is None:
            raise NotFound(_MISSING)
        kept = self._kept.get(name)
        if kept is None or kept.stamp != stamp:
            page = kept.page if kept is not None else None
            try:
                page = self.read(name)
            except SiteError as wrong:
                log.warning("page left out" if page is None else "page stays as it was", reason=wrong.message)
            kept = self._kept[name] = _Kept(stamp, page)
        if kept.page is None:
            raise NotFound(_MISSING)
        return kept.page

    def read(self, name: str) -> WrittenPage:
        """The page as its file is now. Raises BadFact, naming the file, for a page that is wrong."""
        return _read(self._folder / f"{name}.md", self._fill, self._markdown)

    @property
    def good(self) -> Iterator[WrittenPage]:
        """Every page that can be shown, by name."""
        for name in self.names:
            with suppress(NotFound):
                yield self.page(name)

    def html(self, page: WrittenPage, seen: set[str]) -> str:
        """The body. Adds to `seen` the tags of what it was made of: `page:terms`, and of code without colours."""
        seen.add(tag_of(page.name))
        return coloured(page.page, self._colours, seen)

    def stale(self) -> frozenset[str]:
        """The tags of pages whose files have changed since they were read."""
        return frozenset(tag_of(name) for name, kept in self._kept.items() if self._changed(name, kept))

    def _changed(self, name: str, kept: _Kept) -> bool:
        return _stamp(self._folder / f"{name}.md") != kept.stamp

    def _fill(self, file: str, text: str) -> str:
        def fact(hole: re.Match[str]) -> str:
            if hole[1] not in self._facts:
                raise BadFact(file, hole[0], f"is not one of {', '.join(sorted(self._facts))}")
            return self._facts[hole[1]]

        return _HOLE.sub(fact, text)


def tag_of(name: str) -> str:
    return f"page:{name}"


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _front_and_text(file: str, path: Path, fill: Callable[[str, str], str]) -> tuple[dict[str, Value], str]:
    if not _NAME.fullmatch(path.stem):
        raise BadFact(file, "", "the file's name should be lower-case words joined by hyphens")
    try:
        if path.stat().st_size > LARGEST_PAGE:
            raise BadFact(file, "", f"is larger than {LARGEST_PAGE} bytes")
        text = fill(file, path.read_bytes().decode())
        front = read_block(split_front(text)[0])
    except OSError as wrong:
        raise BadFact(file, "", f"cannot be read: {wrong.strerror}") from None
    except UnicodeDecodeError as wrong:
        raise BadFact(file, "", f"is not UTF-8 at byte {wrong.start}") from None
    except (yaml.YAMLError, ForeignYaml) as wrong:
        raise BadFact(file, "", f"front matter is not YAML: {wrong}") from None
    if not isinstance(front, dict) or not front:
        raise BadFact(file, "", "has no front matter")
    return front, text


def _read(path: Path, fill: Callable[[str, str], str], markdown: MarkdownRenderer) -> WrittenPage:
    file = f"pages/{path.name}" if path.name.isprintable() else f"pages/{path.name!r}"
    front, text = _front_and_text(file, path, fill)
    for key in front:
        if key not in _KEYS:
            raise BadFact(file, str(key)[:80], "is not a key we know")
    outline = front.get("outline", "false")
    if outline not in ("true", "false"):
        raise BadFact(file, "outline", "must be true or false")
    updated = _day(file, front.get("updated"))
    try:
        page = markdown.page(Source(file, text, _nothing_to_borrow), links=lambda _: _AsWritten())
    except SiteError as wrong:
        raise BadFact(file, "", wrong.message) from wrong
    return WrittenPage(
        name=path.stem,
        title=_words(file, front, "title"),
        description=_words(file, front, "description"),
        updated=updated,
        outline=outline == "true",
        page=page,
    )


def _day(file: str, value: Value | None) -> str | None:
    if value is None:
        return None
    try:
        if isinstance(value, str) and date.fromisoformat(value).isoformat() == value:
            return value
    except ValueError:
        pass
    raise BadFact(file, "updated", "must be a date such as 2026-11-21")


def _words(file: str, front: dict[str, Value], key: str) -> str:
    value = front.get(key)
    if not isinstance(value, str) or not value.strip():
        raise BadFact(file, key, "is missing")
    return " ".join(value.split())


def _nothing_to_borrow(path: str) -> str:
    raise NotFound(f"a page of the site cannot borrow the text of {path}")
