"""A library: its versions, branches, menu and landing page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Discriminator, Tag

from kinfolk.config.catalog.examples_layout import is_examples_pattern
from kinfolk.config.catalog.releases import KnownReleases, Release, is_tag_form
from kinfolk.config.code_hosts import CodeHost, HostKind, code_host
from kinfolk.config.component import Component
from kinfolk.config.data_files import (
    STRICT_CONFIG,
    DocsRoot,
    FolderPath,
    HttpsUrl,
    PathOrUrl,
    PositiveInt,
    RepoPath,
    SitePath,
    Slug,
    TextLine,
    matches,
    satisfies,
)
from kinfolk.config.docs_address import Ref
from kinfolk.config.package_registries import RegistryName, is_any_package
from kinfolk.runtime.errors import Invalid

LATEST = "latest"
LOCAL_OWNER = "_local"
"""The owner in the content name of a library without a repository: `_local/query`. No code host has such an owner."""

Badge = Literal["new", "beta", "alpha"]
Editor = Literal["stackblitz", "codesandbox"]
PatternName = Literal["bars", "blueprint", "cells", "fields", "grid", "paths", "pulses", "rings", "steps", "ticks"]
HueName = Literal[
    "red",
    "orange",
    "amber",
    "yellow",
    "lime",
    "green",
    "emerald",
    "teal",
    "cyan",
    "sky",
    "blue",
    "indigo",
    "violet",
    "purple",
    "fuchsia",
    "pink",
    "rose",
    "gray",
]
# A step of the site's palette; the stylesheet turns it into a color.
Hue = Annotated[str, matches("red-500", r"[a-z]+-(50|[1-9]00|950)", "palette step")]
# Used as names of directories and as arguments of git, which parses a leading dash as an option.
Repo = Annotated[RepoPath, matches("acme/query", r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+", "repository")]
Branch = Annotated[RepoPath, matches("main", r"[A-Za-z0-9][A-Za-z0-9._/-]*", "branch")]
PackageName = Annotated[str, satisfies(is_any_package, "package", "a package, such as `@acme/tiles` or `acme-tiles@4`")]
NpmName = Annotated[
    str,
    matches("@acme/react-query", r"(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]{0,99}", "package name"),
]
PagePath = Annotated[str, matches("guide/start", r"[^\s\\](?:[^\x00-\x1f\x7f\\]*[^\s\\])?", "page path")]
PageOrUrl = Annotated[
    str,
    matches(
        "guide/start or https://play.acme.dev",
        r"https://[^\s\\/]+\.[^\s\\]+|(?![A-Za-z][A-Za-z0-9+.-]*:)[^\s\\](?:[^\x00-\x1f\x7f\\]*[^\s\\])?",
        "page path or URL",
    ),
]
FileName = Annotated[str, matches("react.tsx", r"[a-z0-9][a-z0-9._-]*", "file name")]
DialectName = Literal[
    "github",
    "vitepress",
    "mkdocs",
    "docusaurus",
    "starlight",
    "fumadocs",
    "nextra",
    "mintlify",
    "mdx",
    "mdbook",
    "myst",
    "nuxt-content",
]
ExamplesPattern = Annotated[
    str,
    satisfies(
        is_examples_pattern,
        "examples pattern",
        "`none`, `examples/{name}`, `examples/{framework}/{name}`, or the same in another folder",
    ),
]
TagForm = Annotated[
    str, satisfies(is_tag_form, "form of tags", "a name with `{version}` and perhaps `{package}`, such as `v{version}`")
]
VersionBanner = Literal["unreleased", "unmaintained", "none"]
_MAJOR = re.compile(r"v(\d+)")
"""The major version in the name of a version."""


@dataclass(frozen=True)
class DocsMenuLink:
    """An entry of the docs menu with a label of its own."""

    label: TextLine
    """Text of the link."""
    to: PageOrUrl
    """Path of a page below the docs root, or an https URL of another site."""


DocsMenuEntry = Annotated[
    Annotated[PagePath, Tag("path")] | Annotated[DocsMenuLink, Tag("link")],
    Discriminator(lambda value: "path" if isinstance(value, str) else "link"),
]


@dataclass(frozen=True)
class DocsMenuSection:
    """A section of the docs menu, for docs whose own repository has no menu that can be read."""

    label: TextLine
    """Heading of the section."""
    pages: tuple[DocsMenuEntry, ...]
    """Pages in order, as paths below the docs root: their titles are the labels. An entry with another label, or one
    that leads to another site, is a table: `{ label = "Playground", to = "https://play.acme.dev" }`."""

    @property
    def links(self) -> tuple[tuple[str, str | None], ...]:
        """The target of each entry, and its label if it has one."""
        return tuple((one, None) if isinstance(one, str) else (one.to, one.label) for one in self.pages)


@dataclass(frozen=True)
class MenuEntry:
    """A link at the top of the docs menu."""

    label: TextLine
    """Text of the link."""
    to: PathOrUrl
    """Target: a path below the library's own, or the URL of its repository."""
    icon: Slug
    """Name of an icon."""


