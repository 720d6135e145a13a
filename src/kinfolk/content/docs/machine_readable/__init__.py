"""The docs for programs: llms.txt, sitemap, feeds of changes."""
