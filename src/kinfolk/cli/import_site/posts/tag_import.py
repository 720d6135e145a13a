"""Tags in the front matter of posts of other programs, and the addresses of their pages on the old site."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.content.blog.post_tags import LONGEST_WRITTEN, MOST_TAGS, distinct_tags, tag_name, tag_parameter, tag_slug
from kinfolk.content.markdown.front_matter import YamlValue
from kinfolk.content.markdown.links.slugs import github_slug
from kinfolk.content.markdown.literals.config_access import entry, table_of, text_of
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config

TAGS = "tags"
MOST_WRITTEN = 200
"""Tags in the front matter of a post that are read."""

_APOSTROPHE = re.compile(r"['’]")
_ASCII_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+|[^\W\dA-Za-z_]+")


@dataclass(frozen=True)
class OldTag:
    """`path` is that of the tag's page below the path of the blog; empty without such a page."""

    name: str
    path: str = ""

    @property
    def address(self) -> str:
        """The posts with the tag on the new site."""
        return f"/blog?tag={quote(tag_parameter(tag_slug(self.name)), safe='')}"


PathOfTag = Callable[[str], str]
"""From a tag as front matter names it to its path."""


def without_page(_: str) -> str:
    return ""


def docusaurus_path(name: str) -> str:
    return f"{TAGS}/{kebab_case(name)}"


def material_path(name: str) -> str:
    return f"category/{github_slug(name)}"


def starlight_path(name: str) -> str:
    return f"{TAGS}/{github_slug(name)}"


@dataclass(frozen=True)
class TagReader:
    """`keys` are the keys of front matter with tags, `known` the tags that a file of the project describes."""

    keys: Mapping[str, PathOfTag] = field(default_factory=lambda: {TAGS: without_page})
    known: Mapping[str, OldTag] = field(default_factory=dict)

    def read(self, front: Mapping[str, YamlValue]) -> tuple[list[OldTag], list[str]]:
        """The tags of a post, and what is none: long or empty names, and those beyond the limit.

        A tag may be there twice, with two paths.
        """
        found: list[OldTag] = []
        others: list[str] = []
        for key, path in self.keys.items():
            value = front.get(key) or []
            for written in (value if isinstance(value, list) else _split(value))[:MOST_WRITTEN]:
                tag = self._tag(written, path)
                try:
                    found.append(OldTag(tag_name(tag.name[: LONGEST_WRITTEN + 1]), tag.path))
                except ValueError:
                    others.append(tag.name[:LONGEST_WRITTEN])
        taken = {tag_slug(name) for name in distinct_tags(tag.name for tag in found)[:MOST_TAGS]}
        others += [tag.name for tag in found if tag_slug(tag.name) not in taken]
        return [tag for tag in found if tag_slug(tag.name) in taken], others

    def _tag(self, written: YamlValue, path: PathOfTag) -> OldTag:
        if isinstance(written, str):
            return self.known.get(written) or OldTag(written, path(written[:LONGEST_WRITTEN]))
        label, link = (
            value if isinstance(written, dict) and isinstance(value := written.get(key), str) else ""
            for key in ("label", "permalink")
        )
        return OldTag(label, f"{TAGS}/{link.strip('/')}" if link else path(label[:LONGEST_WRITTEN]))


def _split(value: YamlValue) -> list[YamlValue]:
    return [name for part in value.split(",") if (name := part.strip())] if isinstance(value, str) else [value]


def tag_pages(tags: Iterable[Iterable[OldTag]]) -> Mapping[str, str]:
    """The pages of tags and their list, by their paths below that of the blog; their addresses on the new site."""
    pages = {tag.path: tag.address for several in tags for tag in several if tag.path}
    if any(path.startswith(f"{TAGS}/") for path in pages):
        pages.setdefault(TAGS, "/blog")
    return pages


def names_of(tags: list[OldTag]) -> list[str]:
    return list(distinct_tags(tag.name for tag in tags))


def read_tags_file(files: ProjectFiles, path: str) -> Mapping[str, OldTag]:
    """The tags of `tags.yml` of Docusaurus by their keys."""
    found = {}
    for key, value in table_of(read_yaml_config(files.text(path) or "")).entries.items():
        label, link = (text_of(entry(table_of(value), name)) for name in ("label", "permalink"))
        found[key] = OldTag(
            label or key, f"{TAGS}/{link.strip('/')}" if link else docusaurus_path(key[:LONGEST_WRITTEN])
        )
    return found


def kebab_case(text: str) -> str:
    """`TypeScript 5` -> `type-script-5`, as Docusaurus writes tags in addresses, by lodash."""
    plain = unicodedata.normalize("NFKD", _APOSTROPHE.sub("", text))
    letters = "".join(c for c in plain if not unicodedata.combining(c))
    return "-".join(word.lower() for word in _ASCII_WORD.findall(unicodedata.normalize("NFC", letters)))
