"""Finding the page that was meant: records, an index over them, and the ranking."""
