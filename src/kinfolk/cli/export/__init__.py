"""The site as files, for hosts that run no code: `kinfolk export` (decisions/0024).

layout          addresses -> files
link_form       the addresses in a page, and their form in an export
site_renderer   a site in this process, whose responses become files
answer_files    answers of functions that pages request
search_files    records and ranking for the search in the browser
worker          a process that exports part of the addresses
tree            the folder: staging, the manifest of earlier files, the switch
exporter        the whole export
edit_watcher    the export of an edit
stale_files     what an edit has made stale
"""
