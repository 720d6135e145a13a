"""The docs for programs: llms.txt, docs.zip, sitemap, feeds of changes."""
