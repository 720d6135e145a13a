"""Every function that the frontend can call. Read this file first: it is the whole contract."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from html import escape
from typing import Literal
from urllib.parse import quote

from kinfolk.blog import Post as BlogPost
from kinfolk.blog.posts import TAG as BLOG
from kinfolk.budget import OverBudget
from kinfolk.cache import DOCS, FILES, PRIVATE
from kinfolk.catalog import LATEST, Badge, Catalog, Consultant, Library
from kinfolk.docs import DocsConfig
from kinfolk.docs.figures import Figures, figures
from kinfolk.docs.listing import volume
from kinfolk.docs.neighbours import Alternative, NearPage, Place, frameworks_of, nearest, versions_of
from kinfolk.docs.shelf import Shelf, file_url
from kinfolk.errors import Invalid, NotFound, Unavailable
from kinfolk.examples import Example, example_at, listing, markup, source_of
from kinfolk.examples.colours import ready
from kinfolk.examples.editors import Elsewhere, Sandbox, links, sandbox, source_url
from kinfolk.examples.example import base_of
from kinfolk.examples.file import Kind, Source, unread
from kinfolk.examples.listing import FrameworkCount, is_ours
from kinfolk.examples.switches import switch
from kinfolk.landing import ShownSample
from kinfolk.markdown.colours import coloured
from kinfolk.redirects import Redirect
from kinfolk.rpc import DAY, Call, Html, Registry, payload
from kinfolk.search.query import LONGEST_TEXT
from kinfolk.search.shown import Results, find
from kinfolk.site import Site, docs_index
from kinfolk.sources.snapshot import Ref
from kinfolk.sponsors import SponsorPack

registry = Registry()

Mode = Literal["light", "dark", "auto"]
OutsideKind = Literal["google-publisher-tag", "carbon", "tag-manager"]
NAMED = {"Mode": Mode, "Badge": Badge, "OutsideKind": OutsideKind}
"""Types that get a name of their own in TypeScript too."""
MODES: tuple[Mode, ...] = ("light", "dark", "auto")
TEN_YEARS_S = 10 * 365 * 24 * 3600


# The family


@dataclass(frozen=True)
class NavLink:
    label: str
    to: str
    icon: str | None = None


@dataclass(frozen=True)
class VersionOption:
    name: str
    branch: str


@dataclass(frozen=True)
class FrameworkOption:
    """`color` is a colour as CSS knows it, as all colours are that leave the server."""

    value: str
    label: str
    color: str
    logo: str | None


@dataclass(frozen=True)
class GroupCard:
    id: str
    label: str
    libraries: tuple[str, ...]


@dataclass(frozen=True)
class LibraryCard:
    """What every page's frame needs to know of a library.

    `hue_light` and `hue_dark` are for text in its colour, on a light and on a dark page. `logo` is the row
    of its logo in the picture of all.
    """

    id: str
    name: str
    short_name: str
    to: str
    tagline: str
    badge: Badge | None
    repo: str
    docs_root: str
    default_docs: str
    latest_version: str
    versions: tuple[VersionOption, ...]
    frameworks: tuple[str, ...]
    color_from: str
    color_to: str
    text_color: str
    bg_style: str
    text_style: str
    hue_light: str
    hue_dark: str
    logo: int
    menu: tuple[NavLink, ...]


@dataclass(frozen=True)
class PromoSlot:
    """A box on a page; its size is in CSS pixels."""

    id: str
    width: int
    height: int
    targeting: str
    refresh_ms: int


@dataclass(frozen=True)
class PromoPartner:
    name: str
    href: str
    text: str
    libraries: tuple[str, ...]


@dataclass(frozen=True)
class OutsideScript:
    """A script of somebody else, loaded only for readers who agree. `account` is who they know us as."""

    kind: OutsideKind
    name: str
    script: str
    account: str


@dataclass(frozen=True)
class Promotions:
    """What is in the boxes for promotions, and who else may fill them."""

    rotation_ms: int
    slots: tuple[PromoSlot, ...]
    partners: tuple[PromoPartner, ...]
    outside: tuple[OutsideScript, ...]


@dataclass(frozen=True)
class Shell:
    """What the frame of every page is made of. `origin` is the public address, `logos` the picture of all logos."""

    product: str
    family: str
    owner: str
    title: str
    description: str
    origin: str
    logos: str
    libraries: tuple[LibraryCard, ...]
    groups: tuple[GroupCard, ...]
    frameworks: tuple[FrameworkOption, ...]
    menu: tuple[NavLink, ...]
    social: tuple[NavLink, ...]
    footer: tuple[NavLink, ...]
    promo: Promotions


@registry.function("site.shell", cache=DOCS)
async def site_shell(call: Call) -> Shell:
    catalog = call.site.catalog
    colors = call.site.palette.colors
    return Shell(
        product=catalog.product,
        family=catalog.family,
        owner=catalog.owner,
        title=catalog.title,
        description=catalog.description,
        origin=call.site.settings.origin,
        logos=f"/_logos.svg?v={call.site.logos.version}",
        libraries=tuple(_card(call.site, library) for library in catalog.libraries),
        groups=tuple(GroupCard(g.id, g.label, g.libraries) for g in catalog.groups),
        frameworks=tuple(FrameworkOption(f.value, f.label, colors[f.color], f.logo) for f in catalog.frameworks),
        menu=tuple(NavLink(m.label, m.to) for m in catalog.menu),
        social=tuple(NavLink(s.label, s.to, s.icon) for s in catalog.social),
        footer=tuple(NavLink(f.label, f.to) for f in catalog.footer),
        promo=_promotions(catalog),
    )


def _promotions(catalog: Catalog) -> Promotions:
    outside = []
    if (provider := catalog.promo.provider) is not None:
        outside.append(OutsideScript(provider.kind, provider.name, provider.script, provider.account))
    if (manager := catalog.promo.tag_manager) is not None:
        outside.append(OutsideScript("tag-manager", manager.name, manager.script, manager.id))
    return Promotions(
        rotation_ms=catalog.promo.rotation_ms,
        slots=tuple(
            PromoSlot(slot.id, *slot.sizes[0], slot.targeting, slot.refresh_interval_ms) for slot in catalog.ad_slots
        ),
        partners=tuple(PromoPartner(p.name, p.href, p.text, p.libraries) for p in catalog.partners),
        outside=tuple(outside),
    )


def _card(site: Site, library: Library) -> LibraryCard:
    colors = site.palette.colors
    styles = library.card_styles
    tones = site.palette.tones(library.color_from, library.color_to, styles.light, styles.dark)
    return LibraryCard(
        id=library.id,
        name=library.name,
        short_name=library.short_name,
        to=library.to,
        tagline=library.tagline,
        badge=library.badge,
        repo=library.repo,
        docs_root=library.docs_root,
        default_docs=library.default_docs,
        latest_version=library.latest_version,
        versions=tuple(VersionOption(v.name, v.branch) for v in library.versions),
        frameworks=library.frameworks,
        color_from=tones.start,
        color_to=tones.end,
        text_color=colors[library.text_color],
        bg_style=colors[library.bg_style],
        text_style=colors[library.text_style],
        hue_light=tones.light,
        hue_dark=tones.dark,
        logo=site.logos.rows.index(library.id),
        menu=tuple(NavLink(entry.label, entry.to, entry.icon) for entry in library.menu),
    )


@payload
class LibraryRequest:
    """`version` is the one whose figures are wanted; the latest one by default."""

    id: str
    version: str | None = None


@dataclass(frozen=True)
class FeatureHighlight:
    title: str
    icon: str
    description: str


@dataclass(frozen=True)
class CodeSample:
    """Code as markup. `example` leads to the one that goes further, `sandbox` to where it runs, where we have it."""

    framework: str | None
    title: str
    html: Html
    example: str | None
    sandbox: Sandbox | None


@dataclass(frozen=True)
class LibraryFigures:
    """What this site has of a version now. `updated` is when its docs last changed, where git has told us."""

    pages: int
    examples: int
    frameworks: int
    versions: int
    updated: str | None


@dataclass(frozen=True)
class LibraryPartner:
    name: str
    href: str
    text: str
    note: str | None


@dataclass(frozen=True)
class CallToAction:
    title: str
    text: str
    label: str
    to: str


@dataclass(frozen=True)
class LibraryPage:
    """What only the landing page of a library shows. `drawing` is a picture as markup.

    `og_image` is shown with links to the page; where there is none, one is drawn.
    """

    id: str
    description: str
    og_image: str | None
    drawing: Html | None
    install: Html | None
    feature_highlights: tuple[FeatureHighlight, ...]
    feature_list: tuple[str, ...]
    samples_title: str | None
    samples: tuple[CodeSample, ...]
    trusted_by: tuple[str, ...]
    partners: tuple[LibraryPartner, ...]
    figures: LibraryFigures | None
    call_to_action: CallToAction | None


@registry.function("catalog.library", cache=DOCS)
async def catalog_library(call: Call, wanted: LibraryRequest) -> LibraryPage:
    library = call.site.catalog.library(wanted.id)
    landing = call.site.landings[library.id]
    version = wanted.version or LATEST
    action = library.call_to_action
    partners = [partner for partner in call.site.catalog.partners if library.id in partner.libraries]
    return LibraryPage(
        id=library.id,
        description=library.description,
        og_image=library.og_image,
        drawing=Html(landing.drawing) if landing.drawing else None,
        install=Html(coloured(landing.install, call.site.highlighter, call.tags)) if landing.install else None,
        feature_highlights=tuple(FeatureHighlight(h.title, h.icon, h.description) for h in library.feature_highlights),
        feature_list=library.feature_list,
        samples_title=library.samples_title,
        samples=tuple(_sample(call, library, version, shown) for shown in landing.samples),
        trusted_by=library.trusted_by,
        partners=tuple(LibraryPartner(p.name, p.href, p.text, p.note) for p in partners),
        # A large library has hundreds of pages to look at.
        figures=await asyncio.to_thread(_figures, call, library, version),
        call_to_action=CallToAction(action.title, action.text, action.label, action.to) if action else None,
    )


def _sample(call: Call, library: Library, version: str, shown: ShownSample) -> CodeSample:
    """Leads to the example that goes further only where this version's repository has it."""
    ref = Ref(*library.ref(version))
    call.tags.add(f"{ref}#files")
    shelf = call.docs.shelves.get(ref)
    framework, name = shown.sample.framework or "", shown.sample.example or ""
    found = shelf is not None and (framework, name) in shelf.examples
    example = example_at(library, shelf.tree, shelf.examples, framework, name) if shelf and found else None
    return CodeSample(
        framework=shown.sample.framework,
        title=shown.sample.title,
        html=Html(coloured(shown.page, call.site.highlighter, call.tags)),
        example=f"/{library.id}/{version}/docs/framework/{framework}/examples/{name}" if example else None,
        sandbox=sandbox(example) if example else None,
    )


