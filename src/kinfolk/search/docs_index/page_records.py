"""Records of the index: one for each section of each page of each version.

    {"objectID": "query:latest:framework/react/guides/caching#caching",
     "url": "/query/latest/docs/framework/react/guides/caching#caching", "anchor": "caching",
     "hierarchy": {"lvl0": "Acme Query", "lvl1": "Caching Examples", "lvl2": "Caching", …}, "type": "lvl2",
     "content": "…", "code": ["useQuery", …], "library": "query", "version": ["latest", "v5"],
     "framework": ["react", "preact"], "variants": {"preact": "/query/latest/docs/framework/preact/guides/…#caching"},
     "kind": "guide", "group": "query:latest:framework/*/guides/caching", …}

Text that several frameworks share is one record; `variants` has its URLs in the other frameworks. A page that does not
depend on the framework has all frameworks of its library, so that no filter by framework excludes it. What an excerpt
is made of is in one more attribute, which clients do not see (`excerpt_attribute.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate
from urllib.parse import quote

from kinfolk.config.catalog import LATEST, Catalog, Library
from kinfolk.content.blog import BlogPost
from kinfolk.content.docs.branch_docs import default_title
from kinfolk.content.docs.pages.location import framework_of
from kinfolk.content.docs.snapshots.version_docs import VersionDocs
from kinfolk.content.markdown.deprecated_symbols import deprecated_lines
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.pages.prose_pages import ProsePage
from kinfolk.content.release_notes.library_notes import published_on
from kinfolk.content.release_notes.release_feed import release_address
from kinfolk.content.release_notes.release_page import FoundNotes
from kinfolk.search.docs_index.definitions import defined_in_heading
from kinfolk.search.docs_index.excerpt_attribute import excerpt_attribute
from kinfolk.search.docs_index.page_sections import MAX_NAMES, PageSection, sections
from kinfolk.search.filters import Json, Record
from kinfolk.search.ranking_config import Kind, ListedPage, RankingWeights

PLACES_OF_A_POINT = 1_000
"""Places in the navigation that are worth a point of the weight: they decide only between equal weights."""
MAX_PLACE = PLACES_OF_A_POINT - 1
LAST_DAY = date(2200, 1, 1)
"""After the days of all releases. A release's position counts from it, so that a new one changes no other record."""
RELEASE_WORDS = ("changed", "did", "notes", "release", "released", "version")
"""Words of questions about releases: when did it change, which version has it. Notes do not have them."""
LONGEST_NOTES = 12_000
"""Characters of the notes of a release that are indexed: twice those of a section."""
MAX_LEVELS = 6
"""Levels of the hierarchy: the page's title and five below it."""
_FRAMEWORK = re.compile(r"^framework/([^/]+)/(?=.)")
# The first heading of a typedoc page, or its references to source code.
_GENERATED = re.compile(
    r"^(?:# (?:Abstract )?(?:Class|Enumeration|Function|Interface|Type Alias|Variable): |Defined in: \[)", re.MULTILINE
)


@dataclass(frozen=True)
class IndexablePage:
    """A page with its sections and position. `inside` is its path below the docs."""

    library: Library
    segment: str
    versions: tuple[str, ...]
    inside: str
    title: str
    sections: tuple[PageSection, ...]
    kind: Kind
    frameworks: tuple[str, ...]
    """The frameworks that the page is for."""
    about: tuple[str, ...]
    """The frameworks that the page depends on; empty for a page that is the same in all."""
    label: str
    section: str
    rank: float
    beginning: int
    """Weight of its first section above the others."""
    demoted: bool
    purpose: str | None
    technical: bool
    deprecated: Mapping[str, str] = field(default_factory=dict)
    """Anchors of deprecated sections, each with a line about it; `""` for a page that is deprecated as a whole."""

    @property
    def group(self) -> str:
        return group_name(self.library, self.segment, self.inside)


def group_name(library: Library, segment: str, inside: str) -> str:
    """Equal for a page in all frameworks."""
    return f"{library.id}:{segment}:{_FRAMEWORK.sub('framework/*/', inside)}"


def meaning_page(library: Library, inside: str, anchor: str) -> str:
    """A section as the files of `meanings/` name it, the same in all frameworks and versions."""
    page = f"{library.id}/{_FRAMEWORK.sub('', inside)}"
    return f"{page}#{anchor}" if anchor else page


