"""From files to pages: docs, examples, posts, sponsors, the site's own pages and landing pages.

`sources` reads repositories, `markdown` and `highlight` render, the other packages know one kind of page each.
`redirects` maps old addresses, `page_addresses` says which addresses name a page, `dependencies` records what a response
was made from. `search`, `statistics`, `maintenance` and all packages above them may import this one.
"""
