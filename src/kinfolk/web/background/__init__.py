"""What a worker does besides answering requests: refreshes, purges, renders ahead, the check of links, counts."""
