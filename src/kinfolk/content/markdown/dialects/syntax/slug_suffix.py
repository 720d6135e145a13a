"""Unique ids of headings: a number follows a repeated one."""

from __future__ import annotations

from collections.abc import Container


def free_slug(slug: str, taken: Container[str], separator: str) -> str:
    """`setup`, `setup-1`, `setup-2`: the first that is not taken."""
    found, number = slug, 0
    while found in taken:
        number += 1
        found = f"{slug}{separator}{number}"
    return found
