"""Checks of the docs that are served: their links, and what is done with the reports of their code."""
