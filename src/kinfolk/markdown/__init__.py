"""Markdown as the libraries write it -> a page. Pure: no files, no network, no clock."""
