"""What webhooks delivered, and what came of it.

`delivery` has the values, `webhook_deliveries` the table. `delivery_log` writes it in the background, `push_results`
adds how the sync after a push ended.
"""
