"""Links of a page: bare addresses, resolved targets, and the slugs of headings."""
