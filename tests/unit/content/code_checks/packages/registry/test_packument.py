"""What is read of a packument."""

from __future__ import annotations

import orjson
import pytest

from kinfolk.content.code_checks.packages.registry.packument import (
    MOST_PRERELEASES,
    Packument,
    UnusablePackage,
    satisfies,
)


def packument(versions: dict[str, object] | list[str], **tags: str) -> Packument:
    listed = versions if isinstance(versions, dict) else {version: {} for version in versions}
    return Packument.parse("tiles", orjson.dumps({"dist-tags": tags, "versions": listed}))


def test_versions_are_in_the_order_of_semantic_versioning() -> None:
    marks = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1"]
    found = packument([*marks, "1.9.0", "1.10.0", "0.99.99", "nonsense", "1.0"])
    assert found.prereleases == marks[::-1]
    assert found.stable == ["1.10.0", "1.9.0", "0.99.99"]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("^1.0.0", "1.3.0"),
        ("1.2.0", "1.2.0"),
        ("~1.2.0 || ^0.9.0", "1.2.0"),
        (">=18", None),
        ("^3.0.0-alpha.1", "3.0.0-beta.1"),
        ("*", "2.0.0"),
        ("", "2.0.0"),
        ("next", "3.0.0-beta.1"),
        ("workspace:*", None),
        ("git+https://example.com/a.git", None),
        ("1 " * 200, None),
    ],
)
def test_range_means_its_highest_version(text: str, version: str | None) -> None:
    found = packument(["1.2.0", "1.3.0", "2.0.0", "3.0.0-beta.1", "3.0.0-alpha.9"], next="3.0.0-beta.1")
    assert found.newest_in(text) == version


def test_latest_version_goes_before_higher_ones_as_in_npm() -> None:
    found = packument(["1000.0.0", "0.80.1", "0.80.2"], latest="0.80.1")
    assert (found.newest_in(">=0.70"), found.newest_with({})) == ("0.80.1", "0.80.1")
    assert found.newest_in(">=0.80.2 <1") == "0.80.2"


def test_only_the_newest_daily_prereleases_are_read() -> None:
    daily = [f"0.0.0-experimental-{day}" for day in range(MOST_PRERELEASES + 9)]
    found = packument(["1.0.0", *daily], latest="1.0.0", experimental=daily[0])
    assert len(found.prereleases) == MOST_PRERELEASES + 1
    assert found.newest_in("experimental") == daily[0]


def test_major_without_stable_release_means_its_newest_prerelease() -> None:
    found = packument(["8.21.0", "9.0.0-alpha.40", "9.0.0-beta.2"], latest="8.21.0")
    assert (found.newest_of_major(9), found.newest_of_major(8), found.newest_of_major(7)) == (
        "9.0.0-beta.2", "8.21.0", None,
    )  # fmt: skip


def test_version_is_chosen_that_fits_packages_which_are_placed_already() -> None:
    versions: dict[str, object] = {
        "5.1.0": {"peerDependencies": {"query": "^5.0.0"}},
        "4.9.0": {"peerDependencies": {"query": "^4.2.0"}},
        "4.8.0": {"dependencies": {"query": "4.8.0"}},
    }
    found = packument(versions)
    assert found.newest_with({"query": "4.36.1"}) == "4.9.0"
    assert found.newest_with({"query": "4.8.0", "react": "19.0.0"}) == "4.9.0"
    assert found.newest_with({"query": "3.0.0"}) == "5.1.0"
    assert found.newest_with({}) == "5.1.0"


def test_strongest_digest_of_a_version_is_used() -> None:
    dist = {"tarball": "https://x.test/a.tgz", "integrity": "sha1-YQ== sha512-Yg==?opt sha256-Yw==", "shasum": "61"}
    found = packument({"1.0.0": {"dist": dist}}).version("1.0.0")
    assert found is not None
    assert (found.integrity, found.hex_digest) == ("sha512-Yg==", "61")


def test_invalid_version_hides_no_other() -> None:
    found = packument(
        {"1.0.0": {"dependencies": ["a"]}, "1.1.0": "text", "0.9.0": {"dependencies": {"__proto__": "1"}}}
    )
    assert found.version("1.0.0") is None
    assert found.version("0.9.0") is not None
    assert found.stable == ["1.0.0", "0.9.0"]


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b'{"versions": []}', b'{"versions": {}, "dist-tags": [1]}'])
def test_answer_that_is_no_packument_is_an_error(body: bytes) -> None:
    with pytest.raises(UnusablePackage, match="about tiles is no list of versions"):
        Packument.parse("tiles", body)


def test_what_is_no_range_allows_all_versions() -> None:
    assert satisfies("1.0.0", "workspace:^")
    assert not satisfies("1.0.0", "^2.0.0")
