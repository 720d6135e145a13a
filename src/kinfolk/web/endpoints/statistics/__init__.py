"""Comparisons of packages as files and feeds, and the public addresses of saved ones."""
