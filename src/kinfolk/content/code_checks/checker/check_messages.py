"""The JSON that the checking isolate reads and writes. See `frontend/src/codeCheck/messages.ts`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from kinfolk.content.code_checks.check_results import BlockCheck, ExportedSymbol, Symbol
from kinfolk.content.code_checks.page_code import PageCode


@dataclass(frozen=True)
class IsolateCheck:
    """A page as the isolate returns it: without the packages that it was checked against."""

    blocks: tuple[BlockCheck | None, ...]
    symbols: tuple[Symbol, ...]


PAGES = TypeAdapter(list[IsolateCheck])
EXPORTS = TypeAdapter(list[ExportedSymbol])


def page_message(page: PageCode, checked: Sequence[bool]) -> dict[str, Any]:
    """A page for the isolate, with the blocks that are to be checked."""
    return {
        "path": page.path,
        "title": page.title,
        "text": page.text,
        "blocks": [
            {
                "language": block.language,
                "code": block.code,
                "removed": block.removed,
                "heading": context.heading,
                "before": context.before,
            }
            if wanted
            else None
            for block, context, wanted in zip(page.blocks, page.contexts, checked, strict=True)
        ],
    }