def named_section(object_id: str) -> str:
    """The section of a record of the docs, as the files of `meanings/` name it."""
    library, _, place = object_id.partition(":")
    return f"{library}/{_FRAMEWORK.sub('', place.partition(':')[2])}".removesuffix("#")


@dataclass(frozen=True)
class NavigationEntry:
    """The label and section of a page in the navigation, and how many pages are before it."""

    label: str
    section: str
    place: int


def navigation(version_docs: VersionDocs) -> Mapping[str, NavigationEntry]:
    """Path of a page -> its first entry."""
    found: dict[str, NavigationEntry] = {}
    for section in version_docs.config().sections:
        for link in (*section.children, *(link for group in section.frameworks for link in group.children)):
            found.setdefault(link.path.rstrip("/"), NavigationEntry(link.label, section.label, len(found)))
    return found


def indexable_page(
    version_docs: VersionDocs,
    inside: str,
    path: str,
    page: MarkdownPage,
    *,
    source: str = "",
    weights: RankingWeights,
    entry: NavigationEntry | None,
) -> IndexablePage:
    """A page of the docs with its weight. `source` is the text of its file."""
    library = version_docs.library
    framework = framework_of(version_docs.docs_root, path)
    generated = _GENERATED.search(page.text) is not None
    kind: Kind = "reference" if generated or re.search(r"(?:^|/)(?:reference|api)(?:/|$)", inside) else "guide"
    return IndexablePage(
        library=library,
        segment=version_docs.segment,
        versions=versions(version_docs),
        inside=inside,
        title=page.title or default_title(path),
        sections=sections(page, source),
        kind=kind,
        frameworks=(framework,) if framework else version_docs.frameworks,
        about=(framework,) if framework else (),
        label=entry.label if entry and entry.label != page.title else "",
        section=entry.section if entry else "",
        # Of equal pages, the one that the navigation lists first.
        rank=weights.of(kind, inside, listed=entry is not None, generated=generated, choice=_choice(library, framework))
        - (min(entry.place, MAX_PLACE) / PLACES_OF_A_POINT if entry else 0),
        beginning=weights.beginning(inside),
        demoted=weights.is_demoted(inside),
        purpose=weights.purpose(inside),
        technical=kind == "reference" and weights.is_technical(inside),
        deprecated=deprecated_lines(page),
    )


def versions(version_docs: VersionDocs) -> tuple[str, ...]:
    """The names of the version. The latest one has two."""
    return (LATEST, version_docs.version.name) if version_docs.segment == LATEST else (version_docs.version.name,)


def examples(
    version_docs: VersionDocs, weights: RankingWeights, entries: Mapping[str, NavigationEntry]
) -> Iterator[IndexablePage]:
    """The examples of the navigation, searchable by their labels."""
    for inside in version_docs.examples():
        found = _FRAMEWORK.match(inside)
        entry = entries[inside]
        if found:
            yield IndexablePage(
                library=version_docs.library,
                segment=version_docs.segment,
                versions=versions(version_docs),
                inside=inside,
                title=entry.label,
                sections=(PageSection("", (), "", ()),),
                kind="example",
                frameworks=(found[1],),
                about=(found[1],),
                label="",
                section=entry.section,
                rank=weights.of(
                    "example", inside, listed=True, generated=False, choice=_choice(version_docs.library, found[1])
                ),
                beginning=0,
                demoted=False,
                purpose=None,
                technical=False,
            )


def records(
    pages: Iterable[IndexablePage], catalog: Catalog, phrases: Mapping[str, Sequence[str]] | None = None
) -> Iterator[Record]:
    """One record for each section, or for equal sections of several frameworks, of pages of one library and version.

    `phrases` are the phrases of each page or section, named as by `meaning_page`.
    """
    alike: dict[object, list[tuple[IndexablePage, int, PageSection]]] = {}
    for page in pages:
        for position, section in enumerate(page.sections):
            key = (page.group, page.kind, page.title, section.path, section.content, section.code)
            alike.setdefault(key, []).append((page, position, section))
    for several in alike.values():
        order = several[0][0].library.frameworks
        several.sort(key=lambda one: _place(one[0].about, order))
        yield _record(several, catalog, phrases or {})


def _choice(library: Library, framework: str | None) -> int:
    return _place((framework,), library.frameworks) if framework else 0


