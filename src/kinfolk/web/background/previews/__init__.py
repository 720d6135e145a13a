"""Previews of pull requests: fetches their heads, and comments on them."""
