"""Styles as text in the head of a page: `stylesheets` (of files), `page_rules` (of `style` attributes and pictures)."""
