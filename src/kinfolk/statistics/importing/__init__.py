"""Fetches download counts from npm in the background: what is due, what readers requested, and what is stored."""
