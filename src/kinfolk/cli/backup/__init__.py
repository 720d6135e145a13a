"""`kinfolk backup` and `kinfolk restore`: all that cannot be made again, in one file.

`backup_file` is the format, `table_rows` the rows of a table in it; `site_backup` writes one, `site_restore` reads one.
"""
