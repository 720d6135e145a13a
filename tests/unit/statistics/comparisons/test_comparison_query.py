"""The query of /stats/npm: what it means, what replaces invalid values, and how it is written."""

from __future__ import annotations

import json
from typing import get_args
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinfolk.config.routes import COMPARISON_QUERY
from kinfolk.statistics.comparisons import comparison as model
from kinfolk.statistics.comparisons.comparison import (
    MAX_GROUPS,
    MAX_HEIGHT,
    MAX_PACKAGES,
    MIN_HEIGHT,
    Comparison,
    GroupPackage,
    PackageGroup,
)
from kinfolk.statistics.comparisons.comparison_query import (
    BINS,
    comparison_query,
    comparison_title,
    package_names,
    parse_comparison,
)
from kinfolk.statistics.package_name import is_package_name, names_in_path

DEFAULT = (PackageGroup((GroupPackage("@tanstack/react-query"), GroupPackage("react-query")), "#ff4500"),)


def parse(search: str, packages: str = "") -> Comparison:
    return parse_comparison(search, default_groups=DEFAULT, packages=packages)


def written(**values: object) -> str:
    """A query as TanStack Router writes it."""
    return urlencode({name: each if isinstance(each, str) else json.dumps(each) for name, each in values.items()})


def names(comparison: Comparison) -> list[list[str]]:
    return [[package.name for package in group.packages] for group in comparison.groups]


def test_empty_query_has_the_defaults_of_the_specification() -> None:
    assert parse("") == Comparison(DEFAULT, range="365-days", bin="weekly", transform="none", height=400)


@pytest.mark.parametrize(
    ("name", "invalid"),
    [
        ("packageGroups", "react"),
        ("packageGroups", []),
        ("packageGroups", [{"packages": [{"name": "../../etc"}]}]),
        ("packageGroups", [{"packages": [{"title": "react"}]}, None, 7]),
        ("packageGroups", {"packages": []}),
        ("range", "366-days"),
        ("range", 365),
        ("baseline", {"name": "react-query"}),
        ("baseline", "a-package-that-is-not-compared"),
        ("transform", "normalize"),
        ("facetX", "package"),
        ("facetY", True),
        ("binningOption", "hourly"),
        ("height", "high"),
        ("height", True),
        ("height", None),
        ("showDataMode", "none"),
        ("measure", ["downloads"]),
        ("align", 1.5),
        ("scale", "LOG"),
        ("fix", "hampel"),
        ("mirrors", True),
        ("showBaseline", "yes"),
        ("normalizeBaseline", 0),
    ],
)
def test_invalid_value_falls_back_to_its_default(name: str, invalid: object) -> None:
    assert parse(written(**{name: invalid})) == parse("")


@pytest.mark.parametrize(
    ("search", "field", "value"),
    [
        ("range=all-time", "range", "all-time"),
        ("binningOption=monthly", "bin", "monthly"),
        ("binType=monthly", "bin", "monthly"),
        ("transform=normalize-y", "transform", "normalize-y"),
        ("facetX=pkg", "facet_x", "pkg"),
        ("facetY=name", "facet_y", "pkg"),
        ("height=512", "height", 512),
        ("height=10", "height", MIN_HEIGHT),
        ("height=99999", "height", MAX_HEIGHT),
        ("showDataMode=complete", "bins", "complete"),
        ("showBaseline=true", "show_baseline", True),
        ("normalizeBaseline=false", "normalize_baseline", False),
        ("measure=share", "measure", "share"),
        ("align=first-release", "align", "first-release"),
        ("scale=log", "scale", "log"),
        ("fix=zero", "fix", "zero"),
        ("mirrors=without", "without_mirrors", True),
        ("baseline=%40tanstack%2Freact-query", "baseline", ("@tanstack/react-query",)),
    ],
)
def test_parameter_sets_its_field(search: str, field: str, value: object) -> None:
    assert getattr(parse(search), field) == value


@pytest.mark.parametrize(
    ("search", "bin"),
    [
        ("range=7-days", "daily"),
        ("range=30-days&binningOption=monthly", "daily"),
        ("range=90-days&binningOption=yearly", "weekly"),
        ("range=365-days&binningOption=daily", "daily"),
        ("range=1825-days&binningOption=yearly", "yearly"),
    ],
)
def test_bin_that_the_range_does_not_allow_is_replaced(search: str, bin: str) -> None:
    assert parse(search).bin == bin


