"""Folders without a page whose address leads to a page, as a file in them says: `redirect: /guide/start`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from kinfolk.content.docs.file_layouts.site_config import LARGEST_CONFIG, ReadFile
from kinfolk.content.markdown.literals.config_access import entry, text_of
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config

MOST_FOLDERS = 1_000


def written_redirects(
    root: str, files: Iterable[str], names: tuple[str, ...], read: ReadFile
) -> Iterator[tuple[str, str]]:
    """Each folder below a root that has such a file, and what its key `redirect` says, without a query and anchor.

    Addresses of other sites are left out.
    """
    start = f"{root}/" if root else ""
    found = [file for file in files if file.startswith(start) and posixpath.basename(file) in names]
    for file in found[:MOST_FOLDERS]:
        text = read(file)
        config = read_yaml_config(text) if len(text) <= LARGEST_CONFIG else None
        target = text_of(entry(config, "redirect")) if config else ""
        path = target.partition("#")[0].partition("?")[0]
        if path and ":" not in path and not path.startswith("//"):
            yield posixpath.dirname(file), path
