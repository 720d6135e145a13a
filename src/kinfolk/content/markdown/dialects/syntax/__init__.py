"""Syntax that several dialects share: blocks, components, code options, included files."""
