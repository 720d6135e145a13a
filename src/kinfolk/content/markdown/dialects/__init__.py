"""Markdown dialects: each translates its pages into the Markdown of this site.

The default, `github`, needs no translation. `tables` has one table for each dialect: which names are callouts,
components and directives, what code options mean, which files are pages. `readers` read the syntaxes, `components` make
blocks of what they find, `syntax` has what several of them share, `dialect_table` all dialects by name.
"""

from __future__ import annotations

from kinfolk.content.markdown.dialects.dialect import GITHUB, Dialect, DialectSource, PlacedFile, TranslatedMarkdown

__all__ = ["GITHUB", "Dialect", "DialectSource", "PlacedFile", "TranslatedMarkdown", "find_dialect"]


def find_dialect(name: str) -> Dialect | None:
    """The dialect with this name. None for one that needs no translation."""
    # Imported for the first page of another dialect: it takes an eighth of the start of a Markdown process.
    from kinfolk.content.markdown.dialects.dialect_table import DIALECTS

    return DIALECTS.get(name)
