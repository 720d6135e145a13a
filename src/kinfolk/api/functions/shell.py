"""What every page of the site shows around its content: names, libraries, menus, promotions, the announcement."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from kinfolk.api.content import SiteFacts
from kinfolk.api.registry import Call, registry
from kinfolk.branding import SiteBrand
from kinfolk.branding.brand_marks import Mark
from kinfolk.config.base_path import BasePath
from kinfolk.config.catalog import (
    LATEST,
    AnnouncementBar,
    Badge,
    Catalog,
    Framework,
    Group,
    Library,
    Partner,
    SiteLink,
    SiteLinks,
    Texts,
    VersionBanner,
    VersionDocsFacts,
)
from kinfolk.config.icons import IconShape
from kinfolk.config.package_registries import NPM, REGISTRIES
from kinfolk.config.routes import BLOG, SAVED, SIGN_IN, STATISTICS, UPGRADE
from kinfolk.content.pages.prose_pages import PageListing, PageMenu
from kinfolk.maintenance.promotion import Promotion
from kinfolk.runtime.cache import DOCS

HEADER_MARK_HEIGHT = 28
"""CSS pixels, as in the rules of `branding.brand_css`."""

PRIVACY = "privacy"
"""The name of the page about what the site stores, unless `kinfolk.toml` names another one."""

ExternalScriptKind = Literal["google-publisher-tag", "carbon", "tag-manager"]


@dataclass(frozen=True)
class NavLink:
    label: str
    to: str
    icon: str | None = None


@dataclass(frozen=True)
class SiteMenuEntry:
    """A link of the main menu or the footer. `group` is the heading above it and adjacent links of the same group."""

    label: str
    to: str
    icon: str | None = None
    group: str | None = None


@dataclass(frozen=True)
class FrameworkOption:
    """`color` is a CSS color. `logo` is the row of its logo in the sprite; row 0 is for frameworks without one."""

    value: str
    label: str
    color: str
    logo: int


@dataclass(frozen=True)
class LibraryVersion:
    """A version, where its docs are, and what menus and pages say about it. `default_docs` is as in `LibraryCard`."""

    name: str
    branch: str
    docs_root: str
    default_docs: str
    label: str | None
    banner: VersionBanner | None


@dataclass(frozen=True)
class RepositoryLinks:
    """Pages of a repository; `host` is the name of the code host. Hosts without discussions have None there."""

    host: str
    home: str
    issues: str
    releases: str
    discussions: str | None


@dataclass(frozen=True)
class LibraryCard:
    """A library as menus and cards on every page show it.

    `hue_light` and `hue_dark` are text colors for the light and the dark theme. `logo` is the row of its logo in the
    logo sprite, and `mark` is the logo itself as an address. `icon` is the address of the icon of tabs; `pattern` is
    that of a picture that pages use as a mask. `default_docs` is the page at which the latest docs begin, empty for
    docs that begin at their first page, and `repo_links` is None for a library without a public repository. A search
    on its pages includes `builds_on`.
    """

    id: str
    name: str
    short_name: str
    to: str
    tagline: str
    badge: Badge | None
    repo: str
    repo_links: RepositoryLinks | None
    default_docs: str
    devtools: bool
    latest_version: str
    versions: tuple[LibraryVersion, ...]
    frameworks: tuple[str, ...]
    builds_on: tuple[str, ...]
    color_from: str
    color_to: str
    text_color: str
    bg_style: str
    text_style: str
    hue_light: str
    hue_dark: str
    logo: int
    mark: str
    icon: str
    pattern: str
    menu: tuple[NavLink, ...]


@dataclass(frozen=True)
class PromoSlot:
    """A promotion slot of a page; sizes are in CSS pixels."""

    id: str
    width: int
    height: int
    targeting: str
    refresh_ms: int


@dataclass(frozen=True)
class ExternalScript:
    """A third-party script, loaded only with the reader's consent. `account` is the site's id at the provider."""

    kind: ExternalScriptKind
    name: str
    script: str
    account: str


@dataclass(frozen=True)
class Announcement:
    """What maintainers show in a slot instead of libraries and partners. `href` is an https address or a path."""

    slots: tuple[str, ...]
    title: str
    text: str
    href: str


@dataclass(frozen=True)
class Promotions:
    """The promotion slots, what may be in them, and the scripts that may fill them. `paused` slots show nothing."""

    rotation_ms: int
    slots: tuple[PromoSlot, ...]
    partners: tuple[Partner, ...]
    announcements: tuple[Announcement, ...]
    paused: tuple[str, ...]
    external_scripts: tuple[ExternalScript, ...]


@dataclass(frozen=True)
class ShownAnnouncement:
    """The bar at the top of every page. `key` changes with what it says, so that a new one is shown to all readers."""

    key: str
    text: str
    href: str | None


@dataclass(frozen=True)
class HeaderMark:
    """A picture in the header; `dark` is the one of the dark theme. Sizes are in CSS pixels."""

    light: str
    dark: str | None
    width: int
    height: int


@dataclass(frozen=True)
class FontLook:
    """Rules of the site's fonts, and the address of the one of text. `uses_engine` is whether it uses others, too."""

    faces: str
    preload: str | None
    uses_engine: bool


