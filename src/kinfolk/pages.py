"""The site's own pages, such as support and terms: Markdown files with a title and a description."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import yaml

from kinfolk.errors import BadFact, NotFound
from kinfolk.markdown.colours import Colours, coloured
from kinfolk.markdown.compose import compose
from kinfolk.markdown.front import split_front
from kinfolk.markdown.page import Page
from kinfolk.markdown.render import render

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_HOLE = re.compile(r"\{\{([a-z]+)\}\}")
_KEYS = frozenset({"title", "description", "updated", "outline"})


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
    page: WrittenPage


class _AsWritten:
    """These pages name addresses of the site, not files beside them."""

    def link(self, href: str) -> tuple[str, bool]:
        return href, not href.startswith(("/", "#", "https://", "mailto:"))

    def image(self, src: str) -> str:
        return src


class WrittenPages:
    """The pages of one folder by name. `facts` are words that a text names instead of repeating: {{owner}}.

    Raises BadFact, naming the file, for a page that is wrong.
    """

    def __init__(self, folder: Path, facts: Mapping[str, str], *, colours: Colours | None = None) -> None:
        self._folder = folder
        self._facts = facts
        self._colours = colours
        self._kept: dict[str, _Kept] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in self._folder.glob("*.md")))

    def page(self, name: str) -> WrittenPage:
        """The page as its file is now."""
        path = self._folder / f"{name}.md"
        stamp = _stamp(path) if _NAME.fullmatch(name) else None
        if stamp is None:
            raise NotFound("The page you are looking for does not exist.")
        kept = self._kept.get(name)
        if kept is None or kept.stamp != stamp:
            kept = self._kept[name] = _Kept(stamp, _read(path, self._fill))
        return kept.page

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


def _read(path: Path, fill: Callable[[str, str], str]) -> WrittenPage:
    file = f"pages/{path.name}"
    text = fill(file, path.read_text(encoding="utf-8"))
    try:
        front = yaml.safe_load(split_front(text)[0])
    except yaml.YAMLError as wrong:
        raise BadFact(file, "", f"front matter is not YAML: {wrong}") from None
    if not isinstance(front, dict):
        raise BadFact(file, "", "has no front matter")
    for key in front:
        if key not in _KEYS:
            raise BadFact(file, str(key), "is not a key we know")
    updated = front.get("updated")
    if updated is not None and type(updated) is not date:
        raise BadFact(file, "updated", "must be a date such as 2026-11-21")
    outline = front.get("outline", False)
    if not isinstance(outline, bool):
        raise BadFact(file, "outline", "must be true or false")
    page = render(compose(text, _nothing_to_borrow), resolve=_AsWritten())
    return WrittenPage(
        name=path.stem,
        title=_words(file, front, "title"),
        description=_words(file, front, "description"),
        updated=updated.isoformat() if updated else None,
        outline=outline,
        page=page,
    )


def _words(file: str, front: dict[object, object], key: str) -> str:
    value = front.get(key)
    if not isinstance(value, str) or not value.strip():
        raise BadFact(file, key, "is missing")
    return " ".join(value.split())


def _nothing_to_borrow(path: str) -> str:
    raise NotFound(f"a page of the site cannot borrow the text of {path}")
