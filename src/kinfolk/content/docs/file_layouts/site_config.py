"""Files of configuration above the docs root, from which menus and languages are read. No code of them runs."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence

from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import ConfigTable
from kinfolk.content.markdown.literals.javascript_config import ReadModule, read_javascript_call
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config

HasFile = Callable[[str], bool]
ReadFile = Callable[[str], str]

LARGEST_CONFIG = 512_000
"""Characters."""
_MODULE_ENDS = ("", ".ts", ".mjs", ".js", ".mts", "/index.ts", "/index.js")


def config_above(folder: str, names: Sequence[str], has_file: HasFile) -> str | None:
    """The file with the first of these names, in a folder or the nearest folder above it."""
    while True:
        for name in names:
            if has_file(path := posixpath.join(folder, name)):
                return path
        if not folder:
            return None
        folder = posixpath.dirname(folder)


def starlight_options(file: str, has_file: HasFile, read: ReadFile) -> ConfigTable | None:
    """What the integration of Starlight receives in a configuration of Astro."""
    text = read(file)
    if len(text) > LARGEST_CONFIG:
        return None
    return read_javascript_call(text, module_reader(file, has_file, read), "starlight")


def mintlify_config(file: str, has_file: HasFile, read: ReadFile) -> ConfigTable | None:
    """The keys of a `docs.json` or `mint.json`. A table `{"$ref": "./part.json"}` has the keys of that file."""
    text = read(file)
    config = read_yaml_config(text.replace("\t", " ")) if len(text) <= LARGEST_CONFIG else None
    return config if config is None else _with_parts(config, posixpath.dirname(file), has_file, read)


def _with_parts(config: ConfigTable, folder: str, has_file: HasFile, read: ReadFile) -> ConfigTable:
    """The configuration with the files that its keys and the languages of its navigation name."""
    entries = dict(config.entries)
    for key, value in entries.items():
        entries[key] = part_of(table_of(value), folder, has_file, read) or value
    return ConfigTable(config.line, entries)


def part_of(table: ConfigTable, folder: str, has_file: HasFile, read: ReadFile) -> ConfigTable | None:
    """The keys of the file that a table names. A list in the file is the key `items`."""
    written = text_of(entry(table, "$ref"))
    path = posixpath.normpath(posixpath.join(folder, written)) if written else ""
    if not path or path.startswith("..") or not has_file(path):
        return None
    text = read(path).replace("\t", " ")
    if len(text) > LARGEST_CONFIG:
        return None
    if text.lstrip().startswith("["):
        text = f'{{"items": {text}}}'
    return read_yaml_config(text)


def module_reader(file: str, has_file: HasFile, read: ReadFile) -> ReadModule:
    """Reads the modules that a file imports by a relative path."""

    def read_module(importing: str, written: str) -> tuple[str, str] | None:
        if not written.startswith("."):
            return None
        path = posixpath.normpath(posixpath.join(posixpath.dirname(importing or file), written))
        found = next((path + end for end in _MODULE_ENDS if has_file(path + end)), None)
        text = None if found is None or path.startswith("..") else read(found)
        return (found, text) if found and text is not None and len(text) <= LARGEST_CONFIG else None

    return read_module


def languages_of_mintlify(
    config: ConfigTable, folder: str, has_file: HasFile, read: ReadFile
) -> Iterator[tuple[str, ConfigTable]]:
    """The languages of a navigation, the main one first: code and navigation. Without languages, there is none."""
    found: list[tuple[str, ConfigTable]] = []
    for value in items_of(entry(config, "navigation", "languages")):
        table = table_of(value)
        named = part_of(table, folder, has_file, read)
        if named is not None:
            written = text_of(entry(table, "$ref")).rpartition("/")[2].partition(".")[0]
            table = ConfigTable(table.line, {**named.entries, **table.entries})
            code = text_of(entry(table, "language")) or written
        else:
            code = text_of(entry(table, "language"))
        found.insert(0 if text_of(entry(table, "default")) == "true" else len(found), (code, table))
    yield from found
