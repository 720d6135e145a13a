"""HTML within Markdown and made of it: inline elements, raw HTML, what is allowed, and its text."""
