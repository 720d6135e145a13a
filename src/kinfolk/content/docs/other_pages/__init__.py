"""Pages that readers change to: the same page in another version or framework, and the nearest one to a missing page."""
