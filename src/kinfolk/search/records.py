"""The docs as records: one for each section of each page of each version.

    {"objectID": "query:latest:framework/react/guides/caching#caching",
     "url": "/query/latest/docs/framework/react/guides/caching#caching", "anchor": "caching",
     "hierarchy": {"lvl0": "TanStack Query", "lvl1": "Caching Examples", "lvl2": "Caching", …}, "type": "lvl2",
     "content": "…", "code": ["useQuery", …], "library": "query", "version": ["latest", "v5"],
     "framework": ["react", "preact"], "variants": {"preact": "/query/latest/docs/framework/preact/guides/…#caching"},
     "kind": "guide", "group": "query:latest:framework/*/guides/caching", …}

Text that several frameworks share is one record with all of them; `variants` says where each of the others has it.
What a framework does not change is about all that its library has, so that a filter by framework does not hide it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from kinfolk.blog import Post
from kinfolk.catalog import LATEST, Catalog, Library
from kinfolk.docs.library import framework_of
from kinfolk.docs.listing import Volume
from kinfolk.docs.shelf import title_of
from kinfolk.markdown.page import Page
from kinfolk.search.query import Json, Record
from kinfolk.search.rules import Kind, Worth
from kinfolk.search.sections import Section, sections

DEEPEST = 6
"""Levels of the hierarchy: the page's title and five below it."""
_FRAMEWORK = re.compile(r"^framework/([^/]+)/(?=.)")
# What typedoc begins a page with, or says of everything on it.
_GENERATED = re.compile(
    r"^(?:# (?:Abstract )?(?:Class|Enumeration|Function|Interface|Type Alias|Variable): |Defined in: \[)", re.MULTILINE
)


@dataclass(frozen=True)
class Shelved:
    """A page, and what its place says of it. `inside` is its address below the docs."""

    library: Library
    segment: str
    versions: tuple[str, ...]
    inside: str
    title: str
    sections: tuple[Section, ...]
    kind: Kind
    frameworks: tuple[str, ...]
    """Those it is for."""
    about: tuple[str, ...]
    """Those it is about: none, where its framework changes nothing."""
    label: str
    section: str
    rank: int
    beginning: int
    """What its beginning is worth more than its sections."""
    demoted: bool
    technical: bool

    @property
    def group(self) -> str:
        return group_name(self.library, self.segment, self.inside)


def group_name(library: Library, segment: str, inside: str) -> str:
    """The same for the page in every framework."""
    return f"{library.id}:{segment}:{_FRAMEWORK.sub('framework/*/', inside)}"


@dataclass(frozen=True)
class Entry:
    """What the navigation calls a page, and where it lists it."""

    label: str
    section: str


def navigation(volume: Volume) -> Mapping[str, Entry]:
    """Place of a page -> its first entry."""
    found: dict[str, Entry] = {}
    for section in volume.config().sections:
        for link in (*section.children, *(link for group in section.frameworks for link in group.children)):
            found.setdefault(re.split("[?#]", link.to)[0].rstrip("/"), Entry(link.label, section.label))
    return found


def shelved(volume: Volume, inside: str, path: str, page: Page, *, worth: Worth, entry: Entry | None) -> Shelved:
    """A page of the docs, as it is going to be found."""
    library = volume.library
    framework = framework_of(library, path)
    generated = _GENERATED.search(page.text) is not None
    kind: Kind = "reference" if generated or re.search(r"(?:^|/)(?:reference|api)(?:/|$)", inside) else "guide"
    return Shelved(
        library=library,
        segment=volume.segment,
        versions=versions(volume),
        inside=inside,
        title=page.title or title_of(path),
        sections=sections(page),
        kind=kind,
        frameworks=(framework,) if framework else library.frameworks,
        about=(framework,) if framework else (),
        label=entry.label if entry else "",
        section=entry.section if entry else "",
        rank=worth.of(kind, inside, listed=entry is not None, generated=generated, choice=_choice(library, framework)),
        beginning=worth.beginning(inside),
        demoted=worth.is_demoted(inside),
        technical=kind == "reference" and worth.is_technical(inside),
    )


def versions(volume: Volume) -> tuple[str, ...]:
    """What the version is called: the latest one by both of its names."""
    return (LATEST, volume.version.name) if volume.segment == LATEST else (volume.version.name,)


def examples(volume: Volume, worth: Worth, entries: Mapping[str, Entry]) -> Iterator[Shelved]:
    """The examples that the navigation names, each found by its name."""
    for inside in volume.examples():
        found = _FRAMEWORK.match(inside)
        entry = entries[inside]
        if found:
            yield Shelved(
                library=volume.library,
                segment=volume.segment,
                versions=versions(volume),
                inside=inside,
                title=entry.label,
                sections=(Section("", (), "", ()),),
                kind="example",
                frameworks=(found[1],),
                about=(found[1],),
                label="",
                section=entry.section,
                rank=worth.of(
                    "example", inside, listed=True, generated=False, choice=_choice(volume.library, found[1])
                ),
                beginning=0,
                demoted=False,
                technical=False,
            )


