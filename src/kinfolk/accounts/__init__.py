"""Accounts of readers and maintainers, in the database.

`accounts` is what `web` and `api` call: sign-in, sessions and data. `sign_in_attempts` has codes, links and OAuth's
state, `oauth` GitHub and Google, `sessions` users and roles, `saved_items` bookmarks, notes and comparisons,
`outgoing_mail` the queue of mail, `audit_log` what accounts have done, `account_export` everything about one. `site`
and all packages above it may import this one.
"""