def _figures(call: Call, library: Library, version: str) -> LibraryFigures | None:
    """Counted from the docs that are current; None while there is no copy of them."""
    try:
        one = volume(call.docs, library, version)
    except Unavailable:
        return None
    # The second changes with every change of a page, and so when these last changed.
    call.tags |= {f"{one.ref}#files", f"{one.ref}#fronts"}
    pages = one.pages()
    shelf = call.docs.shelf(one.ref)
    histories = [shelf.tree.history(path) for path in pages.values()]
    updated = max((history.updated for history in histories if history), default=None)
    return LibraryFigures(
        pages=len(pages),
        examples=sum(is_ours(call.site.catalog, library, name) for _, name in shelf.examples),
        frameworks=len(library.frameworks),
        versions=sum(Ref(library.repo, each.branch) in call.docs.shelves for each in library.versions),
        updated=updated.date().isoformat() if updated else None,
    )


# Docs


@payload
class ConfigRequest:
    repo: str
    docs_root: str
    branch: str | None = None


@registry.function("docs.config", cache=DOCS)
async def docs_config(call: Call, wanted: ConfigRequest) -> DocsConfig:
    """A library's navigation, as far as it leads anywhere."""
    ref = _ref(wanted.repo, wanted.branch)
    if call.docs.knows_navigation(ref, wanted.docs_root):
        return call.docs.navigation(ref, wanted.docs_root, call.tags)
    return await asyncio.to_thread(call.docs.navigation, ref, wanted.docs_root, call.tags)


