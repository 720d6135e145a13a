"""npm registries: their packages, what version ranges mean, and the declarations in tarballs."""
