"""Purges of a CDN: the APIs of CDNs, the stored queue of stale tags, and the service that sends it."""