@payload
class DocRequest:
    """`version` is the one in the address of the page that asks: its links stay in that version."""

    repo: str
    branch: str | None = None
    file_path: str | None = None
    version: str | None = None


@dataclass(frozen=True)
class DocHeading:
    id: str
    text: str
    level: int
    framework: str | None


@dataclass(frozen=True)
class DocPage:
    """`canonical` is the address that search engines should know it by: the latest version's, where that has it."""

    title: str
    description: str
    keywords: str | None
    html: Html
    headings: tuple[DocHeading, ...]
    toc: bool
    file_path: str
    edit_url: str
    updated: str | None
    contributors: tuple[str, ...]
    versions: tuple[Alternative, ...]
    frameworks: tuple[Alternative, ...]
    canonical: str


@registry.function("docs.page", cache=DOCS)
async def docs_page(call: Call, wanted: DocRequest) -> DocPage | Redirect:
    """A page of the docs. A core page that cannot be shown leads to the library's default page (spec section 2)."""
    # Rendering takes up to half a second, and so does reading the titles of all versions for the first time.
    return await asyncio.to_thread(_docs_page, call, wanted)


def _docs_page(call: Call, wanted: DocRequest) -> DocPage | Redirect:
    ref, file_path = _ref(wanted.repo, wanted.branch), _file(wanted.file_path)
    try:
        page = call.docs.page(ref, file_path, wanted.version, call.tags)
    except NotFound:
        elsewhere = _instead(call, ref, file_path, wanted.version)
        if elsewhere is None:
            raise
        return elsewhere
    library, segment = call.docs.home(ref, page.file_path)
    segment = wanted.version if wanted.version and library.is_known_version(wanted.version) else segment
    inside = file_path.removeprefix(library.docs_root + "/").removesuffix(".md")
    place = Place(library, segment, inside)
    versions = versions_of(call.docs, place, call.tags)
    latest = next((each.to for each in versions if each.name == LATEST and each.title is None), None)
    return DocPage(
        title=page.title,
        description=page.description,
        keywords=page.keywords,
        html=Html(page.html),
        headings=tuple(DocHeading(h.id, h.text, h.level, h.framework) for h in page.headings),
        toc=page.toc,
        file_path=page.file_path,
        edit_url=page.edit_url,
        updated=page.updated,
        contributors=page.contributors,
        versions=versions,
        frameworks=frameworks_of(call.docs, place, _frameworks(call, ref, library), call.tags),
        canonical=latest or f"/{library.id}/{segment}/docs/{inside}",
    )


