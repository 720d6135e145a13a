"""The records of the search as files for browsers: one for each version of a library, one for the rest of the site."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from kinfolk.config.catalog import LATEST, Catalog
from kinfolk.search.docs_index.index_build import SearchableContent, groups
from kinfolk.search.filters import Record
from kinfolk.search.ranking_config import RankingConfig
from kinfolk.search.text.tokens import folded_letters

CONFIG = "_search/config.json"
SITE_FILE = "site"
MAX_TEXT = 1200
"""Characters of a section that are searched. The beginning of a section says what it is about."""


@dataclass(frozen=True)
class SearchFiles:
    """Files by name, and the digest of the group that each of their records is from."""

    files: Mapping[str, bytes]


def search_files(content: SearchableContent, cache: dict[str, tuple[str, list[Record]]] | None = None) -> SearchFiles:
    """All files. `cache` keeps the records of groups whose sources have not changed, between two calls."""
    cache = {} if cache is None else cache
    shards: dict[str, list[dict[str, object]]] = {}
    numbers: dict[str, int] = {}
    wanted = list(groups(content))
    for name in cache.keys() - {group.name for group in wanted}:
        del cache[name]
    for group in wanted:
        cached = cache.get(group.name)
        if cached is None or cached[0] != group.digest:
            cached = cache[group.name] = (group.digest, list(group.make()))
        for record in cached[1]:
            shard = _shard_of(record)
            number = numbers.setdefault(f"{shard} {record['group']}", len(numbers))
            shards.setdefault(shard, []).append(_compact(record, number, content.docs.catalog))
    files = {f"_search/{name}.json": _json(records) for name, records in shards.items()}
    files[CONFIG] = _json(_config(content.rules, content.docs.catalog, shards))
    return SearchFiles(files)


class RecordCache:
    """Records by group, with the digests of the groups' sources: in a file between two exports."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self, content: SearchableContent) -> dict[str, tuple[str, list[Record]]]:
        """The records that were made by the same code and ranking configuration; empty without any."""
        try:
            stored = json.loads(self._file.read_bytes())
            if stored["form"] == content.form:
                return {name: (digest, records) for name, (digest, records) in stored["groups"].items()}
        except (OSError, ValueError, KeyError, TypeError):
            pass  # they are made again
        return {}

    def write(self, content: SearchableContent, groups: Mapping[str, tuple[str, list[Record]]]) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        temporary = self._file.with_suffix(".new")
        temporary.write_bytes(_json({"form": content.form, "groups": groups}))
        temporary.replace(self._file)


def _shard_of(record: Record) -> str:
    versions = cast("list[str]", record["version"])
    if record["kind"] in ("blog", "site", "landing") or not isinstance(record.get("library"), str):
        return SITE_FILE
    return f"{record['library']}.{LATEST if LATEST in versions else versions[0]}"


def _compact(record: Record, number: int, catalog: Catalog) -> dict[str, object]:
    hierarchy = cast("Mapping[str, str]", record["hierarchy"])
    weight = cast("Mapping[str, int]", record["weight"])
    heading = record.get("heading") or []
    context = [record.get("context"), *cast("list[str]", record.get("keywords") or [])]
    library = record.get("library") or []
    every = _frameworks(catalog).get(library, []) if isinstance(library, str) else []
    title = hierarchy.get("lvl1", "")
    compact = {
        "url": record["url"],
        "path": [hierarchy[f"lvl{level}"] for level in range(7) if hierarchy.get(f"lvl{level}")],
        "names": [name for name in cast("list[str]", heading) if name != title],
        "text": str(record.get("content") or "")[:MAX_TEXT],
        "code": record.get("code"),
        "library": library,
        "for": record.get("framework") if record.get("framework") != every else None,
        "about": record.get("about"),
        "variants": record.get("variants"),
        "kind": record["kind"],
        "context": " · ".join(str(words) for words in context if words),
        "group": number,
        "weight": round(float(weight["pageRank"])),
        "position": weight["position"],
        "demoted": 1 if _is_true(record.get("demoted")) else None,
        "technical": 1 if _is_true(record.get("technical")) else None,
    }
    return {name: value for name, value in compact.items() if value not in (None, [], {}, "") or name in _ALWAYS}


_ALWAYS = frozenset({"url", "path", "text", "library", "kind", "group", "weight"})


def _is_true(value: object) -> bool:
    return value in (True, "true")


def _frameworks(catalog: Catalog) -> dict[str, list[str]]:
    return {library.id: list(library.frameworks) for library in catalog.libraries}


def _config(rules: RankingConfig, catalog: Catalog, shards: Mapping[str, object]) -> dict[str, object]:
    settings = rules.settings
    return {
        "ranking": {
            "letters": folded_letters(),
            "stopWords": list(settings.stop_words),
            "optionalWords": list(settings.optional_words),
            "oneTypoFrom": settings.one_typo_from,
            "twoTyposFrom": settings.two_typos_from,
            "headingSuffixes": list(settings.heading_suffixes),
            "synonyms": [_synonym(synonym.words, synonym.input) for synonym in settings.synonyms],
            "prefixAliases": [list(aliases) for aliases in settings.prefix_aliases],
            "demotions": [
                {"attribute": each.attribute, "value": each.value, "unless": list(each.unless)}
                for each in settings.demotions
            ],
        },
        "files": dict(_files(shards)),
        "frameworks": _frameworks(catalog),
    }


def _synonym(words: tuple[str, ...], input: str | None) -> dict[str, object]:
    return {"words": list(words)} if input is None else {"words": list(words), "input": input}


def _files(shards: Mapping[str, object]) -> Iterator[tuple[str, list[str]]]:
    names = sorted(shards)
    yield LATEST, [f"/_search/{name}.json" for name in names if name == SITE_FILE or name.endswith(f".{LATEST}")]
    for name in names:
        library, _, version = name.partition(".")
        if version and version != LATEST:
            yield f"{library}/{version}", [f"/_search/{name}.json"]


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
