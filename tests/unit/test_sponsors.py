"""Sponsors: who is shown, how their circles are packed, and what becomes of a wrong fact."""

from __future__ import annotations

from dataclasses import asdict, fields
from math import hypot, pi
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinfolk.errors import BadFact
from kinfolk.sponsors import PackedSponsor, Sponsor, SponsorFacts, SponsorRoll, load_sponsor_facts, sponsor_errors
from kinfolk.sponsors.facts import KnownSponsor
from kinfolk.sponsors.packing import PADDING, Circle, pack
from kinfolk.sponsors.roll import SMALLEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kinfolk.catalog import Catalog

WEIGHTS = st.lists(
    st.one_of(st.integers(1, 12_000), st.floats(1, 12_000), st.sampled_from([1, 6, 6, 11, 101, 5001])),
    min_size=1,
    max_size=40,
)


def gap(one: Circle, other: Circle) -> float:
    return hypot(one.x - other.x, one.y - other.y) - one.r - other.r


def narrowest(circles: Sequence[Circle]) -> float:
    return min((gap(one, other) for index, one in enumerate(circles) for other in circles[:index]), default=1.0)


# Packing


@settings(max_examples=25)
@given(WEIGHTS)
def test_no_two_circles_overlap_and_none_leaves_the_square(weights: list[float]) -> None:
    circles = pack(weights)
    assert narrowest(circles) > 0
    assert max(max(abs(c.x - 0.5), abs(c.y - 0.5)) + c.r for c in circles) <= 0.5


@settings(max_examples=25)
@given(WEIGHTS)
def test_areas_are_as_the_weights(weights: list[float]) -> None:
    circles = pack(weights, padding=0)
    densities = [weight / circle.r**2 for weight, circle in zip(weights, circles, strict=True)]
    assert max(densities) == pytest.approx(min(densities), rel=1e-6)


@settings(max_examples=10)
@given(WEIGHTS)
def test_the_same_weights_are_packed_in_the_same_way(weights: list[float]) -> None:
    assert pack(weights) == pack(weights)


def test_neighbours_keep_the_padding_between_them() -> None:
    # A little less: the room takes some of the square itself.
    assert 0.9 * PADDING < narrowest(pack([1] * 30)) <= PADDING


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 50, 200])
def test_circles_fill_most_of_what_they_could(count: int) -> None:
    share = sum(circle.r**2 for circle in pack([1 + 1000 / (place + 1) for place in range(count)], padding=0))
    assert share * pi > 0.4


def test_the_largest_are_in_the_middle() -> None:
    circles = pack([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 400])
    large = circles[-1]
    assert hypot(large.x - 0.5, large.y - 0.5) < min(hypot(c.x - 0.5, c.y - 0.5) for c in circles[:-1])


@pytest.mark.parametrize("count", [1, 4, 5, 7, 8, 10, 12, 14, 19, 37])
def test_circles_that_are_alike_mirror_themselves(count: int) -> None:
    circles = {(round(c.x, 6), round(c.y, 6)) for c in pack([6] * count)}
    assert circles == {(round(1 - x, 6), y) for x, y in circles} == {(x, round(1 - y, 6)) for x, y in circles}


@pytest.mark.parametrize("count", range(1, 62))
def test_circles_that_are_alike_do_not_overlap_either(count: int) -> None:
    circles = pack([6] * count)
    assert len(circles) == count
    assert narrowest(circles) > 0


def test_nothing_is_packed_into_nothing() -> None:
    assert pack([]) == ()


def test_a_weight_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="more than nothing"):
        pack([3, 0])


# The roll


def roll(
    folder: Path, *, weight: int | None = None, sponsors: tuple[KnownSponsor, ...] = (), catalog: Catalog
) -> SponsorRoll:
    facts = SponsorFacts(partners_weight=weight, sponsors=sponsors)
    return SponsorRoll(facts, catalog.partners, become_url=catalog.sponsors_url, folder=folder)


def test_partners_stand_in_the_pack_where_the_facts_give_them_a_size(tmp_path: Path, catalog: Catalog) -> None:
    shown = roll(tmp_path, weight=100, catalog=catalog).pack
    assert {circle.name for circle in shown.circles} == {partner.name for partner in catalog.partners}
    assert roll(tmp_path, catalog=catalog).pack.circles == ()