@dataclass(frozen=True)
class FeatureHighlight:
    """A feature that the landing page presents with an icon."""

    title: TextLine
    """Heading of the feature."""
    icon: Slug
    """Name of an icon."""
    description: TextLine
    """Text below the heading."""


@dataclass(frozen=True)
class Package:
    """A package that the install commands name."""

    name: PackageName
    """Name in the registry; a version may follow after `@`."""
    framework: Slug | None = None
    """Framework that the package is for. Required if the library has several packages in a registry."""
    registry: RegistryName = "npm"
    """Registry that has the package, which decides the commands."""

    @property
    def name_without_version(self) -> str:
        """`@acme/tiles` of `@acme/tiles@4`. A scope begins with the character that a version begins with."""
        return self.name[:1] + self.name[1:].partition("@")[0]


@dataclass(frozen=True)
class Sample:
    """A code sample of the landing page, from a file in `libraries/<id>/samples/`."""

    file: FileName
    """File name in the folder `samples` of the library."""
    title: RepoPath
    """Path that is shown above the code, as in a project: `src/Books.tsx`."""
    language: Slug
    """Language for syntax highlighting."""
    framework: Slug | None = None
    """Framework of the sample. Required if the library has several samples."""
    example: Slug | None = None
    """Folder name of the example that the sample links to."""


@dataclass(frozen=True)
class Version:
    """A version of a library, and the branch or the folder of a branch with its docs."""

    name: Slug
    """Name in URLs: `v5` in `/query/v5/docs`."""
    branch: Branch | None = None
    """Branch of the repository that holds the docs of this version. Without one, the latest branch: versions that are
    folders of one branch each have a `docs_root`."""
    migration: RepoPath | None = None
    """Page of this version's docs about the upgrade from the previous version, whose landing page links to it."""
    packages: tuple[Package, ...] = ()
    """Packages in the install commands of this version. By default an older version installs the packages of the
    library at its own major version."""
    samples: tuple[Sample, ...] = ()
    """Code samples of an older version. Its landing page shows no others."""
    docs_root: DocsRoot | None = None
    """Folder of the docs of this version, such as `versioned_docs/version-30.0`. Without one, that of the library.
    Pages of a folder within the docs root of another version are of this version only."""
    dialect: DialectName | None = None
    """Dialect of the docs of this version. Without one, that of the library."""
    default_docs: RepoPath | None = None
    """Page that `/docs` of this version opens, without `.md`. Without one, that of the library."""
    docs_menu: tuple[DocsMenuSection, ...] = ()
    """Sections of the docs menu of this version. Without any, those of the library."""
    label: TextLine | None = None
    """Text in place of the name in menus: `30.0 (stable)`."""
    banner: VersionBanner | None = None
    """Notice above the pages of this version: that it is not released yet, that it is not maintained any more, or none.
    Without this key, pages of other versions than the latest one name the latest one."""

    @property
    def title(self) -> str:
        """What pages and texts call the version."""
        return self.label or self.name


