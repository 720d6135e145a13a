"""Resolves the links and images of docs pages.

Authors write links for the code host, for this site and for earlier sites. So a relative link is tried, in this order:
relative to the file; relative to the page as if it were a directory; relative to the file that the page takes its text
from with `ref`. Of 14,923 links in the family's docs, 0.2 % remain unresolved.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import quote, unquote, urlsplit

from kinfolk.config.catalog import LATEST, Catalog, Library
from kinfolk.config.code_hosts import code_host
from kinfolk.config.docs_address import routed_path, version_path
from kinfolk.content.docs.branch_reader import BranchReader, BranchReaders
from kinfolk.content.docs.pages.location import DocsLocation, home_of, path_in_docs
from kinfolk.content.markdown.html.theme_pictures import split_theme
from kinfolk.content.redirects import Redirects
from kinfolk.content.sources.media_types import media_type

_SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:")
_EXAMPLE = re.compile(r"^framework/([^/]+)/examples/([^/]+)$")
_SLUG = re.compile(r"[\w-]*")
_DOCS = re.compile(r"/(?P<library>[^/?]+)/(?P<version>[^/?]+)/docs/(?P<inside>[^?]+)")


@dataclass
class DocsLinkResolver:
    """Resolves the links of one page.

    `branch` and `path` are the page's own file; `ref_path` is the file that its text comes from, if that is another
    one. `missing_images` collects images that no copy of the repository has, `pointer_images` those that are kept in
    Git LFS -> whether the code host shows them.
    """

    catalog: Catalog
    redirects: Redirects
    branches: BranchReaders
    branch: BranchReader
    library: Library
    version: str
    path: str
    ref_path: str | None = None
    missing_images: list[str] = field(default_factory=list)
    pointer_images: dict[str, bool] = field(default_factory=dict)

    def link(self, href: str) -> tuple[str, bool]:
        """The href for the page, and whether it is broken."""
        href = href.strip()
        if not href or href.startswith("#"):
            return href, False
        target, broken = self._found(href)
        return (target if broken else self._with_anchor(target)), broken

    def _found(self, href: str) -> tuple[str, bool]:
        in_dialect = self._in_dialect(href)
        if in_dialect is not None:
            return in_dialect, False
        if href.startswith("//") or _SCHEME.match(href):
            return self._absolute(href)
        if href.startswith("/"):
            return self._on_site(href, fallback=href)
        return self._relative(href)

    def _with_anchor(self, target: str) -> str:
        """The link, its fragment as the page's anchor is written. Ids of headings are slugs in lower case already."""
        path, _, fragment = target.partition("#")
        name = unquote(fragment)
        is_slug = name == name.lower() and _SLUG.fullmatch(name)
        if is_slug or not (page := _DOCS.match(routed_path(path))):
            return target
        library = self.catalog.find_library(page["library"])
        if library is None or not library.is_known_version(page["version"]):
            return target
        facts = library.docs_facts(page["version"])
        branch = self.branches.find(facts.ref)
        file = branch.page_file(f"{facts.docs_root}/{unquote(page['inside'])}") if branch else None
        if branch is None or file is None:
            return target
        return path + (branch.anchors(file).spelled(f"#{fragment}") or f"#{fragment}")

    def image(self, src: str) -> str:
        """The URL of the image's copy on this site; the `src` as written where there is no copy.

        A mark of the theme that shows the image stays. Empty for an image that nothing can show.
        """
        address, theme = split_theme(src)
        return self._image(address) + (src[len(address) :] if theme else "")

    def _image(self, src: str) -> str:
        in_dialect = self._in_dialect(src, is_image=True)
        if in_dialect is not None:
            return in_dialect
        try:
            parts = urlsplit(src)
        except ValueError:
            return src
        if (raw := self._raw_path(src)) is not None:
            branches = self._branches_of(raw)
            found, is_mirrored = self._raw_image(branches, raw, src), bool(branches)
        elif parts.scheme or parts.netloc:
            return src
        elif src.startswith("/"):
            # From the repository's root, as GitHub reads it. Others are files of the site.
            found, is_mirrored = self._picture(self.branch, unquote(parts.path).strip("/"), src), False
        else:
            paths = self._paths(unquote(parts.path))
            found = next((url for path in paths if (url := self._picture(self.branch, path, src)) is not None), None)
            is_mirrored = True
        if found is None and is_mirrored:
            self.missing_images.append(src)
        return src if found is None else found

    # Links of docs whose addresses a layout decides

    def _in_dialect(self, href: str, *, is_image: bool = False) -> str | None:
        """The target of a link as the dialect of the docs reads it. None where it names nothing in the repository."""
        layout = self.branch.layout_of(self.path)
        if layout is None or href.startswith(("//", "#", "http:", "https:", "mailto:")):
            return None
        path, rest = _split_path(href)
        if not path:
            return None
        # An address of this site, such as that of a page in another library, is none of the dialect's.
        for target in layout.targets(unquote(path), self.path):
            found = None if is_image else layout.find(target) or self._in_other_docs(target)
            if found is not None:
                return f"{self._page_url(found)}{rest}"
            if self.branch.has_file(target):
                return self._picture(self.branch, target, href) if is_image else self._file_target(target)
            if not is_image and target and self.branch.has_folder(target) and not path.startswith("/"):
                return self._example_url(target) or self._folder_url(self.branch, target)
        return None

    def _in_other_docs(self, target: str) -> str | None:
        """The address of the page of another version or library that a path of the branch names."""
        if self.catalog.docs_root(self.branch.ref, target) in (None, self._docs_root):
            return None
        layout = self.branch.layout_of(target)
        return layout.find(target) if layout else self.branch.page_file(target.removesuffix(".md"))

    def _page_url(self, file: str) -> str:
        """The URL of a page of the branch, by the address of its file."""
        inside = path_in_docs(self.catalog.docs_root(self.branch.ref, file) or "", file)
        return f"{self._base_of(file)}/{quote(inside.removesuffix('/index'))}"

    def _file_target(self, path: str) -> str | None:
        """The address of a file that is no page: of its copy on this site, else on the code host, if there is one."""
        is_text = path.endswith((".md", ".mdx"))
        if not is_text and (self.catalog.docs_home(self.branch.ref, path) or self.branch.is_static(path)):
            return self.branch.file_url(path)
        return self._source_url(path)

    def _source_url(self, path: str) -> str | None:
        """A file on the code host; None for docs in a folder only."""
        ref = self.branch.ref
        host = self.catalog.host_of(ref.repo)
        return host.file(ref.repo, ref.branch, path) if host else None

    # Relative links

    def _relative(self, href: str) -> tuple[str, bool]:
        path, rest = _split(href)
        paths = self._paths(unquote(path))
        for find in (self._route, self._outside):
            for each in paths:
                if (found := find(each)) is not None:
                    return found + rest, False
        written = paths[0].removesuffix(".md")
        start = f"{self._docs_root}/"
        inside = written[len(start) :] if written.startswith(start) else posixpath.basename(written)
        return f"{self._own_base}/{quote(inside)}{rest}", True

    def _paths(self, path: str) -> list[str]:
        """What a relative path may name, from the repository's root."""
        return [posixpath.normpath(posixpath.join(folder, path)) for folder in self._folders]

    @cached_property
    def _folders(self) -> tuple[str, ...]:
        """The folders that relative links may start from. Authors write links from the file or from its address."""
        own = (posixpath.dirname(self.path), self.path.removesuffix(".md"))
        return (*own, posixpath.dirname(self.ref_path)) if self.ref_path else own

    def _route(self, path: str) -> str | None:
        """The URL for a path from the repository's root: of a page, an example or another file."""
        if path.startswith(".."):
            return None
        bare = path.removesuffix(".md").removesuffix("/")
        bare = self.branch.folder_of_readme(bare) or bare
        docs_root = self.catalog.docs_root(self.branch.ref, bare)
        if docs_root is not None and (url := self._docs_url(docs_root, bare)):
            return url
        if example := self._example_url(bare):
            return example
        if not path.endswith(".md") and self.branch.has_file(path):
            return self._source_url(path) if docs_root is None else self.branch.file_url(path)
        return None

    def _docs_url(self, docs_root: str, path: str) -> str | None:
        """The URL of a path below a docs root, if there is a page, a list or an example."""
        is_own = docs_root == self._docs_root
        library, version = (self.library, self.version) if is_own else home_of(self.catalog, self.branch.ref, docs_root)
        inside = path[len(docs_root) + 1 :]
        if self._has_page(self.branch, library, docs_root, inside):
            return f"{version_path(library.id, version)}/docs/{quote(inside)}".rstrip("/")
        return self._example_source(self.branch, inside)

    def _outside(self, path: str) -> str | None:
        """The URL on the code host of a file or folder of the repository that no page has."""
        if path.startswith(".."):
            return None
        if self.branch.has_file(path):
            return self._source_url(path)
        is_folder = path != "." and self.branch.has_folder(path)
        return self._folder_url(self.branch, path) if is_folder else None

    def _example_url(self, path: str) -> str | None:
        """The page of the example in a folder of the repository; its source where this copy has no examples."""
        example = self.branch.examples_layout.split(path)
        if example is None or example[2]:
            return None
        framework, name, _ = example
        if self.branch.has_example(framework, name):
            return f"{self._own_base}/framework/{framework}/examples/{name}"
        folder = self.branch.missing_example_folder(framework, name)
        return self._folder_url(self.branch, folder) if folder else None

    def _picture(self, branch: BranchReader, path: str, src: str) -> str | None:
        """The URL of the copy of a picture or film; of one in Git LFS, that on the code host, or nothing."""
        if not branch.has_file(path):
            return None
        host = self.catalog.host_of(branch.ref.repo)
        if branch.is_pointer(path):
            self.pointer_images[src] = host is not None
            return host.media(branch.ref.repo, branch.ref.branch, path) if host else ""
        is_open = branch.is_static(path) or self.catalog.docs_home(branch.ref, path) or branch.examples_layout.has(path)
        if is_open or media_type(path):
            return branch.file_url(path)
        # This site shows no other files of a repository.
        return host.raw(branch.ref.repo, branch.ref.branch, path) if host else None

    # Absolute links

    def _absolute(self, href: str) -> tuple[str, bool]:
        parts = urlsplit(href)
        if parts.scheme in ("http", "https") and parts.netloc.lower() in self.catalog.site_hosts:
            _, rest = _split(href)
            return self._on_site((parts.path or "/") + rest, fallback=href)
        return href, False

    def _on_site(self, href: str, *, fallback: str) -> tuple[str, bool]:
        """A link to a path of this site. Paths outside of a library are not checked here."""
        path, rest = _split(href)
        library_id, _, after = path.strip("/").partition("/")
        library = self.catalog.find_library(library_id)
        if library is None:
            if (found := self._file_of_repository(unquote(path))) is not None:
                return found + rest, False
            # `kinfolk check` knows the posts and the pages of the site itself.
            return fallback, False
        version, _, inside = after.partition("/")
        moved = self.redirects.match(path)
        if moved is not None:
            return _with_hash(moved.to, rest), False
        if not version or (library.is_known_version(version) and inside in ("", "docs")):
            return f"{version_path(library.id, version or LATEST)}{'/docs' if inside else ''}{rest}", False
        if not library.is_known_version(version):
            version = LATEST
        if not inside.startswith("docs/"):
            return fallback, True
        return self._docs_page(library, version, inside.removeprefix("docs/"), rest)

    def _docs_page(self, library: Library, version: str, path: str, rest: str) -> tuple[str, bool]:
        """A link to a page of a version, whose path may have the ending of its file."""
        facts = library.docs_facts(version)
        branch = self.branches.find(facts.ref)
        page = path.removesuffix(".md")
        if branch is not None and (folder := branch.folder_of_readme(f"{facts.docs_root}/{unquote(page)}")):
            page = quote(folder.removeprefix(f"{facts.docs_root}/"))
        if branch is not None and (source := self._example_source(branch, unquote(page))):
            return source, False
        if branch is None or self._has_page(branch, library, facts.docs_root, unquote(page)):
            return f"{version_path(library.id, version)}/docs/{page}{rest}", False
        moved = self.redirects.match(f"/{library.id}/{version}/docs/{page}", missing=True)
        if moved is not None:
            return _with_hash(moved.to, rest), False
        return f"{version_path(library.id, version)}/docs/{path}{rest}", True

    def _file_of_repository(self, path: str) -> str | None:
        """The target of a path from the repository's root, as GitHub reads it; None where there is no such file."""
        inside = posixpath.normpath(path.strip("/"))
        return self._route(inside) or self._outside(inside) if self.branch.has_file(inside) else None

    # Targets

    def _has_page(self, branch: BranchReader, library: Library, docs_root: str, inside: str) -> bool:
        """Whether a path below the docs of a library is a page, a list or an example."""
        if inside in ("", "framework"):
            return True
        if inside.startswith("framework/") and self._is_framework(library, inside.removeprefix("framework/")):
            return True
        example = _EXAMPLE.match(inside)
        if example:
            return branch.has_example(example[1], example[2])
        return branch.page_file(f"{docs_root}/{inside}") is not None

    def _example_source(self, branch: BranchReader, inside: str) -> str | None:
        """The folder on the code host of an example that this copy has no files of; None for other paths."""
        example = _EXAMPLE.match(inside)
        folder = branch.missing_example_folder(example[1], example[2]) if example else None
        return self._folder_url(branch, folder) if folder else None

    def _folder_url(self, branch: BranchReader, folder: str) -> str | None:
        host = self.catalog.host_of(branch.ref.repo)
        return host.folder(branch.ref.repo, branch.ref.branch, folder) if host else None

    def _is_framework(self, library: Library, name: str) -> bool:
        return name in library.frameworks or any(name == known.value for known in self.catalog.frameworks)

    def _branches_of(self, path: str) -> list[BranchReader]:
        """The branches of the repository in the path of a raw file, the page's own branch first."""
        refs = sorted(
            ref for ref in {*self.catalog.refs, self.branch.ref} if path.lower().startswith(f"/{ref.repo.lower()}/")
        )
        refs.sort(key=lambda ref: ref != self.branch.ref)
        return [branch for ref in refs if (branch := self.branches.find(ref)) is not None]

    def _raw_path(self, src: str) -> str | None:
        """`/owner/name/branch/path` of a raw file on a host of the family's repositories; None for other addresses."""
        if not src.startswith(("https://", "http://")):
            return None
        hosts = dict.fromkeys((code_host(), *self.catalog.hosts.values()))
        return next((path for host in hosts if (path := host.raw_path(src)) is not None), None)

    def _raw_image(self, branches: Sequence[BranchReader], path: str, src: str) -> str | None:
        rest = path.strip("/").split("/")[2:]
        if rest[:2] == ["refs", "heads"]:
            rest = rest[2:]
        # A branch may have slashes in its name, so each suffix of the path is tried.
        for branch in branches:
            for start in range(1, len(rest)):
                found = self._picture(branch, "/".join(rest[start:]), src)
                if found is not None:
                    return found
        return None

    @property
    def _own_base(self) -> str:
        """`/query/latest/docs`, in the version of the page's address."""
        return f"{version_path(self.library.id, self.version)}/docs"

    def _base_of(self, file: str) -> str:
        """The base of a file's URL: that of the library and version that its docs root is of."""
        if self.catalog.docs_root(self.branch.ref, file) == self._docs_root:
            return self._own_base
        library, segment = home_of(self.catalog, self.branch.ref, file)
        return f"{version_path(library.id, segment)}/docs"

    @cached_property
    def _docs_root(self) -> str | None:
        """The docs root of the page."""
        return self.catalog.docs_root(self.branch.ref, self.path)