@dataclass(frozen=True)
class Look:
    """The look of a site where it differs from that of the engine.

    `theme_colors` are the backgrounds of pages in the light and the dark theme. `css` are rules that are part of each
    page; a longer stylesheet is at the address `stylesheet`.
    """

    favicon: str
    favicon_type: str
    logo: HeaderMark | None
    wordmark: HeaderMark | None
    theme_colors: tuple[str, ...]
    gradient: tuple[str, ...] | None
    css: str
    stylesheet: str | None
    fonts: FontLook | None


@dataclass(frozen=True)
class SiteFeatures:
    """The parts that this site has. Nothing links to the others. `accounts`: the dashboard, and what only it shows.

    `answers`: the search offers to answer questions.
    """

    accounts: bool
    blog: bool
    statistics: bool
    sign_in: bool
    answers: bool
    upgrades: bool


@dataclass(frozen=True)
class Shell:
    """What every page shows around its content.

    `origin` is the public address. `logos` and `framework_logos` are the addresses of the logo sprites, and
    `icons` are by the names in `social`, `menu` and the buttons of the home page.
    `first_framework` is the one for readers who have not chosen any. `is_static`: the pages are files of an export,
    which show nothing that needs a server.
    """

    product: str
    family: str
    owner: str
    title: str
    description: str
    origin: str
    logos: str
    framework_logos: str
    is_static: bool
    libraries: tuple[LibraryCard, ...]
    groups: tuple[Group, ...]
    frameworks: tuple[FrameworkOption, ...]
    first_framework: str | None
    features: SiteFeatures
    blog_description: str | None
    links: SiteLinks
    menu: tuple[SiteMenuEntry, ...]
    social: tuple[NavLink, ...]
    footer: tuple[SiteMenuEntry, ...]
    promo: Promotions
    announcement: ShownAnnouncement | None
    texts: Texts
    icons: Mapping[str, IconShape]
    look: Look
    package_managers: tuple[str, ...]


@registry.function("site.shell", cache=DOCS)
async def site_shell(call: Call) -> Shell:
    """Made once until it changes: its cards take as long as a seventh of a cold page."""
    features = _features(call)
    # In a thread: the first call reads the files of pages.
    pages = await asyncio.to_thread(call.content.page_listing)
    promotions = call.content.promotions
    announcement = call.content.announcement
    changing = (features, pages, promotions, announcement)
    shell = call.site.shells.get(changing)
    if not isinstance(shell, Shell):
        shell = _shell(call.site, features, pages, promotions, announcement)
        call.site.shells.put(changing, shell)
    return shell


