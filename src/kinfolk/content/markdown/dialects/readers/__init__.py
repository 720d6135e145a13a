"""Readers of the syntaxes: each translates the pages of the dialects that have it."""
