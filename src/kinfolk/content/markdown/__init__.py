"""Renders Markdown to HTML. Reads no files and no clock itself; callers pass in functions that read.

`source` composes a page (with its title and description), `dialects` translate other programs, `render` makes HTML
with `callouts`, `directives` (framework blocks, tabs), `code`, `html`, `links` and `api_reference`; `export` writes
standalone Markdown. `processes` renders in processes with limits of CPU time and memory: a page that exceeds one is
plain text until its file changes. Files of the site folder are rendered in the calling thread, because the operator
writes them and their size is checked.
"""
