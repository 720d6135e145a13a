"""The docs of one branch at one commit: pages, navigation, titles, anchors and examples, each computed once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote

from kinfolk.config.catalog import WHOLE_REPOSITORY, Catalog, ExamplesLayout, ExamplesRule
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.file_layouts import (
    DocsFolder,
    PageLayout,
    inner_roots,
    open_layouts,
    page_facts,
    split_page,
    unread_files,
)
from kinfolk.content.docs.menus.folder_menu import menu_of
from kinfolk.content.docs.menus.menu_config import DocsConfig, parse_config, target_of_path
from kinfolk.content.docs.other_pages.symbol_pages import SymbolPages, is_about_symbols, names_of_page
from kinfolk.content.markdown.api_reference.documented_names import DocumentedNames
from kinfolk.content.markdown.deprecated_symbols import page_deprecation
from kinfolk.content.markdown.dialects import GITHUB, PlacedFile
from kinfolk.content.markdown.dialects.readers.myst.page_labels import page_labels, page_tocs
from kinfolk.content.markdown.front_matter import parse_front_matter, split_front_matter
from kinfolk.content.markdown.links.slugs import Anchors
from kinfolk.content.markdown.processes.jobs import MarkdownFile
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.sources.paths import folders_of, page_fault
from kinfolk.content.sources.snapshot import Tree
from kinfolk.runtime.errors import InvalidFile, NotFound, SiteError, Unavailable


class FrontMatterIndex(NamedTuple):
    """Of the text of all pages: titles, redirects, and files of pages that readers cannot use.

    Redirects are those of `redirect_from`, and those of folders without a page.

    `refs` are pages -> the file that their text comes from. `without_text` are those whose `ref` names no file,
    `generated` those that the original site makes.
    """

    titles: Mapping[str, str]
    redirects: Mapping[str, str]
    refs: Mapping[str, str]
    without_text: frozenset[str]
    generated: frozenset[str]


def indexed_facts(text: str) -> tuple[object, ...]:
    """What `FrontMatterIndex` and menus without `config.json` read of a page. Other edits leave them as they are."""
    block, body = split_page(text)
    front = parse_front_matter(block)
    # A dialect may read a heading of the second level at the start of a page without a title as the title.
    first_line = body.lstrip("\n").partition("\n")[0]
    title = front.title or (first_line if first_line.startswith("## ") else None)
    facts = replace(page_facts(text), front={})
    return title, front.ref, front.redirect_from, facts, page_labels(body), page_tocs(body)


class BranchDocs:
    """One tree with its derived values. `BranchReader` gives responses access to it and records their reads."""

    def __init__(
        self,
        tree: Tree,
        markdown: MarkdownRenderer | None = None,
        folders: Iterable[DocsFolder] = (),
        examples: ExamplesRule | None = None,
        *,
        is_release: bool = False,
    ) -> None:
        """`folders` are the docs folders of the branch. In one that is not named, all Markdown files are pages.

        A release has a menu of its folders in place of a wrong `config.json`: nobody can correct that.
        """
        self.tree = tree
        self._is_release = is_release
        self._examples_rule = examples or ExamplesRule()
        self._layouts, self._all_layouts = open_layouts(
            folders, tree.files, lambda path: tree.read(path).decode(errors="replace")
        )
        self._inner = {
            root: tuple(f"{one}/" for one in inner_roots(root, self._all_layouts)) for root in self._all_layouts
        }
        self.markdown = markdown or MarkdownRenderer()
        self._front_matter: dict[str, FrontMatterIndex] = {}
        self._configs: dict[str, DocsConfig] = {}
        self._menu_files: dict[str, set[str]] = {}
        self._deprecations: dict[str, str] = {}
        self._symbol_pages: dict[str, SymbolPages] = {}
        self._anchors: dict[str, tuple[Anchors, tuple[str, ...]]] = {}
        self._folders: dict[str, frozenset[str]] = {}
        self._page_paths: dict[str, Sequence[str]] = {}
        self._frameworks: dict[str, frozenset[str]] = {}
        self._framework_titles: dict[str, Mapping[tuple[str, bool], Mapping[str, str]]] = {}

    @property
    def ref(self) -> Ref:
        return self.tree.ref

    @property
    def revision(self) -> str:
        return self.tree.revision

    @property
    def files(self) -> Mapping[str, str]:
        """Path from the repository's root -> git id of the content."""
        return self.tree.files

    def read(self, path: str) -> bytes:
        """Raises NotFound for a file that the branch does not have."""
        return self.tree.read(path)

    def size(self, path: str) -> int:
        """Bytes of a file. Raises what `read` raises."""
        return self.tree.size(path)

    def blob(self, path: str) -> str | None:
        """The git id of a file's content; None for a file that the branch does not have."""
        return self.tree.files.get(path)

    def file_url(self, path: str) -> str:
        """The URL on this site of a file that the branch has. The git id makes it immutable."""
        return f"/_files/{self.ref.repo}/{self.ref.branch}/{quote(path)}?v={self.files[path][:12]}"

    def layout_of(self, path: str) -> PageLayout | None:
        """The layout that decides about the address of a page; None where files have addresses of their own names."""
        for root, layout in self._layouts.items():
            if path == root or path.startswith(f"{root}/"):
                return layout if self.is_in_docs(root, path) else None
        return None

    def is_in_docs(self, docs_root: str, path: str) -> bool:
        """Whether a file below a docs root is below no other docs root within it."""
        inner = self._inner.get(docs_root, ())
        return not inner or not f"{path}/".startswith(inner)

    def layout(self, docs_root: str) -> PageLayout | None:
        """The layout of a docs folder that the branch was opened with."""
        return self._all_layouts.get(docs_root)

    def real_file(self, path: str) -> str:
        """The file in the repository of a page; other paths stay."""
        layout = self.layout_of(path) if self._layouts else None
        return (layout.pages if layout else self._readme_pages).get(path, path)

    @cached_property
    def folders(self) -> frozenset[str]:
        """The paths of all folders of the branch, from the repository's root."""
        return folders_of(self.files)

    @cached_property
    def _readme_pages(self) -> Mapping[str, str]:
        """The address of a folder's page -> its README, in docs without a layout that decides."""
        layouts = (layout for root, layout in self._all_layouts.items() if root not in self._layouts)
        renamed = (item for layout in layouts for item in layout.pages.items())
        return {address: file for address, file in renamed if address != file and self.layout_of(file) is None}

    @cached_property
    def _readmes(self) -> Mapping[str, str]:
        return {file: address for address, file in self._readme_pages.items()}

    def folder_of_readme(self, path: str) -> str | None:
        """The path of the page of a folder, for the path of its README without extension; None for other paths."""
        if not path.lower().endswith("readme"):
            return None
        address = self._readmes.get(f"{path}.md")
        return address.removesuffix(".md").removesuffix("/index") if address else None

    def pages_of(self, file: str) -> Sequence[str]:
        """The pages whose text is in a file, by their addresses."""
        found = [path for layout in self._layouts.values() for path, its in layout.pages.items() if its == file]
        return found or [self._readmes.get(file, file)]

    def place_of(self, path: str) -> PlacedFile | None:
        """Where the page is, for one of another dialect than GitHub's."""
        layout = self.layout_of(path) if self._layouts else None
        if layout is None or layout.dialect == GITHUB:
            return None
        file = layout.pages.get(path, path)
        return PlacedFile(layout.dialect, file, layout.folder or WHOLE_REPOSITORY, layout.components, layout.labels)

    def is_static(self, path: str) -> bool:
        """Whether a file is in a folder that the original site serves beside its pages."""
        folders = (folder for layout in self._layouts.values() for folder in layout.static_folders if folder)
        return any(path.startswith(f"{folder}/") for folder in folders)

    def config(self, docs_root: str) -> DocsConfig:
        """The navigation below a docs root: its `config.json`, else a menu made of its pages.

        Raises NotFound for a folder without pages, InvalidFile for a wrong `config.json`.
        """
        if docs_root not in self._configs:
            self._configs[docs_root] = self._config(docs_root)
        return self._configs[docs_root]

    def config_file(self, docs_root: str) -> str:
        """The path of the `config.json` of a docs root."""
        return "config.json" if docs_root == WHOLE_REPOSITORY else f"{docs_root}/config.json"

    def menu_files(self, docs_root: str) -> frozenset[str]:
        """The files besides pages that `config` has read for a menu, or would have if they existed."""
        return frozenset(self._menu_files.get(docs_root, ()))

    def _config(self, docs_root: str) -> DocsConfig:
        path = self.config_file(docs_root)
        if path in self.files:
            try:
                config = parse_config(f"{self.ref}:{path}", self.tree.read(path))
                return config.with_targets(lambda to: self._named_page(docs_root, to) or to)
            except InvalidFile:
                layout = self.layout(docs_root)
                if layout is None or (layout.dialect == GITHUB and not self._is_release):
                    raise
        layout = self.layout(docs_root)
        if layout is None or not layout.pages:
            folder = "" if docs_root == WHOLE_REPOSITORY else f"{docs_root}/"
            others = unread_files(path for path in self.files if path.startswith(folder))
            raise NotFound(f"{self.ref} has no {path}" + (f", and no pages: {others}" if others else ""))
        read = self._menu_files[docs_root] = set()

        def has_file(file: str) -> bool:
            read.add(file)
            return file in self.files

        return menu_of(layout, has_file, lambda file: self.tree.read(file).decode(errors="replace"))

    def _named_page(self, docs_root: str, to: str) -> str | None:
        """The target for an entry that is, letter by letter, the path of a page whose name has `%`, `?` or `#`.

        For the README of a folder, that of the folder.
        """
        path = to.removesuffix(".md")
        folder = self.folder_of_readme(f"{docs_root}/{path}")
        if folder is not None:
            return target_of_path(folder.removeprefix(f"{docs_root}/"))
        is_name = path != target_of_path(path) and self.page_file(f"{docs_root}/{path}") is not None
        return target_of_path(path) if is_name else None

    def page_file(self, path: str) -> str | None:
        """The Markdown file of a path without extension: `x.md`, else `x/index.md`, which may be named README."""
        layout = self.layout_of(path) if self._layouts else None
        if layout is not None:
            return layout.page_file(path)
        for candidate in (f"{path}.md", f"{path}/index.md"):
            if candidate in self._readme_pages or (candidate in self.files and candidate not in self._readmes):
                return candidate
        return None

    def has_page(self, docs_root: str, path: str) -> bool:
        """Whether a Markdown file with a URL has this path below the docs root, without extension."""
        file = f"{docs_root}/{path}.md"
        if (layout := self._layouts.get(docs_root)) is not None:
            return file in layout.pages
        if not self.is_in_docs(docs_root, file):
            return False
        if file in self._readme_pages:
            return True
        return file in self.files and page_fault(file) is None and file not in self._readmes

    def has_entry(self, docs_root: str, path: str) -> bool:
        """Whether an entry of the navigation with this path has a target: a page, an example or another site."""
        match path.split("/"):
            case ["https:" | "http:", *_]:
                return True
            case ["framework", framework, "examples", name]:
                return self.has_example(framework, name) or self.missing_example_folder(framework, name) is not None
        return self.page_file(f"{docs_root}/{path}") is not None

    def page_paths(self, docs_root: str) -> Sequence[str]:
        """The paths of all pages below a docs root, relative to it and without extension, in order."""
        if docs_root not in self._page_paths:
            start = f"{docs_root}/"
            layout = self._layouts.get(docs_root)
            self._page_paths[docs_root] = tuple(
                path[len(start) : -3]
                for path in (layout.pages if layout else sorted(map(self._address_of, self.files)))
                if path.startswith(start)
                and path.endswith(".md")
                and page_fault(path) is None
                and self.is_in_docs(docs_root, path)
            )
        return self._page_paths[docs_root]

    def markdown_files(self) -> Sequence[str]:
        """The Markdown files of the branch; pages of a layout by their addresses."""
        plain = (self._address_of(path) for path in self.files if path.endswith(".md") and self.layout_of(path) is None)
        laid_out = (path for layout in self._layouts.values() for path in layout.pages)
        return sorted({*plain, *laid_out})

    def _address_of(self, file: str) -> str:
        return self._readmes.get(file, file)

    def frameworks(self, docs_root: str) -> frozenset[str]:
        """The frameworks that have pages below a docs root."""
        if docs_root not in self._frameworks:
            named = (path.split("/", 2) for path in self.page_paths(docs_root))
            self._frameworks[docs_root] = frozenset(
                parts[1]
                for parts in named
                if len(parts) > 2 and parts[0] == "framework"  # noqa: PLR2004
            )
        return self._frameworks[docs_root]

    def titles(self, docs_root: str) -> Mapping[str, str]:
        """The title of each page below a docs root, by its path without extension."""
        return self._front_matter_of(docs_root).titles

    def framework_titles(self, docs_root: str, framework: str, *, is_reference: bool) -> Mapping[str, str]:
        """Like `titles`, for the API reference of a framework, or for its other pages."""
        if docs_root not in self._framework_titles:
            found: dict[tuple[str, bool], dict[str, str]] = {}
            for path, title in self.titles(docs_root).items():
                match path.split("/", 2):
                    case ["framework", its, _]:
                        found.setdefault((its, is_in_reference(path)), {})[path] = title
            self._framework_titles[docs_root] = found
        return self._framework_titles[docs_root].get((framework, is_reference), {})

    def deprecation(self, path: str) -> str:
        """The line about a page that is deprecated; empty for any other one. Raises what `read` raises."""
        file = self.real_file(path)
        blob = self.files.get(file, "")
        if blob not in self._deprecations:
            self._deprecations[blob] = page_deprecation(self.tree.read(file).decode(errors="replace"))
        return self._deprecations[blob]

    def symbol_pages(self, docs_root: str) -> SymbolPages:
        """Which pages of the API reference below a docs root are about which symbols."""
        if docs_root not in self._symbol_pages:
            paths = filter(is_about_symbols, self.page_paths(docs_root))
            self._symbol_pages[docs_root] = SymbolPages(
                {path: self.documented_names(f"{docs_root}/{path}.md") for path in paths}
            )
        return self._symbol_pages[docs_root]

    def documented_names(self, path: str) -> DocumentedNames:
        """The symbols that a page is about."""
        return names_of_page(path, self.real_file(path), self.place_of(path), self.tree.read)

    def redirect_target(self, docs_root: str, path: str) -> str | None:
        """The page whose `redirect_from`, or whose README, is a path. All below the docs root and without extension."""
        folder = self.folder_of_readme(f"{docs_root}/{path}")
        if folder is not None:
            return folder.removeprefix(f"{docs_root}/")
        return self._front_matter_of(docs_root).redirects.get(path)

    def refs(self, docs_root: str) -> Mapping[str, str]:
        """The pages that show the text of another file -> that file. Paths of pages as in `titles`."""
        return self._front_matter_of(docs_root).refs

    def pages_without_text(self, docs_root: str) -> frozenset[str]:
        """The files of pages that show the text of a missing file: their addresses are 404."""
        return self._front_matter_of(docs_root).without_text

    def generated_pages(self, docs_root: str) -> frozenset[str]:
        """The files of pages whose content a program of the original site makes. They are served, but not listed."""
        return self._front_matter_of(docs_root).generated

    def anchors(self, path: str) -> tuple[Anchors, tuple[str, ...]]:
        """The anchors of a page, and the files that they are read from."""
        if path not in self._anchors:
            reads: list[str] = []

            def read_text(file: str) -> str:
                reads.append(file)
                return self.tree.read(file).decode(errors="replace")

            try:
                file = self.real_file(path)
                source = MarkdownFile(f"{self.ref}:{file}", read_text(file), read_text, self.place_of(path))
                names = self.markdown.anchors(source)
            except Unavailable:
                raise
            except SiteError:  # the page has no text that can be shown
                names = frozenset()
            self._anchors[path] = (Anchors(names), tuple(reads))
        return self._anchors[path]

    def framework_folders(self, docs_root: str) -> frozenset[str]:
        """The frameworks that have a folder below a docs root or an example. Reads no file."""
        if docs_root not in self._folders:
            start = f"{docs_root}/framework/"
            below = {path[len(start) :].partition("/")[0] for path in self.files if path.startswith(start)}
            self._folders[docs_root] = frozenset(below | {framework for framework, _ in self.examples})
        return self._folders[docs_root]

    @cached_property
    def listing_digest(self) -> str:
        """Changes with what links resolve to: when files come or go, a page gets another address, or labels change."""
        listed = sorted(self.files)
        for layout in self._layouts.values():
            if layout.depends_on_contents:
                listed += (f"{address}\t{file}" for address, file in layout.pages.items())
            listed += ("\t".join(label) for label in layout.labels)
            listed += ("\t".join(redirect) for redirect in layout.folder_redirects.items())
        return hashlib.sha256("\n".join(listed).encode()).hexdigest()[:16]

    @cached_property
    def examples_layout(self) -> ExamplesLayout:
        return self._examples_rule.layout(self.files)

    @cached_property
    def examples(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """(framework, name) of each folder of an example -> its files, relative to the folder.

        Symbolic links are no files of an example: readers download them, and a link may lead out of the examples.
        """
        files: dict[tuple[str, str], list[str]] = {}
        for path in self.files:
            if path not in self.tree.linked_paths and (found := self.examples_layout.split(path)) and found[2]:
                files.setdefault(found[:2], []).append(found[2])
        return {example: tuple(inside) for example, inside in files.items()}

    def has_example(self, framework: str, name: str) -> bool:
        """Whether this copy has the files of the example."""
        return (framework, name) in self.examples

    def missing_example_folder(self, framework: str, name: str) -> str | None:
        """The folder of an example in the repository, for a copy without any examples; None for a copy with some."""
        return None if self.examples else self.examples_layout.folder(framework, name)

    def example_folder(self, framework: str, name: str) -> str:
        """The folder of an example."""
        return self.examples_layout.folder(framework, name) or name

    def _front_matter_of(self, docs_root: str) -> FrontMatterIndex:
        if docs_root not in self._front_matter:
            titles: dict[str, str] = {}
            redirects: dict[str, str] = {}
            refs: dict[str, str] = {}
            without_text = set()
            generated = set()
            for inside in self.page_paths(docs_root):
                path = f"{docs_root}/{inside}.md"
                layout = self._layouts.get(docs_root)
                file = self.real_file(path)
                text = self.tree.read(file).decode(errors="replace")
                front = parse_front_matter(split_front_matter(text)[0])
                has_own_address = layout is None and file == path
                heading = None if has_own_address or front.title else page_facts(text).title
                titles[inside] = front.title or heading or default_title(path)
                if layout is None and front.ref is not None:
                    refs[inside] = front.ref.lstrip("/")
                    if refs[inside] not in self.files:
                        without_text.add(path)
                if layout is not None and layout.is_generated(file):
                    generated.add(path)
                for old in front.redirect_from:
                    redirects.setdefault(old.strip("/").removesuffix(".md"), inside)
            layout = self._layouts.get(docs_root)
            for folder, inside in layout.redirected_paths.items() if layout else ():
                redirects.setdefault(folder, inside)
            self._front_matter[docs_root] = FrontMatterIndex(
                titles, redirects, refs, frozenset(without_text), frozenset(generated)
            )
        return self._front_matter[docs_root]


def open_branch(catalog: Catalog, tree: Tree, markdown: MarkdownRenderer, *, is_release: bool = False) -> BranchDocs:
    """The docs of a tree, in the folders that the catalog names for its branch or tag."""
    folders = []
    for library, version in catalog.versions_on(tree.ref):
        facts = library.docs_facts(version.name)
        menu = tuple((section.label, section.links) for section in facts.docs_menu)
        components = tuple((dict(catalog.components) | dict(library.components)).items())
        folders.append(DocsFolder(facts.docs_root, facts.dialect, menu, library.docs_exclude, components))
    return BranchDocs(tree, markdown, folders, catalog.examples_rule(tree.ref), is_release=is_release)


def is_in_reference(path: str) -> bool:
    """Whether the page at a path below a docs root belongs to an API reference."""
    return "reference/" in path


def default_title(path: str) -> str:
    """A title for a page that has none: its file's name, or its folder's for an index."""
    parts = path.removesuffix(".md").split("/")
    slug = parts[-2] if parts[-1] == "index" and len(parts) > 1 else parts[-1]
    return slug.replace("-", " ").replace("_", " ").title() if slug.islower() else slug
