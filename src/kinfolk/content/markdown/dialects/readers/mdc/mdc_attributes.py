"""Attributes of components in MDC: in braces behind the name, and as YAML below it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

import yaml

from kinfolk.content.markdown.front_matter import UnsupportedYaml, YamlValue, parse_yaml_block

LONGEST = 4_000
"""Characters of the attributes in one pair of braces."""

_ITEM = re.compile(
    r"""\s*+(?:[.](?P<class>[^\s{}"'=]++)|[#](?P<id>[\w:-]++)[^\s{}"'=]*+"""
    r"""|(?P<name>:?[A-Za-z_@$][\w:.@-]*+)(?>(?:=(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^\s{}"']++)))?))"""
)
_END = re.compile(r"\s*+\}")
_LITERAL = re.compile(r"true|false|-?\d{1,20}(?:\.\d{1,20})?|null")
_QUOTED = re.compile(r"\"([^\"\\]*)\"|'([^'\\]*)'")
_PATH = re.compile(r"(?:\$doc\.)?([A-Za-z_]\w*(?:\.\w+)*)")
_HYPHEN = re.compile(r"-([a-z])")


class Attributes(NamedTuple):
    """Texts by name, values that are no text as JSON or as written, and where the braces end."""

    texts: dict[str, str]
    expressions: dict[str, str]
    end: int = 0


def read_attributes(text: str, at: int, front: Mapping[str, YamlValue]) -> Attributes | None:
    """The attributes in the braces that begin at `at`. None for braces with something else, or without an end.

    A bound attribute that names a key of the front matter has its value.
    """
    found = Attributes({}, {})
    limit = min(len(text), at + LONGEST)
    place = at + 1
    while True:
        end = _END.match(text, place, limit)
        if end:
            return found._replace(end=end.end())
        item = _ITEM.match(text, place, limit)
        if item is None:
            return None
        place = item.end()
        if item["id"]:
            found.texts.setdefault("id", item["id"])
        elif item["name"]:
            values = (item["double"], item["single"], item["bare"])
            _add(found, item["name"], next((one for one in values if one is not None), "true"), front)


def read_properties(block: str, front: Mapping[str, YamlValue]) -> Attributes | None:
    """The properties of a component in YAML. None for text that is no table."""
    try:
        keys = parse_yaml_block(block)
    except (yaml.YAMLError, UnsupportedYaml):
        return None
    if not isinstance(keys, dict):
        return None if block.strip() else Attributes({}, {})
    found = Attributes({}, {})
    for key, value in keys.items():
        if isinstance(value, str):
            _add(found, key, value, front)
        else:
            found.expressions[_camel(key.removeprefix(":"))] = json.dumps(value)
    return found


def front_value(front: Mapping[str, YamlValue], expression: str) -> str | None:
    """The text that an expression such as `$doc.title` or `title` names in the front matter."""
    path = _PATH.fullmatch(expression.strip())
    value: YamlValue | None = dict(front) if path else None
    for key in path[1].split(".") if path else ():
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None


def quoted_text(expression: str) -> str | None:
    found = _QUOTED.fullmatch(expression.strip())
    return next((one for one in found.groups() if one is not None), None) if found else None


def _add(found: Attributes, name: str, value: str, front: Mapping[str, YamlValue]) -> None:
    key = _camel(name.removeprefix(":"))
    if not name.startswith(":"):
        found.texts.setdefault(key, value)
        return
    text = value if _LITERAL.fullmatch(value.strip()) else quoted_text(value)
    text = front_value(front, value) if text is None else text
    if text is None:
        found.expressions.setdefault(key, value)
    else:
        found.texts.setdefault(key, text)


def _camel(name: str) -> str:
    """`link-label` -> `linkLabel`: Vue takes both for one property."""
    return _HYPHEN.sub(lambda letter: letter[1].upper(), name) if "-" in name else name
