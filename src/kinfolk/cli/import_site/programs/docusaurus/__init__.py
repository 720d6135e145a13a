"""The configuration of Docusaurus.

`docusaurus_project` is the whole; `docusaurus_theme` reads header and footer, `docusaurus_docs` docs plug-ins, sidebars
and versions.
"""
