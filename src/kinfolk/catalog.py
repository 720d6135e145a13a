"""The registry: which libraries there are, their versions and branches, and what the family shares.

All of it is read once from `data/`. A wrong fact is a `BadFact` at start, never a page that fails later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from kinfolk.errors import BadFact, Invalid, NotFound
from kinfolk.facts import (
    STRICT,
    Count,
    Email,
    Link,
    Origin,
    RepoPath,
    ScriptUrl,
    SitePath,
    Slug,
    Url,
    Words,
    like,
    origin_of,
    read_facts,
)

LATEST = "latest"

Badge = Literal["new", "beta", "alpha"]
Editor = Literal["stackblitz", "codesandbox"]
# A step of the site's palette; the stylesheet turns it into a colour.
Hue = Annotated[str, like("red-500", r"[a-z]+-(50|[1-9]00|950)")]
# Both become names of directories, and are handed to git, which would take a leading dash for an option.
Repo = Annotated[RepoPath, like("TanStack/query", r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+")]
Branch = Annotated[RepoPath, like("main", r"[A-Za-z0-9][A-Za-z0-9._/-]*")]
PackageName = Annotated[str, like("@tanstack/react-query", r"(@[a-z0-9-]+/)?[a-z0-9][a-z0-9._-]*(@[0-9.]+)?")]
FileName = Annotated[str, like("react.tsx", r"[a-z0-9][a-z0-9._-]*")]


@dataclass(frozen=True)
class Version:
    name: Slug
    branch: Branch


@dataclass(frozen=True)
class MenuEntry:
    label: Words
    to: Link
    icon: Slug


@dataclass(frozen=True)
class FeatureHighlight:
    title: Words
    icon: Slug
    description: Words


@dataclass(frozen=True)
class Package:
    """What one installs to use the library with a framework or, where none is named, without one."""

    name: PackageName
    framework: Slug | None = None


@dataclass(frozen=True)
class Sample:
    """Code that shows the library at work: a file in the `samples` beside the library's own.

    `title` is what the file would be called in a project. `example` is the one that goes further, by its folder's name.
    """

    file: FileName
    title: RepoPath
    language: Slug
    framework: Slug | None = None
    example: Slug | None = None


@dataclass(frozen=True)
class CallToAction:
    """What a page ends with: `to` is below the library's docs."""

    title: Words
    text: Words
    label: Words
    to: RepoPath


@dataclass(frozen=True)
class CardStyles:
    """The accent of the library's cards on a light and on a dark page."""

    light: Hue
    dark: Hue


@dataclass(frozen=True)
class Library:
    """One file of `data/libraries/`. `versions` are newest first."""

    __pydantic_config__ = STRICT

    id: Slug
    name: Words
    short_name: Words
    to: SitePath
    order: Count
    tagline: Words
    description: Words
    repo: Repo
    latest_version: Slug
    latest_branch: Branch
    versions: tuple[Version, ...]
    frameworks: tuple[Slug, ...]
    color_from: Hue
    color_to: Hue
    text_color: Hue
    bg_style: Hue
    text_style: Hue
    card_styles: CardStyles
    menu: tuple[MenuEntry, ...]
    feature_highlights: tuple[FeatureHighlight, ...]
    # Where the group's own list does not name the library yet: it then comes last.
    group: Slug | None = None
    badge: Badge | None = None
    og_image: Url | None = None
    docs_root: RepoPath = "docs"
    default_docs: RepoPath = "overview"
    embed_editor: Editor = "stackblitz"
    hide_codesandbox_url: bool = False
    show_netlify_url: bool = False
    # What examples begin with: the name of a file in `src` without its ending, or a whole path.
    example_entry: RepoPath = "main"
    # Whose examples are whose, where libraries share a repository.
    example_prefix: Slug | None = None
    trusted_by: tuple[Words, ...] = ()
    feature_list: tuple[Words, ...] = ()
    packages: tuple[Package, ...] = ()
    # Whether these are tools for developing, which nobody's users download.
    dev_packages: bool = False
    # What the samples show, in one line.
    samples_title: Words | None = None
    samples: tuple[Sample, ...] = ()
    call_to_action: CallToAction | None = None

    @property
    def version_names(self) -> tuple[str, ...]:
        return tuple(version.name for version in self.versions)

    @property
    def repo_url(self) -> str:
        return f"https://github.com/{self.repo}"

    def is_known_version(self, version: str) -> bool:
        return version == LATEST or version in self.version_names

    def ref(self, version: str | None) -> tuple[str, str]:
        """The repository and the branch that hold this version. Raises Invalid for an unknown version."""
        return self.repo, resolve_branch(self, version)


