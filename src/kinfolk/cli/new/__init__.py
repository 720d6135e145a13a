"""`kinfolk new`: writes the folder of a new site from `templates/`."""
