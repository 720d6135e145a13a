"""Syntax that GitHub or an amendment adds to CommonMark: footnotes, math, emoji codes, CJK emphasis, color chips."""
