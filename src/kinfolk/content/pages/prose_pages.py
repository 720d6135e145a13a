"""The site's own pages, such as support and terms: each Markdown file below `pages`, and its picture.

    pages/support.md             /support
    pages/guides/index.md        /guides
    pages/guides/first-steps.md  /guides/first-steps

The name of a page is its address without the first slash.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import structlog
import yaml

from kinfolk.branding.picture_files import read_picture, with_prefixed_ids
from kinfolk.content.dependencies import PAGE_LIST, Dependency, DependencyRecorder, prose_page
from kinfolk.content.markdown.code.highlighting import CodeHighlighter, highlighted_body
from kinfolk.content.markdown.export import ExportedMarkdown
from kinfolk.content.markdown.front_matter import UnsupportedYaml, YamlValue, parse_yaml_block, split_front_matter
from kinfolk.content.markdown.links.slugs import LAYOUT_ID_PREFIX
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import MarkdownFile
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.runtime.budget import BUDGETS
from kinfolk.runtime.errors import InvalidFile, NotFound, SiteError

PageSection = Literal["text", "support-options", "consultants", "courses", "library-links", "third-party-scripts"]
"""A part of a page that the engine fills in, or the text of the file."""
PageMenu = Literal["header", "footer"]

_SEGMENT = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_NAME = re.compile(f"{_SEGMENT}(?:/{_SEGMENT})*")
_INDEX = "index"
_PLACEHOLDER = re.compile(r"\{\{([a-z]+)\}\}")
_KEYS = frozenset(
    {"title", "description", "updated", "outline", "links", "sections", "menu", "menu_label", "menu_order"}
)
_LAST_ORDER = 1000
"""Position in a menu of a page that names none."""
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
class MenuPlace:
    """The menus that list a page: `order` sorts the pages of a menu."""

    menus: tuple[PageMenu, ...]
    label: str
    order: int


PageListing: TypeAlias = tuple[tuple[str, MenuPlace], ...]
"""The names of pages, and their places in menus."""


@dataclass(frozen=True)
class ProsePage:
    """A page. `updated` is an ISO date; with `outline` the page shows a list of its headings. `picture` is SVG.

    `sections` are the parts of the page in their order, one of them the text. `text` is the source of the text.
    """

    name: str
    title: str
    description: str
    updated: str | None
    outline: bool
    picture: str | None
    links: tuple[ProseLink, ...]
    sections: tuple[PageSection, ...]
    place: MenuPlace
    page: MarkdownPage
    text: str

    @property
    def address(self) -> str:
        return f"/{self.name}"


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

    `reserved` are first segments of addresses that no page may have, each with what has it. An invalid page does not
    affect others: its last valid version stays, or it is missing, and the log names it.
    """

    def __init__(
        self,
        folder: Path,
        variables: Mapping[str, str],
        *,
        reserved: Mapping[str, str] | None = None,
        highlighter: CodeHighlighter | None = None,
        markdown: MarkdownRenderer | None = None,
    ) -> None:
        self._markdown = markdown or MarkdownRenderer()
        self._folder = folder
        self._variables = variables
        self._reserved = reserved or {}
        self._highlighter = highlighter
        self._cached: dict[str, _CachedFile] = {}
        self._reported: dict[str, _Stamp] = {}
        """Stamps of changed pages that `stale` has returned."""
        self._read_again: set[str] = set()
        """Pages that a request read in a newer version before `stale` returned them."""
        self._listed: PageListing | None = None
        """What `listing` returned last."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all files, without those that name a page twice."""
        return tuple(sorted({_name(self._folder, path) for path in self.files}))

    @property
    def files(self) -> tuple[Path, ...]:
        """All files, by path. Two files may name one page."""
        return tuple(sorted(self._folder.rglob("*.md")))

    def path_in_folder(self, path: Path) -> str:
        """The path of a file relative to the folder of all pages."""
        return path.relative_to(self._folder).as_posix()

    def has(self, name: str) -> bool:
        """Whether there is a file for a name. Its page may be invalid."""
        return self._file(name) is not None

    def page(self, name: str) -> ProsePage:
        """The page as its file is now, or as it was when it was last valid. Raises NotFound. Blocks to read files."""
        path = self._file(name)
        if path is None:
            raise NotFound(_MISSING)
        stamp = _stamps(path)
        cached = self._cached.get(name)
        if cached is None or cached.stamp != stamp:
            page = cached.page if cached is not None else None
            try:
                page = self.read(name)
            except SiteError as wrong:
                log.warning("page left out" if page is None else "page stays as it was", reason=wrong.message)
            if cached is not None and self._reported.get(name) != stamp:
                self._read_again.add(name)
            cached = self._cached[name] = _CachedFile(stamp, page)
        if cached.page is None:
            raise NotFound(_MISSING)
        return cached.page

    def read(self, name: str) -> ProsePage:
        """The page as its file is now. Raises InvalidFile."""
        path = self._file(name) or self._folder / f"{name}.md"
        return self.read_file(path)

    def read_file(self, path: Path) -> ProsePage:
        """The page of a file. Raises InvalidFile."""
        self._check_address(path)
        return _read(self._folder, path, self._fill, self._markdown)

    @property
    def valid_pages(self) -> Iterator[ProsePage]:
        """Every page that can be shown, ordered by name."""
        for name in self.names:
            with suppress(NotFound):
                yield self.page(name)

    def listing(self) -> PageListing:
        """All valid pages. An answer with it depends on PAGE_LIST. Blocks to read files."""
        self._listed = self._current_listing()
        return self._listed

    def html(self, page: ProsePage, recorder: DependencyRecorder) -> str:
        """The body. Code that is not highlighted yet becomes a dependency."""
        return highlighted_body(page.page, self._highlighter, recorder)

    def export(self, page: ProsePage) -> ExportedMarkdown:
        """The text as standalone Markdown. Raises Unavailable."""
        return self._markdown.export(MarkdownFile(f"pages/{page.name}.md", page.text, _no_ref_target))

    def stale(self) -> frozenset[Dependency]:
        """The pages whose files have changed since they were read, and the list of pages if it has changed."""
        changed = self._changed_names()
        stale: set[Dependency] = {prose_page(name) for name in changed | self._read_again}
        self._read_again.clear()
        if self._listed is not None and (current := self._current_listing()) != self._listed:
            # A response about a missing page depends on that page, too.
            names = {name for name, _ in set(current) ^ set(self._listed)}
            stale |= {PAGE_LIST, *map(prose_page, names)}
            self._listed = current
        return frozenset(stale)

    def _changed_names(self) -> set[str]:
        """The pages whose files are not as they were when they were read."""
        changed = set()
        for name, cached in list(self._cached.items()):
            path = self._file(name)
            stamp = _stamps(path) if path is not None else ()
            if stamp != cached.stamp:
                changed.add(name)
                self._reported[name] = stamp
            if path is None:
                self._cached.pop(name, None)
        return changed

    def _current_listing(self) -> PageListing:
        return tuple((page.name, page.place) for page in self.valid_pages)

    def _file(self, name: str) -> Path | None:
        """The file of a page."""
        if not _NAME.fullmatch(name) or name.rpartition("/")[2] == _INDEX:
            return None
        candidates = (self._folder / f"{name}.md", self._folder / name / f"{_INDEX}.md")
        return next((path for path in candidates if path.is_file()), None)

    def _check_address(self, path: Path) -> None:
        """Raises InvalidFile for a file whose address is not its own."""
        name, file = _name(self._folder, path), _shown(self._folder, path)
        if not name:
            raise InvalidFile(file, "", "has the address /, which is the home page")
        owner = self._reserved.get(name.partition("/")[0])
        if owner is not None:
            raise InvalidFile(file, "", f"has the address /{name}, but /{name.partition('/')[0]} is {owner}")
        own = self._file(name)
        if own is not None and own != path:
            raise InvalidFile(file, "", f"has the same address as {_shown(self._folder, own)}")

    def _fill(self, file: str, text: str) -> str:
        def value(placeholder: re.Match[str]) -> str:
            if placeholder[1] not in self._variables:
                raise InvalidFile(file, placeholder[0], f"is not one of {', '.join(sorted(self._variables))}")
            return self._variables[placeholder[1]]

        return _PLACEHOLDER.sub(value, text)


