"""The site's prose pages, such as support and terms: Markdown files and their pictures."""

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
from kinfolk.dependencies import Dependency, DependencyRecorder, prose_page
from kinfolk.errors import InvalidFile, NotFound, SiteError
from kinfolk.markdown.front_matter import UnsupportedYaml, YamlValue, parse_yaml_block, split_front_matter
from kinfolk.markdown.highlighting import CodeHighlighter, highlighted_body
from kinfolk.markdown.jobs import MarkdownFile
from kinfolk.markdown.markdown_page import MarkdownPage
from kinfolk.markdown.plain_text_fallback import MarkdownRenderer
from kinfolk.picture_files import read_picture

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_PLACEHOLDER = re.compile(r"\{\{([a-z]+)\}\}")
_KEYS = frozenset({"title", "description", "updated", "outline", "links"})
_LINK_KEYS = frozenset({"label", "to", "text"})
_MISSING = "The page you are looking for does not exist."
LARGEST_PAGE = BUDGETS["markdown"].input_bytes
LARGEST_PICTURE = 4_096
"""Bytes: a picture is part of the HTML of its page."""

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class ProseLink:
    """A link in the card beside the text. `text` says what is there."""

    label: str
    to: str
    text: str


@dataclass(frozen=True)
class ProsePage:
    """A page. `updated` is an ISO date; with `outline` the page shows a list of its headings. `picture` is SVG."""

    name: str
    title: str
    description: str
    updated: str | None
    outline: bool
    picture: str | None
    links: tuple[ProseLink, ...]
    page: MarkdownPage


_Stamp = tuple[tuple[int, int] | None, ...]
"""Modification time and size of a page's file and of its picture."""


@dataclass(frozen=True)
class _CachedFile:
    """A page, with the stamp of its files when it was read."""

    stamp: _Stamp
    page: ProsePage | None
    """None for a file that has never been valid."""


class _SiteLinkResolver:
    """Accepts addresses of the site and external addresses. Relative paths are broken links here."""

    def link(self, href: str) -> tuple[str, bool]:
        return href, not href.startswith(("/", "#", "https://", "mailto:"))

    def image(self, src: str) -> str:
        return src


class ProsePages:
    """The pages of one folder by name. `variables` are inserted for placeholders such as {{owner}}.

    An invalid page does not affect others: its last valid version stays, or it is missing, and the log names it.
    """

    def __init__(
        self,
        folder: Path,
        variables: Mapping[str, str],
        *,
        highlighter: CodeHighlighter | None = None,
        markdown: MarkdownRenderer | None = None,
    ) -> None:
        self._markdown = markdown or MarkdownRenderer()
        self._folder = folder
        self._variables = variables
        self._highlighter = highlighter
        self._cached: dict[str, _CachedFile] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in self._folder.glob("*.md")))

    def page(self, name: str) -> ProsePage:
        """The page as its file is now, or as it was when it was last valid. Raises NotFound. Blocks to read files."""
        stamp = self._stamp(name) if _NAME.fullmatch(name) else ()
        if not any(stamp[:1]):
            raise NotFound(_MISSING)
        cached = self._cached.get(name)
        if cached is None or cached.stamp != stamp:
            page = cached.page if cached is not None else None
            try:
                page = self.read(name)
            except SiteError as wrong:
                log.warning("page left out" if page is None else "page stays as it was", reason=wrong.message)
            cached = self._cached[name] = _CachedFile(stamp, page)
        if cached.page is None:
            raise NotFound(_MISSING)
        return cached.page

    def read(self, name: str) -> ProsePage:
        """The page as its file is now. Raises InvalidFile."""
        return _read(self._folder / f"{name}.md", self._fill, self._markdown)

    @property
    def valid_pages(self) -> Iterator[ProsePage]:
        """Every page that can be shown, ordered by name."""
        for name in self.names:
            with suppress(NotFound):
                yield self.page(name)

    def html(self, page: ProsePage, recorder: DependencyRecorder) -> str:
        """The body. Code that is not highlighted yet becomes a dependency."""
        return highlighted_body(page.page, self._highlighter, recorder)

    def stale(self) -> frozenset[Dependency]:
        """The pages whose files have changed since they were read."""
        return frozenset(prose_page(name) for name, cached in self._cached.items() if self._changed(name, cached))

    def _changed(self, name: str, cached: _CachedFile) -> bool:
        return self._stamp(name) != cached.stamp

    def _stamp(self, name: str) -> _Stamp:
        return tuple(_stamp(self._folder / f"{name}.{kind}") for kind in ("md", "svg"))

    def _fill(self, file: str, text: str) -> str:
        def value(placeholder: re.Match[str]) -> str:
            if placeholder[1] not in self._variables:
                raise InvalidFile(file, placeholder[0], f"is not one of {', '.join(sorted(self._variables))}")
            return self._variables[placeholder[1]]

        return _PLACEHOLDER.sub(value, text)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _front_and_text(file: str, path: Path, fill: Callable[[str, str], str]) -> tuple[dict[str, YamlValue], str]:
    if not _NAME.fullmatch(path.stem):
        raise InvalidFile(file, "", "the file's name should be lower-case words joined by hyphens")
    try:
        if path.stat().st_size > LARGEST_PAGE:
            raise InvalidFile(file, "", f"is larger than {LARGEST_PAGE} bytes")
        text = fill(file, path.read_bytes().decode())
        front = parse_yaml_block(split_front_matter(text)[0])
    except OSError as wrong:
        raise InvalidFile(file, "", f"cannot be read: {wrong.strerror}") from None
    except UnicodeDecodeError as wrong:
        raise InvalidFile(file, "", f"is not UTF-8 at byte {wrong.start}") from None
    except (yaml.YAMLError, UnsupportedYaml) as wrong:
        raise InvalidFile(file, "", f"front matter is not YAML: {wrong}") from None
    if not isinstance(front, dict) or not front:
        raise InvalidFile(file, "", "has no front matter")
    return front, text


