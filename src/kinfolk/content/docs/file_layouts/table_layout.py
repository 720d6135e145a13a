"""Files and addresses by the table of a dialect."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping

from kinfolk.content.docs.file_layouts.numbered_names import split_number
from kinfolk.content.docs.file_layouts.page_filter import PageFilter
from kinfolk.content.docs.file_layouts.page_layout import ReadText
from kinfolk.content.markdown.dialects.dialect_rules import FileRules
from kinfolk.content.markdown.front_matter import YamlValue
from kinfolk.content.markdown.links.slugs import github_slug

_GROUP = re.compile(r"\([^()/]+\)")


class TableLayout:
    def __init__(self, dialect: str, rules: FileRules) -> None:
        self.dialect = dialect
        self._rules = rules

    @property
    def extensions(self) -> tuple[str, ...]:
        return self._rules.extensions

    @property
    def indexes(self) -> tuple[str, ...]:
        return self._rules.indexes

    @property
    def reads_front_matter(self) -> bool:
        return bool(self._rules.slug)

    def page_filter(self, root: str, files: Mapping[str, str], read: ReadText) -> Callable[[str], bool]:
        return PageFilter(self._rules, root, files, read).is_page

    @property
    def number_ends(self) -> str:
        return self._rules.number_ends if self._rules.has_numbers else ""

    def page_path(self, inside: str, front: Mapping[str, YamlValue]) -> str:
        names = inside.split("/")
        if self._rules.drafts and inside.endswith(self._rules.drafts):
            return ""
        if self.number_ends:
            names = [split_number(name, self.number_ends)[1] for name in names]
        if self._rules.without_groups:
            names = [name for name in names[:-1] if not _GROUP.fullmatch(name)] + names[-1:]
        if self._rules.has_slugs:
            names = [github_slug(name) or name for name in names]
        *folders, name = names
        folder = "/".join(folders)
        slug = next((value for key in self._rules.slug if isinstance(value := front.get(key), str) and value), None)
        if slug is not None:
            return slug.strip("/") or "index"
        return posixpath.join(folder, "index" if name.lower() in self._rules.indexes else name)

    def static_folders(self, root: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._folder(template, root) for template in self._rules.static))

    def absolute_paths(self, path: str, root: str) -> Iterator[str]:
        if (inside := self.mounted(path)) is not None:
            yield posixpath.join(root, inside)
        for template in self._rules.absolute:
            yield posixpath.join(self._folder(template, root), path.strip("/"))

    def mounted(self, path: str) -> str | None:
        """The path below the docs root of an address below its place on the original site."""
        bare, mount = path.strip("/"), self._rules.mount
        is_mounted = bool(mount) and (bare == mount or bare.startswith(f"{mount}/"))
        return bare.removeprefix(mount).strip("/") if is_mounted else None

    def special_paths(self, path: str, root: str) -> Iterator[str] | None:
        for prefix, templates in self._rules.prefixes.items():
            if path.startswith(prefix):
                inside = path.removeprefix(prefix)
                return (posixpath.join(self._folder(template, root), inside) for template in templates)
        return None

    def _folder(self, template: str, root: str) -> str:
        site, content = root, root
        before, mark, _ = f"/{root}/".rpartition(f"/{self._rules.content}/") if self._rules.content else ("", "", "")
        if mark:
            site = before.strip("/")
            content = posixpath.join(site, self._rules.content)
        elif self._rules.routed_folder and f"/{self._rules.routed_folder}/" in f"/{root}/":
            site = f"/{root}/".partition(f"/{self._rules.routed_folder}/")[0].strip("/")
        return (
            posixpath.normpath(template.format(root=root, site=site, content=content, above=posixpath.dirname(root)))
            .strip("/")
            .removeprefix(".")
        )
