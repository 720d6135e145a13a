"""Filters -> tantivy queries."""

from __future__ import annotations

import math
from decimal import Decimal

from tantivy import Occur, Query

from kinfolk.runtime.errors import Invalid
from kinfolk.search.filters import AllOf, AnyOf, Equals, Filter, InRange, Not
from kinfolk.search.ranking.index_schema import FACETS, ID, NUMBERS, TAGS, path_key
from kinfolk.search.ranking.search_scope import SearchScope


def filter_query(condition: Filter, scope: SearchScope) -> Query:
    """An attribute that is neither a facet nor a number matches nothing. Raises Invalid for a NaN."""
    match condition:
        case Equals():
            return _equals_query(condition, scope)
        case InRange():
            return _range_query(condition, scope)
        case Not(part):
            return Query.boolean_query([(Occur.Must, Query.all_query()), (Occur.MustNot, filter_query(part, scope))])
        case AllOf(parts):
            required = [(Occur.Must, filter_query(part, scope)) for part in parts]
            return Query.boolean_query(required) if required else Query.all_query()
        case AnyOf(parts):
            optional = [(Occur.Should, filter_query(part, scope)) for part in parts]
            return Query.boolean_query(optional) if optional else Query.empty_query()


def _equals_query(condition: Equals, scope: SearchScope) -> Query:
    attribute, value = condition.attribute, condition.value
    if attribute == "objectID":
        return Query.term_query(scope.schema, ID, value)
    if attribute in scope.settings.facets or attribute == TAGS:
        return Query.term_query(scope.schema, f"{FACETS}.{path_key(attribute)}", value)
    number = _number(value)
    return Query.empty_query() if number is None else _range_query(InRange(attribute, number, number), scope)


def _range_query(condition: InRange, scope: SearchScope) -> Query:
    low, high = condition.low, condition.high
    if math.isnan(low) or math.isnan(high):
        raise Invalid(f"{condition.attribute} cannot be compared with what is no number")
    if low > high:
        return Query.empty_query()
    # One query for each bound: tantivy panics where one is a whole number and the other is not.
    field = f"{NUMBERS}.{path_key(condition.attribute)}"
    bounds = [f"{field}:[{_decimal(low)} TO *]"] if low > -math.inf else []
    bounds += [f"{field}:[* TO {_decimal(high)}]"] if high < math.inf else []
    required = [(Occur.Must, scope.index.parse_query(bound, [ID])) for bound in bounds]
    return Query.boolean_query(required) if required else Query.exists_query(field, json_subpaths=True)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def _decimal(number: float) -> str:
    """Without an exponent: tantivy's query language has none."""
    return f"{Decimal(number):f}"