def _read(path: Path, fill: Callable[[str, str], str], markdown: MarkdownRenderer) -> ProsePage:
    file = f"pages/{path.name}" if path.name.isprintable() else f"pages/{path.name!r}"
    front, text = _front_and_text(file, path, fill)
    for key in front:
        if key not in _KEYS:
            raise InvalidFile(file, str(key)[:80], "is not a known key")
    outline = front.get("outline", "false")
    if outline not in ("true", "false"):
        raise InvalidFile(file, "outline", "must be true or false")
    updated = _day(file, front.get("updated"))
    try:
        page = markdown.page(MarkdownFile(file, text, _no_ref_target), links=lambda _: _SiteLinkResolver())
    except SiteError as wrong:
        raise InvalidFile(file, "", wrong.message) from wrong
    return ProsePage(
        name=path.stem,
        title=_words(file, front, "title"),
        description=_words(file, front, "description"),
        updated=updated,
        outline=outline == "true",
        picture=_picture(path.with_suffix(".svg")),
        links=tuple(_links(file, front.get("links", []))),
        page=page,
    )


def _picture(path: Path) -> str | None:
    if not path.exists():
        return None
    faults: list[InvalidFile] = []
    picture = read_picture(path.parent.parent, f"{path.parent.name}/{path.name}", LARGEST_PICTURE, faults)
    if faults:
        raise faults[0]
    return picture


def _links(file: str, value: YamlValue) -> Iterator[ProseLink]:
    if not isinstance(value, list):
        raise InvalidFile(file, "links", "must be a list")
    for index, link in enumerate(value):
        key = f"links[{index}]"
        if not isinstance(link, dict) or set(link) != _LINK_KEYS:
            raise InvalidFile(file, key, f"must have the keys {', '.join(sorted(_LINK_KEYS))}")
        if not str(link["to"]).startswith(("/", "#", "https://", "mailto:")):
            raise InvalidFile(file, key, "must lead to a path, an anchor, an https:// or a mailto: address")
        yield ProseLink(**{name: _words(file, link, name) for name in _LINK_KEYS})


def _day(file: str, value: YamlValue | None) -> str | None:
    if value is None:
        return None
    try:
        if isinstance(value, str) and date.fromisoformat(value).isoformat() == value:
            return value
    except ValueError:
        pass
    raise InvalidFile(file, "updated", "must be a date such as 2026-11-21")


def _words(file: str, front: dict[str, YamlValue], key: str) -> str:
    value = front.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InvalidFile(file, key, "is missing")
    return " ".join(value.split())


def _no_ref_target(path: str) -> str:
    raise NotFound(f"a page of the site cannot refer to the text of {path}")