def _frameworks(call: Call, ref: Ref, library: Library) -> tuple[str, ...]:
    """The frameworks that this branch has pages for, in the family's order, those we were not told of last."""
    there = call.docs.shelf(ref).frameworks(library.docs_root)
    known = [framework.value for framework in call.site.catalog.frameworks]
    return tuple(sorted(there, key=lambda name: (known.index(name) if name in known else len(known), name)))


@payload
class FrameworkRequest:
    """Without a `framework`, the list of frameworks is meant."""

    library: str
    framework: str | None = None


@registry.function("docs.framework", cache=DOCS)
async def docs_framework(call: Call, wanted: FrameworkRequest) -> tuple[Alternative, ...]:
    """The list of a framework's pages in every version; where a version has none, the list of its frameworks."""
    return await asyncio.to_thread(_framework_lists, call, wanted)


def _framework_lists(call: Call, wanted: FrameworkRequest) -> tuple[Alternative, ...]:
    library = call.site.catalog.library(wanted.library)
    found = []
    for segment, shelf in _copies(call, library):
        home = f"/{library.id}/{segment}/docs/framework"
        if wanted.framework is None:
            found.append(Alternative(segment, home))
        elif wanted.framework in shelf.frameworks(library.docs_root):
            found.append(Alternative(segment, f"{home}/{quote(wanted.framework)}"))
        else:
            found.append(Alternative(segment, home, "Frameworks"))
    return tuple(found)


def _copies(call: Call, library: Library) -> list[tuple[str, Shelf]]:
    """Every version that there is a copy of, as addresses name it: the latest first."""
    named = [(segment, _shelf(call, library, segment)) for segment in (LATEST, *library.version_names)]
    return [(segment, shelf) for segment, shelf in named if shelf is not None]


def _shelf(call: Call, library: Library, segment: str) -> Shelf | None:
    """What a version offers; None while there is no copy of it."""
    ref = Ref(*library.ref(segment))
    call.tags.add(f"{ref}#files")  # also of a branch that is not there yet: one day it may come
    return call.docs.shelves.get(ref)


@payload
class NearestRequest:
    """`path` is what was asked for, below the docs root."""

    repo: str
    branch: str
    docs_root: str
    path: str
    version: str | None = None


@registry.function("docs.nearest", cache=DOCS)
async def docs_nearest(call: Call, wanted: NearestRequest) -> tuple[NearPage, ...]:
    """Pages that someone may have meant whose address nothing answers to, the likeliest first."""
    ref = _ref(wanted.repo, wanted.branch)
    library, segment = call.docs.home(ref, f"{wanted.docs_root}/{wanted.path}")
    segment = wanted.version if wanted.version and library.is_known_version(wanted.version) else segment
    place = Place(library, segment, wanted.path.removesuffix(".md"))
    # Compares with the titles of all pages.
    return await asyncio.to_thread(nearest, call.docs, place, call.tags)


def _instead(call: Call, ref: Ref, file_path: str, version: str | None) -> Redirect | None:
    """Where to go when a page is missing: where it moved, or to the library's default page if that one exists.

    A missing page of a framework is a plain 404: its reader asked for something exact, and the default page may be
    about another framework.
    """
    library, segment = call.docs.home(ref, file_path)
    segment = version if version and library.is_known_version(version) else segment
    inside = file_path.removeprefix(library.docs_root + "/").removesuffix(".md")
    moved = call.docs.moved(library, segment, inside, call.tags)
    if moved is not None:
        return moved
    default = call.docs.shelf(ref).page_file(f"{library.docs_root}/{library.default_docs}")
    asked = call.docs.shelf(ref).page_file(file_path.removesuffix(".md"))
    if inside.startswith("framework/") or default is None or asked == default:
        return None
    return Redirect(f"/{library.id}/{segment}/docs/{library.default_docs}", 307)


