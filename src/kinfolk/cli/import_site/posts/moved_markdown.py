"""A Markdown file of another program as Markdown of this site, at another address, with its links and pictures."""

from __future__ import annotations

import hashlib
import posixpath
import re
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from kinfolk.cli.import_site.project.project_import import ProjectImport
from kinfolk.content.markdown.dialects import PlacedFile
from kinfolk.content.markdown.export import export_markdown
from kinfolk.content.markdown.source.compose import compose
from kinfolk.runtime.budget import OverBudget
from kinfolk.runtime.errors import NotFound

MEDIA = "media"
"""Folder of `public/` that pictures are copied to."""
LARGEST_PICTURE = 4 << 20
"""Bytes."""
MOST_BYTES = 96 << 20
"""Bytes of all pictures."""
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg")

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


@dataclass(frozen=True)
class MovedText:
    """`description` is one line, which may be empty. `faults` are what the dialect reports, each with its line."""

    title: str
    description: str
    text: str
    faults: tuple[tuple[int, str], ...] = ()


@dataclass
class TextMover:
    """Translates files of one dialect. `static` are folders whose files the old site served at its root."""

    project: ProjectImport
    dialect: str
    root: str
    static: tuple[str, ...] = ()
    origin: str = ""
    """Origin of the old site, for links to what the new one does not have."""
    addresses: dict[str, str] = field(default_factory=dict)
    """Files that are pages of the new site, outside of the docs, and their addresses there."""
    bytes_left: int = MOST_BYTES

    def move(self, file: str, text: str, *, address: str) -> MovedText | None:
        """The file at its new address. None for one that cannot be read within the limits of a page."""
        try:
            place = PlacedFile(self.dialect, file, self.root)
            composed = compose(text, self._read, place, for_export=True)
            exported = export_markdown(composed)
        except (OverBudget, NotFound):
            return None
        problems = composed.translated.problems if composed.translated else ()
        resolver = _MovedLinks(self, file, address)
        body = exported.with_links(resolver).strip()
        title = exported.title or (composed.translated.title if composed.translated else None) or ""
        return MovedText(
            _line(title), _line(exported.description), body, tuple((one.line, one.message) for one in problems)
        )

    def _read(self, path: str) -> str:
        text = self.project.files.text(path)
        if text is None:
            raise NotFound(f"There is no file {path}")
        return text

    def picture(self, path: str) -> str | None:
        """The address of a copy of a file of the project; None for what is no picture, too large or missing."""
        if not path.lower().endswith(PICTURES):
            return None
        name = _public_name(path)
        pictures = self.project.site.pictures
        if f"public/{name}" not in pictures:
            content = self.project.files.content(path, LARGEST_PICTURE)
            if content is None or content.startswith(b"version https://git-lfs") or len(content) > self.bytes_left:
                return None
            self.bytes_left -= len(content)
            pictures[f"public/{name}"] = content
        return f"/{name}"

    def file_address(self, path: str) -> str | None:
        """A file on the code host."""
        site = self.project.site
        if not site.repo or not self.project.files.is_file(path):
            return None
        return f"https://github.com/{site.repo}/blob/{site.branch or 'main'}/{quote(path)}"


@dataclass(frozen=True)
class _MovedLinks:
    """Resolves the links of one file."""

    mover: TextMover
    file: str
    address: str

    def link(self, href: str) -> tuple[str, bool]:
        path, mark, rest = _split(href)
        if not path or _SCHEME.match(href) or href.startswith("//"):
            return self._of_the_old_site(href), False
        found = self._target(unquote(path))
        return (found + mark + rest if found else self._on_the_old_site(path) + mark + rest), False

    def image(self, src: str) -> str:
        path = unquote(_split(src)[0])
        if _SCHEME.match(src) or src.startswith("//") or not path:
            return src
        files = self._files(path)
        found = next((address for one in files if (address := self.mover.picture(one))), None)
        if found is not None:
            return found
        site = self.mover.project.site
        existing = next((one for one in files if self.mover.project.files.is_file(one)), None)
        if existing is not None and site.repo:
            return f"https://raw.githubusercontent.com/{site.repo}/{site.branch or 'main'}/{quote(existing)}"
        return self._on_the_old_site(path)

    def _files(self, path: str) -> list[str]:
        """Files of the project that a path can mean."""
        path = path.removeprefix("pathname://")
        if path.startswith("@site/"):
            above = posixpath.dirname(self.mover.root)
            return [posixpath.normpath(posixpath.join(above, path.removeprefix("@site/")))]
        if path.startswith("/"):
            return [posixpath.join(folder, path.lstrip("/")) for folder in (*self.mover.static, self.mover.root)]
        here = posixpath.dirname(self.file)
        bases = [here, *self.mover.static] if not path.startswith(".") else [here]
        return [posixpath.normpath(posixpath.join(base, path)) for base in bases]

    def _target(self, path: str) -> str | None:
        project = self.mover.project
        if path.startswith("/"):
            found = project.target(path)
            if found is not None:
                return found
        for file in self._files(path):
            found = self.mover.addresses.get(file) or project.file_target(file) or self.mover.picture(file)
            if found is not None or (found := self.mover.file_address(file)) is not None:
                return found
        if not path.startswith("/"):
            # Links of posts are relative to the address of the post, too.
            return project.target(posixpath.normpath(posixpath.join("/blog", path)))
        return None

    def _of_the_old_site(self, href: str) -> str:
        origin = self.mover.origin
        if origin and href.startswith(f"{origin}/"):
            path, mark, rest = _split(href.removeprefix(origin))
            found = self.mover.project.target(path)
            return found + mark + rest if found else href
        return href

    def _on_the_old_site(self, path: str) -> str:
        """A path of the old site that the new one does not have."""
        if not self.mover.origin:
            return path
        return f"{self.mover.origin}{path}" if path.startswith("/") else posixpath.join(self.mover.origin, path)


def _split(href: str) -> tuple[str, str, str]:
    mark = "?" if "?" in href.partition("#")[0] else "#"
    return href.partition(mark)


def _public_name(path: str) -> str:
    parts = [_UNSAFE.sub("-", part).strip("-._") or "x" for part in path.split("/")]
    name = "/".join(parts)
    if name != path:
        stem, dot, ending = name.rpartition(".")
        name = f"{stem}-{hashlib.sha256(path.encode()).hexdigest()[:6]}{dot}{ending}"
    return f"{MEDIA}/{name}"


def _line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
