"""A page of the docs as plain Markdown: its title, then its text, with links that work from anywhere."""

from __future__ import annotations

from dataclasses import dataclass

from kinfolk.catalog import Library
from kinfolk.docs.library import Docs, framework_of
from kinfolk.docs.links import Links
from kinfolk.docs.shelf import title_of
from kinfolk.errors import NotFound
from kinfolk.sources.snapshot import Ref


@dataclass(frozen=True)
class PlainPage:
    """`body` is the text without the title. `framework` is the one the page is about, if any."""

    library: Library
    title: str
    description: str
    body: str
    framework: str | None

    @property
    def text(self) -> str:
        """The whole document."""
        return f"# {self.title}\n\n{self.body}\n"


def plain_page(
    docs: Docs, ref: Ref, file_path: str, version: str | None, *, origin: str, seen: set[str] | None = None
) -> PlainPage:
    """The page in a Markdown file; `origin` begins its links to this site. May be called from any thread.

    Raises what `Docs.page` raises. `seen` gets the tags of what the page was made of.
    """
    library, default = docs.home(ref, file_path)
    segment = version if version and library.is_known_version(version) else default
    shelf = docs.shelf(ref)
    path = shelf.page_file(file_path.removesuffix(".md"))
    if path is None:
        raise NotFound(f"There is no page {file_path} in {ref}")
    framework = framework_of(library, path)
    words = docs.wordings.of(shelf, path, framework)
    links = Links(docs.catalog, docs.redirects, docs.shelves, shelf, library, segment, path, borrowed=words.borrowed)
    body = words.linked(_Absolute(links, origin))
    if seen is not None:
        seen |= {f"{ref}:{read}" for read, _ in words.reads}
        seen |= {f"{shown}:{file}" for shown, file in links.shown}
        seen |= {f"{consulted}#files" for consulted in (ref, *links.consulted)}
    return PlainPage(
        library=library,
        title=words.title or title_of(path),
        description=words.description,
        body=body,
        framework=framework,
    )


def about_page(docs: Docs, ref: Ref, file_path: str) -> tuple[str, str]:
    """The title and the description of the page in a Markdown file. Raises what `Docs.page` raises."""
    library, _ = docs.home(ref, file_path)
    title, description = docs.wordings.about(docs.shelf(ref), file_path, framework_of(library, file_path))
    return title or title_of(file_path), description


def inside_of(library: Library, file_path: str) -> str:
    """`docs/guides/caching.md` -> `guides/caching`."""
    return file_path.removeprefix(library.docs_root + "/").removesuffix(".md")


@dataclass(frozen=True)
class _Absolute:
    """Links as the page's HTML has them, made whole: a text that was copied elsewhere has no base."""

    links: Links
    origin: str

    def link(self, href: str) -> tuple[str, bool]:
        target, broken = self.links.link(href)
        return self._whole(target), broken

    def image(self, src: str) -> str:
        return self._whole(self.links.image(src))

    def _whole(self, target: str) -> str:
        return f"{self.origin}{target}" if target.startswith("/") and not target.startswith("//") else target
