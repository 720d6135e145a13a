"""The database: rows that must last.

database         connections, transactions, locks across processes
tables           all tables
migrations       the versions of the tables (Alembic)
schema           upgrades, downgrades, and which version a database has
schema_upgrade   the upgrade when a process starts
"""
