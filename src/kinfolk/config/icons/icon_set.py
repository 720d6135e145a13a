"""Icons that the data of a site names: those of the interface, and brand icons of simple-icons by their slugs."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

BRAND_ICONS = "icons/brand-icons.txt"
"""The file of the frontend's build with all brand icons: a line of slug, tab and path for each, ordered by bytes."""
NEAREST = 3
_INTERFACE_ICONS = Path(__file__).parent / "interface_icons.toml"


@dataclass(frozen=True)
class IconShape:
    """A drawing on 24 by 24: `path` is the data of an SVG path, which `filled` icons fill and others stroke."""

    path: str
    filled: bool


NEUTRAL_ICON = IconShape("M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z", filled=False)
"""A circle, for unknown names."""


@dataclass(frozen=True)
class IconSet:
    """The icons that a site names. The file of all brand icons is not kept in memory."""

    icons: Mapping[str, IconShape]

    def __getitem__(self, name: str) -> IconShape:
        return self.icons[name]


@cache
def interface_icons() -> Mapping[str, IconShape]:
    """The icons of the interface by their names."""
    paths = tomllib.loads(_INTERFACE_ICONS.read_text(encoding="utf-8"))
    return {name: IconShape(path, filled=False) for name, path in paths.items()}


def load_icons(frontend: Path, names: Collection[str]) -> IconSet:
    """The icons with these names. An icon of the interface wins over a brand icon of the same name.

    An unknown name has a neutral icon; `unknown_icons` says what is wrong with it.
    """
    own = interface_icons()
    wanted = {name for name in names if name not in own}
    brands = {slug: IconShape(path, filled=True) for slug, path in _brand_icons(frontend, wanted)}
    return IconSet({name: brands.get(name) or own.get(name, NEUTRAL_ICON) for name in names})


def unknown_icons(frontend: Path, names: Collection[str]) -> Mapping[str, str]:
    """What is wrong with each unknown name, with the nearest names."""
    own = interface_icons()
    wanted = {name for name in names if name not in own}
    unknown = wanted - dict(_brand_icons(frontend, wanted)).keys()
    known = (*own, *_brand_names(frontend)) if unknown else ()
    return {name: _reason(name, known) for name in names if name in unknown}


def _reason(name: str, known: Collection[str]) -> str:
    nearest = difflib.get_close_matches(name.lower(), known, n=NEAREST, cutoff=0.5)
    hint = f"; the nearest are {', '.join(nearest)}" if nearest else ""
    return f"there is no icon {name}{hint}"


def has_brand_icons(frontend: Path) -> bool:
    """Whether the frontend is built, so that the names of brand icons can be checked."""
    return (frontend / BRAND_ICONS).exists()


def _brand_icons(frontend: Path, slugs: Collection[str]) -> Iterator[tuple[str, str]]:
    """The slugs and paths of those brand icons that exist; none where the frontend is not built."""
    if not slugs or not has_brand_icons(frontend):
        return
    # To read all of its 4.6 MB takes 15 ms.
    with (
        (frontend / BRAND_ICONS).open("rb") as file,
        mmap(file.fileno(), 0, access=ACCESS_READ) as lines,
    ):
        for slug in slugs:
            path = _value_of(lines, slug)
            if path is not None:
                yield slug, path


def _value_of(lines: mmap, key: str) -> str | None:
    """What follows the key and a tab in its line, by a binary search: the lines are in the order of their bytes."""
    beginning = f"{key}\t".encode()
    low, high = 0, len(lines)
    while low < high:
        start = max(low, lines.rfind(b"\n", low, (low + high) // 2) + 1)
        end = lines.find(b"\n", start)
        line = lines[start : end if end >= 0 else len(lines)]
        if line.startswith(beginning):
            return None if "\t" in key else line.removeprefix(beginning).decode()
        if line < beginning:
            low = start + len(line) + 1
        else:
            high = start
    return None


def _brand_names(frontend: Path) -> list[str]:
    if not has_brand_icons(frontend):
        return []
    text = (frontend / BRAND_ICONS).read_text(encoding="utf-8")
    return [line.partition("\t")[0] for line in text.splitlines()]
