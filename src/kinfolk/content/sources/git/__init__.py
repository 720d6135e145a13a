"""Git mirrors: fetched in the background, read at a published commit, with the history of each file."""
