"""Assets of former builds of the frontend."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from typing import NoReturn

import orjson
import pytest

from kinfolk.web.endpoints.files.asset_store import LOCK, MANIFEST, AssetStore


def built(tmp_path: Path, name: str, *, shared: bytes = b"shared") -> Path:
    """The assets of a build: a file of its own, and one that all builds have."""
    folder = tmp_path / f"build-{name}"
    folder.mkdir(exist_ok=True)
    (folder / f"app-{name}.js").write_bytes(f"app {name}".encode())
    (folder / "shared-1.css").write_bytes(shared)
    return folder


def store_of(tmp_path: Path, name: str, *, builds: int = 3) -> AssetStore:
    return AssetStore(tmp_path / "var" / "assets", built(tmp_path, name), builds=builds, now=lambda: 1_700_000_000.0)


def stored_files(tmp_path: Path) -> set[str]:
    return {file.name for file in (tmp_path / "var" / "assets").iterdir()} - {MANIFEST, LOCK}


def test_assets_of_the_last_three_builds_are_stored(tmp_path: Path) -> None:
    for name in ("a", "b", "c", "d"):
        assert store_of(tmp_path, name).store()
    last = store_of(tmp_path, "d")
    assert stored_files(tmp_path) == {"app-b.js", "app-c.js", "app-d.js", "shared-1.css"}
    assert [last.read(f"app-{name}.js") for name in ("a", "b", "c")] == [None, b"app b", b"app c"]
    assert last.read("shared-1.css") == b"shared"


def test_build_that_is_started_again_counts_as_the_last_one(tmp_path: Path) -> None:
    for name in ("a", "b", "c", "a", "d"):
        store_of(tmp_path, name).store()
    assert stored_files(tmp_path) == {"app-a.js", "app-c.js", "app-d.js", "shared-1.css"}


def test_older_server_finds_assets_that_a_newer_one_has_stored(tmp_path: Path) -> None:
    older = store_of(tmp_path, "a")
    older.store()
    assert older.read("app-b.js") is None
    store_of(tmp_path, "b").store()
    assert older.read("app-b.js") == b"app b"


@pytest.mark.parametrize("name", ["builds.json", "store.lock", "../secret", "/etc/passwd", ".app-a.js.new", "", "\0"])
def test_only_listed_assets_are_read(tmp_path: Path, name: str) -> None:
    store = store_of(tmp_path, "a")
    store.store()
    (tmp_path / "var" / "secret").write_text("secret")
    assert store.read(name) is None


def test_names_of_a_manifest_lead_to_no_other_folder(tmp_path: Path) -> None:
    store = store_of(tmp_path, "a")
    store.store()
    manifest = tmp_path / "var" / "assets" / MANIFEST
    content = orjson.loads(manifest.read_bytes())
    content["digests"]["../../build-a/app-a.js"] = content["digests"]["app-a.js"]
    manifest.write_bytes(orjson.dumps(content))
    assert (store.read("../../build-a/app-a.js"), store.read("app-a.js")) == (None, b"app a")


def test_corrupt_asset_is_not_served(tmp_path: Path) -> None:
    store = store_of(tmp_path, "a")
    store.store()
    file = tmp_path / "var" / "assets" / "app-a.js"
    file.unlink()
    file.write_bytes(b"app")
    assert store.read("app-a.js") is None


def test_crash_before_the_manifest_leaves_the_former_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store_of(tmp_path, "a").store()
    crashing = store_of(tmp_path, "b")

    class CrashError(Exception):
        pass

    def crash(*_: object) -> NoReturn:
        raise CrashError

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", crash)
        with pytest.raises(CrashError):
            crashing.store()
    assert crashing.read("app-a.js") == b"app a"
    assert crashing.read("app-b.js") is None
    (tmp_path / "var" / "assets" / ".app-c.js.new").write_bytes(b"ap")
    assert crashing.store()
    assert stored_files(tmp_path) == {"app-a.js", "app-b.js", "shared-1.css"}


def test_invalid_manifest_is_replaced(tmp_path: Path) -> None:
    store = store_of(tmp_path, "a")
    store.store()
    for invalid in (b"", b"[1]", b'{"builds": 1}', b"\xff"):
        (tmp_path / "var" / "assets" / MANIFEST).write_bytes(invalid)
        assert store.read("app-a.js") is None
        assert store.store()
        assert store.read("app-a.js") == b"app a"


def test_full_disk_leaves_the_former_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store_of(tmp_path, "a").store()
    failing = store_of(tmp_path, "b")

    def fail(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "link", fail)
        patch.setattr(Path, "write_bytes", fail)
        assert failing.store()
    assert failing.read("app-a.js") == b"app a"
    assert stored_files(tmp_path) == {"app-a.js", "shared-1.css"}


def test_assets_are_copied_where_the_file_system_has_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", fail)
    store = store_of(tmp_path, "a")
    store.store()
    (tmp_path / "build-a" / "app-a.js").write_bytes(b"changed in place")
    assert store.read("app-a.js") == b"app a"


def test_folder_that_cannot_be_made_is_no_failure_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file")
    store = store_of(tmp_path, "a")
    assert store.store()
    assert store.read("app-a.js") is None


def test_assets_are_stored_again_after_the_folder_was_removed(tmp_path: Path) -> None:
    store = store_of(tmp_path, "a")
    store.store()
    folder = tmp_path / "var" / "assets"
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert store.read("app-a.js") is None
    store.store()
    assert store.read("app-a.js") == b"app a"


def test_second_server_stores_after_the_first(tmp_path: Path) -> None:
    store = store_of(tmp_path, "a")
    (tmp_path / "var" / "assets").mkdir(parents=True)
    with (tmp_path / "var" / "assets" / LOCK).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert not store.store()
    assert store.store()
