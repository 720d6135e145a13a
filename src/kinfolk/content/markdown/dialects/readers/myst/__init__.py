"""The dialect of Sphinx with MyST Markdown: directives, roles, labels and tables of contents."""
