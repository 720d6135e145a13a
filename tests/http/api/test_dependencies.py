"""Every response that a change alters is purged. Each file of a small site is changed, one at a time."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import pytest
from tests.suite.delegating_tree import DelegatingTree

from kinfolk.api.all_functions import registry
from kinfolk.api.content import ContentFacts, SiteFacts, StatisticsFacts
from kinfolk.api.registry import Call
from kinfolk.config.catalog import LATEST, Catalog, Library, load_catalog
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import DependencyRecorder, purge_tags
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.branch_docs import BranchDocs
from kinfolk.content.docs.machine_readable.llms_txt import family_llms_txt, version_full_text, version_llms_txt
from kinfolk.content.docs.machine_readable.sitemap import sitemap_index, version_sitemap
from kinfolk.content.docs.snapshots.stale_dependencies import stale_dependencies
from kinfolk.content.docs.snapshots.version_docs import find_version_docs
from kinfolk.content.sources.directory import DirectorySource, DirectoryTree
from kinfolk.content.sources.git.git_tree import GitTree
from kinfolk.content.sources.snapshot import FileHistory, Snapshot, Tree, changes
from kinfolk.runtime.errors import SiteError
from kinfolk.site.site import Site, open_site

pytestmark = pytest.mark.anyio

MAIN, OLD = "TanStack/query/main", "TanStack/query/v4"
START = "TanStack/router/main"
ORIGIN = "https://kin.example"
CONFIG = {
    "sections": [
        {
            "label": "Guides",
            "children": [{"label": "Overview", "to": "overview"}, {"label": "Later", "to": "later"}],
            "frameworks": [
                {"label": "react", "children": [{"label": "Basic", "to": "framework/react/examples/basic"}]},
                {"label": "vue", "children": [{"label": "Queries", "to": "framework/vue/queries"}]},
            ],
        }
    ]
}
FILES = {
    f"{MAIN}/docs/config.json": json.dumps(CONFIG),
    f"{MAIN}/docs/overview.md": "---\ntitle: A\n---\n[q](./framework/react/queries#Setup) ![p](./p.png) [g](./gone)",
    f"{MAIN}/docs/p.png": "picture",
    f"{MAIN}/docs/framework/react/queries.md": "---\ntitle: Queries\n---\n## Setup\n\nReact text",
    f"{MAIN}/docs/framework/react/more-queries.md": "---\ntitle: More queries\n---\nOnly for React",
    f"{MAIN}/docs/framework/vue/queries.md": "---\nref: docs/framework/react/queries.md\nreplace: {React: Vue}\n---\n",
    f"{MAIN}/docs/guides/index.md": "---\nredirect_from: [old-guides]\n---\n[r](/router/latest/docs/overview)",
    f"{MAIN}/examples/react/basic/src/index.tsx": "export const a = 1\n",
    f"{MAIN}/examples/react/basic/package.json": "{}",
    f"{MAIN}/examples/vue/other/src/App.vue": "<template>b</template>\n",
    f"{MAIN}/LICENSE": "MIT",
    f"{OLD}/docs/config.json": json.dumps({"sections": []}),
    f"{OLD}/docs/overview.md": "---\ntitle: Old overview\n---\n![p](https://raw.githubusercontent.com/TanStack/query/main/docs/p.png)",
    f"{OLD}/docs/framework/react/useQuery.md": "---\ntitle: useQuery\n---\nText",
    f"{START}/docs/router/config.json": json.dumps({"sections": []}),
    f"{START}/docs/router/overview.md": "---\ntitle: Router\n---\n[o](https://tanstack.com/query/v4/docs/overview#Top)",
}
ADDED = {
    f"{MAIN}/docs/gone.md": "---\ntitle: No longer gone\n---\n",
    f"{MAIN}/docs/later.md": "# Later\n",
    f"{MAIN}/docs/overview/index.md": "# Shadowed\n",
    f"{MAIN}/docs/framework/solid/queries.md": "# Solid\n",
    f"{MAIN}/docs/framework/react/new.md": "---\nredirect_from: [framework/react/missing]\n---\n",
    f"{MAIN}/examples/react/basic/src/main.tsx": "entry",
    f"{MAIN}/examples/solid/basic/src/index.tsx": "solid",
    f"{OLD}/docs/p.png": "p",
    f"{OLD}/docs/framework/react/queries.md": "# Old queries\n",
    "TanStack/query/v3/docs/config.json": json.dumps({"sections": []}),
}
EDITED = {
    f"{MAIN}/docs/config.json": json.dumps({"sections": [{"label": "Empty", "children": []}]}),
    f"{MAIN}/docs/framework/react/queries.md": "---\ntitle: Renamed\n---\n## Other\n\nReact words",
    f"{MAIN}/docs/framework/vue/queries.md": "---\ntitle: Queries of Vue\nref: docs/framework/react/queries.md\n---\n",
    f"{MAIN}/docs/guides/index.md": "---\ntitle: Guides\n---\nnothing",
}


@dataclass(frozen=True)
class Response:
    content: str
    tags: frozenset[str]


def tree_files(change: str) -> dict[str, str]:
    """The files after a change: `edit`, `delete` or `add`, and a path."""
    kind, _, path = change.partition(" ")
    files = dict(FILES)
    match kind:
        case "add":
            files[path] = ADDED[path]
        case "delete":
            del files[path]
        case "edit":
            files[path] = EDITED.get(path, files[path] + "\nMore.\n")
    return files


CHANGES = [
    *(f"edit {path}" for path in FILES if not path.endswith("config.json") or path in EDITED),
    *(f"delete {path}" for path in FILES),
    *(f"add {path}" for path in ADDED),
    *(f"history {path}" for path in FILES if path.endswith(".md")),
]


@dataclass(frozen=True)
class WithHistory(DelegatingTree):
    """A tree in which one file has a history."""

    path: str

    def history(self, path: str) -> FileHistory | None:
        return FileHistory(datetime(2026, 1, 2, tzinfo=UTC), ("Ada Lovelace",)) if path == self.path else None


@pytest.fixture(scope="module")
def snapshot_after(tmp_path_factory: pytest.TempPathFactory, catalog: Catalog) -> Callable[[str], Snapshot]:
    def snapshot(change: str) -> Snapshot:
        root, (kind, _, changed) = tmp_path_factory.mktemp("repos"), change.partition(" ")
        for name, text in tree_files(change).items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            moment = 1_700_000_060 if name == changed and kind != "history" else 1_700_000_000
            os.utime(path, (moment, moment))
        trees: dict[Ref, Tree] = dict(DirectorySource(root, catalog.refs, "made here").open().trees)
        for ref, tree in trees.items() if kind == "history" else ():
            prefix = f"{ref.repo}/{ref.branch}/"
            if changed.startswith(prefix):
                trees[ref] = WithHistory(tree, changed.removeprefix(prefix))
        return Snapshot(trees)

    return snapshot


@pytest.fixture(scope="module")
def site(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    content = tmp_path_factory.mktemp("content")
    for name, text in FILES.items():
        path = content / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    catalog = load_catalog(settings.site)
    opened = open_site(settings, source=DirectorySource(content, catalog.refs, "made here"))
    yield opened
    opened.content.markdown.close()
    opened.content.reader.close()


def calls() -> Iterator[tuple[str, dict[str, str]]]:
    """API calls about each page, example and file of the site, and some that do not exist."""
    missing = [f"{MAIN}/docs/old-guides.md", f"{MAIN}/docs/framework/react/missing.md", f"{MAIN}/docs/gone.md"]
    for name in (*FILES, *ADDED, *missing):
        owner, repo, branch, path = name.split("/", 3)
        where = {"repo": f"{owner}/{repo}", "branch": branch}
        yield "repo.file", where | {"filePath": path}
        if path.endswith(".md"):
            yield "docs.page", where | {"filePath": path}
            yield "docs.nearest", where | {"docsRoot": path.split("/")[0], "path": path.split("/", 1)[1]}
        if path.startswith("examples/"):
            _, framework, example, _ = path.split("/", 3)
            wanted = {"library": "query", "version": "latest", "framework": framework, "name": example}
            yield "example.files", wanted
            yield "example.file", wanted | {"path": path}
    for ref, root in (("TanStack/query", "docs"), ("TanStack/router", "docs/router")):
        yield "docs.config", {"repo": ref, "branch": "main", "docsRoot": root}
        yield "repo.directory", {"repo": ref, "branch": "main", "startingPath": root}
    for library in ("query", "router"):
        yield "catalog.library", {"id": library}
        yield "docs.framework", {"library": library, "framework": "vue"}
        yield "example.list", {"library": library, "version": "latest"}
    yield "home.page", {}


async def responses(site: Site, docs_snapshot: DocsSnapshot) -> dict[str, Response]:
    """The content and the cache tags of every response, by name. Errors that are not cached are left out."""
    found = {}
    for function, data in calls():
        result = await registry.call(function, data or None, Call.begin(site, docs_snapshot=docs_snapshot))
        if result.kind != "error":
            found[f"{function} {data}"] = Response(json.dumps(result.envelope(), sort_keys=True), result.tags)
    for name, generate in texts(site, docs_snapshot):
        recorder = DependencyRecorder()
        try:
            content = generate(ContentReader(docs_snapshot, recorder))
        except SiteError:
            continue
        found[name] = Response(content, recorder.cache_tags)
    return found


def texts(site: Site, docs_snapshot: DocsSnapshot) -> Iterator[tuple[str, Callable[[ContentReader], str]]]:
    """The Markdown of each page, llms.txt, llms-full.txt and sitemaps."""
    yield "llms.txt", lambda docs: family_llms_txt(docs, ORIGIN)
    yield "sitemap.xml", lambda docs: sitemap_index(docs, ORIGIN)
    for library in ("query", "router"):
        for version in (LATEST, *site.catalog.library(library).version_names):
            write = partial(_version_texts, library=site.catalog.library(library), version=version)
            for kind in ("llms.txt", "llms-full.txt", "sitemap.xml"):
                yield f"{library} {version} {kind}", partial(write, kind=kind)
    for name in (*FILES, *ADDED):
        owner, repo, branch, path = name.split("/", 3)
        if path.endswith(".md"):
            ref = Ref(f"{owner}/{repo}", branch)
            yield f"export {name}", partial(_export, ref=ref, path=path)


def _version_texts(docs: ContentReader, *, library: Library, version: str, kind: str) -> str:
    version_docs = find_version_docs(docs, library, version)
    match kind:
        case "llms.txt":
            return version_llms_txt(version_docs, ORIGIN)
        case "sitemap.xml":
            return version_sitemap(version_docs, ORIGIN)
    return "".join(version_full_text(version_docs, ORIGIN))


def _export(docs: ContentReader, *, ref: Ref, path: str) -> str:
    return docs.export(docs.locate(ref, path), origin=ORIGIN).text


async def test_every_response_that_a_change_alters_is_purged(
    site: Site, snapshot_after: Callable[[str], Snapshot]
) -> None:
    before = site.content.publisher.docs.with_snapshot(snapshot_after("none"))
    cached = await responses(site, before)
    assert len(cached) > 80
    not_purged = []
    for change in CHANGES:
        snapshot = snapshot_after(change)
        after = before.with_snapshot(snapshot)
        purged = purge_tags(stale_dependencies(changes(before.snapshot, snapshot), before, after))
        current = await responses(site, after)
        not_purged += [
            (change, name)
            for name, response in cached.items()
            if response.content != (current[name].content if name in current else "")
            and response.tags.isdisjoint(purged)
        ]
    assert not_purged == []


@pytest.mark.no_cover
async def test_caches_of_an_older_snapshot_do_not_alter_responses(
    site: Site, snapshot_after: Callable[[str], Snapshot]
) -> None:
    before = site.content.publisher.docs.with_snapshot(snapshot_after("none"))
    await responses(site, before)
    altered = []
    for change in CHANGES[::4]:
        snapshot = snapshot_after(change)
        fresh = DocsSnapshot(site.catalog, site.content.redirects, snapshot, highlighter=before.highlighter)
        expected = await responses(site, fresh)
        current = await responses(site, before.with_snapshot(snapshot))
        altered += [(change, name) for name in expected if current.get(name) != expected[name]]
    assert altered == []


def test_api_functions_cannot_reach_content_without_a_record(site: Site) -> None:
    raw = (DocsSnapshot, BranchDocs, Snapshot, DirectoryTree, GitTree)
    call = Call.begin(site)
    branch = next(iter(call.docs.branches().values()))
    for part in (call, call.content, call.docs, branch, branch.example_files()):
        public = [name for name in dir(part) if not name.startswith("_") and (part, name) != (call, "site")]
        assert [name for name in public if isinstance(getattr(part, name), raw)] == []
    assert public_names(ContentFacts) == {
        "landings",
        "logos",
        "framework_logos",
        "partner_marks",
        "faces",
        "reader",
        "request_sync",
    }
    assert public_names(StatisticsFacts) == {"npm", "package_search"}
    static = {
        "settings",
        "is_static",
        "catalog",
        "palette",
        "brand",
        "icons",
        "shells",
        "sign_in_by_mail",
        "has_upgrades",
    }
    parts = {"content", "search", "answers", "statistics", "maintenance", "accounts", "previews"}
    assert public_names(SiteFacts) == static | parts | {"content_source", "import_coverage"}


def public_names(of: type) -> set[str]:
    return {name for name in vars(of) if not name.startswith("_")}