def resolve_branch(library: Library | None, version: str | None) -> str:
    """The branch of a version; `latest` and None mean the latest one."""
    if library is None:
        raise Invalid("Library is required")
    if version in (None, LATEST, library.latest_version):
        return library.latest_branch
    for known in library.versions:
        if known.name == version:
            return known.branch
    raise Invalid(f"Could not resolve version for {library.name}")


@dataclass(frozen=True)
class Framework:
    """`logo` names a drawing of the frontend; a framework without one is shown by its label alone."""

    value: Slug
    label: Words
    color: Hue
    logo: Slug | None = None


@dataclass(frozen=True)
class Group:
    id: Slug
    label: Words
    libraries: tuple[Slug, ...]


@dataclass(frozen=True)
class Consultant:
    name: Words
    twitter: Slug
    website: Url
    specialties: tuple[Words, ...]
    img: Url


@dataclass(frozen=True)
class Partner:
    """A company that funds the libraries named. `note` is a distinction, such as being the official host."""

    id: Slug
    name: Words
    href: Url
    text: Words
    libraries: tuple[Slug, ...] = ()
    note: Words | None = None


@dataclass(frozen=True)
class AdSlot:
    """`sizes` are pairs of width and height in CSS pixels."""

    id: Slug
    sizes: tuple[tuple[Count, Count], ...]
    targeting: Slug
    refresh_interval_ms: Count


@dataclass(frozen=True)
class AdProvider:
    """Who fills ad slots for readers that agree. `name` is who readers know them as, `account` who they know us as."""

    kind: Literal["google-publisher-tag", "carbon"]
    name: Words
    script: ScriptUrl
    account: Words
    hosts: tuple[Origin, ...] = ()


@dataclass(frozen=True)
class TagManager:
    """What else is loaded for readers that agree."""

    id: Words
    name: Words
    script: ScriptUrl
    hosts: tuple[Origin, ...] = ()


@dataclass(frozen=True)
class Promo:
    rotation_ms: Count
    provider: AdProvider | None = None
    tag_manager: TagManager | None = None

    @property
    def hosts(self) -> tuple[str, ...]:
        """Origins of others that a page has to allow for all of this; none where nothing is configured."""
        outside = [part for part in (self.provider, self.tag_manager) if part is not None]
        return tuple(dict.fromkeys(host for part in outside for host in (origin_of(part.script), *part.hosts)))


@dataclass(frozen=True)
class Home:
    """How the home page introduces the family. `emphasis` are the words of the claim that are underlined."""

    claim: Words
    emphasis: Words
    lede: Words


@dataclass(frozen=True)
class Course:
    """A course about one of the libraries. `by` is who teaches it."""

    title: Words
    by: Words
    href: Url
    library: Slug
    text: Words


@dataclass(frozen=True)
class FormField:
    name: Slug
    value: Words


@dataclass(frozen=True)
class Newsletter:
    """A letter of somebody else's: readers send their address, as `email`, and these fields to `action`."""

    name: Words
    by: Words
    href: Url
    text: Words
    action: ScriptUrl
    fields: tuple[FormField, ...] = ()


@dataclass(frozen=True)
class SocialLink:
    label: Words
    to: Url
    icon: Slug


@dataclass(frozen=True)
class SiteLink:
    label: Words
    to: Link


@dataclass(frozen=True)
class Family:
    """What `site.toml` says about all libraries together."""

    __pydantic_config__ = STRICT

    product: Words
    family: Words
    owner: Words
    contact: Email
    title: Words
    description: Words
    keywords: tuple[Words, ...]
    sponsors_url: Url
    promo: Promo
    groups: tuple[Group, ...]
    frameworks: tuple[Framework, ...]
    consultants: tuple[Consultant, ...]
    partners: tuple[Partner, ...]
    ad_slots: tuple[AdSlot, ...]
    home: Home
    courses: tuple[Course, ...]
    social: tuple[SocialLink, ...]
    menu: tuple[SiteLink, ...]
    footer: tuple[SiteLink, ...]
    newsletter: Newsletter | None = None


