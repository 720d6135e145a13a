"""Code within Markdown: blocks, spans, marked lines, shell sessions, highlighted code."""
