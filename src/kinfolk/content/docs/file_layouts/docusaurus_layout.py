"""What the table of Docusaurus cannot say: names that depend on their folder, and addresses with a version."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from kinfolk.content.docs.file_layouts.numbered_names import split_number
from kinfolk.content.docs.file_layouts.table_layout import TableLayout
from kinfolk.content.markdown.front_matter import YamlValue

VERSIONS = "versioned_docs"
CURRENT_VERSION = "next"
"""First folder of the addresses of the version that is not released, unless the site has only that one."""


class DocusaurusLayout(TableLayout):
    def page_path(self, inside: str, front: Mapping[str, YamlValue]) -> str:
        """A relative `slug` and an `id` replace the name only. A page named as its folder is the index."""
        *folders, name = (split_number(part, self.number_ends)[1] for part in inside.split("/"))
        folder = "/".join(folders)
        slug, id = _text(front.get("slug")), _text(front.get("id"))
        if slug is not None and slug.startswith("/"):
            path = slug.strip("/")
            return path or "index"
        if slug is None and (name.lower() in self.indexes or (folders and name.lower() == folders[-1].lower())):
            return posixpath.join(folder, "index")
        return posixpath.normpath(posixpath.join(folder, slug or id or name)).lstrip("./") or name

    def absolute_paths(self, path: str, root: str) -> Iterator[str]:
        found = super().absolute_paths(path, root)
        if (inside := self.mounted(path)) is not None:
            yield next(found)
            yield from _in_versions(inside, root)
        yield from found


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
