"""What one tree offers to readers, worked out once however many pages ask."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote

from kinfolk.docs.config import DocsConfig, parse_config
from kinfolk.errors import NotFound, SiteError, Unavailable
from kinfolk.markdown.front import parse_front, split_front
from kinfolk.markdown.jobs import Source
from kinfolk.markdown.renderer import MarkdownRenderer
from kinfolk.markdown.slugs import Anchors
from kinfolk.sources.paths import page_fault
from kinfolk.sources.snapshot import Ref, Tree

_EXAMPLE_FILE = re.compile(r"examples/([^/]+)/([^/]+)/")


class Contents(NamedTuple):
    """What the front matters of a docs root say: titles, and where pages have moved."""

    titles: Mapping[str, str]
    moves: Mapping[str, str]


class Shelf:
    """One tree, with its examples and a digest of its file names."""

    def __init__(self, tree: Tree, markdown: MarkdownRenderer | None = None) -> None:
        self.tree = tree
        self.markdown = markdown or MarkdownRenderer()
        self._contents: dict[str, Contents] = {}
        self._configs: dict[str, DocsConfig] = {}
        self._anchors: dict[str, tuple[Anchors, tuple[str, ...]]] = {}
        self._folders: dict[str, frozenset[str]] = {}
        self._by_framework: dict[str, Mapping[str, Mapping[str, str]]] = {}

    @property
    def ref(self) -> Ref:
        return self.tree.ref

    @property
    def files(self) -> Mapping[str, str]:
        return self.tree.files

    def config(self, docs_root: str) -> DocsConfig:
        """The navigation below a docs root. Raises NotFound where there is none, BadFact where it is wrong."""
        if docs_root not in self._configs:
            path = f"{docs_root}/config.json"
            if path not in self.files:
                raise NotFound(f"{self.ref} has no {path}")
            self._configs[docs_root] = parse_config(f"{self.ref}:{path}", self.tree.read(path))
        return self._configs[docs_root]

    def frameworks(self, docs_root: str) -> frozenset[str]:
        """The frameworks that pages below a docs root are about."""
        return frozenset(self.framework_titles(docs_root))

    def framework_titles(self, docs_root: str) -> Mapping[str, Mapping[str, str]]:
        """Like `titles`, but only pages about a framework, by framework."""
        if docs_root not in self._by_framework:
            found: dict[str, dict[str, str]] = {}
            for inside, title in self.titles(docs_root).items():
                match inside.split("/", 2):
                    case ["framework", framework, _]:
                        found.setdefault(framework, {})[inside] = title
            self._by_framework[docs_root] = found
        return self._by_framework[docs_root]

    def page_file(self, path: str) -> str | None:
        """The Markdown file that answers for a repo-root path without extension: `x.md`, else `x/index.md`."""
        for candidate in (f"{path}.md", f"{path}/index.md"):
            if candidate in self.files:
                return candidate
        return None

    def has_entry(self, docs_root: str, to: str) -> bool:
        """Whether an entry of the navigation leads to a page or an example, or to another site."""
        path = to.partition("#")[0].partition("?")[0]
        match path.split("/"):
            case ["https:" | "http:", *_]:
                return True
            case ["framework", framework, "examples", name]:
                return self.has_example(framework, name)
        return self.page_file(f"{docs_root}/{path}") is not None

    def titles(self, docs_root: str) -> Mapping[str, str]:
        """Path below the docs root, without extension -> what the file calls itself, for every page."""
        return self._contents_of(docs_root).titles

    def anchors(self, path: str) -> tuple[Anchors, tuple[str, ...]]:
        """The places that a link into the page in a file may name, and the files they are read from."""
        if path not in self._anchors:
            source, reads = self.source(path)
            try:
                names = self.markdown.anchors(source)
            except Unavailable:
                raise
            except SiteError:  # it has no text that could be shown
                names = frozenset()
            self._anchors[path] = (Anchors(names), tuple(reads))
        return self._anchors[path]

    def source(self, path: str) -> tuple[Source, list[str]]:
        """The page in a file, and the files it is made of: those that are read later are added to the list."""
        reads: list[str] = []

        def read(file: str) -> str:
            reads.append(file)
            return self.tree.read(file).decode(errors="replace")

        return Source(f"{self.ref}:{path}", read(path), read), reads

    def moved(self, docs_root: str, inside: str) -> str | None:
        """Where the page that used to be at `inside` says it is now, by its `redirect_from`; both without extension."""
        return self._contents_of(docs_root).moves.get(inside)

    def _contents_of(self, docs_root: str) -> Contents:
        if docs_root not in self._contents:
            start = f"{docs_root}/"
            titles: dict[str, str] = {}
            moves: dict[str, str] = {}
            for path in sorted(self.files):
                if path.startswith(start) and path.endswith(".md") and page_fault(path) is None:
                    inside = path[len(start) : -3]
                    front = parse_front(split_front(self.tree.read(path).decode(errors="replace"))[0])
                    titles[inside] = front.title or title_of(path)
                    for old in front.redirect_from:
                        moves.setdefault(old.strip("/").removesuffix(".md"), inside)
            self._contents[docs_root] = Contents(titles, moves)
        return self._contents[docs_root]

    def framework_folders(self, docs_root: str) -> frozenset[str]:
        """The frameworks that have a folder below a docs root or among the examples. Reads no file."""
        if docs_root not in self._folders:
            start = f"{docs_root}/framework/"
            below = {path[len(start) :].partition("/")[0] for path in self.files if path.startswith(start)}
            self._folders[docs_root] = frozenset(below | {framework for framework, _ in self.examples})
        return self._folders[docs_root]

    @cached_property
    def structure(self) -> str:
        """Changes when, and only when, a file comes or goes: links may then resolve differently."""
        return hashlib.sha256("\n".join(sorted(self.files)).encode()).hexdigest()[:16]

    @cached_property
    def examples(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """(framework, name) of every folder `examples/{framework}/{name}` -> its files, relative to it."""
        files: dict[tuple[str, str], list[str]] = {}
        for path in self.files:
            if found := _EXAMPLE_FILE.match(path):
                files.setdefault((found[1], found[2]), []).append(path[found.end() :])
        return {example: tuple(inside) for example, inside in files.items()}

    def has_example(self, framework: str, name: str) -> bool:
        """Whether there is such an example. A copy without any, such as a docs-only one, cannot say no."""
        return not self.examples or (framework, name) in self.examples


def title_of(path: str) -> str:
    """A title for a page that has none: its file's name, or its folder's for an index."""
    parts = path.removesuffix(".md").split("/")
    slug = parts[-2] if parts[-1] == "index" and len(parts) > 1 else parts[-1]
    return slug.replace("-", " ").replace("_", " ").title() if slug.islower() else slug


def file_url(tree: Tree, path: str) -> str:
    """Where the site serves a file of a repository. The blob id makes the address immutable."""
    return f"/_files/{tree.ref.repo}/{tree.ref.branch}/{quote(path)}?v={tree.files[path][:12]}"
