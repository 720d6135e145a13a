"""A menu that a program keeps in a file or in its pages: sections with the files of their pages, in order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MenuPage:
    """`target` is a path from the repository's root or a URL. Without `label`, the title of the page is shown."""

    target: str
    label: str = ""


@dataclass(frozen=True)
class MenuSection:
    label: str
    pages: tuple[MenuPage, ...]
    is_collapsible: bool = False


def with_unique_labels(sections: list[MenuSection]) -> list[MenuSection]:
    """The sections, those of the same label as one: readers open and close sections by their label."""
    found: dict[str, MenuSection] = {}
    for section in sections:
        earlier = found.get(section.label)
        pages = (*earlier.pages, *section.pages) if earlier else section.pages
        is_collapsible = (earlier or section).is_collapsible
        found[section.label] = MenuSection(section.label, tuple(dict.fromkeys(pages)), is_collapsible)
    return [section for section in found.values() if section.pages]
