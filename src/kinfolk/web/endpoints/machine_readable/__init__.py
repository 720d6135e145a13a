"""Texts for programs: robots.txt, sitemaps, llms.txt, pages as Markdown, and feeds."""
