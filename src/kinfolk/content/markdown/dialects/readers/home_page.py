"""A page of the layout `home`: its hero and features as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine
from kinfolk.content.markdown.front_matter import YamlValue


def home_page(front: Mapping[str, YamlValue]) -> tuple[str | None, list[SourceLine]]:
    """The title, and the hero and features as Markdown."""
    hero = front.get("hero")
    hero = hero if isinstance(hero, dict) else {}
    rows: list[str] = []
    name, text, tagline = (_text(hero.get(key)) for key in ("name", "text", "tagline"))
    name = name or _text(hero.get("title"))
    rows += [f"**{text}**", ""] if text else []
    rows += [tagline, ""] if tagline else []
    actions = [f"- {_link(_text(one.get('text')), _text(one.get('link')))}" for one in _tables(hero.get("actions"))]
    rows += [*actions, ""] if actions else []
    for feature in _tables(front.get("features")):
        title, details, link = (_text(feature.get(key)) for key in ("title", "details", "link"))
        if title:
            rows += [f"## {title}", ""]
        rows += [details, ""] if details else []
        if link:
            rows += [_link(_text(feature.get("linkText")) or "Learn more", link), ""]
    return name or text or None, [SourceLine(row, 1) for row in rows]


def _tables(value: YamlValue | None) -> Iterator[dict[str, YamlValue]]:
    for one in value if isinstance(value, list) else ():
        if isinstance(one, dict):
            yield one


def _text(value: YamlValue | None) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _link(text: str, target: str) -> str:
    return f"[{text or target}](<{target}>)" if target else text
