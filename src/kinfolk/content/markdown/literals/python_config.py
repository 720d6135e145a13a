"""Literals that a Python file such as `conf.py` assigns to names of its module. No code of the file runs."""

from __future__ import annotations

import ast

LARGEST_FILE = 200_000
"""Characters."""


def read_python_config(text: str) -> dict[str, object]:
    """The names and values; empty for a file that is no Python. Values that are computed are left out."""
    if len(text) > LARGEST_FILE:
        return {}
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, object] = {}
    for statement in module.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            target, value = statement.target, statement.value
        else:
            continue
        if isinstance(target, ast.Name):
            try:
                found[target.id] = ast.literal_eval(value)
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                continue
    return found