def _ref(repo: str, branch: str | None) -> Ref:
    if not branch:
        raise Invalid("Invalid branch")
    return Ref(repo, branch)


def _file(path: str | None) -> str:
    if not path:
        raise Invalid("Invalid docPath")
    return path


# Files of a repository


@payload
class FileRequest:
    repo: str
    branch: str | None = None
    file_path: str | None = None


@registry.function("repo.file", cache=FILES)
async def repo_file(call: Call, wanted: FileRequest) -> str:
    """The text of a file among the docs and examples."""
    ref, file_path = _ref(wanted.repo, wanted.branch), _file(wanted.file_path)
    shelf = call.docs.readable(ref, file_path)
    call.tags |= {f"{ref}:{file_path}", f"{ref}#files"}
    content = await call.site.reader.read(shelf.tree, file_path, kind="function")
    if b"\0" in content[:8192]:
        raise Invalid(f"{file_path} is not text")
    return content.decode(errors="replace")


MOST_ENTRIES = 1_000
"""Files in one answer: five times what the largest example has, and a few milliseconds of work."""


@payload
class DirectoryRequest:
    repo: str
    starting_path: str
    branch: str | None = None


@dataclass(frozen=True)
class Entry:
    """A file or a folder; `path` starts at the repository's root."""

    name: str
    path: str
    type: Literal["dir", "file"]
    children: tuple[Entry, ...] = ()


@registry.function("repo.directory", cache=FILES)
async def repo_directory(call: Call, wanted: DirectoryRequest) -> tuple[Entry, ...]:
    """Everything below a folder of the docs or examples, at any depth: folders first, then by name."""
    ref = _ref(wanted.repo, wanted.branch)
    shelf = call.docs.readable(ref, wanted.starting_path)
    call.tags.add(f"{ref}#files")
    start = wanted.starting_path + "/"
    # A branch may have tens of thousands of files.
    inside = await asyncio.to_thread(_below, shelf, start)
    if not inside:
        raise NotFound(f"There is no folder {wanted.starting_path} in {ref}")
    if len(inside) > MOST_ENTRIES:
        raise Invalid(f"{wanted.starting_path} holds {len(inside)} files: ask for a folder in it")
    return _entries(start, inside)


def _below(shelf: Shelf, start: str) -> list[str]:
    return [path[len(start) :] for path in shelf.files if path.startswith(start)]


def _entries(start: str, paths: list[str]) -> tuple[Entry, ...]:
    folders: dict[str, list[str]] = {}
    files = []
    for path in paths:
        name, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(name, []).append(rest)
        else:
            files.append(name)
    return (
        *(Entry(name, start + name, "dir", _entries(f"{start}{name}/", folders[name])) for name in _ordered(folders)),
        *(Entry(name, start + name, "file") for name in _ordered(files)),
    )


def _ordered(names: dict[str, list[str]] | list[str]) -> list[str]:
    return sorted(names, key=lambda name: (not name.startswith("."), name.lower(), name))


# Examples


@payload
class ExampleRequest:
    """`version` is the one in the address of the page that asks."""

    library: str
    version: str
    framework: str
    name: str


@dataclass(frozen=True)
class ExampleTree:
    """A whole example. `files` are relative to `root` and in the order of a tree; `start` is the one to open first.

    `canonical` is the address that search engines should know it by: the latest version's, where that has it.
    """

    title: str
    root: str
    files: tuple[str, ...]
    start: str
    links: tuple[Elsewhere, ...]
    sandbox: Sandbox
    zip: str
    versions: tuple[Alternative, ...]
    frameworks: tuple[Alternative, ...]
    canonical: str


@registry.function("example.files", cache=FILES)
async def example_files(call: Call, wanted: ExampleRequest) -> ExampleTree:
    """The tree of an example, and where else it is."""
    return await asyncio.to_thread(_example_files, call, wanted)


def _example_files(call: Call, wanted: ExampleRequest) -> ExampleTree:
    example = _example(call, wanted)
    versions = _versions_of(call, example)
    same = {each.name: each.to for each in versions if each.title is None}
    return ExampleTree(
        title=example.title,
        root=example.root,
        files=example.files,
        start=example.start or "",
        links=links(example),
        sandbox=sandbox(example),
        zip=f"{base_of(example, wanted.version)}.zip",
        versions=versions,
        frameworks=_frameworks_of(call, example, wanted.version),
        canonical=same.get(LATEST) or same[wanted.version],
    )


