"""`/1/`: the search over HTTP, and its rate limit."""
