"""HTTP, and the only importer of Starlette.

`app` dispatches each request to a module of `endpoints`. `protocol` is a connection, `processes` the parent and its
workers, `background` what a worker does between requests. The modules of this folder are for all responses:
conditional requests, encodings and errors (`responses`), compression, security headers, refusals, metrics, the base
path. Only `cli` may import this package.
"""