def test_link_of_may_2025_opens_what_it_meant() -> None:
    groups = [
        {"packages": [{"name": "@tanstack/react-query"}, {"name": "react-query", "hidden": True}], "color": "#FF4500"},
        {"packages": [{"name": "swr", "hidden": True}], "color": None},
    ]
    link = written(
        packageGroups=groups, range="1825-days", baseline="swr", transform="normalize-y", facetX="pkg",
        binningOption="monthly", height=623,
    )  # fmt: skip
    assert parse(link) == Comparison(
        (
            PackageGroup((GroupPackage("@tanstack/react-query"), GroupPackage("react-query", hidden=True)), "#ff4500"),
            PackageGroup((GroupPackage("swr", hidden=True),)),
        ),
        range="1825-days",
        baseline=("swr",),
        transform="normalize-y",
        facet_x="pkg",
        bin="monthly",
        height=623,
    )


def test_link_of_2026_opens_what_it_meant() -> None:
    groups = [
        {"packages": [{"name": "react"}], "baseline": True},
        {"packages": [{"name": "next"}], "color": "#4682B4", "label": "Next"},
    ]
    link = written(
        packageGroups=groups, range="730-days", binType="monthly", showDataMode="complete", viewMode="latest",
        chartType="area", normalizeBaseline=False, facetY="name",
    )  # fmt: skip
    opened = parse(link)
    assert names(opened) == [["react"], ["next"]]
    # A baseline was not drawn unless `showBaseline` was set.
    assert (opened.baseline, opened.groups[0].packages[0].hidden, opened.show_baseline) == (("react",), True, False)
    assert (opened.range, opened.bin, opened.bins) == ("730-days", "monthly", "complete")
    assert (opened.normalize_baseline, opened.facet_y) == (False, "pkg")


def test_hidden_group_of_a_later_link_is_not_drawn() -> None:
    opened = parse(written(packageGroups=[{"packages": [{"name": "react"}], "hidden": True}, "vue"]))
    assert [group.packages[0].hidden for group in opened.groups] == [True, False]


def test_several_baselines_form_an_index() -> None:
    search = written(packageGroups=["react", "vue", "svelte"], baseline=["svelte", "react", "angular"])
    assert parse(search).baseline == ("react", "svelte")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("react-vs-vue", [["react"], ["vue"]]),
        ("@tanstack/react-query-vs-swr", [["@tanstack/react-query"], ["swr"]]),
        ("react", [["react"]]),
        ("react-vs-react", [["react"]]),
        ("@tanstack~1react-query-vs-@trpc__client", [["@tanstack/react-query"], ["@trpc/client"]]),
        ("-vs-".join(f"p{n}" for n in range(99)), [[f"p{n}"] for n in range(MAX_GROUPS)]),
        ("react-vs-../vue", [["@tanstack/react-query", "react-query"]]),
    ],
)
def test_packages_of_an_address(path: str, expected: list[list[str]]) -> None:
    assert names(parse("", path)) == expected


def test_groups_of_the_query_replace_those_of_the_address() -> None:
    assert names(parse(written(packageGroups=["preact"]), "react-vs-vue")) == [["preact"]]


def test_numbers_of_groups_and_packages_are_limited() -> None:
    many = parse(written(packageGroups=[{"packages": [{"name": f"p{n}"}]} for n in range(100)]))
    assert len(many.groups) == MAX_GROUPS
    one = parse(written(packageGroups=[{"packages": [{"name": f"p{n}"} for n in range(100)]}, "other"]))
    assert len(package_names(one)) == MAX_PACKAGES


def test_canonical_query_of_the_largest_comparison_is_read_again() -> None:
    groups = tuple(
        PackageGroup((GroupPackage(f"@{n:02}/{'a' * 210}", hidden=True),), "#123456") for n in range(MAX_GROUPS)
    )
    largest = Comparison(groups, range="all-time", baseline=tuple(group.packages[0].name for group in groups))
    assert parse(comparison_query(largest, default_groups=DEFAULT)) == largest


def test_of_a_repeated_parameter_the_first_counts() -> None:
    assert parse("height=500&height=600&range=7-days&range=30-days") == parse("height=500&range=7-days")


def test_group_with_the_same_first_package_counts_once() -> None:
    assert names(parse(written(packageGroups=["vue", "vue", ["vue", "react"], "react"]))) == [["vue"], ["react"]]


@pytest.mark.parametrize(
    ("color", "read"),
    [("#ABC", "#aabbcc"), ("#12ab34", "#12ab34"), ("red", None), ("#12345", None), ("url(#a)", None), (12, None)],
)
def test_only_hexadecimal_colors_are_read(color: object, read: str | None) -> None:
    search = written(packageGroups=[{"packages": [{"name": "vue"}], "color": color}])
    assert parse(search).groups[0].color == read