def _versions_of(call: Call, example: Example) -> tuple[Alternative, ...]:
    """The example in every version that there is a copy of."""
    library = example.library
    found = []
    for segment in (LATEST, *library.version_names):
        shelf = _shelf(call, library, segment)
        if shelf is not None:
            there = switch(call.site.catalog, example, segment, example.framework, found=shelf.examples)
            found.append(Alternative(segment, *there))
    return tuple(found)


def _frameworks_of(call: Call, example: Example, segment: str) -> tuple[Alternative, ...]:
    """The example for every framework that this version has docs or examples for."""
    ref = example.tree.ref
    found = call.docs.shelf(ref).examples
    frameworks = dict.fromkeys((*_frameworks(call, ref, example.library), *(theirs for theirs, _ in found)))
    return tuple(
        Alternative(each, *switch(call.site.catalog, example, segment, each, found=found)) for each in frameworks
    )


@payload
class ExampleFileRequest:
    """`path` starts at the repository's root. One that names nothing in the example means the file to open first."""

    library: str
    version: str
    framework: str
    name: str
    path: str | None = None


@dataclass(frozen=True)
class ExampleFile:
    """`path` is relative to the example. `html` are the numbered lines of code; `picture` is where to see a picture."""

    path: str
    kind: Kind
    language: str
    size: int
    lines: int
    html: Html | None
    raw: str
    picture: str | None


@registry.function("example.file", cache=FILES)
async def example_file(call: Call, wanted: ExampleFileRequest) -> ExampleFile:
    """One file of an example. Code that has no colours yet is plain."""
    example = _example(call, wanted)
    file = example.inside(wanted.path or "") or example.start or ""
    call.tags.add(f"{example.tree.ref}:{example.path(file)}")
    source = await _source(call, example, file)
    html = None
    if source.snippet is not None:
        colours = ready([source.snippet] if source.is_coloured else [], call.docs.colours, call.tags)
        html = Html(await asyncio.to_thread(markup, source.snippet, colours.get(source.snippet)))
    return ExampleFile(
        path=file,
        kind=source.kind,
        language=source.snippet.language if source.snippet else "",
        size=source.size,
        lines=source.lines,
        html=html,
        raw=f"{base_of(example, wanted.version)}/{quote(file)}",
        picture=file_url(example.tree, example.path(file)) if source.kind == "picture" else None,
    )


async def _source(call: Call, example: Example, file: str) -> Source:
    """The file as it is shown. One that is too large to be sent is not read."""
    try:
        content = await call.site.reader.read(example, file)
    except OverBudget:
        return unread(file, example.size(file))
    return await asyncio.to_thread(source_of, file, content, example.framework)


def _example(call: Call, wanted: ExampleRequest | ExampleFileRequest) -> Example:
    """Raises NotFound where there is none. Names beyond `{framework}/{name}` are no folder of the examples."""
    library = call.site.catalog.library(wanted.library)
    ref = Ref(*library.ref(wanted.version))
    shelf = call.docs.shelf(ref)
    call.tags.add(f"{ref}#files")
    return example_at(library, shelf.tree, shelf.examples, wanted.framework, wanted.name)


@payload
class ExamplesRequest:
    """No `framework` means all of them."""

    library: str
    version: str
    framework: str | None = None


@dataclass(frozen=True)
class ExampleCard:
    """An example in a list: `framework` is the one shown, `frameworks` are all that have one of this name."""

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
    """`counts` are of every framework, `cards` of the wanted one. `source` is where the files come from.

    `versions` says where the list is in each version that there is a copy of.
    """

    counts: tuple[FrameworkCount, ...]
    cards: tuple[ExampleCard, ...]
    source: str
    versions: tuple[Alternative, ...]


@registry.function("example.list", cache=FILES)
async def example_list(call: Call, wanted: ExamplesRequest) -> ExampleList:
    """All examples of a library, each with the beginning of the file that opens first."""
    library = call.site.catalog.library(wanted.library)
    ref = Ref(*library.ref(wanted.version))
    shelf = call.docs.shelf(ref)
    call.tags |= {f"{ref}#files", f"{ref}#examples"}
    # A hundred files are read and their previews looked up.
    return await asyncio.to_thread(_example_list, call, library, shelf, wanted.framework)


