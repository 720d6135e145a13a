"""`kinfolk new`: writes the folder of a new site.

`new_site` writes one with sample docs from `templates/`. `family_command` fetches repositories (`family_fetch`), reads
their `facts` and writes the files of their libraries (`family_files`).
"""
