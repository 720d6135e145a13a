"""Reads literals of JavaScript and YAML without running code: configuration files and attributes of components."""
