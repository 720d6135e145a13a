"""The comment on a pull request, as Markdown of code hosts.

Text of the pull request stands in code spans only: there code hosts make no links, mentions, references or HTML of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_PAGES = 30
MOST_FINDINGS = 20
LONGEST_SPAN = 150


@dataclass(frozen=True)
class CommentedPage:
    """`change` is a word for what happened to the page, `address` its URL."""

    change: str
    title: str
    address: str


@dataclass(frozen=True)
class CommentedPreview:
    """What the comment says of one library. `findings` are those that the base does not have."""

    library: str
    address: str
    commit: str
    pages: Sequence[CommentedPage]
    findings: Sequence[str]


def comment_text(previews: Sequence[CommentedPreview]) -> str:
    """The comment on a pull request that changes the docs of these libraries."""
    return "\n\n".join(_of_library(each) for each in previews) + "\n"


def code_span(text: str) -> str:
    """The text in a code span of one line."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * LONGEST_SPAN])
    line = " ".join(printable.replace("`", "'").split())[:LONGEST_SPAN].strip()
    return f"`{line}`" if line else "`(empty)`"


def _of_library(preview: CommentedPreview) -> str:
    pages, findings = len(preview.pages), len(preview.findings)
    changed = "1 page changed" if pages == 1 else f"{pages} pages changed"
    found = "no new findings" if not findings else "1 new finding" if findings == 1 else f"{findings} new findings"
    lines = [
        f"**[Preview of the docs of {preview.library}]({preview.address})** at {preview.commit}: {changed}, {found}.",
        "",
        *(f"- {each.change}: [{code_span(each.title)}]({each.address})" for each in preview.pages[:MOST_PAGES]),
        *([f"- and {pages - MOST_PAGES} more"] if pages > MOST_PAGES else []),
    ]
    if findings:
        lines += ["", "New findings:", "", *(f"- {code_span(each)}" for each in preview.findings[:MOST_FINDINGS])]
        lines += [f"- and {findings - MOST_FINDINGS} more"] if findings > MOST_FINDINGS else []
    return "\n".join(lines).rstrip()
