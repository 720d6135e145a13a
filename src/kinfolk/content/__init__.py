"""From files to pages: docs, examples, posts, sponsors, the site's own pages and landing pages.

`sources` reads repositories, `markdown` and `highlight` render, the other packages know one kind of page each.
`changes` compares releases, `redirects` maps old addresses, `dependencies` records what a response was made from.
`open_content` opens all of it.
`search`, `statistics`, `maintenance` and all packages above them may import this one.
"""