def _shell(
    site: SiteFacts,
    features: SiteFeatures,
    pages: PageListing,
    promotions: Sequence[Promotion],
    bar: AnnouncementBar | None,
) -> Shell:
    catalog = site.catalog
    return Shell(
        product=catalog.product,
        family=catalog.family,
        owner=catalog.owner,
        title=catalog.title,
        description=catalog.description,
        origin=site.settings.origin,
        logos=f"/_logos.svg?v={site.content.logos.version}",
        framework_logos=f"/_frameworks.svg?v={site.content.framework_logos.version}",
        is_static=site.is_static,
        libraries=tuple(_card(site, library) for library in catalog.libraries),
        groups=catalog.groups,
        frameworks=tuple(_framework(site, framework) for framework in catalog.frameworks),
        first_framework=catalog.default_framework,
        features=features,
        blog_description=catalog.blog_description,
        links=_links(catalog, pages),
        menu=_main_menu(catalog, features, pages),
        social=tuple(NavLink(s.label, s.to, s.icon) for s in catalog.social),
        footer=_footer(catalog, features, pages),
        promo=_promotions(catalog, promotions),
        announcement=None if bar is None else ShownAnnouncement(bar.key, bar.text, bar.href),
        texts=catalog.texts,
        look=_look(site.brand, BasePath.of(site.settings.origin)),
        package_managers=_package_managers(catalog),
        icons={name: site.icons[name] for name in sorted(_shell_icons(catalog))},
    )


def _package_managers(catalog: Catalog) -> tuple[str, ...]:
    """The package managers between which readers choose: those of the registries that have packages, else of npm."""
    registries = dict.fromkeys(package.registry for library in catalog.libraries for package in library.packages)
    used = tuple(registries) or (NPM,)
    return tuple(dict.fromkeys(manager.label for name in used for manager in REGISTRIES[name].managers))


def _look(brand: SiteBrand, base: BasePath) -> Look:
    fonts, marks = brand.fonts, brand.marks
    faces = fonts.faces.replace("url(/", f"url({base.add('/')}")
    return Look(
        favicon=brand.favicon_path,
        favicon_type=marks.favicon.media_type,
        logo=_header_mark(marks.logo),
        wordmark=_header_mark(marks.wordmark),
        theme_colors=(brand.colors.light.surface, brand.colors.dark.surface),
        gradient=brand.colors.gradient if brand.has_gradient else None,
        css=brand.css if brand.is_inlined else "",
        stylesheet=None if brand.is_inlined else brand.css_address,
        fonts=FontLook(faces, fonts.preload, fonts.uses_engine) if fonts.properties else None,
    )


def _header_mark(mark: Mark | None) -> HeaderMark | None:
    if mark is None:
        return None
    width = round(HEADER_MARK_HEIGHT * mark.light.width / mark.light.height)
    return HeaderMark(mark.light.address, mark.dark.address if mark.dark else None, width, HEADER_MARK_HEIGHT)


def _shell_icons(catalog: Catalog) -> set[str]:
    """The names of icons that pages outside of landing pages show."""
    named = {*(link.icon for link in catalog.menu), *(button.icon for button in catalog.home.buttons or ())}
    return {social.icon for social in catalog.social} | {name for name in named if name}


def _features(call: Call) -> SiteFeatures:
    """An account is useful only where readers can sign in; what they save without one stays in the browser."""
    site = call.site
    return SiteFeatures(
        accounts=site.catalog.accounts,
        blog=call.content.has_posts,
        statistics=site.statistics.npm.has_comparisons,
        sign_in=site.sign_in_by_mail or bool(site.accounts.providers),
        answers=site.answers is not None and not site.is_static,
        upgrades=site.has_upgrades,
    )


def _links(catalog: Catalog, pages: PageListing) -> SiteLinks:
    links = catalog.links
    has_privacy = any(name == PRIVACY for name, _ in pages)
    return replace(links, privacy=links.privacy or (f"/{PRIVACY}" if has_privacy else None))


def _main_menu(catalog: Catalog, features: SiteFeatures, pages: PageListing) -> tuple[SiteMenuEntry, ...]:
    """The links of `kinfolk.toml`, then the pages that name this menu, then the parts that no link leads to."""
    listed = {link.to for link in catalog.menu}
    parts = (SiteMenuEntry("npm stats", STATISTICS), SiteMenuEntry("Blog", BLOG))
    return (
        *_existing(catalog.menu, features),
        *_listed(pages, "header", catalog.menu),
        *(part for part in _with_features(parts, features) if part.to not in listed),
    )


def _footer(catalog: Catalog, features: SiteFeatures, pages: PageListing) -> tuple[SiteMenuEntry, ...]:
    upgrade = () if UPGRADE in (link.to for link in catalog.footer) else (SiteLink("Upgrade", UPGRADE),)
    return (*_existing((*catalog.footer, *upgrade), features), *_listed(pages, "footer", catalog.footer))


