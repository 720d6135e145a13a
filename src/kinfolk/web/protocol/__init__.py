"""The HTTP/1.1 connection of a client: parsing, limits of sizes, times and rates, addresses, turns of uncached requests."""
