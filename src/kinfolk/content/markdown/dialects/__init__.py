"""Markdown dialects: each translates its pages into the Markdown of this site.

`DIALECTS` is the table of all. The default, `github`, needs no translation.
"""

from kinfolk.content.markdown.dialects.dialect import Dialect, DialectSource, PlacedFile, TranslatedMarkdown
from kinfolk.content.markdown.dialects.dialect_table import DIALECTS, GITHUB

__all__ = ["DIALECTS", "GITHUB", "Dialect", "DialectSource", "PlacedFile", "TranslatedMarkdown"]
