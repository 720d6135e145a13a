"""The site's own pages: each file of the folder `pages`, the same as Markdown, and the files of the folder `public`."""