@dataclass(frozen=True, kw_only=True)
class Catalog(Family):
    """The family and its libraries, these in registry order."""

    libraries: tuple[Library, ...]

    def library(self, id: str) -> Library:
        if id not in self._by_id:
            raise NotFound(f'Library with id "{id}" not found')
        return self._by_id[id]

    def consultants_on(self, day: date) -> tuple[Consultant, ...]:
        """The first one first; of the others another one second every day, so that each has its turn."""
        first, others = self.consultants[:1], self.consultants[1:]
        turn = day.toordinal() % len(others) if others else 0
        return (*first, *others[turn:], *others[:turn])

    def framework(self, value: str) -> Framework:
        """Docs may bring a framework nobody told us of: it is shown by its own name."""
        for framework in self.frameworks:
            if framework.value == value:
                return framework
        label = value.replace("-", " ").replace("_", " ").title()
        return Framework(value, label or value, color="gray-500")

    def refs(self) -> tuple[tuple[str, str], ...]:
        """Every (repository, branch) that holds a version of a library, each once."""
        pairs = ((library.repo, version.branch) for library in self.libraries for version in library.versions)
        return tuple(dict.fromkeys(pairs))

    def docs_home(self, repo: str, branch: str, path: str) -> tuple[Library, Version] | None:
        """Whose docs the file at this path of the repository is; of versions on one branch, the newest."""
        for docs_root, home in self._homes.get((repo, branch), ()):
            if path == docs_root or path.startswith(docs_root + "/"):
                return home
        return None

    @cached_property
    def _by_id(self) -> Mapping[str, Library]:
        return {library.id: library for library in self.libraries}

    @cached_property
    def _homes(self) -> Mapping[tuple[str, str], tuple[tuple[str, tuple[Library, Version]], ...]]:
        """Docs roots of each ref, the longest first, so that a root within another one wins."""
        homes: dict[tuple[str, str], dict[str, tuple[Library, Version]]] = {}
        for library in self.libraries:
            for version in library.versions:
                roots = homes.setdefault((library.repo, version.branch), {})
                roots.setdefault(library.docs_root, (library, version))
        return {
            ref: tuple(sorted(roots.items(), key=lambda root: len(root[0]), reverse=True))
            for ref, roots in homes.items()
        }


def load_catalog(data: Path) -> Catalog:
    """Read `data/`. Raises the first BadFact there is; `catalog_errors` tells all of them."""
    catalog, faults = _read(data)
    if catalog is None:
        raise faults[0]
    return catalog


def catalog_errors(data: Path) -> list[BadFact]:
    return _read(data)[1]


def _read(data: Path) -> tuple[Catalog | None, list[BadFact]]:
    faults: list[BadFact] = []
    family = read_facts(data, "site.toml", Family, faults)
    files = sorted(path.name for path in (data / "libraries").glob("*.toml"))
    if not files:
        faults.append(BadFact("libraries", "", "holds no library"))
    libraries = []
    for file in files:
        library = read_facts(data, f"libraries/{file}", Library, faults)
        if library:
            faults.extend(_faults_within(library, f"libraries/{file}"))
            faults.extend(_faults_of_frameworks(library, f"libraries/{file}"))
            libraries.append(library)
    # With a file missing, every mention of its library would be reported as well.
    in_order = sorted(libraries, key=lambda library: library.order)
    if family:
        family = _joined(family, in_order)
    if family and len(libraries) == len(files):
        faults.extend(_faults_among(libraries, family))
    if family is None or faults:
        return None, faults
    return Catalog(**vars(family), libraries=tuple(in_order)), faults


def _joined(family: Family, libraries: Iterable[Library]) -> Family:
    """The family, its groups with the libraries that name them."""
    joining = {
        group.id: tuple(one.id for one in libraries if one.group == group.id and one.id not in group.libraries)
        for group in family.groups
    }
    return replace(
        family, groups=tuple(replace(group, libraries=group.libraries + joining[group.id]) for group in family.groups)
    )


