"""The declarations of packages on the disk: what is deleted, and what another process finds."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from kinfolk.content.code_checks.packages.package_store import PackageStore, PlacedPackage, StoredPackage, StoredSet
from kinfolk.content.code_checks.packages.registry.declaration_files import DeclarationFiles


class Clock:
    def __init__(self) -> None:
        self.time = datetime(2026, 3, 18, 12, tzinfo=UTC).replace(tzinfo=None)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


def declarations(text: str) -> DeclarationFiles:
    return DeclarationFiles({"package.json": "{}", "index.d.ts": text})


def set_of(key: str, stored: StoredPackage) -> StoredSet:
    at = datetime(2026, 3, 18, tzinfo=UTC).replace(tzinfo=None)
    return StoredSet("key", at, at, (PlacedPackage(key, "1.0.0", f"/node_modules/{key}", stored.file),), (key,))


def test_another_process_finds_packages_and_sets(tmp_path: Path, clock: Clock) -> None:
    store = PackageStore(tmp_path / "new/packages", now=clock)
    stored = store.put("tiles", declarations("import 'react'"))
    store.put_set("tiles/v1/react", set_of("tiles", stored))
    store.save()
    other = PackageStore(tmp_path / "new/packages", now=clock)
    found = other.package("tiles")
    assert found is not None
    assert (found.imports, found.has_types, found.file) == (("react",), True, stored.file)
    assert other.set("tiles/v1/react") == set_of("tiles", stored)


def test_two_processes_keep_what_the_other_has_stored(tmp_path: Path, clock: Clock) -> None:
    stores = [PackageStore(tmp_path, now=clock) for _ in range(2)]
    for store, name in zip(stores, ("tiles", "routes"), strict=True):
        store.put_set(f"{name}/v1/", set_of(name, store.put(name, declarations(name))))
        store.save()
    other = PackageStore(tmp_path, now=clock)
    assert all(other.package(name) and other.set(f"{name}/v1/") for name in ("tiles", "routes"))


def test_equal_declarations_share_a_file(tmp_path: Path, clock: Clock) -> None:
    store = PackageStore(tmp_path, now=clock)
    assert store.put("a", declarations("export {}")).file == store.put("b", declarations("export {}")).file


def test_packages_that_were_used_longest_ago_are_deleted(tmp_path: Path, clock: Clock) -> None:
    store = PackageStore(tmp_path, now=clock, most_bytes=1)
    in_set = store.put("in a set", declarations("1"))
    store.put_set("tiles/v1/", set_of("in a set", in_set))
    unused = store.put("unused", declarations("2"))
    store.save()
    assert store.path(in_set.file).exists()
    assert not store.path(unused.file).exists()
    assert store.package("unused") is None


def test_packages_below_the_limit_stay(tmp_path: Path, clock: Clock) -> None:
    store = PackageStore(tmp_path, now=clock, most_bytes=150)
    sizes = [store.put(name, declarations(name)).file_bytes for name in ("old", "used", "new")]
    assert sum(sizes) > 150 > sum(sizes[1:])
    store.package("old")
    store.save()
    assert [store.package(name) is not None for name in ("old", "used", "new")] == [True, False, True]


def test_sets_of_removed_versions_are_forgotten(tmp_path: Path, clock: Clock) -> None:
    store = PackageStore(tmp_path, now=clock)
    stored = store.put("tiles", declarations("1"))
    for name in ("tiles/v1/", "tiles/v2/"):
        store.put_set(name, set_of("tiles", stored))
    store.keep_sets(lambda name: name == "tiles/v2/")
    assert (store.set("tiles/v1/"), store.set("tiles/v2/") is not None) == (None, True)


def test_refused_package_is_tried_again_after_a_day(tmp_path: Path, clock: Clock) -> None:
    store = PackageStore(tmp_path, now=clock)
    store.refuse("huge", "It is too large")
    found = store.package("huge")
    assert found is not None
    assert found.refused == "It is too large"
    clock.time += timedelta(days=1)
    assert store.package("huge") is None


def test_leftovers_of_an_ended_process_are_deleted(tmp_path: Path, clock: Clock) -> None:
    store = PackageStore(tmp_path, now=clock)
    stored = store.put("tiles", declarations("1"))
    store.save()
    old, recent = store.download_file(), store.download_file()
    os.utime(old, (1, 1))
    PackageStore(tmp_path, now=clock)
    assert (old.exists(), recent.exists(), store.path(stored.file).exists()) == (False, True, True)


def test_set_with_a_damaged_file_is_not_used(tmp_path: Path, clock: Clock) -> None:
    store = PackageStore(tmp_path, now=clock)
    stored = store.put("tiles", declarations("1"))
    store.put_set("tiles/v1/", set_of("tiles", stored))
    store.save()
    store.path(stored.file).write_bytes(b"cut")
    assert PackageStore(tmp_path, now=clock).set("tiles/v1/") is None
