"""Provides packages with their declarations: from the store, the registry or the tree of a branch."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from kinfolk.content.code_checks.packages.package_store import PackageStore, StoredPackage
from kinfolk.content.code_checks.packages.registry.declaration_files import (
    LIMITS,
    DeclarationFiles,
    PackageLimits,
    read_tarball,
)
from kinfolk.content.code_checks.packages.registry.npm_registry_client import NpmRegistryClient
from kinfolk.content.code_checks.packages.registry.packument import Packument, PublishedVersion, UnusablePackage
from kinfolk.content.code_checks.packages.tree_packages import TreePackages
from kinfolk.runtime.errors import NotFound


class PackageProvider:
    """For one set. Packages that the registry does not have are read from the tree."""

    def __init__(
        self,
        registry: NpmRegistryClient | None,
        store: PackageStore,
        tree: TreePackages,
        limits: PackageLimits = LIMITS,
    ) -> None:
        self._registry = registry
        self._store = store
        self._tree = tree
        self._limits = limits

    @property
    def versions_on_branch(self) -> Mapping[str, str]:
        return self._tree.versions

    async def packument(self, name: str) -> Packument:
        """Raises NotFound, UnusablePackage and Unavailable."""
        try:
            if self._registry is None:
                raise NotFound(f"KINFOLK_NPM_REGISTRY names no registry that could have {name}")
            return await self._registry.packument(name)
        except NotFound:
            found = self._tree.published(name)
            if found is None:
                raise
            return Packument.of_one(found)

    async def package(self, published: PublishedVersion) -> StoredPackage:
        """The declarations of a version, from the disk if they are there. Raises UnusablePackage and Unavailable."""
        if not published.tarball:
            files = await asyncio.to_thread(self._tree.files, published.name, self._limits)
            return await asyncio.to_thread(self._store.put, f"{published.name}@{published.version} of the tree", files)
        key = f"{published.name}@{published.version} {published.integrity or published.hex_digest}"
        stored = await asyncio.to_thread(self._store.package, key)
        if stored is None:
            try:
                stored = await asyncio.to_thread(self._store.put, key, await self._download(published))
            except UnusablePackage as refused:
                self._store.refuse(key, refused.message)
                raise
        if stored.refused:
            raise UnusablePackage(stored.refused)
        return stored

    async def _download(self, published: PublishedVersion) -> DeclarationFiles:
        if self._registry is None:
            raise NotFound(f"KINFOLK_NPM_REGISTRY names no registry that could have {published.name}")
        file = self._store.download_file()
        try:
            await self._registry.download(published, file)
            called = f"{published.name}@{published.version}"
            return await asyncio.to_thread(read_tarball, file, called, self._limits)
        finally:
            file.unlink(missing_ok=True)
