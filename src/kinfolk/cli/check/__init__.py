"""`kinfolk check`: checks the files of a site and its docs."""
