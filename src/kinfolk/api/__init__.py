"""The functions that the frontend calls, and the tools that agents call.

`functions` has one module for each feature, `all_functions` imports all of them. `registry` registers a function with
its types and its cache lifetime and makes one of four results of each outcome; `content` is what functions read, each
read recorded as a dependency. `typescript` generates the client. `rendering`, `web` and `cli` may import this one.
"""
