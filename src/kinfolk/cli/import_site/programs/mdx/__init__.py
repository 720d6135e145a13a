"""Programs whose docs are MDX, and whose menus the site reads from their own files after each push."""
