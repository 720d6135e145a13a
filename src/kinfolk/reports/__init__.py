"""What maintainers read about the site: missing pages, syncs of repositories, faults of the docs."""
