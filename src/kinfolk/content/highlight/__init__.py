"""Syntax highlighting in the background: one thread and one V8 isolate with Shiki, once for each distinct snippet.

`highlighter` stores the result in `var/highlight.sqlite` (`snippet_store`) under the digest of the bundle. A page
that is requested earlier shows plain code; its `code:` tag is purged when the highlighting is done. The first file of
each example of a latest version is highlighted in advance, all other files at their first request.
"""

from kinfolk.content.highlight.code_snippet import CodeSnippet, HighlightedCode
from kinfolk.content.highlight.highlighter import Highlighter, Section
from kinfolk.content.highlight.shiki_engine import ShikiEngine, ShikiError
from kinfolk.content.highlight.snippet_store import SnippetStore

__all__ = ["CodeSnippet", "HighlightedCode", "Highlighter", "Section", "ShikiEngine", "ShikiError", "SnippetStore"]
