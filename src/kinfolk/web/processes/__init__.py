"""The processes of a server: the parent that listens, the workers that it supervises, and the server of metrics."""
