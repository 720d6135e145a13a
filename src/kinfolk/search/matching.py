"""Whether a record passes a filter, decided by looking at it: for the few times when no index is at hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kinfolk.search.query import All, Between, Either, Equals, Filter, Json, Not, Record


def passes(record: Record, where: Filter) -> bool:
    match where:
        case Equals(attribute=attribute, value=value):
            return any(written(found) == value for found in values(record, attribute))
        case Between(attribute=attribute, low=low, high=high):
            return any(
                low <= found <= high
                for found in values(record, attribute)
                if isinstance(found, (int, float)) and not isinstance(found, bool)
            )
        case Not(part=part):
            return not passes(record, part)
        case All(parts=parts):
            return all(passes(record, part) for part in parts)
        case Either(parts=parts):
            return any(passes(record, part) for part in parts)


def values(value: Json, attribute: str) -> Iterator[Json]:
    """Every plain value of `a.b`: lists on the way, and at its end, stand for each of their items."""
    if isinstance(value, Mapping):
        if not attribute:
            return
        if attribute in value:
            yield from values(value[attribute], "")
            return
        name, _, rest = attribute.partition(".")
        if rest and name in value:
            yield from values(value[name], rest)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from values(item, attribute)
    elif not attribute and value is not None:
        yield value


def written(value: Json) -> str:
    """A plain value as filters write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