def _name(folder: Path, path: Path) -> str:
    """The name of the page of a file: `guides` for `guides/index.md`, and nothing for `index.md`."""
    name = path.relative_to(folder).with_suffix("").as_posix()
    return "" if name == _INDEX else name.removesuffix(f"/{_INDEX}")


def _shown(folder: Path, path: Path) -> str:
    """The path of a file in messages."""
    file = f"pages/{path.relative_to(folder).as_posix()}"
    return file if file.isprintable() else repr(file)


def _stamps(path: Path) -> _Stamp:
    return _stamp(path), _stamp(path.with_suffix(".svg"))


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _front_and_text(file: str, path: Path, fill: Callable[[str, str], str]) -> tuple[dict[str, YamlValue], str]:
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


def _read(folder: Path, path: Path, fill: Callable[[str, str], str], markdown: MarkdownRenderer) -> ProsePage:
    file, name = _shown(folder, path), _name(folder, path)
    if not _NAME.fullmatch(name):
        raise InvalidFile(file, "", "the names of files and folders should be lower-case words joined by hyphens")
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
    title = _words(file, front, "title")
    return ProsePage(
        name=name,
        title=title,
        description=_words(file, front, "description"),
        updated=updated,
        outline=outline == "true",
        picture=_picture(path.with_suffix(".svg")),
        links=tuple(_links(file, front.get("links", []))),
        sections=_sections(file, front.get("sections", [])),
        place=_place(file, front, title),
        page=page,
        text=text,
    )