def test_title_names_the_groups() -> None:
    assert comparison_title(parse(written(packageGroups=[["vue", "nuxt"], "react"]))) == "vue vs react"


@pytest.mark.parametrize(
    "name", ["react", "@tanstack/react-query", "lodash.merge", "JSONStream", "a" * 214, "-x", "~y"]
)
def test_names_of_packages(name: str) -> None:
    assert is_package_name(name)


@pytest.mark.parametrize(
    "name", ["", ".", "_x", "a b", "a/b", "@a", "@/b", "@a/b/c", "é", "a" * 215, "a\n", "..", "%40a", "x?y", "<b>"]
)
def test_other_texts_are_no_names(name: str) -> None:
    assert not is_package_name(name)


def test_address_with_an_invalid_name_has_no_packages() -> None:
    assert names_in_path("react-vs-") == ()


valid_names = st.from_regex(r"(@[a-z][a-z0-9-]{0,8}/)?[a-z][a-z0-9.-]{0,12}", fullmatch=True)
packages = st.lists(
    st.builds(GroupPackage, valid_names, st.booleans()), min_size=1, max_size=3, unique_by=lambda p: p.name
)
groups = st.lists(
    st.builds(PackageGroup, packages.map(tuple), st.none() | st.from_regex("#[0-9a-f]{6}", fullmatch=True)),
    min_size=1,
    max_size=5,
    unique_by=lambda group: group.packages[0].name,
)


@st.composite
def comparisons(draw: st.DrawFn) -> Comparison:
    drawn = tuple(draw(groups))
    range_name = draw(st.sampled_from(get_args(model.RangeName)))
    baseline = draw(st.lists(st.sampled_from([group.packages[0].name for group in drawn]), unique=True, max_size=3))
    return Comparison(
        drawn,
        range=range_name,
        bin=draw(st.sampled_from(BINS[range_name])),
        transform=draw(st.sampled_from(get_args(model.Transform))),
        baseline=tuple(group.packages[0].name for group in drawn if group.packages[0].name in baseline),
        show_baseline=draw(st.booleans()),
        normalize_baseline=draw(st.booleans()),
        facet_x=draw(st.sampled_from([None, "pkg"])),
        facet_y=draw(st.sampled_from([None, "pkg"])),
        height=draw(st.integers(MIN_HEIGHT, MAX_HEIGHT)),
        bins=draw(st.sampled_from(get_args(model.BinChoice))),
        measure=draw(st.sampled_from(get_args(model.Measure))),
        align=draw(st.sampled_from(get_args(model.Alignment))),
        scale=draw(st.sampled_from(get_args(model.Scale))),
        fix=draw(st.sampled_from(get_args(model.Fix))),
        without_mirrors=draw(st.booleans()),
    )


@pytest.mark.no_cover
@given(comparisons())
def test_written_query_is_read_as_the_same_comparison(comparison: Comparison) -> None:
    query = comparison_query(comparison, default_groups=DEFAULT)
    assert parse(query) == comparison
    assert comparison_query(parse(query), default_groups=DEFAULT) == query
    assert {pair.partition("=")[0] for pair in query.split("&") if pair} <= set(COMPARISON_QUERY)


def test_default_comparison_has_an_empty_query() -> None:
    assert comparison_query(parse(""), default_groups=DEFAULT) == ""


parts = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "[" * 5000,
            "\ud800",
            '"\ud800"',
            "%",
            "%ZZ",
            "%ED%A0%80",
            "NaN",
            "Infinity",
            "1e999",
            "-0",
            '{"packages":[[[[]]]]}',
            "9" * 5000,
        ]
    ),
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=9) | st.integers(),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["packages", "name", "color"]), inner)
        ),
        max_leaves=12,
    ).map(lambda value: quote(json.dumps(value))),
)


@pytest.mark.no_cover
@given(st.lists(st.tuples(st.sampled_from([*COMPARISON_QUERY, "x", ""]), parts), max_size=12), st.text(max_size=60))
def test_hostile_query_gives_a_comparison_within_the_limits(pairs: list[tuple[str, str]], path: str) -> None:
    comparison = parse("&".join(f"{name}={value}" for name, value in pairs), path)
    assert 0 < len(comparison.groups) <= MAX_GROUPS
    assert all(map(is_package_name, package_names(comparison)))
    assert MIN_HEIGHT <= comparison.height <= MAX_HEIGHT
    assert comparison.bin in BINS[comparison.range]
    assert parse(comparison_query(comparison, default_groups=DEFAULT)) == comparison
