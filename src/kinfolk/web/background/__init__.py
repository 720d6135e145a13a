"""What a worker does besides answering requests: refreshes, purges of pages, the check of links, counts."""
