"""Code in colours: Shiki in V8, off the way of every page, once for each distinct snippet."""

from kinfolk.highlight.engine import Engine, EngineFailed
from kinfolk.highlight.highlighter import Highlighter, Section
from kinfolk.highlight.snippet import Coloured, Snippet
from kinfolk.highlight.store import SnippetStore

__all__ = ["Coloured", "Engine", "EngineFailed", "Highlighter", "Section", "Snippet", "SnippetStore"]
