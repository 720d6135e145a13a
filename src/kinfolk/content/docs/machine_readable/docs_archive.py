"""The files of docs.zip: the Markdown of all pages of a version, each at the path of its address, and their index."""

from __future__ import annotations

from collections.abc import Iterator

from kinfolk.content.docs.machine_readable.llms_txt import version_llms_txt
from kinfolk.content.docs.snapshots.version_docs import VersionDocs


def archive_files(version_docs: VersionDocs, origin: str) -> Iterator[tuple[str, bytes]]:
    """The path and the content of each file, the index first. Pages that cannot be read are left out."""
    folder = f"{version_docs.library.id}/{version_docs.segment}"
    yield f"{folder}/llms.txt", version_llms_txt(version_docs, origin).encode(errors="replace")
    for inside, file in version_docs.pages().items():
        page = version_docs.export(file, origin)
        if page is not None:
            yield f"{folder}/docs/{inside}.md", page.text.encode(errors="replace")
