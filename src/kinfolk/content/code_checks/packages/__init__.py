"""The packages of a version of a library: which releases its docs describe, and their type declarations on the disk."""
