"""The wire format: parameters, filters, settings, records and events of requests; hits and results of responses."""