@dataclass(frozen=True)
class VersionDocsFacts:
    """Where the docs of a version are and how they are read, with the facts of the library that the version lacks."""

    version: Version
    ref: Ref
    docs_root: str
    dialect: DialectName
    default_docs: str | None
    docs_menu: tuple[DocsMenuSection, ...]

    @property
    def place(self) -> tuple[Ref, str]:
        """The branch and the folder. Two versions may have one branch, and versions without a folder one place."""
        return self.ref, self.docs_root


@dataclass(frozen=True)
class CallToAction:
    """The last section of the landing page."""

    title: TextLine
    """Heading."""
    text: TextLine
    """Text below the heading."""
    label: TextLine
    """Text of the button. `{framework}` stands for the name of the reader's framework."""
    to: RepoPath
    """Page that the button opens, below the docs of the latest version."""


@dataclass(frozen=True)
class CardStyles:
    """The accent color of the library in both themes."""

    light: Hue
    """Palette step for text in the light theme. The shade is adjusted until its contrast is 4.5:1."""
    dark: Hue
    """Palette step for text in the dark theme. The shade is adjusted until its contrast is 4.5:1."""


@dataclass(frozen=True)
class Library:
    """A library: one file of `libraries/`."""

    __pydantic_config__ = STRICT_CONFIG

    id: Slug
    """Identifier, equal to the name of the file, which is its default: the first part of the library's URLs."""
    name: TextLine
    """Full name: `Acme Query`. Without it, the id in title case."""
    short_name: TextLine
    """Name without the family's name: `Query`. Without it, that of `name`."""
    to: SitePath
    """Path of the landing page: `/` and the id, which is its default."""
    order: PositiveInt
    """Position among all libraries. Each library has its own. Without it, the library follows
    the others, by the name of its file."""
    tagline: TextLine
    """One sentence for cards and lists. Without it, the description."""
    description: TextLine
    """Two or three sentences for the landing page, its metadata and the search. Without it, the tagline."""
    latest_version: Slug
    """Name of the version that `latest` in a URL means. Without it, the first of `versions`."""
    latest_branch: Branch
    """Branch of the latest version, as in `versions`. Without both, `main`."""
    versions: tuple[Version, ...]
    """Versions with docs, newest first. Without any, the latest branch is the only one."""
    color_from: Hue
    """Palette step at the start of the library's gradient. Colors that are left out follow from `color`."""
    color_to: Hue
    """Palette step at the end of the library's gradient."""
    text_color: Hue
    """Palette step that the function `fetchLibraries` returns as `textColor`."""
    bg_style: Hue
    """Palette step that the function `fetchLibraries` returns as `bgStyle`."""
    text_style: Hue
    """Palette step that the function `fetchLibraries` returns as `textStyle`."""
    card_styles: CardStyles
    """Colors of text about the library."""
    menu: tuple[MenuEntry, ...]
    """Links at the top of the docs menu. Without it, the docs and the repository."""
    repo: Repo | None = None
    """Repository on its host. Its case must be the same in each file that names it. Required without a `folder`.
    Without a repository, no page links to a code host, and nothing is requested from one."""
    folder: FolderPath | None = None
    """Folder with a checkout of the repository, from the site folder on: `..` for a site within it. The docs of the
    latest version are read from it, and no mirror is made."""
    color: HueName | None = None
    """Hue that the other colors follow from. Without it, the position decides."""
    frameworks: tuple[Slug, ...] = ()
    """Frameworks with docs of their own, in the order of the menu. Each must be in `kinfolk.toml`."""
    feature_highlights: tuple[FeatureHighlight, ...] = ()
    """Features that the landing page presents first."""
    builds_on: tuple[Slug, ...] = ()
    """Libraries whose docs are part of this one's: a search that begins on its pages includes them."""
    group: Slug | None = None
    """Group of `kinfolk.toml` that the library joins as its last member. Omit it if the group lists the library."""
    badge: Badge | None = None
    """Label next to the name."""
    pattern: PatternName | None = None
    """Drawing behind titles, on covers of posts and on share images. Without one, the id decides which one it is."""
    og_image: HttpsUrl | None = None
    """Image for links to the landing page on other sites. Without one, an image is generated."""
    docs_root: DocsRoot = "docs"
    """Folder of the docs in the repository; `.` for the whole repository. A version may have its own."""
    dialect: DialectName = "github"
    """Dialect of the docs: the program that they are written for."""
    components: Mapping[str, Component] = field(default_factory=dict, hash=False)
    """Components of the library's docs, by name. They take precedence over those of `kinfolk.toml`."""
    docs_exclude: tuple[RepoPath, ...] = ()
    """Folders and files below the docs root that are no pages, such as the folder of a translation: `zh`."""
    docs_menu: tuple[DocsMenuSection, ...] = ()
    """Sections of the docs menu, for docs without a `config.json`. Without both, folders are the menu."""
    host: HostKind = "github"
    """Kind of server that has the repository. `codeberg` stands for all servers that run Forgejo."""
    host_url: HttpsUrl | None = None
    """Address of the server, if it is not the public one of its kind: `https://gitlab.example.com`."""
    default_docs: RepoPath | None = None
    """Page that `/docs` opens, without `.md`. Without one, `overview`, else the first page of the menu, `index` or
    `README`, else the first page."""
    embed_editor: Editor = "stackblitz"
    """Online editor in which an example opens on its page."""
    hide_codesandbox_url: bool = False
    """Whether the link to CodeSandbox is left out on example pages."""
    show_netlify_url: bool = False
    """Whether example pages link to a deployment on Netlify."""
    example_entry: RepoPath = "main"
    """File that an example opens first: a name in `src` without its extension, or a whole path."""
    examples: ExamplesPattern | None = None
    """Folders of the examples in the repository. Without this key, `examples/{framework}/{name}` if one of these
    folders is that of a framework, `examples/{name}` if one has a file such as `package.json`, else `none`. Addresses
    of examples without a framework name the only one of `frameworks`, else `vanilla`."""
    example_prefix: Slug | None = None
    """Prefix of the folder names of the library's examples, for libraries that share a repository."""
    trusted_by: tuple[TextLine, ...] = ()
    """Companies that the landing page lists."""
    feature_list: tuple[TextLine, ...] = ()
    """Features that the landing page lists in one line each."""
    packages: tuple[Package, ...] = ()
    """Packages in the install commands of the landing page."""
    npm_packages: tuple[NpmName, ...] = ()
    """npm packages that the library consists of, former names included: their downloads are counted together."""
    devtools: bool = False
    """Whether pages below the library's own show the developer tools of the router of this site."""
    dev_packages: bool = False
    """Whether the packages are installed as development dependencies."""
    release_tags: tuple[TagForm, ...] = ("v{version}", "{version}", "{package}@{version}")
    """Forms of the tags that are releases. `{version}` is the number, `{package}` the name of one of `packages`. Each
    release with docs is a version with its number as its name. `[]` for no releases."""
    samples_title: TextLine | None = None
    """Heading above the samples."""
    samples: tuple[Sample, ...] = ()
    """Code samples of the landing page."""
    call_to_action: CallToAction | None = None
    """Last section of the landing page."""

    @property
    def version_names(self) -> tuple[str, ...]:
        return tuple(version.name for version in self.versions)

    @property
    def content_repo(self) -> str:
        """The repository in names of this library's branches: its own, else a name that no repository has."""
        return self.repo or f"{LOCAL_OWNER}/{self.id}"

    @property
    def code_host(self) -> CodeHost | None:
        """The host of the repository; None without a repository."""
        return code_host(self.host, self.host_url) if self.repo is not None else None

    @property
    def repo_url(self) -> str | None:
        return self.code_host.repository(self.content_repo) if self.code_host else None

    @cached_property
    def releases(self) -> KnownReleases:
        """The releases that the mirror knows: the only part of a library that changes while the site runs."""
        return KnownReleases()

    def is_known_version(self, version: str) -> bool:
        """Whether a name in URLs is that of a version or a release."""
        return version == LATEST or version in self.version_names or self.releases.table.version(version) is not None

    def version(self, name: str) -> Version:
        """A version by its name in URLs. Raises Invalid for an unknown one."""
        wanted = self.latest_version if name == LATEST else name
        for version in self.versions:
            if version.name == wanted:
                return version
        raise Invalid(f"Could not resolve version for {self.name}")

    def docs_facts(self, version: str) -> VersionDocsFacts:
        """Where the docs of a version are, by its name in URLs. Raises Invalid for an unknown version."""
        facts = self._docs_facts.get(version)
        if facts is not None:
            return facts
        release = self.releases.table.version(version)
        if release is None:
            raise Invalid(f"Could not resolve version for {self.name}")
        return self._release_facts(release)

    def ref(self, version: str | None) -> Ref:
        """The branch or tag that holds the docs of a version. Raises Invalid for an unknown version."""
        release = self.releases.table.version(version) if version is not None else None
        return Ref(self.content_repo, release.tag if release else resolve_branch(self, version))

    def version_of(self, release: Release) -> Version:
        """The version that a release belongs to: that of its major, else the latest one."""
        found = (version for version in self.versions if version.name in release.version_names)
        return next(found, None) or self.version(LATEST)

    def _release_facts(self, release: Release) -> VersionDocsFacts:
        """Of docs in a folder of their version, a release has the docs of that time, which are those of the library."""
        version = self.version_of(release)
        facts = self._docs_facts[version.name]
        own = Version(release.number, branch=release.tag, docs_root=release.docs_root, banner=version.banner)
        return replace(facts, version=own, ref=Ref(self.content_repo, release.tag), docs_root=release.docs_root)

    @cached_property
    def _docs_facts(self) -> Mapping[str, VersionDocsFacts]:
        """The facts of each version by its name, and those of the latest one as `latest`, too."""
        facts = {
            version.name: VersionDocsFacts(
                version,
                ref=self.ref(version.name),
                docs_root=version.docs_root or self.docs_root,
                dialect=version.dialect or self.dialect,
                default_docs=version.default_docs or self.default_docs,
                docs_menu=version.docs_menu or self.docs_menu,
            )
            for version in self.versions
        }
        return facts | {LATEST: facts[self.latest_version]} if self.latest_version in facts else facts

    def packages_of(self, version: Version) -> tuple[Package, ...]:
        """The packages that the install commands of a version name."""
        if version.packages or version.name == self.latest_version:
            return version.packages or self.packages
        major = _MAJOR.match(version.name)
        return tuple(
            replace(package, name=f"{package.name}@{major[1]}") if major and "@" not in package.name[1:] else package
            for package in self.packages
        )

    def samples_of(self, version: Version) -> tuple[Sample, ...]:
        """The code samples that are written for a version."""
        return version.samples or (self.samples if version.name == self.latest_version else ())


def resolve_branch(library: Library | None, version: str | None) -> str:
    """The branch of a version; `latest` and None mean the latest one."""
    if library is None:
        raise Invalid("Library is required")
    if version in (None, LATEST, library.latest_version):
        return library.latest_branch
    for known in library.versions:
        if known.name == version:
            return known.branch or library.latest_branch
    raise Invalid(f"Could not resolve version for {library.name}")
