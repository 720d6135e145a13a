"""A tree of files whose methods a test can override one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.snapshot import FileHistory, Tree


@dataclass(frozen=True)
class DelegatingTree:
    """Delegates to `tree`. A test subclasses it and overrides one method."""

    tree: Tree

    @property
    def ref(self) -> Ref:
        return self.tree.ref

    @property
    def revision(self) -> str:
        return self.tree.revision

    @property
    def files(self) -> Mapping[str, str]:
        return self.tree.files

    @property
    def left_out(self) -> Mapping[str, str]:
        return self.tree.left_out

    @property
    def broken_links(self) -> Mapping[str, str]:
        return self.tree.broken_links

    @property
    def linked_paths(self) -> frozenset[str]:
        return self.tree.linked_paths

    @property
    def changed_at(self) -> datetime | None:
        return self.tree.changed_at

    def read(self, path: str) -> bytes:
        return self.tree.read(path)

    def size(self, path: str) -> int:
        return self.tree.size(path)

    def history(self, path: str) -> FileHistory | None:
        return self.tree.history(path)