def _existing(links: Iterable[SiteLink], features: SiteFeatures) -> Iterator[SiteMenuEntry]:
    return _with_features((SiteMenuEntry(link.label, link.to, link.icon, link.group) for link in links), features)


def _with_features(links: Iterable[SiteMenuEntry], features: SiteFeatures) -> Iterator[SiteMenuEntry]:
    """The links without those to parts that the site does not have."""
    parts = {BLOG: features.blog, STATISTICS: features.statistics, SIGN_IN: features.sign_in, SAVED: features.accounts}
    parts[UPGRADE] = features.upgrades
    return (link for link in links if parts.get(link.to, True))


def _listed(pages: PageListing, menu: PageMenu, links: Iterable[SiteLink]) -> Iterator[SiteMenuEntry]:
    """The pages that name a menu, without those that `kinfolk.toml` lists."""
    listed = {link.to for link in links}
    places = [(place.order, place.label, f"/{name}") for name, place in pages if menu in place.menus]
    return (SiteMenuEntry(label, to) for _, label, to in sorted(places) if to not in listed)


def _promotions(catalog: Catalog, promotions: Iterable[Promotion]) -> Promotions:
    scripts = []
    if (provider := catalog.promo.provider) is not None:
        scripts.append(ExternalScript(provider.kind, provider.name, provider.script, provider.account))
    if (manager := catalog.promo.tag_manager) is not None:
        scripts.append(ExternalScript("tag-manager", manager.name, manager.script, manager.id))
    return Promotions(
        rotation_ms=catalog.promo.rotation_ms,
        slots=tuple(
            PromoSlot(slot.id, *slot.sizes[0], slot.targeting, slot.refresh_interval_ms) for slot in catalog.ad_slots
        ),
        partners=catalog.partners,
        announcements=tuple(
            Announcement(each.slots, each.title, each.text, each.href)
            for each in promotions
            if each.title and each.text and each.href and not each.is_pause
        ),
        paused=tuple(sorted({slot for each in promotions if each.is_pause for slot in each.slots})),
        external_scripts=tuple(scripts),
    )


def _framework(site: SiteFacts, framework: Framework) -> FrameworkOption:
    row = site.content.framework_logos.rows.index(framework.logo or "")
    return FrameworkOption(framework.value, framework.label, site.palette.colors[framework.color], row)


def _repository_links(library: Library) -> RepositoryLinks | None:
    host, repo = library.code_host, library.content_repo
    if host is None:
        return None
    return RepositoryLinks(
        host.label, host.repository(repo), host.issues(repo), host.releases(repo), host.discussions(repo)
    )


def library_version(facts: VersionDocsFacts) -> LibraryVersion:
    """A version or a release as the frontend knows it."""
    version = facts.version
    return LibraryVersion(
        version.name, facts.ref.branch, facts.docs_root, facts.default_docs or "", version.label, version.banner
    )


def _card(site: SiteFacts, library: Library) -> LibraryCard:
    colors = site.palette.colors
    styles = library.card_styles
    face = site.content.faces.libraries[library.id]
    surfaces = site.brand.colors.surfaces
    tones = site.palette.tones(library.color_from, library.color_to, styles.light, styles.dark, surfaces=surfaces)
    return LibraryCard(
        id=library.id,
        name=library.name,
        short_name=library.short_name,
        to=library.to,
        tagline=library.tagline,
        badge=library.badge,
        repo=library.content_repo,
        repo_links=_repository_links(library),
        default_docs=library.docs_facts(LATEST).default_docs or "",
        devtools=library.devtools,
        latest_version=library.latest_version,
        versions=tuple(library_version(library.docs_facts(name)) for name in library.version_names),
        frameworks=library.frameworks,
        builds_on=library.builds_on,
        color_from=tones.start,
        color_to=tones.end,
        text_color=colors[library.text_color],
        bg_style=colors[library.bg_style],
        text_style=colors[library.text_style],
        hue_light=tones.light,
        hue_dark=tones.dark,
        logo=site.content.logos.rows.index(library.id),
        mark=face.mark,
        icon=f"/_icons/{library.id}.svg?v={face.icon.version}",
        pattern=f"/_patterns/{library.id}.svg?v={face.pattern.version}",
        menu=tuple(NavLink(entry.label, entry.to, entry.icon) for entry in library.menu),
    )
