"""Packages of type declarations, as the store keeps them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from kinfolk.content.code_checks.type_set import TypePackage, TypeSet

TILES = """
/** A tile of a floor. */
export interface Tile { id: string; size: number }
export interface TileOptions {
  /** Space between tiles. In millimeters. */
  gap?: number
}
export declare class Floor {
  tiles: Tile[]
  place(tile: Tile): void
}
/** Lays tiles on a floor. */
export declare function layTiles(options: TileOptions): Floor
"""


def type_package(
    folder: Path, texts: Mapping[str, str], *, name: str = "@acme/tiles", version: str = "4.2.0"
) -> TypePackage:
    """A package with these files and a `package.json`, stored in the folder."""
    description = json.dumps({"name": name, "version": version, "types": "index.d.ts"})
    content = json.dumps({"package.json": description, **texts}).encode()
    file = folder / f"{sha256(content).hexdigest()[:24]}.json.gz"
    file.write_bytes(gzip.compress(content))
    return TypePackage(name, version, f"/node_modules/{name}", file)


def tiles_set(folder: Path, declarations: str = TILES, *, framework: str | None = None) -> TypeSet:
    """The package `@acme/tiles` with these declarations."""
    return TypeSet(framework, (type_package(folder, {"index.d.ts": declarations}),), ("@acme/tiles",))
