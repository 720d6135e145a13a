"""TypeScript in a process of its own: the process, its messages, and the pool that restarts it."""
