"""Syntax highlighting in the background: Shiki in V8, once for each distinct snippet."""

from kinfolk.highlight.code_snippet import CodeSnippet, HighlightedCode
from kinfolk.highlight.highlighter import Highlighter, Section
from kinfolk.highlight.shiki_engine import ShikiEngine, ShikiError
from kinfolk.highlight.snippet_store import SnippetStore

__all__ = ["CodeSnippet", "HighlightedCode", "Highlighter", "Section", "ShikiEngine", "ShikiError", "SnippetStore"]
