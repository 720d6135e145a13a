"""Services that run in the background: their start and stop, restarts after errors, and throttling."""