def _place(about: Sequence[str], order: Sequence[str]) -> int:
    return order.index(about[0]) if about and about[0] in order else len(order)


def post_records(post: BlogPost, weights: RankingWeights) -> Iterator[Record]:
    """Sections of a blog post."""
    place = _SitePage(
        kind="blog",
        root="Blog",
        address=f"/blog/{post.slug}",
        name=post.slug,
        title=post.title,
        description=post.front.description,
        libraries=post.front.libraries,
        keywords=post.front.tags,
    )
    return _site_sections(place, sections(post.page), weights)


def prose_records(page: ProsePage, family: str, weights: RankingWeights) -> Iterator[Record]:
    """Sections of one of the site's own pages, such as the terms of service. Its name finds it as its title does."""
    place = _SitePage(
        kind="site",
        root=family,
        address=f"/{page.name}",
        name=page.name,
        title=page.title,
        description=page.description,
        names=(page.name.rpartition("/")[2].replace("-", " "),),
    )
    return _site_sections(place, sections(page.page), weights)


def release_records(
    library: Library, found: FoundNotes, page: MarkdownPage | None, weights: RankingWeights
) -> Iterator[Record]:
    """One record of a release: its groups have the same headings in all releases. Without a page, it is found by its
    number only.
    """
    number = found.release.number
    place = _SitePage(
        kind="release",
        root=library.name,
        address=release_address(library.id, number),
        name=f"{library.id}:{number}",
        title=f"{library.name} {number}",
        description=found.title,
        libraries=(library.id,),
        frameworks=library.frameworks,
        names=(number, f"v{number}", f"{library.short_name} {number}"),
        keywords=RELEASE_WORDS if page else (),
        # Of releases that match equally well, the newest is first.
        position=(LAST_DAY - published_on(found)).days,
    )
    parts = sections(page) if page else ()
    texts = [part.content for part in parts if part.content]
    section = PageSection(
        "",
        (),
        " ".join(texts)[:LONGEST_NOTES],
        tuple(dict.fromkeys(name for part in parts for name in part.code))[:MAX_NAMES],
        breaks=tuple(accumulate(len(text) + 1 for text in texts[:-1])),
    )
    return _site_sections(place, (section,), weights)


def listed_page_records(page: ListedPage, family: str, weights: RankingWeights) -> Iterator[Record]:
    """A page of the site whose text is not in a file, such as the list of posts."""
    address, _, anchor = page.to.partition("#")
    place = _SitePage(
        kind="site",
        root=family,
        address=address,
        name=page.to,
        title=page.title,
        description=page.description,
        names=page.names,
    )
    return _site_sections(place, (PageSection(anchor, (), "", ()),), weights)


@dataclass(frozen=True)
class _SitePage:
    """A page that belongs to no version of a library. `names` are further titles, `keywords` words about it."""

    kind: Kind
    root: str
    address: str
    name: str
    title: str
    description: str
    libraries: Sequence[str] = ()
    frameworks: Sequence[str] = ()
    names: Sequence[str] = ()
    keywords: Sequence[str] = ()
    position: int = 0


def _site_sections(page: _SitePage, parts: Sequence[PageSection], weights: RankingWeights) -> Iterator[Record]:
    """Records of the sections. Their version is the latest, so that no filter by version excludes them."""
    for position, section in enumerate(parts):
        path = [text for _, text in section.path][: MAX_LEVELS - 1]
        yield {
            **_place_of(page.address, section.anchor),
            "objectID": f"{page.kind}:{page.name}#{section.anchor}",
            **_headings(page.root, page.title, path, names=page.names),
            "content": section.content if path else f"{page.description} {section.content}".strip(),
            "code": list(section.code),
            **({"keywords": list(page.keywords)} if page.keywords and not path else {}),
            "version": [LATEST],
            "library": list(page.libraries),
            "framework": list(page.frameworks),
            "kind": page.kind,
            "context": " · ".join((page.root, *page.names)),
            "group": f"{page.kind}:{page.name}",
            "weight": _weight(weights.kinds[page.kind], path, page.position + position),
            # The description before the content of a page has no breaks.
            **(excerpt_attribute(section) if path or not page.description else {}),
        }


