"""Renders the libraries' Markdown. Reads no files and no clock itself; callers pass in functions that read."""
