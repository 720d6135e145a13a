"""Accounts of readers and maintainers: sign-in, sessions, roles, saved items, the audit log."""
