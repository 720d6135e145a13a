"""Reads the configuration files of other programs without running code: literals of JavaScript and YAML."""
