"""The menu of a library: from `config.json`, from `mkdocs.yml`, or from folders."""
