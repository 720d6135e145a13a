"""`kinfolk generate`: writes the files that are made from the models in Python."""
