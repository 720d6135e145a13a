"""The site as files, for hosts that run no code: `kinfolk export` (decisions/0024).

`exporter` is the whole export: `worker` processes render pages with `site_renderer` (a site whose responses become
files), `link_form` writes addresses for an export, `file_names` names the files, `tree` switches to the new folder.
`answer_files` and `search_files` are what pages request. `edit_watcher` exports an edit, `stale_files` what it has
made stale.
"""