def records(pages: Iterable[Shelved], catalog: Catalog) -> Iterator[Record]:
    """Of pages of one library in one version: one record for each section, or for several that say the same."""
    alike: dict[object, list[tuple[Shelved, int, Section]]] = {}
    for page in pages:
        for position, section in enumerate(page.sections):
            key = (page.group, page.kind, page.title, section.path, section.content, section.code)
            alike.setdefault(key, []).append((page, position, section))
    for several in alike.values():
        order = several[0][0].library.frameworks
        several.sort(key=lambda one: _place(one[0].about, order))
        yield _record(several, catalog)


def _choice(library: Library, framework: str | None) -> int:
    return _place((framework,), library.frameworks) if framework else 0


def _place(about: Sequence[str], order: Sequence[str]) -> int:
    return order.index(about[0]) if about and about[0] in order else len(order)


def post_records(post: Post, worth: Worth) -> Iterator[Record]:
    """A post of the blog: about no library's docs, so that no filter by version hides it."""
    for position, section in enumerate(sections(post.page)):
        path = [text for _, text in section.path][: DEEPEST - 1]
        yield {
            **_place_of(f"/blog/{post.slug}", section.anchor),
            "objectID": f"blog:{post.slug}#{section.anchor}",
            **_headings("Blog", post.title, path, names=()),
            "content": section.content if path else f"{post.front.description} {section.content}",
            "code": list(section.code),
            "version": [LATEST],
            "library": list(post.front.libraries),
            "framework": [],
            "kind": "blog",
            "context": "Blog",
            "group": f"blog:{post.slug}",
            "weight": _weight(worth.kinds["blog"], path, position),
        }


def landing(library: Library, worth: Worth) -> Iterator[Record]:
    """A library's own page."""
    told = [library.tagline, library.description]
    told += [f"{feature.title}: {feature.description}" for feature in library.feature_highlights]
    yield {
        **_place_of(f"{library.to}/{LATEST}", ""),
        "objectID": f"landing:{library.id}",
        **_headings(library.name, library.name, [], names=(library.short_name, library.id)),
        "content": " ".join(told),
        "code": [],
        "library": library.id,
        "version": [LATEST, *library.version_names],
        "framework": list(library.frameworks),
        "kind": "landing",
        "context": library.name,
        "group": f"landing:{library.id}",
        "weight": _weight(worth.kinds["landing"], [], 0),
    }


def _record(several: list[tuple[Shelved, int, Section]], catalog: Catalog) -> Record:
    """Of one section, or of those of several frameworks that say the same; the first framework's goes in front."""
    page, position, section = several[0]
    path = [text for _, text in section.path][: DEEPEST - 1]
    own = _about(page, section)
    about = tuple(dict.fromkeys(name for one, _, part in several for name in _about(one, part)))
    frameworks = tuple(dict.fromkeys(name for one, _, part in several for name in _about(one, part) or one.frameworks))
    context = (page.library.name, *(catalog.framework(name).label for name in about), page.section)
    return {
        **_place_of(_url(page), section.anchor),
        "objectID": f"{page.library.id}:{page.segment}:{page.inside}#{section.anchor}",
        **_headings(page.library.name, page.title, path, names=(page.label, page.inside.rpartition("/")[2])),
        "content": section.content,
        "code": list(section.code),
        "library": page.library.id,
        "version": list(page.versions),
        "framework": list(frameworks),
        "about": list(about),
        "variants": {
            name: f"{_url(one)}#{quote(part.anchor)}" if part.anchor else _url(one)
            for one, _, part in several[1:]
            for name in _about(one, part)
            if name not in own
        },
        "kind": page.kind,
        "section": page.section,
        "label": page.label if page.label != page.title else "",
        "context": " · ".join(word for word in context if word),
        "group": page.group,
        "demoted": page.demoted,
        "technical": page.technical,
        "weight": _weight(page.rank + (0 if path else page.beginning), path, position),
    }


def _headings(root: str, title: str, path: Sequence[str], *, names: Sequence[str]) -> dict[str, Json]:
    """The way down to a section. `names` are what else its page is called."""
    hierarchy: dict[str, Json] = {"lvl0": root, "lvl1": title}
    hierarchy |= {f"lvl{level}": text for level, text in enumerate(path, start=2)}
    heading: dict[str, Json] = {"subheading": path[-1]} if path else {"heading": [title, *filter(None, names)]}
    return {"hierarchy": hierarchy, "type": f"lvl{len(path) + 1}", **heading}


def _weight(rank: int, path: Sequence[str], position: int) -> dict[str, Json]:
    """By what records that match alike are told apart: their page's worth, their level, their place on the page."""
    return {"pageRank": rank, "level": 100 - 10 * len(path), "position": position}


def _place_of(address: str, anchor: str) -> dict[str, Json]:
    return {
        "url": f"{address}#{quote(anchor)}" if anchor else address,
        "url_without_anchor": address,
        "anchor": anchor,
    }


def _about(page: Shelved, section: Section) -> tuple[str, ...]:
    return (section.framework,) if section.framework else page.about


def _url(page: Shelved) -> str:
    return f"/{page.library.id}/{page.segment}/docs/{quote(page.inside)}"
