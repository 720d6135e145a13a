"""Reading declarations from tarballs, also from those that are attacks."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest
from tests.servers.npm_registry import BOMB_BYTES, MANY_FILES, Fault, NpmRegistry, PackageFiles

from kinfolk.content.code_checks.packages.registry.declaration_files import (
    DeclarationFiles,
    PackageLimits,
    read_tarball,
)
from kinfolk.content.code_checks.packages.registry.packument import UnusablePackage

CALLED = "tiles@1.0.0"
SMALL = PackageLimits(entries=500, unpacked_bytes=1 << 20, files=550, file_bytes=1 << 19, text_bytes=1 << 19)


def tarball(folder: Path, files: PackageFiles, fault: Fault | None = None) -> Path:
    registry = NpmRegistry({"tiles": {"1.0.0": files}})
    registry._server.server_close()
    if fault:
        registry.tarball_faults["tiles"] = fault
    file = folder / "tiles.tgz"
    file.write_bytes(registry.tarball("tiles", "1.0.0"))
    return file


def read(
    folder: Path, files: PackageFiles, fault: Fault | None = None, limits: PackageLimits = SMALL
) -> DeclarationFiles:
    return read_tarball(tarball(folder, files, fault), CALLED, limits)


def test_only_declarations_and_manifests_are_read(tmp_path: Path) -> None:
    files = dict.fromkeys(
        ("index.js", "index.d.ts.map", "README.md", "src/index.ts", "sub/package.json", "sub/a.d.mts", "b.d.ts"), "{}"
    )
    found = read(tmp_path, files)
    assert set(found.files) == {"package.json", "sub/package.json", "sub/a.d.mts", "b.d.ts"}
    assert (found.has_types, found.left_out) == (True, 0)


def test_manifest_has_no_scripts(tmp_path: Path) -> None:
    manifest = {"types": "a.d.ts", "scripts": {"postinstall": "rm -rf /"}, "exports": {".": "./a.js"}}
    found = read(tmp_path, {"package.json": manifest}).manifest
    assert found == {"name": "tiles", "version": "1.0.0", "types": "a.d.ts", "exports": {".": "./a.js"}}


def test_package_without_declarations_has_no_types(tmp_path: Path) -> None:
    assert not read(tmp_path, {"index.js": "", "package.json": {"main": "index.js"}}).has_types


def test_commonjs_twin_of_a_declaration_is_left_out(tmp_path: Path) -> None:
    both = {"a.d.ts": "", "a.d.cts": "", "b.d.mts": "", "b.d.cts": "", "only.d.cts": ""}
    exports = {".": {"import": "./a.d.ts", "require": "./a.d.cts"}}
    assert set(read(tmp_path, {"package.json": {"exports": exports}, **both}).files) == {
        "package.json", "a.d.ts", "b.d.mts", "only.d.cts",
    }  # fmt: skip
    assert both.keys() < read(tmp_path, {"package.json": {"types": "a.d.cts"}, **both}).files.keys()


def test_packages_that_declarations_import_are_known(tmp_path: Path) -> None:
    text = """/// <reference types="node" />
    import * as React from 'react'; import type { A } from "./local"; export * from '@acme/core/sub'
    type B = typeof import("csstype"); import 'node:fs'; import x = require('estree'); const from = 'no-import'
    """
    found = read(tmp_path, {"index.d.ts": text})
    assert found.imports == {"node", "react", "@acme/core", "csstype", "estree"}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("bomb", f"{CALLED} has a declaration of more than 512 kB"),
        ("many-files", f"{CALLED} has more than 500 files"),
        ("not-gzip", f"The tarball of {CALLED} cannot be read: BadGzipFile"),
        ("cut", f"The tarball of {CALLED} cannot be read: EOFError"),
    ],
)
def test_tarball_beyond_a_limit_or_without_its_form_is_refused(tmp_path: Path, fault: Fault, said: str) -> None:
    with pytest.raises(UnusablePackage) as refused:
        read(tmp_path, {"index.d.ts": ""}, fault)
    assert refused.value.message == said


def test_bomb_stops_at_the_limit_of_unpacked_bytes(tmp_path: Path) -> None:
    limits = PackageLimits(unpacked_bytes=1 << 20, file_bytes=BOMB_BYTES * 2, text_bytes=BOMB_BYTES * 2)
    with pytest.raises(UnusablePackage, match="has more than 1 MB when it is unpacked"):
        read(tmp_path, {"index.d.ts": ""}, "bomb", limits)


def test_number_of_declarations_and_their_bytes_are_limited(tmp_path: Path) -> None:
    with pytest.raises(UnusablePackage, match="has more than 400 declarations or 100 bytes of them"):
        read(tmp_path, {"a.d.ts": "x" * 101}, limits=PackageLimits(files=400, text_bytes=100))
    with pytest.raises(UnusablePackage, match=f"has more than {MANY_FILES} declarations"):
        read(tmp_path, {"a.d.ts": ""}, "many-files", PackageLimits(files=MANY_FILES))


def test_hostile_paths_are_left_out(tmp_path: Path) -> None:
    found = read(tmp_path, {"index.d.ts": "export {}"}, "paths")
    assert set(found.files) == {
        "package.json", "index.d.ts", "outside.d.ts", "absolute.d.ts", "constructor/index.d.ts", "__proto__.d.ts",
    }  # fmt: skip
    assert found.left_out == 9
    assert json.loads(json.dumps(found.files)) == found.files


def test_links_and_devices_are_no_files(tmp_path: Path) -> None:
    assert set(read(tmp_path, {"index.d.ts": "export {}"}, "links").files) == {"package.json", "index.d.ts"}


@pytest.mark.parametrize("manifest", ["", "[]", "{", '"text"'])
def test_package_without_valid_manifest_is_refused(tmp_path: Path, manifest: str) -> None:
    with pytest.raises(UnusablePackage, match="has no valid package"):
        read(tmp_path, {"package.json": manifest, "index.d.ts": ""})


def test_header_that_is_read_into_memory_is_limited(tmp_path: Path) -> None:
    file = tmp_path / "tiles.tgz"
    with tarfile.open(file, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo("package/index.d.ts")
        member.pax_headers = {"comment": "x" * 100_000}
        archive.addfile(member, io.BytesIO())
    with pytest.raises(UnusablePackage, match="has a header that is too large"):
        read_tarball(file, CALLED)
