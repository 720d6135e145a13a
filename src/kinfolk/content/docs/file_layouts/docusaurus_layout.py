"""Docs of Docusaurus: numbers at the start of names order pages and are no part of addresses; `slug` and `id` are."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from kinfolk.content.docs.file_layouts.numbered_names import split_number
from kinfolk.content.docs.file_layouts.page_layout import every_file
from kinfolk.content.markdown.front_matter import YamlValue

VERSIONS = "versioned_docs"
CURRENT_VERSION = "next"
"""First folder of the addresses of the version that is not released, unless the site has only that one."""


class DocusaurusLayout:
    dialect = "docusaurus"
    extensions = (".md", ".mdx")
    reads_front_matter = True
    page_filter = staticmethod(every_file)
    number_ends = "-_."

    def page_path(self, inside: str, front: Mapping[str, YamlValue]) -> str:
        *folders, name = (split_number(part)[1] for part in inside.split("/"))
        folder = "/".join(folders)
        slug, id = _text(front.get("slug")), _text(front.get("id"))
        if slug is not None and slug.startswith("/"):
            path = slug.strip("/")
            return path or "index"
        if slug is None and (name.lower() in ("index", "readme") or (folders and name.lower() == folders[-1].lower())):
            return posixpath.join(folder, "index")
        return posixpath.normpath(posixpath.join(folder, slug or id or name)).lstrip("./") or name

    def static_folders(self, root: str) -> tuple[str, ...]:
        above = posixpath.dirname(root)
        return tuple(dict.fromkeys(posixpath.join(base, "static") for base in (above, "website", "docs", "")))

    def absolute_paths(self, path: str, root: str) -> Iterator[str]:
        bare = path.strip("/")
        if bare == "docs" or bare.startswith("docs/"):
            inside = bare.removeprefix("docs").strip("/")
            yield posixpath.join(root, inside)
            yield from _in_versions(inside, root)
        yield posixpath.join(root, bare)
        yield bare

    def special_paths(self, path: str, root: str) -> Iterator[str] | None:
        if path.startswith("pathname://"):
            return self.absolute_paths("/" + path.removeprefix("pathname://").lstrip("/"), root)
        if not path.startswith("@site/"):
            return None
        inside = path.removeprefix("@site/")
        return iter([posixpath.join(base, inside) for base in dict.fromkeys((posixpath.dirname(root), "website", ""))])


def _in_versions(inside: str, root: str) -> Iterator[str]:
    """Files of the version that an address begins with: `next/start` or `29.7/start`."""
    name, _, rest = inside.partition("/")
    site, is_version, _ = root.partition(f"{VERSIONS}/")
    if name != CURRENT_VERSION:
        folders = (site,) if is_version else (posixpath.dirname(root), "website")
        yield from (posixpath.join(base, VERSIONS, f"version-{name}", rest) for base in dict.fromkeys(folders))
    elif is_version:
        above = posixpath.dirname(site.rstrip("/"))
        yield from (posixpath.join(base, "docs", rest) for base in dict.fromkeys((site, above)))
    else:
        yield posixpath.join(root, rest)


def _text(value: YamlValue | None) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
