"""`kinfolk import`: docs of another program become the files of a new site folder.

`site_import` is the whole import. `vitepress_project`, `docusaurus_project` and `mkdocs_project` read one program each
without running its code; `config_files` reads literals of JavaScript and YAML. `site_files` writes the files of the new
site and the report of what was left out.
"""
