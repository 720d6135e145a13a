"""Redirects of the old site: `address_patterns` translates patterns, `redirect_files` reads files of hosts."""
