"""Checks the code blocks of docs with TypeScript, against the packages that a version of a library documents.

`packages` chooses and fetches the types of packages, `checker` runs TypeScript in a process of its own. `check_results`
are what it finds, `check_store` keeps them in `var/code_checks.sqlite`. Pages only read that file.
"""
