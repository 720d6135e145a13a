"""Syntax highlighting in the background: Shiki in V8, once for each distinct snippet."""

from kinfolk.content.highlight.code_snippet import CodeSnippet, HighlightedCode
from kinfolk.content.highlight.highlighter import Highlighter, Section
from kinfolk.content.highlight.shiki_engine import ShikiEngine, ShikiError
from kinfolk.content.highlight.snippet_store import SnippetStore

__all__ = ["CodeSnippet", "HighlightedCode", "Highlighter", "Section", "ShikiEngine", "ShikiError", "SnippetStore"]
