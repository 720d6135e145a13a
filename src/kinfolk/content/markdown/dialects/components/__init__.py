"""Components and directives of a page: their tags, what encloses what, and the blocks that they become."""
