"""Sites of one library whose docs are of another dialect."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.inputs.docs_pages import render_page

from kinfolk.config.catalog import Catalog, DialectName, DocsMenuSection, Version
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.content.redirects import Redirects
from kinfolk.content.sources.directory import DirectorySource

LIB = Ref("acme/lib", "main")


class DialectDocs:
    """A folder with the docs of one library, and a publisher that reads it."""

    def __init__(self, root: Path, catalog: Catalog, redirects: Redirects) -> None:
        self._root = root
        self._catalog = catalog
        self._redirects = redirects

    def open(
        self,
        dialect: DialectName,
        files: dict[str, str],
        *,
        docs_root: str = "docs",
        menu: tuple[DocsMenuSection, ...] = (),
        exclude: tuple[str, ...] = (),
    ) -> DocsPublisher:
        library = replace(
            self._catalog.libraries[0],
            id="lib",
            to="/lib",
            repo="acme/lib",
            dialect=dialect,
            docs_root=docs_root,
            docs_menu=menu,
            docs_exclude=exclude,
            versions=(Version("v1", "main"),),
            latest_version="v1",
            latest_branch="main",
        )
        catalog = replace(self._catalog, libraries=(library,))
        self.write(files)
        source = DirectorySource(self._root, catalog.refs, "test docs")
        return DocsPublisher(DocsSnapshot(catalog, self._redirects, source.open()), source)

    def write(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            file = self._root / "acme/lib/main" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)


def menu(publisher: DocsPublisher, docs_root: str = "docs") -> dict[str, list[tuple[str, str]]]:
    config = publisher.reader().navigation(LIB, docs_root)
    return {section.label: [(link.label, link.to) for link in section.children] for section in config.sections}


def hrefs(publisher: DocsPublisher, path: str) -> list[tuple[str, bool]]:
    page = render_page(publisher.docs, LIB, path).page
    return [(link.href, link.broken) for link in page.links]
