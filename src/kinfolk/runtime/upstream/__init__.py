"""Requests to other servers: the HTTP client, and for how long a server refuses requests."""
