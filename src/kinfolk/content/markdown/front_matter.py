"""The YAML block at the top of a page -> FrontMatter. Invalid values are ignored, so parsing never fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

RESOURCE_KEYS = ("articles", "media", "utilities", "others")

# The largest block in the corpus is 9 kB, the deepest value a list of mappings. Deep nesting is rejected during
# parsing: the C constructors of PyYAML recurse without a limit and crash the process.
LARGEST_BLOCK = 64_000
DEEPEST = 5

_FENCE = re.compile(r"---[ \t]*\n(?:(.*?)\n)??---[ \t]*(?:\n|\Z)", re.DOTALL)

YamlValue = str | list["YamlValue"] | dict[str, "YamlValue"]


@dataclass(frozen=True)
class ListedResource:
    """An entry of a list of community resources in the front matter."""

    title: str
    url: str
    description: str = ""


@dataclass(frozen=True)
class FrontMatter:
    """The keys of the YAML block that the site uses."""

    title: str | None = None
    description: str | None = None
    keywords: str | None = None
    ref: str | None = None
    replace: tuple[tuple[str, str], ...] = ()
    toc: bool = True
    redirect_from: tuple[str, ...] = ()
    resources: tuple[tuple[str, tuple[ListedResource, ...]], ...] = ()


class UnsupportedYaml(ValueError):
    """YAML beyond the supported subset: too long, too deep, or with aliases."""


def split_front_matter(text: str) -> tuple[str, str]:
    """The YAML block without its `---` lines, and the text after it."""
    found = _FENCE.match(text)
    return (found[1] or "", text[found.end() :]) if found else ("", text)


def parse_front_matter(block: str) -> FrontMatter:
    """The supported keys. Unknown keys, wrong types and invalid YAML are ignored."""
    try:
        read = parse_yaml_block(block)
    except (yaml.YAMLError, UnsupportedYaml):
        read = {}
    keys = read if isinstance(read, dict) else {}
    changes = value if isinstance(value := keys.get("replace"), dict) else {}
    redirects = value if isinstance(value := keys.get("redirect_from"), list) else []
    return FrontMatter(
        title=_text(keys.get("title")) or _text(keys.get("name")),
        description=_text(keys.get("description")),
        keywords=_words(keys.get("keywords")),
        ref=_text(keys.get("ref")),
        replace=tuple((k, v) for k, v in changes.items() if k and isinstance(v, str)),
        toc=keys.get("toc") != "false",
        redirect_from=tuple(path for path in redirects if isinstance(path, str) and path),
        resources=tuple((key, listed) for key in RESOURCE_KEYS if (listed := _resources(keys.get(key)))),
    )


def _text(value: YamlValue | None) -> str | None:
    return " ".join(value.split()) or None if isinstance(value, str) else None


def _words(value: YamlValue | None) -> str | None:
    if isinstance(value, list):
        return ", ".join(word for word in value if isinstance(word, str)) or None
    return _text(value)


def _resources(value: YamlValue | None) -> tuple[ListedResource, ...]:
    found = []
    for entry in value if isinstance(value, list) else []:
        url = _text(entry.get("url")) if isinstance(entry, dict) else None
        if isinstance(entry, dict) and url and url.startswith("https://"):
            found.append(ListedResource(_text(entry.get("title")) or url, url, _text(entry.get("description")) or ""))
    return tuple(found)


def parse_yaml_block(block: str) -> YamlValue:
    """The parsed YAML with every scalar as a string, so that a title `2024` or `on` stays as written.

    Raises YAMLError, and UnsupportedYaml for a block that is too long, nested too deeply or uses aliases.
    """
    if len(block) > LARGEST_BLOCK:
        raise UnsupportedYaml(f"it is longer than {LARGEST_BLOCK} characters")
    events = yaml.parse(block, Loader=yaml.CBaseLoader)
    for event in events:
        if isinstance(event, yaml.NodeEvent):
            return _node(event, events, 0)
    return {}


def yaml_tags(block: str) -> list[tuple[int, str]]:
    """The tags that values of a YAML block have, which are ignored, with their lines; those before an error."""
    found = []
    try:
        for event in yaml.parse(block[:LARGEST_BLOCK], Loader=yaml.CBaseLoader):
            tag = getattr(event, "tag", None)
            if isinstance(tag, str) and tag.startswith("!") and tag != "!":
                found.append((line_of(event), tag))
    except yaml.YAMLError:
        pass
    return found


def line_of(event: yaml.Event) -> int:
    """The line in the page's file, whose first line is `---`."""
    return event.start_mark.line + 2 if event.start_mark else 1


def _node(event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> YamlValue:
    if isinstance(event, yaml.ScalarEvent):
        return str(event.value)
    if isinstance(event, yaml.AliasEvent):
        raise UnsupportedYaml(f"it uses an alias (*{event.anchor}) in line {line_of(event)}")
    if depth == DEEPEST:
        raise UnsupportedYaml(f"it is nested too deeply in line {line_of(event)}")
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[YamlValue] = []
        for item in events:
            if isinstance(item, yaml.SequenceEndEvent):
                break
            items.append(_node(item, events, depth + 1))
        return items
    mapping: dict[str, YamlValue] = {}
    for key in events:
        if isinstance(key, yaml.MappingEndEvent):
            break
        name = _node(key, events, depth + 1)
        value = _node(next(events), events, depth + 1)
        if isinstance(name, str):
            mapping[name] = value
    return mapping
