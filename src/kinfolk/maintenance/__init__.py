"""What maintainers read and set on their dashboard, in the database.

Read: `feedback_store` (answers about docs pages), `missed_requests`, `content_syncs` (of repositories),
`content_faults`, `code_check_weeks` and `webhooks` (deliveries). Set: `override_store` and `site_overrides` (sponsors
and promotions in addition to those of the site folder), with `promotion`. `site` and all packages above it may import
this one.
"""
