"""The code blocks of a page, as the checker reads them: with the text around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import NamedTuple

from kinfolk.content.markdown.markdown_page import CodeBlock, MarkdownPage

LONGEST_TEXT = 600
"""Characters before a block that are read: two sentences say whether code shows what is wrong on purpose."""
CHECKED_LANGUAGES = frozenset("ts tsx typescript mts cts angular-ts js jsx javascript mjs cjs vue svelte".split())
"""Those of `isChecked` in `frontend/src/codeCheck/completedBlock.ts`."""
_HEADING = re.compile(r"(?=<h[1-6][ >])")
_HEADING_TEXT = re.compile(r"<h[1-6][^>]*>(.*?)</h[1-6]>", re.DOTALL)
_PANEL = re.compile(r'<section class="framework-panel" role="group" data-framework="([^"<>]*)"|</section>')
"""The beginning of a panel, as `markdown.render` writes it, or the end of any section: panels have no sections."""
_TAG = re.compile(r"<[^<>]*>")
_IMPORT = re.compile(r"""\b(?:from|import) ?\(?['"]([^'"\n]{1,200})['"]""")
_NAME = re.compile(r"(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*")


class BlockContext(NamedTuple):
    """The heading of a block's section, the text between it and the block before, and the framework of its panel."""

    heading: str = ""
    before: str = ""
    framework: str | None = None


@dataclass(frozen=True)
class PageCode:
    """The code of a page. `path` is below the docs; `framework` that of the page, None for a page of all.

    `contexts` has an entry for each block.
    """

    path: str
    title: str
    framework: str | None
    blocks: tuple[CodeBlock, ...]
    contexts: tuple[BlockContext, ...]
    text: str = ""

    @property
    def is_checked(self) -> bool:
        """Whether some block is in a language that the checker reads."""
        return any(block.language in CHECKED_LANGUAGES for block in self.blocks)


def page_code(path: str, title: str, framework: str | None, page: MarkdownPage) -> PageCode:
    """The code of a rendered page."""
    return PageCode(path, title, framework, page.code_blocks, tuple(_contexts(page.chunks[:-1])), page.text)


def _contexts(chunks: Sequence[str]) -> Iterator[BlockContext]:
    heading, framework = "", None
    for chunk in chunks:
        last = _HEADING.split(chunk)[-1]
        found = _HEADING_TEXT.match(last)
        if found:
            heading = _text(found[1])
        for panel in _PANEL.finditer(chunk):
            framework = panel[1]
        yield BlockContext(heading, _text(last)[-LONGEST_TEXT:], framework)


def _text(html: str) -> str:
    return unescape(_TAG.sub("", html)).strip()


def imported_packages(code: str) -> frozenset[str]:
    """The names of the packages that code imports."""
    return frozenset(name for name in map(_package, _IMPORT.findall(code)) if name)


def _package(module: str) -> str:
    parts = module.split("/")
    name = "/".join(parts[:2]) if module.startswith("@") else parts[0]
    return name if _NAME.fullmatch(name) else ""
