"""Messages between the site and its Markdown processes: JSON, prefixed with its length. Code is never sent.

    site      ["page", text, framework, first framework, links?, [dialect, path, docs_root] or None, [scheme…]]
    process   ["read", path]                             the target of a `ref`, or an included file
    site      [text] or ["no such file", message]
    process   ["links", ref_path, [href…], [src…]]       one message for a page, and one for each link in raw HTML
    site      [[[target, broken]…], [src…]]
    process   ["done", answer] or ["failed", reason, …]

Strings are encoded as UTF-8. Lone surrogates, which UTF-8 cannot represent, become `?`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import astuple
from typing import Any, TypeAlias

import orjson

from kinfolk.content.markdown.code.code_marks import LINE_KINDS
from kinfolk.content.markdown.export import ExportedMarkdown
from kinfolk.content.markdown.front_matter import FrontMatter, ListedResource
from kinfolk.content.markdown.markdown_page import CodeBlock, Heading, MarkdownLink, MarkdownPage, PageProblem
from kinfolk.content.markdown.processes.jobs import PageSummary

Message: TypeAlias = list[Any]
"""Parsed JSON. The first element is the type of the message."""

_BUFFER = 1 << 17
LENGTH = struct.Struct("!I")
OUT_OF_MEMORY = 77
"""Exit status of a process without enough memory to send a failure."""


def encode_message(message: Message) -> bytes:
    """The message with its length prefix."""
    try:
        body = orjson.dumps(message)
    except TypeError:  # a lone surrogate
        body = orjson.dumps(_without_surrogates(message))
    return LENGTH.pack(len(body)) + body


class MessageReader:
    """Reads messages one at a time: each side sends only after it has received an answer."""

    def __init__(self, read_into: Callable[[memoryview], int], largest: int) -> None:
        """`read_into` blocks until data arrives and returns the number of bytes. `largest` is in bytes."""
        self._read_into = read_into
        self._largest = largest
        # Reused: the allocator maps and unmaps buffers of this size each time.
        self._buffer = memoryview(bytearray(_BUFFER))

    def read(self) -> Message:
        """Raises ConnectionResetError at the end of the stream, ValueError for an invalid or too long message."""
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


def encode_page(page: MarkdownPage) -> Message:
    return [
        page.title,
        page.description,
        _of_front(page.front),
        [[one.id, one.text, one.level, one.framework, one.outlined] for one in page.headings],
        # Most links stay as written, so None stands for an unchanged href.
        [[one.written, None if one.href == one.written else one.href, one.line, one.broken] for one in page.links],
        [
            [one.language, one.code, one.words, one.line, *(getattr(one, kind) for kind in LINE_KINDS)]
            for one in page.code_blocks
        ],
        page.chunks,
        page.text,
        sorted(page.anchors - {one.id for one in page.headings}),
        page.ref_path,
        page.is_api_reference,
        [[one.line, one.message, one.is_warning] for one in page.problems],
    ]


def decode_page(message: Message) -> MarkdownPage:
    """Raises ValueError or TypeError for anything but the result of `encode_page`."""
    title, description, front, headings, links, code_blocks, chunks, text, anchors, ref_path, *others = message
    is_reference, problems = others
    named = tuple(Heading(*one) for one in headings)
    return MarkdownPage(
        title=title,
        description=description,
        front=_front_of(front),
        headings=named,
        links=tuple(
            MarkdownLink(written, written if href is None else href, line, broken)
            for written, href, line, broken in links
        ),
        code_blocks=tuple(
            CodeBlock(
                language,
                code,
                **{kind: tuple(lines) for kind, lines in zip(LINE_KINDS, marked, strict=True)},
                words=tuple((start, stop) for start, stop in words),
                line=line,
            )
            for language, code, words, line, *marked in code_blocks
        ),
        chunks=tuple(chunks),
        text=text,
        anchors=frozenset((*anchors, *(one.id for one in named))),
        ref_path=ref_path,
        is_api_reference=is_reference,
        problems=tuple(PageProblem(*one) for one in problems),
    )


def encode_export(export: ExportedMarkdown) -> Message:
    return [export.title, export.description, export.parts, export.targets, export.ref_path]


def decode_export(message: Message) -> ExportedMarkdown:
    """Raises ValueError or TypeError for anything but the result of `encode_export`."""
    title, description, parts, targets, ref_path = message
    return ExportedMarkdown(
        title, description, tuple(parts), tuple((written, is_image) for written, is_image in targets), ref_path
    )


def encode_anchors(anchors: frozenset[str]) -> Message:
    return sorted(anchors)


def decode_anchors(message: Message) -> frozenset[str]:
    return frozenset(message)


def encode_summary(summary: PageSummary) -> Message:
    return [summary.title, summary.description]


def decode_summary(message: Message) -> PageSummary:
    title, description = message
    return PageSummary(title, description)


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
