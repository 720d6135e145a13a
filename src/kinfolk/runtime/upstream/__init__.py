"""Requests to other servers: limits of responses, checked addresses, and for how long a server refuses requests."""