def _faults_within(library: Library, file: str) -> Iterator[BadFact]:
    if file != f"libraries/{library.id}.toml":
        yield BadFact(file, "id", f"is {library.id}, so the file should be called {library.id}.toml")
    if library.to != f"/{library.id}":
        yield BadFact(file, "to", f"should be /{library.id}")
    branches = {version.name: version.branch for version in library.versions}
    if library.latest_version not in branches:
        yield BadFact(file, "latest_version", f"{library.latest_version} is not among the versions")
    elif branches[library.latest_version] != library.latest_branch:
        wanted = branches[library.latest_version]
        yield BadFact(file, "latest_branch", f"should be {wanted}, where {library.latest_version} is")
    if LATEST in branches:
        yield BadFact(file, "versions", f"{LATEST} is the site's own word for the latest version")
    for key, values in (("versions", library.version_names), ("frameworks", library.frameworks)):
        for value in _repeated(values):
            yield BadFact(file, key, f"{value} is there twice")
    for index, entry in enumerate(library.menu):
        if not entry.to.startswith(f"{library.to}/") and entry.to != library.repo_url:
            yield BadFact(file, f"menu[{index}].to", f"should be below {library.to}/ or be {library.repo_url}")


def _faults_of_frameworks(library: Library, file: str) -> Iterator[BadFact]:
    for key, mentioned in (
        ("packages", [package.framework for package in library.packages]),
        ("samples", [sample.framework for sample in library.samples]),
    ):
        for value in _repeated(framework for framework in mentioned if framework is not None):
            yield BadFact(file, key, f"{value} is there twice")
        for index, framework in enumerate(mentioned):
            if framework is None and len(mentioned) > 1:
                yield BadFact(file, f"{key}[{index}]", "should name its framework, because there are several")
            if framework is not None and framework not in library.frameworks:
                yield BadFact(file, f"{key}[{index}].framework", f"{framework} is not among the frameworks")


def _faults_among(libraries: Iterable[Library], family: Family) -> Iterator[BadFact]:
    frameworks = {framework.value for framework in family.frameworks}
    seen: dict[tuple[str, object], str] = {}
    spelled: dict[str, str] = {}
    for library in libraries:
        file = f"libraries/{library.id}.toml"
        if library.group is not None and all(group.id != library.group for group in family.groups):
            yield BadFact(file, "group", f"{library.group} is not a group of site.toml")
        for index, value in enumerate(library.frameworks):
            if value not in frameworks:
                yield BadFact(file, f"frameworks[{index}]", f"{value} is not a framework of site.toml")
        # GitHub takes any case, but our mirrors, pushes and cache tags compare names letter by letter.
        if spelled.setdefault(library.repo.casefold(), library.repo) != library.repo:
            yield BadFact(file, "repo", f"is spelled {spelled[library.repo.casefold()]} elsewhere")
        place = (library.repo.casefold(), library.docs_root)
        for key, fact in (("order", library.order), ("name", library.name), ("docs_root", place)):
            owner = seen.setdefault((key, fact), library.id)
            if owner != library.id:
                yield BadFact(file, key, f"is the same as in {owner}.toml")
    yield from _faults_of_mentions(family, [library.id for library in libraries])
    yield from _faults_of_home(family, [library.id for library in libraries])


def _faults_of_home(family: Family, ids: list[str]) -> Iterator[BadFact]:
    if family.home.emphasis not in family.home.claim:
        yield BadFact("site.toml", "home.emphasis", "should be words of the claim")
    for index, course in enumerate(family.courses):
        if course.library not in ids:
            yield BadFact("site.toml", f"courses[{index}].library", f"there is no library {course.library}")


def _faults_of_mentions(family: Family, ids: list[str]) -> Iterator[BadFact]:
    grouped = Counter(id for group in family.groups for id in group.libraries)
    for id in ids:
        if grouped[id] != 1:
            yield BadFact("site.toml", "groups", f"{id} should be in one group, not in {grouped[id]}")
    mentions = [(f"groups[{i}].libraries", group.libraries) for i, group in enumerate(family.groups)]
    mentions += [(f"partners[{i}].libraries", partner.libraries) for i, partner in enumerate(family.partners)]
    for key, mentioned in mentions:
        for index, id in enumerate(mentioned):
            if id not in ids:
                yield BadFact("site.toml", f"{key}[{index}]", f"there is no library {id}")
    for key, values in (
        ("groups", [group.id for group in family.groups]),
        ("frameworks", [framework.value for framework in family.frameworks]),
        ("partners", [partner.id for partner in family.partners]),
        ("ad_slots", [slot.id for slot in family.ad_slots]),
    ):
        for value in _repeated(values):
            yield BadFact("site.toml", key, f"{value} is there twice")


def _repeated(values: Iterable[str]) -> list[str]:
    return [value for value, times in Counter(values).items() if times > 1]
