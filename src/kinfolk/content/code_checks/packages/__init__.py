"""The packages of a version of a library: which releases its docs describe, and their type declarations on the disk.

`type_sets` makes a set for each framework: `release_choice` chooses the library's own packages, `package_closure` places
what they import, `common_packages` adds what code uses beside them. `package_provider` has packages from the `registry`,
`tree_packages` those of the repository, `package_store` keeps them.
"""