def test_the_pack_says_no_amount(tmp_path: Path, catalog: Catalog) -> None:
    shown = roll(tmp_path, weight=7331, catalog=catalog).pack
    assert {field.name for field in fields(PackedSponsor)} == {"name", "link_url", "image_url", "x", "y", "r"}
    assert "7331" not in str(asdict(shown))


def test_who_would_be_too_small_is_listed_by_name(tmp_path: Path, catalog: Catalog) -> None:
    many = [KnownSponsor(f"Sponsor {n:03}", f"https://{n}.example", weight=1) for n in range(150)]
    large = KnownSponsor("Large", "https://large.example", weight=20_000)
    shown = roll(tmp_path, sponsors=(*many, large), catalog=catalog).pack
    assert [circle.name for circle in shown.circles] == ["Large"]
    assert [other.name for other in shown.others] == [known.name for known in many]


def test_circles_that_are_large_enough_are_all_shown(tmp_path: Path, catalog: Catalog) -> None:
    many = tuple(KnownSponsor(f"Sponsor {n}", f"https://{n}.example", weight=5) for n in range(200))
    shown = roll(tmp_path, sponsors=many, catalog=catalog).pack
    assert len(shown.circles) == 200
    assert min(circle.r for circle in shown.circles) >= SMALLEST


GIVERS = (
    Sponsor("Ada", "https://github.com/ada", login="ada", monthly_dollars=5),
    Sponsor("Ben", "https://github.com/ben", login="ben", monthly_dollars=50),
)


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        ((), ["Ben", "Ada"]),
        ((KnownSponsor(login="BEN", hidden=True),), ["Ada"]),
        ((KnownSponsor(login="ada", name="Ada King"),), ["Ben", "Ada King"]),
        ((KnownSponsor(login="ada", weight=60),), ["Ada", "Ben"]),
        ((KnownSponsor("Cleo", "https://cleo.example", weight=10),), ["Ben", "Cleo", "Ada"]),
        ((KnownSponsor("Ben & Co", "https://github.com/Ben/", weight=90),), ["Ben & Co", "Ada"]),
    ],
)
def test_facts_add_to_what_github_says_and_correct_it(facts: tuple[KnownSponsor, ...], shown: list[str]) -> None:
    assert [sponsor.name for sponsor in SponsorFacts(sponsors=facts).roll((), GIVERS)] == shown


# Facts


def test_the_facts_that_ship_are_sound(settings_data: Path) -> None:
    assert sponsor_errors(settings_data) == []


@pytest.fixture
def settings_data(catalog: Catalog) -> Path:
    from kinfolk.settings import ROOT

    assert catalog
    return ROOT / "data"


def test_a_family_without_the_file_has_no_such_facts(tmp_path: Path) -> None:
    assert load_sponsor_facts(tmp_path) == SponsorFacts()


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ('[[sponsors]]\nname = "A"', "sponsors[0].link_url", "is missing"),
        ('[[sponsors]]\nlink_url = "https://a.example"', "sponsors[0].name", "is missing"),
        ('[[sponsors]]\nname = "A"\nlink_url = "http://a.example"', "sponsors[0].link_url", "https://"),
        ('[[sponsors]]\nname = "A"\nlink_url = "javascript:alert(1)"', "sponsors[0].link_url", "https://"),
        ('[[sponsors]]\nlogin = "a"\n[[sponsors]]\nlogin = "A"', "sponsors[1].login", "there twice"),
        (
            '[[sponsors]]\nname = "A"\nlink_url = "https://a.example"\nhidden = true',
            "sponsors[0].hidden",
            "hides nobody",
        ),
        ('[[sponsors]]\nlogin = "a"\nemail = "a@example.com"', "sponsors[0].email", "not a key"),
        ("partners_weight = 0", "partners_weight", "greater than 0"),
    ],
)
def test_a_wrong_fact_is_named(tmp_path: Path, text: str, key: str, reason: str) -> None:
    (tmp_path / "sponsors.toml").write_text(text)
    (fault,) = sponsor_errors(tmp_path)
    assert (fault.file, fault.key) == ("sponsors.toml", key)
    assert reason in fault.reason
    with pytest.raises(BadFact):
        load_sponsor_facts(tmp_path)
