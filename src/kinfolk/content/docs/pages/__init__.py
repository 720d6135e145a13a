"""One page of the docs: its file, its links, its HTML, its Markdown, and its place in the menu."""
