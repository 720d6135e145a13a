"""Markdown before it is rendered: composed of several files, with its title and its description."""
