"""What readers say about docs pages. Only maintainers read it."""
