"""Filter syntax of Algolia clients, which is parsed in linear time."""

from __future__ import annotations

from typing import Any

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, SIZE_FACTOR, cpu_time_growth

from kinfolk.search.algolia.api_error import ApiError
from kinfolk.search.algolia.formats.filter_syntax import (
    facet_filters,
    numeric_filters,
    optional_filters,
    parse_filters,
    tag_filters,
)
from kinfolk.search.filters import Equals, InRange


@pytest.mark.parametrize(
    ("start", "piece", "end"), [("", " ", ""), ("a", " ", ":"), ("", " x ", "to"), ("a:", " 1 to", "")]
)
def test_malformed_conditions_are_rejected_in_linear_time(start: str, piece: str, end: str) -> None:
    def reject(size: int) -> None:
        condition = start + piece * (size // len(piece)) + end
        with pytest.raises(ApiError, match="numericFilters: invalid filter"):
            numeric_filters([condition])

    assert cpu_time_growth(reject, 2_000 // SIZE_FACTOR) < MAX_LINEAR_GROWTH


@pytest.mark.parametrize("read", [facet_filters, numeric_filters, optional_filters, tag_filters])
def test_condition_length_is_limited(read: Any) -> None:
    with pytest.raises(ApiError, match="a filter: longer than 2048 characters"):
        read(["a:" + " " * 100_000])


@pytest.mark.parametrize(
    ("written", "filter"),
    [
        ("price >= 5", InRange("price", low=5.0)),
        ("  price=5  ", InRange("price", 5.0, 5.0)),
        ("price<=5", InRange("price", high=5.0)),
        ("a b!c>=5", InRange("a b!c", low=5.0)),
        ("price: 1 TO 10", InRange("price", 1.0, 10.0)),
        ("price : 1 to 10 ", InRange("price", 1.0, 10.0)),
        ("a:b>=3", InRange("a:b", low=3.0)),
    ],
)
def test_numeric_conditions_are_parsed_in_linear_time(written: str, filter: InRange) -> None:
    assert numeric_filters([written]) == filter


@pytest.mark.parametrize(
    "written", ["price", "price >", ">5", "price 5", "price == 5", "price > 5 6", "price: to 5", ""]
)
def test_incomplete_conditions_are_rejected(written: str) -> None:
    if written:
        with pytest.raises(ApiError):
            numeric_filters([written])
    else:
        assert numeric_filters([written]) is None


def test_score_suffix_of_a_condition_is_parsed() -> None:
    assert facet_filters(["kind:pie<score=3> "]) == Equals("kind", "pie", 3)
    assert facet_filters(["kind:pie<score=1><score=-2>"]) == Equals("kind", "pie<score=1>", -2)
    assert facet_filters(["kind:pie<score=x>"]) == Equals("kind", "pie<score=x>")
    assert facet_filters(["kind:pie<score=1234567890>"]) == Equals("kind", "pie<score=1234567890>")


def test_deeply_nested_filters_are_rejected() -> None:
    with pytest.raises(ApiError, match="too many levels"):
        parse_filters("(" * 5000 + "a" + ")" * 5000)
