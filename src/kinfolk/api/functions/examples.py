"""Examples: lists, file trees and files."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from kinfolk.api.functions.versions import published_versions, version_frameworks
from kinfolk.api.registry import Call, Html, registry, request_data
from kinfolk.config.catalog import LATEST, Library
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.content.docs.other_pages.nearest_page import Alternative
from kinfolk.content.examples import Example, find_example, list_examples, numbered_lines, view_file
from kinfolk.content.examples.alternatives import example_alternative
from kinfolk.content.examples.example import raw_base_url
from kinfolk.content.examples.example_list import FrameworkCount, count_examples
from kinfolk.content.examples.external_links import ExternalLink, Sandbox, embedded_sandbox, external_links, source_url
from kinfolk.content.examples.file_view import FileKind, FileView, view_oversized_file
from kinfolk.runtime.budget import OverBudget
from kinfolk.runtime.cache import FILES
from kinfolk.runtime.errors import NotFound


@request_data
class ExampleRequest:
    """`version` is the one in the URL of the requesting page."""

    library: str
    version: str
    framework: str
    name: str


@dataclass(frozen=True)
class ExampleTree:
    """An example. `files` are relative to `root` and in the order of a file tree; `start` is the one that opens first.

    `canonical` is the canonical URL: that of the latest version if it has the example.
    """

    title: str
    root: str
    files: tuple[str, ...]
    start: str
    links: tuple[ExternalLink, ...]
    sandbox: Sandbox | None
    zip: str
    versions: tuple[Alternative, ...]
    frameworks: tuple[Alternative, ...]
    canonical: str


@registry.function("example.files", cache=FILES)
async def example_files(call: Call, request: ExampleRequest) -> ExampleTree:
    """The file tree of an example, and its links to other sites, versions and frameworks."""
    return await asyncio.to_thread(_example_files, call, request)


def _example_files(call: Call, request: ExampleRequest) -> ExampleTree:
    example = _example(call, request)
    versions = _versions_of(call, example)
    own = {each.name: each.to for each in versions if each.title is None}
    return ExampleTree(
        title=example.title,
        root=example.root,
        files=example.files,
        start=example.start or "",
        links=external_links(example),
        sandbox=embedded_sandbox(example),
        zip=f"{raw_base_url(example, request.version)}.zip",
        versions=versions,
        frameworks=_frameworks_of(call, example, request.version),
        canonical=own.get(LATEST) or own[request.version],
    )


def _versions_of(call: Call, example: Example) -> tuple[Alternative, ...]:
    """The example in each version that there is a copy of."""
    library = example.library
    found = []
    for segment, branch in published_versions(call, library):
        target = example_alternative(call.site.catalog, example, segment, example.framework, found=branch.examples)
        found.append(Alternative(segment, *target))
    return tuple(found)


def _frameworks_of(call: Call, example: Example, segment: str) -> tuple[Alternative, ...]:
    """The example for each framework that this version has docs or examples for."""
    found = call.docs.branch(example.branch.ref).examples
    frameworks = dict.fromkeys((*version_frameworks(call, example.library, segment), *(other for other, _ in found)))
    return tuple(
        Alternative(each, *example_alternative(call.site.catalog, example, segment, each, found=found))
        for each in frameworks
    )


@request_data
class ExampleFileRequest:
    """`path` starts at the repository's root. A path outside of the example requests the file that opens first."""

    library: str
    version: str
    framework: str
    name: str
    path: str | None = None


@dataclass(frozen=True)
class ExampleFile:
    """`path` is relative to the example. `html` is the code with line numbers; `picture` is the URL of a picture."""

    path: str
    kind: FileKind
    language: str
    size: int
    lines: int
    html: Html | None
    raw: str
    picture: str | None


@registry.function("example.file", cache=FILES)
async def example_file(call: Call, request: ExampleFileRequest) -> ExampleFile:
    """One file of an example. Its code is plain text until it is highlighted."""
    example = _example(call, request)
    file = example.inside(request.path or "") or example.start or ""
    source = await _source(call, example, file)
    html = None
    if source.snippet is not None:
        highlighted = call.docs.highlighted_code([source.snippet] if source.is_highlighted else [])
        html = Html(await asyncio.to_thread(numbered_lines, source.snippet, highlighted.get(source.snippet)))
    return ExampleFile(
        path=file,
        kind=source.kind,
        language=source.snippet.language if source.snippet else "",
        size=source.size,
        lines=source.lines,
        html=html,
        raw=f"{raw_base_url(example, request.version)}/{quote(file)}",
        picture=_picture_url(call, example, file) if source.kind == "picture" else None,
    )


