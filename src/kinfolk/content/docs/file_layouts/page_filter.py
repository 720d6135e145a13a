"""Which files of a docs root are pages, by the table of a dialect and the configuration of the original site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cached_property

from kinfolk.content.docs.file_layouts.page_layout import ReadText
from kinfolk.content.docs.file_layouts.site_config import (
    config_above,
    languages_of_mintlify,
    mintlify_config,
    starlight_options,
)
from kinfolk.content.markdown.dialects.dialect_rules import FileRules
from kinfolk.content.markdown.literals.config_access import entry, table_of, text_of

MOST_PATTERNS = 200
"""Lines of an ignore file."""

_LANGUAGE_ENDING = re.compile(r"(.+)\.[a-z]{2,3}(?:-[A-Za-z]{2,4})?(\.mdx?)")


class PageFilter:
    """Of one docs root. Configurations are read when the first file is looked at."""

    def __init__(self, rules: FileRules, root: str, files: Mapping[str, str], read: ReadText) -> None:
        self._rules = rules
        self._root = root
        self._files = files
        self._read = read
        self._is_routed = bool(rules.routed_folder) and f"/{rules.routed_folder}/" in f"/{root}/"

    def is_page(self, path: str) -> bool:
        """Whether a file, as a path below the docs root, is a page of the site in its main language."""
        first = path.partition("/")[0]
        if first in self._rules.no_pages or first.lower() in self._other_languages:
            return False
        if self._is_routed and posixpath.basename(path).rsplit(".", 1)[0] != self._rules.routed_page:
            return False
        if self._rules.languages == "suffix" and (found := _LANGUAGE_ENDING.fullmatch(path)):
            return posixpath.join(self._root, found[1] + found[2]) not in self._files
        return not any(_matches(pattern, path) for pattern in self._patterns)

    @cached_property
    def _other_languages(self) -> frozenset[str]:
        """Folders of the other languages, at the top of the docs root, in lower case."""
        names = self._rules.menu
        file = config_above(self._root, names, self._files.__contains__) if self._rules.languages else None
        if file is None:
            return frozenset()
        if self._rules.languages == "astro":
            options = starlight_options(file, self._files.__contains__, self._read)
            locales = table_of(entry(options, "locales") if options else None).entries
            main = "root" if "root" in locales else text_of(entry(options, "defaultLocale") if options else None)
            others = locales.keys() - {main or next(iter(locales), "")}
            return frozenset(code.lower() for code in others)
        if self._rules.languages == "mintlify":
            config = mintlify_config(file, self._files.__contains__, self._read)
            folder = posixpath.dirname(file)
            known = languages_of_mintlify(config, folder, self._files.__contains__, self._read) if config else ()
            return frozenset(code.lower() for code, _ in list(known)[1:] if code)
        return frozenset()

    @cached_property
    def _patterns(self) -> tuple[str, ...]:
        file = posixpath.join(self._root, self._rules.ignore_file) if self._rules.ignore_file else ""
        if file not in self._files:
            return ()
        lines = (line.strip() for line in self._read(file).split("\n"))
        return tuple(line for line in lines if line and line[0] not in "#!")[:MOST_PATTERNS]


def _matches(pattern: str, path: str) -> bool:
    """Whether a pattern of a `.gitignore` names a file or a folder that it is in."""
    bare = pattern.strip("/")
    parts = path.split("/")
    if "/" in bare or pattern.startswith("/"):
        return any(fnmatchcase("/".join(parts[:count]), bare) for count in range(1, len(parts) + 1))
    return any(fnmatchcase(part, bare) for part in parts)
