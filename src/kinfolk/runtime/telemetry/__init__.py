"""Request ids, and traces and metrics for a collector of OpenTelemetry (decisions/0051)."""
