"""The database: rows that must last, in a file of SQLite or in PostgreSQL.

`database` has connections, transactions and locks across processes; it blocks, so the event loop calls it in threads.
`tables` and `maintenance_tables` have the tables, `migrations` their versions, `schema` upgrades and downgrades. A
process upgrades the tables when it starts (`schema_upgrade`), and again until it succeeds; docs are served meanwhile,
and what needs the database raises Unavailable. `content` and all packages above it may import this one.
"""