def _sections(file: str, value: YamlValue) -> tuple[PageSection, ...]:
    """The sections in their order. The text is first if the list does not have it."""
    listed = _choices(file, "sections", value, get_args(PageSection))
    sections: tuple[PageSection, ...] = tuple(each for each in get_args(PageSection) if each in listed)
    in_order = tuple(sorted(sections, key=listed.index))
    return in_order if "text" in in_order else ("text", *in_order)


def _place(file: str, front: dict[str, YamlValue], title: str) -> MenuPlace:
    value = front.get("menu", [])
    named = _choices(file, "menu", [value] if isinstance(value, str) else value, get_args(PageMenu))
    order = front.get("menu_order", str(_LAST_ORDER))
    if not isinstance(order, str) or not re.fullmatch(r"[0-9]{1,6}", order):
        raise InvalidFile(file, "menu_order", "must be a whole number")
    label = _words(file, front, "menu_label") if "menu_label" in front else title
    return MenuPlace(tuple(menu for menu in get_args(PageMenu) if menu in named), label, int(order))


def _choices(file: str, key: str, value: YamlValue, known: Collection[str]) -> list[str]:
    if not isinstance(value, list):
        raise InvalidFile(file, key, "must be a list")
    for each in value:
        if each not in known:
            raise InvalidFile(file, key, f"{str(each)[:80]} is not one of {', '.join(known)}")
    return [str(each) for each in value]


def _picture(path: Path) -> str | None:
    if not path.exists():
        return None
    faults: list[InvalidFile] = []
    picture = read_picture(path.parent.parent, f"{path.parent.name}/{path.name}", LARGEST_PICTURE, faults)
    if faults:
        raise faults[0]
    return with_prefixed_ids(picture, f"{LAYOUT_ID_PREFIX}picture-")


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
