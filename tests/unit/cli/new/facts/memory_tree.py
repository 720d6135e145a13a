"""A branch whose files are in memory, for the tests of facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from kinfolk.cli.import_site.project.git_files import GitProjectFiles
from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.snapshot import FileHistory
from kinfolk.runtime.errors import NotFound


@dataclass(frozen=True)
class MemoryTree:
    ref: Ref
    contents: Mapping[str, bytes]
    revision: str = "0" * 40
    left_out: Mapping[str, str] = field(default_factory=dict)
    broken_links: Mapping[str, str] = field(default_factory=dict)
    linked_paths: frozenset[str] = frozenset()
    changed_at: datetime | None = None

    @property
    def files(self) -> Mapping[str, str]:
        return dict.fromkeys(self.contents, "id")

    def read(self, path: str) -> bytes:
        if path not in self.contents:
            raise NotFound(path)
        return self.contents[path]

    def size(self, path: str) -> int:
        return len(self.read(path))

    def history(self, path: str) -> FileHistory | None:  # noqa: ARG002 of the protocol
        return None


def project(files: Mapping[str, str | bytes], repo: str = "acme/widgets") -> GitProjectFiles:
    contents = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return GitProjectFiles(MemoryTree(Ref(repo, "main"), contents))