def page_links(
    catalog: Catalog, redirects: Redirects, branches: BranchReaders, location: DocsLocation, ref_path: str | None = None
) -> DocsLinkResolver:
    """Resolves the links of a page. Raises NotFound for a missing page, and what `BranchReaders.branch` raises."""
    file, version = location.required_file(), location.address.version
    branch = branches.branch(location.ref)
    return DocsLinkResolver(catalog, redirects, branches, branch, location.library, version, file, ref_path=ref_path)


def _split(href: str) -> tuple[str, str]:
    """`a/b?x#y` -> (`a/b`, `?x#y`), without scheme and host."""
    if _SCHEME.match(href):
        href = href.split("//", 1)[-1]
        href = "/" + href.split("/", 1)[1] if "/" in href else "/"
    end = min((i for i in (href.find("?"), href.find("#")) if i >= 0), default=len(href))
    return href[:end], href[end:]


def _split_path(href: str) -> tuple[str, str]:
    """`a/b?x#y` -> (`a/b`, `?x#y`), for an address without a host."""
    end = min((i for i in (href.find("?"), href.find("#")) if i >= 0), default=len(href))
    return href[:end], href[end:]


def _with_hash(target: str, rest: str) -> str:
    anchor = rest[rest.index("#") :] if "#" in rest else ""
    return target if "#" in target else target + anchor
