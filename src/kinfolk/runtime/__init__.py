"""What every process needs and no feature owns: errors, limits, caches, services, metrics, the log.

`errors` has messages for visitors, `budget` the limits of one response, `cache` the caching policy and caches in
memory. `services` starts, supervises and throttles background work, `upstream` sends requests to other servers.
All packages may import this one; it imports none.
"""
