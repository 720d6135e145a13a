"""Syntax that GitHub, or a published amendment, adds to CommonMark: footnotes, math, emoji codes, CJK emphasis, chips."""
