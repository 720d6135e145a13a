"""The client of the package registry, against a stand-in that also misbehaves."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.servers.npm_registry import ABBREVIATED, Fault, NpmRegistry, PackageFiles

from kinfolk.content.code_checks.packages.registry.npm_registry_client import NpmRegistryClient
from kinfolk.content.code_checks.packages.registry.packument import Packument, PublishedVersion, UnusablePackage
from kinfolk.runtime.errors import NotFound, SiteError, Unavailable
from kinfolk.runtime.upstream.upstream_client import RequestsRefused

NOON = datetime(2026, 3, 18, 12, tzinfo=UTC).replace(tzinfo=None)
TILES = "@acme/tiles"


@pytest.fixture
def registry() -> Iterator[NpmRegistry]:
    files: PackageFiles = {"package.json": {"peerDependencies": {"react": ">=18"}}, "index.d.ts": "export const a: 1"}
    with NpmRegistry({TILES: {"4.1.0": files, "4.2.0": files}}) as stand_in:
        yield stand_in


def client_of(registry: NpmRegistry, **limits: float) -> NpmRegistryClient:
    longest = {name: int(value) for name, value in limits.items() if name.startswith("longest")}
    answer_s = limits.get("answer_s", 20.0)
    return NpmRegistryClient(f"{registry.url}/", now=lambda: NOON, answer_s=answer_s, gap_s=0, **longest)


def packument(client: NpmRegistryClient, name: str = TILES) -> Packument:
    return asyncio.run(client.packument(name))


def newest(registry: NpmRegistry) -> PublishedVersion:
    found = packument(client_of(registry)).version("4.2.0")
    assert found is not None
    return found


def download(client: NpmRegistryClient, package: PublishedVersion, file: Path) -> bytes:
    asyncio.run(client.download(package, file))
    return file.read_bytes()


def test_packument_has_versions_and_their_peers(registry: NpmRegistry) -> None:
    found = packument(client_of(registry))
    assert (found.stable, found.latest) == (["4.2.0", "4.1.0"], "4.2.0")
    assert newest(registry).ranges == {"react": ">=18"}
    assert registry.accepts[0] == ABBREVIATED


def test_requests_of_one_package_share_an_answer(registry: NpmRegistry) -> None:
    async def several() -> None:
        client = client_of(registry)
        await asyncio.gather(*(client.packument(TILES) for _ in range(5)))
        await client.packument(TILES)
        for _ in range(2):
            with pytest.raises(NotFound, match="has no package left-pad"):
                await client.packument("left-pad")

    asyncio.run(several())
    assert registry.packuments == [TILES, "left-pad"]


def test_name_that_npm_does_not_accept_is_not_requested(registry: NpmRegistry) -> None:
    for name in ("../-/ping", "Tiles/../x", "", "@acme", "__proto__", "fs", "a" * 215):
        with pytest.raises(NotFound):
            packument(client_of(registry), name)
    assert registry.requests == []


@pytest.mark.parametrize(
    ("fault", "error", "said"),
    [
        ("server-error", Unavailable, "answers 500"),
        ("limit", RequestsRefused, "limits the rate"),
        ("html", UnusablePackage, f"about {TILES} is no list of versions"),
        ("list", UnusablePackage, "no list of versions"),
        ("endless", Unavailable, "longer than 1000 bytes"),
        ("large", Unavailable, "longer than 1000 bytes"),
        ("slow", Unavailable, "within 0.2 seconds"),
        ("redirect", Unavailable, "redirects to another server"),
        ("redirect-to-itself", Unavailable, "cannot be reached: TooManyRedirects"),
    ],
)
def test_faulty_answer_about_a_package_is_an_error(
    registry: NpmRegistry, fault: Fault, error: type[SiteError], said: str
) -> None:
    registry.fault, registry.redirect_to = fault, "http://127.0.0.2:1"
    answer_s = 0.2 if fault == "slow" else 20
    with pytest.raises(error, match=said):
        packument(client_of(registry, answer_s=answer_s, longest_packument=1000))


def test_registry_that_limits_requests_gets_no_more(registry: NpmRegistry) -> None:
    async def twice() -> None:
        client = client_of(registry)
        for _ in range(2):
            with pytest.raises(RequestsRefused):
                await client.packument(TILES)

    registry.fault = "limit-for-1s"
    asyncio.run(twice())
    assert len(registry.requests) == 1


def test_clock_that_is_set_back_does_not_extend_the_pause_after_a_refusal(
    registry: NpmRegistry, tmp_path: Path
) -> None:
    tomorrow = NOON + timedelta(days=1)
    clock = [tomorrow]
    client = NpmRegistryClient(f"{registry.url}/", now=lambda: clock[0], answer_s=20, gap_s=0)
    version = newest(registry)
    registry.tarball_faults[TILES] = "limit"
    with pytest.raises(RequestsRefused):
        download(client, version, tmp_path / "tiles.tgz")
    registry.tarball_faults.clear()
    with pytest.raises(RequestsRefused):
        download(client, version, tmp_path / "tiles.tgz")
    clock[0] = NOON
    assert download(client, version, tmp_path / "tiles.tgz") == registry.tarball(TILES, "4.2.0")


def test_tarball_is_written_to_a_file(registry: NpmRegistry, tmp_path: Path) -> None:
    content = download(client_of(registry), newest(registry), tmp_path / "tiles.tgz")
    assert content == registry.tarball(TILES, "4.2.0")


def test_tarball_without_integrity_is_compared_by_its_sha1(registry: NpmRegistry, tmp_path: Path) -> None:
    registry.tarball_faults[TILES] = "no-integrity"
    package = newest(registry)
    assert (package.integrity, len(package.hex_digest)) == ("", 40)
    assert download(client_of(registry), package, tmp_path / "tiles.tgz")


@pytest.mark.parametrize(
    ("fault", "error", "said"),
    [
        ("wrong-integrity", UnusablePackage, f"The tarball of {TILES}@4.2.0 is not the one that was published"),
        ("endless", UnusablePackage, "larger than 100 kB"),
        ("large", UnusablePackage, "larger than 100 kB"),
        ("missing", UnusablePackage, "has no tarball of"),
        ("redirect-to-itself", UnusablePackage, "more than 3 redirects"),
        ("server-error", Unavailable, "answers 500"),
        ("limit", RequestsRefused, "limits the rate"),
        ("slow", Unavailable, "did not send @acme/tiles@4.2.0 within 0.2 seconds"),
    ],
)
def test_faulty_tarball_is_an_error(
    registry: NpmRegistry, tmp_path: Path, fault: Fault, error: type[SiteError], said: str
) -> None:
    registry.tarball_faults[TILES] = fault
    client = client_of(registry, answer_s=0.2 if fault == "slow" else 20, longest_tarball=100 << 10)
    with pytest.raises(error, match=said):
        download(client, newest(registry), tmp_path / "tiles.tgz")


def test_tarball_of_another_host_needs_https(registry: NpmRegistry, tmp_path: Path) -> None:
    registry.tarball_origin = "http://files.example.com"
    with pytest.raises(UnusablePackage, match="on another host without https"):
        download(client_of(registry), newest(registry), tmp_path / "tiles.tgz")


def test_tarball_of_another_host_is_not_read_from_a_private_address(registry: NpmRegistry, tmp_path: Path) -> None:
    registry.tarball_origin = "https://localhost:1"
    package = newest(registry)
    private = NpmRegistryClient("https://registry.example.com", now=lambda: NOON)
    with pytest.raises(Unavailable, match="cannot be reached") as failed:
        download(private, package, tmp_path / "tiles.tgz")
    assert str(failed.value.__cause__) == "localhost has a private address"


def test_tarball_may_be_on_another_server_of_a_loopback_registry(registry: NpmRegistry, tmp_path: Path) -> None:
    package = newest(registry)
    with NpmRegistry({TILES: {"4.2.0": {"index.d.ts": "other"}}}) as other:
        registry.tarball_faults[TILES], registry.redirect_to = "redirect", other.url
        with pytest.raises(UnusablePackage, match="its digest differs"):
            download(client_of(registry), package, tmp_path / "tiles.tgz")
        assert other.tarballs == ["tiles-4.2.0.tgz"]


def test_package_without_digest_is_not_fetched(registry: NpmRegistry, tmp_path: Path) -> None:
    package = PublishedVersion(TILES, "4.2.0", f"{registry.url}/x.tgz", integrity="sha512-@")
    with pytest.raises(UnusablePackage, match="names no digest of @acme/tiles"):
        download(client_of(registry), package, tmp_path / "tiles.tgz")
    assert registry.requests == []