def _example_list(call: Call, library: Library, shelf: Shelf, framework: str | None) -> ExampleList:
    inside = f"framework/{quote(framework)}/examples" if framework else "examples"
    found = listing(call.site.catalog, library, shelf.tree, shelf.examples, framework=framework)
    known = {each.value for each in call.site.catalog.frameworks} | {count.framework for count in found.counts}
    if framework is not None and framework not in known:
        raise NotFound(f"There are no examples for {framework[:40]!r}")
    previews = [listed.preview for listed in found.examples if listed.preview]
    colours = ready(previews, call.docs.colours, call.tags)
    return ExampleList(
        counts=found.counts,
        cards=tuple(
            ExampleCard(
                name=listed.example.name,
                title=listed.example.title,
                framework=listed.example.framework,
                frameworks=listed.frameworks,
                file=listed.example.start or "",
                files=len(listed.example.files),
                language=listed.preview.language if listed.preview else "",
                preview=Html(colours.get(listed.preview) or escape(listed.preview.code, quote=False))
                if listed.preview
                else None,
            )
            for listed in found.examples
        ),
        source=source_url(library, shelf.ref.branch, "examples") if shelf.examples else library.repo_url,
        versions=tuple(
            Alternative(segment, f"/{library.id}/{segment}/docs/{inside}") for segment, _ in _copies(call, library)
        ),
    )


# The site's own pages


@payload
class PageRequest:
    name: str


@dataclass(frozen=True)
class SitePage:
    """A page that was written for this site. `updated` is a date for pages whose age matters."""

    title: str
    description: str
    updated: str | None
    outline: bool
    html: Html
    headings: tuple[DocHeading, ...]


@registry.function("page.read", cache=DOCS)
async def page_read(call: Call, wanted: PageRequest) -> SitePage:
    """A page of `content/pages`, by the name of its file."""
    written = await asyncio.to_thread(call.site.pages.page, wanted.name)
    return SitePage(
        title=written.title,
        description=written.description,
        updated=written.updated,
        outline=written.outline,
        html=Html(call.site.pages.html(written, call.tags)),
        headings=tuple(DocHeading(h.id, h.text, h.level, h.framework) for h in written.page.headings),
    )


@registry.function("consultants.list", cache=DOCS)
async def consultants_list(call: Call) -> tuple[Consultant, ...]:
    """Who can be hired: the first is always the same, the others take turns."""
    call.tags.add(DAY)
    return call.site.catalog.consultants_on(call.today)


# Blog


@dataclass(frozen=True)
class PostSummary:
    """What a list of posts says about one. No authors means that the product itself speaks."""

    slug: str
    title: str
    published: str
    excerpt: str
    authors: tuple[str, ...]
    libraries: tuple[str, ...]
    minutes: int
    draft: bool


@registry.function("blog.list", cache=DOCS)
async def blog_list(call: Call) -> tuple[PostSummary, ...]:
    """The front matter of all posts, newest first."""
    call.tags.add(BLOG)
    return tuple(_summary(post) for post in call.site.blog.posts)


def _summary(post: BlogPost) -> PostSummary:
    front = post.front
    return PostSummary(
        slug=post.slug,
        title=front.title,
        published=front.published,
        excerpt=front.description,
        authors=front.authors,
        libraries=front.libraries,
        minutes=post.minutes,
        draft=post.is_draft,
    )


@payload
class PostRequest:
    path: str


@dataclass(frozen=True)
class PostLink:
    slug: str
    title: str


@dataclass(frozen=True)
class Post:
    """`previous` is older and `next` is newer. `image` is the picture to share it with, where it has one of its own."""

    slug: str
    title: str
    description: str
    published: str
    updated: str | None
    authors: tuple[str, ...]
    libraries: tuple[str, ...]
    minutes: int
    draft: bool
    image: str | None
    html: Html
    headings: tuple[DocHeading, ...]
    previous: PostLink | None
    next: PostLink | None


@registry.function("blog.post", cache=DOCS)
async def blog_post(call: Call, wanted: PostRequest) -> Post:
    call.tags.add(BLOG)
    post = call.site.blog.post(wanted.path)
    front = post.front
    older, newer = call.site.blog.around(post.slug)
    return Post(
        slug=post.slug,
        title=front.title,
        description=front.description,
        published=front.published,
        updated=front.updated,
        authors=front.authors,
        libraries=front.libraries,
        minutes=post.minutes,
        draft=post.is_draft,
        image=front.image,
        html=Html(call.site.blog.html(post, call.tags)),
        headings=tuple(DocHeading(h.id, h.text, h.level, h.framework) for h in post.page.headings),
        previous=PostLink(older.slug, older.title) if older else None,
        next=PostLink(newer.slug, newer.title) if newer else None,
    )


# Home, sponsors, dashboard


@dataclass(frozen=True)
class PartnerCard:
    name: str
    href: str
    text: str
    note: str | None
    libraries: tuple[str, ...]


@dataclass(frozen=True)
class CourseCard:
    title: str
    by: str
    href: str
    library: str
    text: str


@dataclass(frozen=True)
class HiddenField:
    name: str
    value: str


@dataclass(frozen=True)
class NewsletterForm:
    name: str
    by: str
    href: str
    text: str
    action: str
    fields: tuple[HiddenField, ...]


