"""Stars of the repositories of packages on GitHub, for comparisons."""
