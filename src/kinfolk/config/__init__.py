"""What a site is: the settings of its operator, the files of its folder, its table of pages, its addresses.

`settings` reads environment variables, `site_folder` finds the folder, `data_files` reads TOML, `catalog` has the
models, `defaults/` the files that a site may lack. `routes` is the table of all pages. `code_hosts`,
`package_registries` and `icons` are what the files name. All packages except `runtime` may import this one.
"""
