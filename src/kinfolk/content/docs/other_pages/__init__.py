"""Pages that readers change to: the same one of another version or framework, and the nearest to a missing one."""