def _picture_url(call: Call, example: Example, file: str) -> str:
    return call.docs.branch(example.branch.ref).file_url(example.path(file))


async def _source(call: Call, example: Example, file: str) -> FileView:
    """The view of a file. A file that is too large for a response is not read."""
    try:
        content = await call.site.content.reader.read(example, file)
    except OverBudget:
        return view_oversized_file(file, example.size(file))
    return await asyncio.to_thread(view_file, file, content, example.framework)


def _example(call: Call, request: ExampleRequest | ExampleFileRequest) -> Example:
    """Raises NotFound for an unknown example."""
    library = call.site.catalog.library(request.library)
    branch = call.docs.branch(library.ref(request.version))
    return find_example(library, branch, branch.examples, request.framework, request.name)


@request_data
class ExamplesRequest:
    """Without a `framework`, requests the examples of all frameworks."""

    library: str
    version: str
    framework: str | None = None


@dataclass(frozen=True)
class ExampleCard:
    """An example in a list. `framework` is that of the preview; `frameworks` are all with an example of this name."""

    name: str
    title: str
    framework: str
    frameworks: tuple[str, ...]
    file: str
    files: int
    language: str
    preview: Html | None


@dataclass(frozen=True)
class ExampleList:
    """`counts` are of all frameworks, `total` is their sum, and `cards` are of the requested one.

    `source` is the URL of the files on the code host.

    `versions` are the URLs of the list in each version that there is a copy of. `is_page` says whether the docs have a
    page at the address of the list, which is shown instead. Then there are no cards.
    """

    counts: tuple[FrameworkCount, ...]
    total: int
    cards: tuple[ExampleCard, ...]
    source: str | None
    versions: tuple[Alternative, ...]
    is_page: bool


def _list_source(library: Library, branch: BranchReader) -> str | None:
    """The address of all examples in the repository; None for a library without a public one."""
    root = branch.examples_layout.root
    return source_url(library, branch.ref.branch, root) if branch.examples and root else library.repo_url


@registry.function("example.list", cache=FILES)
async def example_list(call: Call, request: ExamplesRequest) -> ExampleList:
    """The examples of a library, each with a preview of the file that opens first."""
    library = call.site.catalog.library(request.library)
    # In a thread: reads about a hundred files.
    return await asyncio.to_thread(_example_list, call, library, request.version, request.framework)


def _example_list(call: Call, library: Library, version: str, framework: str | None) -> ExampleList:
    facts = library.docs_facts(version)
    branch = call.docs.branch(facts.ref)
    inside = f"framework/{quote(framework)}/examples" if framework else "examples"
    is_page = framework is None and branch.page_file(f"{facts.docs_root}/{inside}") is not None
    found = list_examples(call.site.catalog, library, branch.example_files(), branch.examples, framework=framework)
    known = {each.value for each in call.site.catalog.frameworks} | {count.framework for count in found.counts}
    if framework is not None and framework not in known:
        raise NotFound(f"{library.name} has no examples for {framework[:40]}")
    # The page shows no cards, and a response must not have HTML that its page does not show.
    listed_examples = () if is_page else found.examples
    previews = [listed.preview for listed in listed_examples if listed.preview]
    highlighted = call.docs.highlighted_code(previews)
    return ExampleList(
        counts=found.counts,
        total=count_examples(call.site.catalog, library, branch.examples),
        cards=tuple(
            ExampleCard(
                name=listed.example.name,
                title=listed.example.title,
                framework=listed.example.framework,
                frameworks=listed.frameworks,
                file=listed.example.start or "",
                files=len(listed.example.files),
                language=listed.preview.language if listed.preview else "",
                preview=Html(highlighted.get(listed.preview) or escape(listed.preview.code, quote=False))
                if listed.preview
                else None,
            )
            for listed in listed_examples
        ),
        source=_list_source(library, branch),
        versions=tuple(
            Alternative(segment, f"/{library.id}/{segment}/docs/{inside}")
            for segment, _ in published_versions(call, library)
        ),
        is_page=is_page,
    )
