"""Filters as clients write them, read in linear time whatever they are."""

from __future__ import annotations

import time
from typing import Any

import pytest

from kinfolk.search.algolia.fault import Fault
from kinfolk.search.algolia.filters import facet_filters, numeric_filters, optional_filters, parse_filters, tag_filters
from kinfolk.search.query import Between, Equals


@pytest.mark.parametrize("condition", [" " * 2000, "a" + " " * 2000 + ":", " x " * 600 + "to", "a:" + " 1 to" * 400])
def test_odd_conditions_are_refused_at_once(condition: str) -> None:
    began = time.process_time()
    with pytest.raises(Fault, match="numericFilters: invalid filter"):
        numeric_filters([condition])
    assert time.process_time() - began < 1


@pytest.mark.parametrize("read", [facet_filters, numeric_filters, optional_filters, tag_filters])
def test_conditions_have_a_longest_length(read: Any) -> None:
    with pytest.raises(Fault, match="a filter: longer than 2048 characters"):
        read(["a:" + " " * 100_000])


@pytest.mark.parametrize(
    ("written", "filter"),
    [
        ("price >= 5", Between("price", low=5.0)),
        ("  price=5  ", Between("price", 5.0, 5.0)),
        ("price<=5", Between("price", high=5.0)),
        ("a b!c>=5", Between("a b!c", low=5.0)),
        ("price: 1 TO 10", Between("price", 1.0, 10.0)),
        ("price : 1 to 10 ", Between("price", 1.0, 10.0)),
        ("a:b>=3", Between("a:b", low=3.0)),
    ],
)
def test_numeric_conditions_are_read_in_one_pass(written: str, filter: Between) -> None:
    assert numeric_filters([written]) == filter


@pytest.mark.parametrize(
    "written", ["price", "price >", ">5", "price 5", "price == 5", "price > 5 6", "price: to 5", ""]
)
def test_conditions_without_a_part_are_refused(written: str) -> None:
    if written:
        with pytest.raises(Fault):
            numeric_filters([written])
    else:
        assert numeric_filters([written]) is None


def test_weight_of_a_condition_is_read_from_its_end() -> None:
    assert facet_filters(["kind:pie<score=3> "]) == Equals("kind", "pie", 3)
    assert facet_filters(["kind:pie<score=1><score=-2>"]) == Equals("kind", "pie<score=1>", -2)
    assert facet_filters(["kind:pie<score=x>"]) == Equals("kind", "pie<score=x>")
    assert facet_filters(["kind:pie<score=1234567890>"]) == Equals("kind", "pie<score=1234567890>")


def test_deep_parentheses_and_lists_are_refused() -> None:
    with pytest.raises(Fault, match="too many levels"):
        parse_filters("(" * 5000 + "a" + ")" * 5000)
