"""The Markdown parsers of pages. A page without footnotes or math has a parser without their rules."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin

from kinfolk.content.markdown.dialects import Dialect
from kinfolk.content.markdown.extensions.cjk_emphasis import cjk_emphasis
from kinfolk.content.markdown.extensions.emoji_codes import emoji_codes
from kinfolk.content.markdown.extensions.footnote_marks import footnotes, has_footnotes
from kinfolk.content.markdown.extensions.math import has_math, math
from kinfolk.content.markdown.links.autolinks import autolinks


def page_parser(text: str, dialect: Dialect | None = None) -> MarkdownIt:
    """The parser of a text, of a dialect or as GitHub reads it."""
    if dialect is None:
        return _parser(has_footnotes=has_footnotes(text), has_math=has_math(text))
    return _parser(
        has_footnotes=has_footnotes(text),
        has_math=dialect.has_math and has_math(text),
        has_definition_lists=dialect.has_definition_lists,
    )


def block_parser(text: str) -> MarkdownIt:
    """Parses the blocks of a text, not what is in them."""
    return _block_parser(has_math=has_math(text))


@cache
def _parser(*, has_footnotes: bool, has_math: bool = False, has_definition_lists: bool = False) -> MarkdownIt:
    options = {"tasklists": True, "strikethrough_single_tilde": True}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.use(autolinks).use(cjk_emphasis).use(emoji_codes)
    if has_definition_lists:
        parser.use(deflist_plugin)
    if has_footnotes:
        parser.use(footnotes)
    if has_math:
        parser.use(math)
    parser.parse("*x*")  # compiles the rules, which is not thread-safe
    return parser


@cache
def _block_parser(*, has_math: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    if has_math:
        parser.use(math)
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.parse("*x*")
    return parser
