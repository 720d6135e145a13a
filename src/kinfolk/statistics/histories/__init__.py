"""The daily downloads of a package: where they are stored, files with them, synthetic ones, and counts of versions."""
