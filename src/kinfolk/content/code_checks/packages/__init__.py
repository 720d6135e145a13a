"""The packages of a version of a library: which releases its docs describe, and their type declarations on the disk.

`type_sets` makes a set for each framework: `release_choice` chooses the library's packages, `package_closure` places
what they import, `common_packages` adds what code uses beside them. `package_provider` has packages of the `registry`
and of the repository (`tree_packages`), `package_store` keeps them.
"""
