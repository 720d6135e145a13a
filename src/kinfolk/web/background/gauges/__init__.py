"""Gauges that are sampled: the delay of the event loop, and what the process takes of the machine."""