@dataclass(frozen=True)
class Introduced:
    """A library in some more words than its tagline."""

    id: str
    description: str


@dataclass(frozen=True)
class HomePage:
    """What only the home page shows. `keywords` are for search engines."""

    keywords: str
    claim: str
    emphasis: str
    lede: str
    libraries: tuple[Introduced, ...]
    figures: Figures
    partners: tuple[PartnerCard, ...]
    courses: tuple[CourseCard, ...]
    newsletter: NewsletterForm | None


@registry.function("home.page", cache=DOCS)
async def home_page(call: Call) -> HomePage:
    catalog, letter = call.site.catalog, call.site.catalog.newsletter
    call.tags |= {f"{ref}#files" for ref in call.docs.shelves}
    return HomePage(
        keywords=", ".join(catalog.keywords),
        claim=catalog.home.claim,
        emphasis=catalog.home.emphasis,
        lede=catalog.home.lede,
        libraries=tuple(Introduced(library.id, library.description) for library in catalog.libraries),
        figures=await asyncio.to_thread(figures, call.docs),
        partners=tuple(PartnerCard(p.name, p.href, p.text, p.note, p.libraries) for p in catalog.partners),
        courses=tuple(CourseCard(c.title, c.by, c.href, c.library, c.text) for c in catalog.courses),
        newsletter=None
        if letter is None
        else NewsletterForm(
            name=letter.name,
            by=letter.by,
            href=letter.href,
            text=letter.text,
            action=letter.action,
            fields=tuple(HiddenField(field.name, field.value) for field in letter.fields),
        ),
    )


@registry.function("home.random", cache=DOCS)
async def home_random(call: Call) -> float:
    """From 0 up to 1: what the home page's colours are drawn by. A page keeps the one that it was made with."""
    del call  # it depends on nothing
    return random.random()  # noqa: S311


@registry.function("sponsors.pack", cache=DOCS)
async def sponsors_pack(call: Call) -> SponsorPack:
    call.tags.add("sponsors")
    return call.site.sponsors.pack


@dataclass(frozen=True)
class Dashboard:
    signed_in: bool


@registry.function("dashboard.load", cache=PRIVATE)
async def dashboard_load(call: Call) -> Dashboard | Redirect:
    """Nobody can sign in yet, so everybody is shown the way to the login page."""
    del call  # the answer is the same for everybody
    return Redirect("/login", 307)


# Search


@dataclass(frozen=True)
class SearchHost:
    """As the search client wants it: `url` is the host, with its port and its folder, without the protocol."""

    url: str
    protocol: Literal["http", "https"]


@dataclass(frozen=True)
class SearchConfig:
    """What the search client is made with. The key is public; without hosts this site itself is asked."""

    app_id: str
    api_key: str
    index: str
    hosts: tuple[SearchHost, ...]


@registry.function("search.config", cache=DOCS)
async def search_config(call: Call) -> SearchConfig:
    settings = call.site.settings
    return SearchConfig(
        app_id=settings.search_app_id,
        api_key=settings.search_key,
        index=docs_index(call.site.catalog),
        hosts=tuple(_search_host(host) for host in settings.search_hosts),
    )


@payload
class SearchRequest:
    """`page` is counted from zero. What is empty narrows nothing."""

    text: str
    library: str = ""
    framework: str = ""
    version: str = LATEST
    page: int = 0


@registry.function("search.results", cache=PRIVATE)
async def search_results(call: Call, wanted: SearchRequest) -> Results:
    """What a page without a script shows. Kept nowhere: there is no end to what may be asked."""
    search = call.site.search
    if search is None:
        raise Unavailable("This site has no search of its own")
    index = search.index
    chosen = {"library": wanted.library, "framework": wanted.framework, "version": wanted.version}
    return await asyncio.to_thread(find, index, wanted.text[:LONGEST_TEXT], chosen, page=wanted.page)


def _search_host(address: str) -> SearchHost:
    protocol, _, url = address.partition("://")
    return SearchHost(url, "http" if protocol == "http" else "https")


# Theme


@registry.function("theme.get", cache=PRIVATE)
async def theme_get(call: Call) -> Mode:
    """The theme that this visitor chose; `auto` where there is no choice or no sense in it."""
    chosen = call.cookies.get("theme")
    return next((mode for mode in MODES if mode == chosen), "auto")


@payload
class ThemeRequest:
    mode: Mode


@registry.function("theme.set", method="POST", cache=PRIVATE)
async def theme_set(call: Call, wanted: ThemeRequest) -> None:
    secure = "; Secure" if call.site.settings.origin.startswith("https://") else ""
    call.set_cookies.append(f"theme={wanted.mode}; Path=/; Max-Age={TEN_YEARS_S}; SameSite=Lax{secure}")
