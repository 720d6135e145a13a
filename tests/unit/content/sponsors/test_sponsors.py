"""Tests of sponsors: the merged list, circle packing, and invalid entries."""

from __future__ import annotations

from dataclasses import asdict, fields
from math import hypot, pi
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sites.sample_site import SITE

from kinfolk.content.sponsors import (
    CurrentSponsors,
    PackedSponsor,
    PartnerMarks,
    Sponsor,
    SponsorConfig,
    load_sponsor_config,
    sponsor_config_errors,
    sponsored_account,
)
from kinfolk.content.sponsors.circle_packing import PADDING, PackedCircle, pack_circles
from kinfolk.content.sponsors.current_sponsors import SMALLEST
from kinfolk.content.sponsors.sponsor_config import SponsorEntry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kinfolk.config.catalog import Catalog

WEIGHTS = st.lists(
    st.one_of(st.integers(1, 12_000), st.floats(1, 12_000), st.sampled_from([1, 6, 6, 11, 101, 5001])),
    min_size=1,
    max_size=40,
)


def gap(one: PackedCircle, other: PackedCircle) -> float:
    return hypot(one.x - other.x, one.y - other.y) - one.r - other.r


def narrowest(circles: Sequence[PackedCircle]) -> float:
    return min((gap(one, other) for index, one in enumerate(circles) for other in circles[:index]), default=1.0)


# Packing


@settings(max_examples=25)
@given(WEIGHTS)
def test_circles_do_not_overlap_or_leave_the_square(weights: list[float]) -> None:
    circles = pack_circles(weights)
    assert narrowest(circles) > 0
    assert max(max(abs(c.x - 0.5), abs(c.y - 0.5)) + c.r for c in circles) <= 0.5


@settings(max_examples=25)
@given(WEIGHTS)
def test_areas_are_proportional_to_weights(weights: list[float]) -> None:
    circles = pack_circles(weights, padding=0)
    densities = [weight / circle.r**2 for weight, circle in zip(weights, circles, strict=True)]
    assert max(densities) == pytest.approx(min(densities), rel=1e-6)


@settings(max_examples=10)
@given(WEIGHTS)
def test_packing_is_deterministic(weights: list[float]) -> None:
    assert pack_circles(weights) == pack_circles(weights)


def test_neighbors_keep_the_padding() -> None:
    # A little less, because the padding takes some of the square.
    assert 0.9 * PADDING < narrowest(pack_circles([1] * 30)) <= PADDING


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 50, 200])
def test_circles_fill_most_of_the_square(count: int) -> None:
    share = sum(circle.r**2 for circle in pack_circles([1 + 1000 / (place + 1) for place in range(count)], padding=0))
    assert share * pi > 0.4


def test_largest_circles_are_in_the_center() -> None:
    circles = pack_circles([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 400])
    large = circles[-1]
    assert hypot(large.x - 0.5, large.y - 0.5) < min(hypot(c.x - 0.5, c.y - 0.5) for c in circles[:-1])


@pytest.mark.parametrize("count", [1, 4, 5, 7, 8, 10, 12, 14, 19, 37])
def test_equal_circles_are_symmetric(count: int) -> None:
    circles = {(round(c.x, 6), round(c.y, 6)) for c in pack_circles([6] * count)}
    assert circles == {(round(1 - x, 6), y) for x, y in circles} == {(x, round(1 - y, 6)) for x, y in circles}


@pytest.mark.parametrize("count", range(1, 62))
def test_equal_circles_do_not_overlap(count: int) -> None:
    circles = pack_circles([6] * count)
    assert len(circles) == count
    assert narrowest(circles) > 0


def test_packing_no_weights_returns_no_circles() -> None:
    assert pack_circles([]) == ()


def test_weight_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="greater than 0"):
        pack_circles([3, 0])


# The current sponsors


def current_sponsors(
    folder: Path, *, weight: int | None = None, sponsors: tuple[SponsorEntry, ...] = (), catalog: Catalog
) -> CurrentSponsors:
    config = SponsorConfig(partners_weight=weight, sponsors=sponsors)
    marks = PartnerMarks("/marks.svg", tuple(partner.id for partner in catalog.partners))
    return CurrentSponsors(config, catalog.partners, marks=marks, become_url=catalog.sponsors_url, folder=folder)


def test_partners_are_included_if_they_have_a_weight(tmp_path: Path, catalog: Catalog) -> None:
    shown = current_sponsors(tmp_path, weight=100, catalog=catalog).pack
    assert {circle.name for circle in shown.circles} == {partner.name for partner in catalog.partners}
    assert current_sponsors(tmp_path, catalog=catalog).pack.circles == ()


def test_circles_of_partners_have_their_marks(tmp_path: Path, catalog: Catalog) -> None:
    sponsor = SponsorEntry("Ada", "https://ada.example", weight=5)
    shown = current_sponsors(tmp_path, weight=100, sponsors=(sponsor,), catalog=catalog).pack
    rows = [partner.name for partner in catalog.partners]
    assert shown.marks == "/marks.svg"
    assert all(circle.mark == (None if circle.name == "Ada" else rows.index(circle.name)) for circle in shown.circles)