def landing_records(library: Library, frameworks: Sequence[str], weights: RankingWeights) -> Iterator[Record]:
    """The landing page of a library, with the frameworks of its latest version."""
    texts = [library.tagline, library.description]
    texts += [f"{feature.title}: {feature.description}" for feature in library.feature_highlights]
    yield {
        **_place_of(f"{library.to}/{LATEST}", ""),
        "objectID": f"landing:{library.id}",
        **_headings(library.name, library.name, [], names=(library.short_name, library.id)),
        "content": " ".join(texts),
        "code": [],
        "library": library.id,
        "version": [LATEST, *library.version_names],
        "framework": list(frameworks),
        "kind": "landing",
        "context": library.name,
        "group": f"landing:{library.id}",
        "weight": _weight(weights.kinds["landing"], [], 0),
    }


def _record(
    several: list[tuple[IndexablePage, int, PageSection]], catalog: Catalog, phrases: Mapping[str, Sequence[str]]
) -> Record:
    """A record of equal sections, with the URL of the first framework."""
    page, position, section = several[0]
    path = [text for _, text in section.path][: MAX_LEVELS - 1]
    own = _about(page, section)
    about = tuple(dict.fromkeys(name for one, _, part in several for name in _about(one, part)))
    frameworks = tuple(dict.fromkeys(name for one, _, part in several for name in _about(one, part) or one.frameworks))
    context = (page.library.name, *(catalog.framework(name).label for name in about), page.section)
    return {
        **_place_of(_url(page), section.anchor),
        "objectID": f"{page.library.id}:{page.segment}:{page.inside}#{section.anchor}",
        **_headings(page.library.name, page.title, path, names=_names(page)),
        "content": section.content,
        "code": list(section.code),
        "defines": list(_defined(page, section)),
        "phrases": list(phrases.get(meaning_page(page.library, page.inside, section.anchor), ())),
        "library": page.library.id,
        "version": list(page.versions),
        "framework": list(frameworks),
        "about": list(about),
        "other_framework": bool(about) and catalog.default_framework not in about,
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
        "purpose": page.purpose,
        "technical": page.technical,
        **_deprecation(page, section),
        "weight": _weight(page.rank + (0 if path else page.beginning), path, position),
        **excerpt_attribute(section),
    }


def _deprecation(page: IndexablePage, section: PageSection) -> dict[str, Json]:
    """What results say about a deprecated page, and about a deprecated section."""
    lines = {"deprecated_page": page.deprecated.get("")}
    lines |= {"deprecated": page.deprecated.get(section.anchor)} if section.anchor else {}
    return {name: line for name, line in lines.items() if line}


def _defined(page: IndexablePage, section: PageSection) -> tuple[str, ...]:
    """The names that a section defines. In guides, lists mention the names of others."""
    entries = section.entries if page.kind == "reference" else ()
    return tuple(dict.fromkeys((*(defined_in_heading(section.title) if section.title else ()), *entries)))


def _names(page: IndexablePage) -> tuple[str, ...]:
    """Other names of a page: its label, the last segment of its path, and `Retries` for *Query Retries* of Query."""
    own = page.title.removeprefix(f"{page.library.short_name} ")
    return page.label, page.inside.rpartition("/")[2], own if own != page.title else ""


def _headings(root: str, title: str, path: Sequence[str], *, names: Sequence[str]) -> dict[str, Json]:
    """The headings down to a section. `names` are other names of its page."""
    hierarchy: dict[str, Json] = {"lvl0": root, "lvl1": title}
    hierarchy |= {f"lvl{level}": text for level, text in enumerate(path, start=2)}
    heading: dict[str, Json] = {"subheading": path[-1]} if path else {"heading": [title, *filter(None, names)]}
    return {"hierarchy": hierarchy, "type": f"lvl{len(path) + 1}", **heading}


def _weight(rank: float, path: Sequence[str], position: int) -> dict[str, Json]:
    """By what records that match alike are told apart: their page's weights, their level, their place on the page."""
    return {"pageRank": rank, "level": 100 - 10 * len(path), "position": position}


def _place_of(address: str, anchor: str) -> dict[str, Json]:
    return {
        "url": f"{address}#{quote(anchor)}" if anchor else address,
        "url_without_anchor": address,
        "anchor": anchor,
    }


def _about(page: IndexablePage, section: PageSection) -> tuple[str, ...]:
    return (section.framework,) if section.framework else page.about


def _url(page: IndexablePage) -> str:
    return f"/{page.library.id}/{page.segment}/docs/{quote(page.inside)}"
