"""The docs of releases and of pull requests: read from tags and commits, opened when they are first read, and dropped
when others were read since.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping

from kinfolk.config.catalog import Catalog
from kinfolk.config.catalog.releases import Release, releases_of
from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import Dependency, releases_of_library
from kinfolk.content.docs.branch_docs import BranchDocs, open_branch
from kinfolk.content.docs.marks.docs_marks import DocsMarks
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.sources.git.tags.head_contents import HeadContents
from kinfolk.content.sources.git.tags.tag_contents import TagContents
from kinfolk.runtime.cache import ThreadSafeLRUCache
from kinfolk.runtime.errors import NotFound, Unavailable

MOST_LISTED = 8
"""Releases whose list of files stays in memory for comparisons: 0.1 MB each."""


class ReleaseDocs:
    """Opens the docs of known releases, and of pull requests. Thread-safe. `most_open` of them stay open.

    `contents` or `heads` may be None: then there are no releases, or no previews.
    """

    def __init__(
        self,
        catalog: Catalog,
        contents: TagContents | None,
        markdown: MarkdownRenderer,
        *,
        most_open: int,
        heads: HeadContents | None = None,
    ) -> None:
        self.marks = DocsMarks(catalog, contents) if contents is not None else None
        self._catalog = catalog
        self._contents = contents
        self._heads = heads
        self._markdown = markdown
        self._most_open = most_open
        self._open: OrderedDict[Ref, tuple[int, BranchDocs]] = OrderedDict()
        """The docs of each release, and the generation of the contents that they read."""
        self._lock = threading.Lock()
        self._files: ThreadSafeLRUCache[Ref, Mapping[str, str]] = ThreadSafeLRUCache(MOST_LISTED)
        self._listed_at_ns: dict[str, int | None] = {}

    def update(self) -> frozenset[Dependency]:
        """Read the lists of tags that have changed, and return the stale dependencies. Blocks."""
        stale: set[Dependency] = set()
        if self._contents is None:
            return frozenset()
        for library in self._catalog.libraries:
            repo = library.content_repo
            listed_at_ns = self._contents.listed_at_ns(repo)
            if listed_at_ns == self._listed_at_ns.get(library.id):
                continue
            self._listed_at_ns[library.id] = listed_at_ns
            facts = map(library.docs_facts, library.version_names)
            table = releases_of(
                self._contents.tags(repo),
                forms=library.release_tags,
                packages=self._catalog.release_packages(library),
                docs_roots=tuple(dict.fromkeys((library.docs_root, *(each.docs_root for each in facts)))),
            )
            if table.all != library.releases.table.all:
                library.releases.replace(table)
                stale.add(releases_of_library(library.id))
        return frozenset(stale)

    def find(self, ref: Ref) -> BranchDocs | None:
        """The docs of a release, if all their files are here; None for other refs. Reads the disk, never the network.

        Raises Unavailable for a damaged mirror.
        """
        release = self._release(ref)
        if release is None:
            return None
        contents = self._contents_of(release)
        generation = contents.generation(ref.repo)
        with self._lock:
            known = self._open.get(ref)
            if known is not None and known[0] == generation:
                self._open.move_to_end(ref)
                return known[1]
        tree = contents.open(ref, release.commit, self._folders(ref))
        if tree is None:
            return None
        return self._add(ref, generation, open_branch(self._catalog, tree, self._markdown, is_release=True))

    def files(self, ref: Ref) -> Mapping[str, str]:
        """Path -> git id of the files of a release, which need not be fetched. Reads the disk.

        Raises NotFound for other refs, Unavailable for a damaged mirror.
        """
        known = self._files.get(ref)
        if known is None:
            release = self._release(ref)
            if release is None:
                raise NotFound(f"{ref} is not a release of this site")
            known = self._contents_of(release).files(ref, release.commit, self._folders(ref))
            self._files.put(ref, known)
        return known

    def fork_files(self, ref: Ref, base: str) -> Mapping[str, str] | None:
        """Path -> git id of the files of the commit that a preview and `base` have in common; None if unknown.

        Reads the disk.
        """
        release = self._release(ref)
        if release is None or self._heads is None:
            return None
        return self._heads.fork_files(ref, release.commit, self._folders(ref), base=base)

    def is_fetched(self, ref: Ref) -> bool:
        """Whether `find` has the docs of a release. False for other refs."""
        try:
            return self.find(ref) is not None
        except Unavailable:
            return False

    def fetch(self, ref: Ref) -> None:
        """Fetch the files of a release that are not here. Blocks. Raises NotFound for other refs, Unavailable."""
        release = self._release(ref)
        if release is None:
            raise NotFound(f"{ref} is not a release of this site")
        head = release.pull_request
        if head is not None and self._heads is not None:
            self._heads.fetch_head(ref, release.commit, self._folders(ref), source=head.source)
        else:
            self._contents_of(release).fetch(ref, release.commit, self._folders(ref))

    def expect_new(self, repo: str) -> None:
        """Look for new tags of a repository at the next refresh."""
        if self._contents is not None:
            self._contents.expire(repo)

    def stop(self) -> None:
        """Stop all fetches: the process is about to exit."""
        for contents in (self._contents, self._heads):
            if contents is not None:
                contents.stop()

    def _contents_of(self, release: Release) -> TagContents:
        """Raises NotFound for a preview on a site without previews, and the same for releases."""
        contents = self._contents if release.pull_request is None else self._heads
        if contents is None:
            raise NotFound(f"{release.number} is not shown on this site")
        return contents

    def _release(self, ref: Ref) -> Release | None:
        found = (each.releases.table.of_tag(ref.branch) for each in self._catalog.libraries_of(ref.repo))
        return next((release for release in found if release is not None), None)

    def _add(self, ref: Ref, generation: int, docs: BranchDocs) -> BranchDocs:
        with self._lock:
            # Another thread may have opened them meanwhile.
            known = self._open.get(ref)
            if known is not None and known[0] == generation:
                docs = known[1]
            self._open[ref] = generation, docs
            self._open.move_to_end(ref)
            while len(self._open) > self._most_open:
                self._open.popitem(last=False)
        return docs

    def _folders(self, ref: Ref) -> tuple[str, ...]:
        """The docs roots of a release."""
        versions = self._catalog.versions_on(ref)
        return tuple(library.docs_facts(version.name).docs_root for library, version in versions)