def test_override_adds_a_sponsor(tmp_path: Path, catalog: Catalog) -> None:
    current = current_sponsors(
        tmp_path, sponsors=(SponsorEntry("Ada", "https://ada.example", weight=5),), catalog=catalog
    )
    assert current.override([SponsorEntry("Ben", "https://ben.example", weight=1)])
    assert {circle.name for circle in current.pack.circles} == {"Ada", "Ben"}


def test_pack_contains_no_amounts(tmp_path: Path, catalog: Catalog) -> None:
    shown = current_sponsors(tmp_path, weight=7331, catalog=catalog).pack
    assert {field.name for field in fields(PackedSponsor)} == {"name", "link_url", "image_url", "mark", "x", "y", "r"}
    assert "7331" not in str(asdict(shown))


def test_sponsors_with_too_small_circles_are_listed_by_name(tmp_path: Path, catalog: Catalog) -> None:
    many = [SponsorEntry(f"Sponsor {n:03}", f"https://{n}.example", weight=1) for n in range(150)]
    large = SponsorEntry("Large", "https://large.example", weight=20_000)
    shown = current_sponsors(tmp_path, sponsors=(*many, large), catalog=catalog).pack
    assert [circle.name for circle in shown.circles] == ["Large"]
    assert [other.name for other in shown.others] == [known.name for known in many]


def test_all_large_enough_circles_are_shown(tmp_path: Path, catalog: Catalog) -> None:
    many = tuple(SponsorEntry(f"Sponsor {n}", f"https://{n}.example", weight=5) for n in range(200))
    shown = current_sponsors(tmp_path, sponsors=many, catalog=catalog).pack
    assert len(shown.circles) == 200
    assert min(circle.r for circle in shown.circles) >= SMALLEST


GIVERS = (
    Sponsor("Ada", "https://github.com/ada", login="ada", monthly_dollars=5),
    Sponsor("Ben", "https://github.com/ben", login="ben", monthly_dollars=50),
)


@pytest.mark.parametrize(
    ("entries", "shown"),
    [
        ((), ["Ben", "Ada"]),
        ((SponsorEntry(login="BEN", hidden=True),), ["Ada"]),
        ((SponsorEntry(login="ada", name="Ada King"),), ["Ben", "Ada King"]),
        ((SponsorEntry(login="ada", weight=60),), ["Ada", "Ben"]),
        ((SponsorEntry("Cleo", "https://cleo.example", weight=10),), ["Ben", "Cleo", "Ada"]),
        ((SponsorEntry("Ben & Co", "https://github.com/Ben/", weight=90),), ["Ben & Co", "Ada"]),
    ],
)
def test_config_adds_and_corrects_sponsors_of_github(entries: tuple[SponsorEntry, ...], shown: list[str]) -> None:
    assert [sponsor.name for sponsor in SponsorConfig(sponsors=entries).merge((), GIVERS)] == shown


# Configuration


def test_override_replaces_the_entry_with_its_login() -> None:
    config = SponsorConfig(sponsors=(SponsorEntry(login="Ann", weight=5), SponsorEntry("Ben", "https://ben.example")))
    merged = config.with_overrides(
        (SponsorEntry(login="ann", hidden=True), SponsorEntry("Cleo", "https://cleo.example"))
    )
    assert [entry.login or entry.name for entry in merged.sponsors] == ["Ben", "ann", "Cleo"]


def test_pack_follows_overrides(tmp_path: Path, catalog: Catalog) -> None:
    current = CurrentSponsors(SponsorConfig(), catalog.partners, become_url=catalog.sponsors_url, folder=tmp_path)
    entry = SponsorEntry("Ben", "https://ben.example", weight=100)
    assert current.override([entry])
    assert [circle.name for circle in current.pack.circles] == ["Ben"]
    assert not current.override([entry])
    assert current.override([])
    assert current.pack.circles == ()


def test_bundled_config_is_valid(settings_data: Path) -> None:
    assert sponsor_config_errors(settings_data) == []


@pytest.fixture
def settings_data(catalog: Catalog) -> Path:

    assert catalog
    return SITE


def test_missing_file_means_an_empty_config(tmp_path: Path) -> None:
    assert load_sponsor_config(tmp_path) == SponsorConfig()


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
            "has no effect without a login",
        ),
        ('[[sponsors]]\nlogin = "a"\nemail = "a@example.com"', "sponsors[0].email", "not a known key"),
        ("partners_weight = 0", "partners_weight", "greater than 0"),
    ],
)
def test_invalid_entry_is_reported(tmp_path: Path, text: str, key: str, reason: str) -> None:
    (tmp_path / "sponsors.toml").write_text(text)
    (fault,) = sponsor_config_errors(tmp_path)
    assert (fault.file, fault.key) == ("sponsors.toml", key)
    assert reason in fault.reason
    assert load_sponsor_config(tmp_path).sponsors == ()


@pytest.mark.parametrize(
    ("url", "account"),
    [
        ("https://github.com/sponsors/acme", "acme"),
        ("https://github.com/sponsors/acme/", "acme"),
        ("https://opencollective.com/acme", None),
        ("https://github.com/acme", None),
        ("https://github.com/sponsors/acme?frequency=one-time", None),
        (None, None),
    ],
)
def test_only_a_page_of_github_sponsors_names_an_account(url: str | None, account: str | None) -> None:
    assert sponsored_account(url) == account
