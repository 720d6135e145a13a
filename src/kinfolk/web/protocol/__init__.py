"""The HTTP/1.1 connection of a client: parsing, limits of sizes, times and rates, and turns of uncached requests."""
