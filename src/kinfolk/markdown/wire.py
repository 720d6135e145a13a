"""What the site and its Markdown processes send each other: JSON with its length in front, never code.

    site      ["page", text, framework, links?]
    process   ["read", path]                             a target that the page refers to
    site      [text] or ["no such file", message]
    process   ["links", ref_path, [href…], [src…]]       all of a page at once, those in raw HTML one by one
    site      [[[target, broken]…], [src…]]
    process   ["done", answer] or ["failed", reason, …]

Strings are sent as UTF-8, in which lone surrogates do not exist: they become `?`, as in everything the site sends.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import astuple
from typing import Any, TypeAlias

import orjson

from kinfolk.markdown.jobs import About
from kinfolk.markdown.page import FrontMatter, Heading, Link, ListedResource, Page, Snippet
from kinfolk.markdown.plain import Wording

Message: TypeAlias = list[Any]
"""Parsed JSON: its first element says what it is."""

_BUFFER = 1 << 17
LENGTH = struct.Struct("!I")
OUT_OF_MEMORY = 77
"""Exit status of a process that has too little memory even to say so."""


def packed(message: Message) -> bytes:
    """The message as it is sent."""
    try:
        body = orjson.dumps(message)
    except TypeError:  # a lone surrogate
        body = orjson.dumps(_without_surrogates(message))
    return LENGTH.pack(len(body)) + body


class Reader:
    """Reads the messages of the other side, which sends one only after it was answered."""

    def __init__(self, read_into: Callable[[memoryview], int], largest: int) -> None:
        """`read_into` blocks until there is something, and returns how many bytes it was. `largest` is in bytes."""
        self._read_into = read_into
        self._largest = largest
        # Kept, because memory of this size is taken from the kernel and given back each time.
        self._buffer = memoryview(bytearray(_BUFFER))

    def read(self) -> Message:
        """Raises ConnectionResetError at the end, ValueError for what is no message or too long."""
        got = self._fill(self._buffer, 0, LENGTH.size)
        end = LENGTH.size + LENGTH.unpack_from(self._buffer)[0]
        if end - LENGTH.size > self._largest:
            raise ValueError("the message is too long")
        body = self._buffer
        if end > _BUFFER:
            body = memoryview(bytearray(end))
            body[:got] = self._buffer[:got]
        self._fill(body[:end], got, end)
        message = orjson.loads(body[LENGTH.size : end])
        if not isinstance(message, list) or not message:
            raise ValueError("a message is a list that is not empty")
        return message

    def _fill(self, view: memoryview, got: int, wanted: int) -> int:
        while got < wanted:
            count = self._read_into(view[got:])
            if not count:
                raise ConnectionResetError
            got += count
        return got


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    return [_without_surrogates(one) for one in value] if isinstance(value, (list, tuple)) else value


def of_page(page: Page) -> Message:
    return [
        page.title,
        page.description,
        _of_front(page.front),
        [[one.id, one.text, one.level, one.framework] for one in page.headings],
        # Most links stay as written, and nothing is sent twice.
        [[one.written, None if one.href == one.written else one.href, one.line, one.broken] for one in page.links],
        [[one.language, one.code, one.added, one.removed] for one in page.snippets],
        page.chunks,
        page.text,
        sorted(page.anchors - {one.id for one in page.headings}),
        page.ref_path,
    ]


def page_of(message: Message) -> Page:
    """Raises ValueError or TypeError for anything but `of_page`."""
    title, description, front, headings, links, snippets, chunks, text, anchors, ref_path = message
    named = tuple(Heading(*one) for one in headings)
    return Page(
        title=title,
        description=description,
        front=_front_of(front),
        headings=named,
        links=tuple(
            Link(written, written if href is None else href, line, broken) for written, href, line, broken in links
        ),
        snippets=tuple(
            Snippet(language, code, tuple(added), tuple(removed)) for language, code, added, removed in snippets
        ),
        chunks=tuple(chunks),
        text=text,
        anchors=frozenset((*anchors, *(one.id for one in named))),
        ref_path=ref_path,
    )


def of_wording(wording: Wording) -> Message:
    return [wording.title, wording.description, wording.parts, wording.places, wording.ref_path]


def wording_of(message: Message) -> Wording:
    """Raises ValueError or TypeError for anything but `of_wording`."""
    title, description, parts, places, ref_path = message
    return Wording(
        title, description, tuple(parts), tuple((written, is_image) for written, is_image in places), ref_path
    )


def of_anchors(anchors: frozenset[str]) -> Message:
    return sorted(anchors)


def anchors_of(message: Message) -> frozenset[str]:
    return frozenset(message)


def of_about(about: About) -> Message:
    return [about.title, about.description]


def about_of(message: Message) -> About:
    title, description = message
    return About(title, description)


def _of_front(front: FrontMatter) -> Message:
    return list(astuple(front))


def _front_of(message: Message) -> FrontMatter:
    title, description, keywords, ref, replace, toc, redirect_from, resources = message
    return FrontMatter(
        title,
        description,
        keywords,
        ref,
        tuple((key, value) for key, value in replace),
        toc,
        tuple(redirect_from),
        tuple((key, tuple(ListedResource(*one) for one in listed)) for key, listed in resources),
    )
