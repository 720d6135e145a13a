"""The facts of the whole family: frameworks, groups, partners, promotions, menus, announcement and the home page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from kinfolk.config.catalog.announcement_bar import AnnouncementBar
from kinfolk.config.catalog.brand import Brand
from kinfolk.config.catalog.library import Hue
from kinfolk.config.catalog.texts import HomeButton, Texts
from kinfolk.config.component import Component
from kinfolk.config.data_files import (
    STRICT_CONFIG,
    Email,
    HostName,
    HttpsUrl,
    Origin,
    PathOrUrl,
    PositiveInt,
    ScriptUrl,
    Slug,
    TextLine,
    origin_of,
    satisfies,
)

_ACTIVE_SCHEMES = frozenset(
    "about blob data file filesystem javascript jscript livescript mocha vbscript view-source wyciwyg".split()
)
"""Schemes whose addresses run code, name what is local, or look like pages of the site."""
LinkScheme = Annotated[
    str,
    satisfies(
        lambda text: re.fullmatch(r"[a-z][a-z0-9+.-]{0,30}", text) is not None and text not in _ACTIVE_SCHEMES,
        "scheme",
        "a scheme in lower case, such as `vscode`, that runs no code",
    ),
]


@dataclass(frozen=True)
class Framework:
    """A framework that a library has docs or examples for. Docs may have further frameworks."""

    value: Slug
    """Identifier, equal to the name of the folder `framework/<value>` in the docs."""
    label: TextLine
    """Name that is shown."""
    color: Hue
    """Palette step of the framework."""
    logo: Slug | None = None
    """Name of a drawing in one color in `frameworks/`, without `.svg`. A framework without one gets a neutral glyph."""


@dataclass(frozen=True)
class Group:
    """A group of libraries."""

    id: Slug
    """Identifier, used by `group` of a library."""
    label: TextLine
    """Heading of the group."""
    libraries: tuple[Slug, ...]
    """Ids of the libraries in the group. Each library belongs to one group."""


@dataclass(frozen=True)
class Consultant:
    """A person who offers paid support."""

    name: TextLine
    """Name of the person."""
    twitter: Slug
    """Account on X, without `@`."""
    website: HttpsUrl
    """Website of the person."""
    specialties: tuple[TextLine, ...]
    """Topics that are shown below the name."""
    img: HttpsUrl
    """Portrait."""


@dataclass(frozen=True)
class Partner:
    """A company that funds libraries."""

    id: Slug
    """Identifier."""
    name: TextLine
    """Name of the company."""
    href: HttpsUrl
    """Website of the company."""
    text: TextLine
    """One sentence about the company."""
    libraries: tuple[Slug, ...] = ()
    """Ids of the libraries that the company funds; their landing pages show it."""
    note: TextLine | None = None
    """A distinction, such as `Official deployment partner`."""


@dataclass(frozen=True)
class AdSlot:
    """A slot for ads in the layout."""

    id: Slug
    """Identifier of the slot."""
    sizes: tuple[tuple[PositiveInt, PositiveInt], ...]
    """Pairs of width and height in CSS pixels; the first one reserves the space."""
    targeting: Slug
    """Value of the key `slot` that the ad provider receives."""
    refresh_interval_ms: PositiveInt
    """Milliseconds after which the ad provider is requested again while the slot is visible."""


@dataclass(frozen=True)
class AdProvider:
    """The service that fills ad slots after consent."""

    kind: Literal["google-publisher-tag", "carbon"]
    """Kind of the provider."""
    name: TextLine
    """Name that the consent dialog shows."""
    script: ScriptUrl
    """URL of the provider's script."""
    account: TextLine
    """Account of this site: the path of an ad unit for Google, the query of the script's URL for Carbon."""
    hosts: tuple[Origin, ...] = ()
    """Further origins that the Content-Security-Policy allows for the provider."""


@dataclass(frozen=True)
class TagManager:
    """A tag manager that is loaded after consent."""

    id: TextLine
    """Container id, such as `GTM-ABC123`."""
    name: TextLine
    """Name that the consent dialog shows."""
    script: ScriptUrl
    """URL of the tag manager's script."""
    hosts: tuple[Origin, ...] = ()
    """Further origins that the Content-Security-Policy allows for the tag manager."""


@dataclass(frozen=True)
class Promo:
    """Promotions in the layout."""

    rotation_ms: PositiveInt = 300_000
    """Milliseconds after which a promotion of another library gives way to the next one."""
    provider: AdProvider | None = None
    """Ad provider that fills the slots after consent. Without one, the slots promote the family's libraries and
    partners."""
    tag_manager: TagManager | None = None
    """Tag manager that is loaded after consent."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """Third-party origins that the Content-Security-Policy allows. Empty without provider and tag manager."""
        services = [part for part in (self.provider, self.tag_manager) if part is not None]
        return tuple(dict.fromkeys(host for part in services for host in (origin_of(part.script), *part.hosts)))


@dataclass(frozen=True)
class Home:
    """The introduction of the home page."""

    claim: TextLine
    """Main heading of the home page."""
    lede: TextLine
    """Paragraph below the claim."""
    emphasis: TextLine | None = None
    """Part of the claim that is underlined."""
    featured: tuple[Slug, ...] = ()
    """Ids of the libraries whose cards are first and largest. Without it, the first two libraries."""
    buttons: tuple[HomeButton, ...] | None = None
    """Buttons below the introduction. Without the key, one leads to the cards of the libraries."""


@dataclass(frozen=True)
class Course:
    """A course about one of the libraries."""

    title: TextLine
    """Title of the course."""
    by: TextLine
    """Name of the teacher or publisher."""
    href: HttpsUrl
    """URL of the course."""
    library: Slug
    """Id of the library that the course teaches."""
    text: TextLine
    """One sentence about the course."""


@dataclass(frozen=True)
class FormField:
    """A hidden field of the newsletter form."""

    name: Slug
    """Name of the field."""
    value: TextLine
    """Value of the field."""


@dataclass(frozen=True)
class Newsletter:
    """A newsletter of another service, which receives the form of the home page."""

    name: TextLine
    """Name of the newsletter."""
    by: TextLine
    """Name of the publisher."""
    href: HttpsUrl
    """Page about the newsletter."""
    text: TextLine
    """One sentence about the newsletter."""
    action: ScriptUrl
    """URL that receives the form; the reader's address is the field `email`."""
    fields: tuple[FormField, ...] = ()
    """Hidden fields of the form."""


@dataclass(frozen=True)
class SocialLink:
    """An account of the family on another site."""

    label: TextLine
    """Accessible name of the link."""
    to: HttpsUrl
    """Target."""
    icon: Slug
    """Name of an icon."""


@dataclass(frozen=True)
class SiteLink:
    """A link of the main menu or of the footer."""

    label: TextLine
    """Text of the link."""
    to: PathOrUrl
    """Target: a path on this site or an https URL."""
    icon: Slug | None = None
    """Name of an icon before the text, in the main menu."""
    group: TextLine | None = None
    """Heading above the link and the adjacent ones with the same heading."""


@dataclass(frozen=True)
class SiteLinks:
    """Pages that pages of the engine link to, such as the sign-in. Without an address, the link is left out."""

    about: PathOrUrl | None = None
    """What the family is for. Linked from the introduction of the home page."""
    funding: PathOrUrl | None = None
    """How the libraries are funded. Linked from sponsors and promotions."""
    learning: PathOrUrl | None = None
    """Ways to learn the libraries. Linked from courses."""
    consulting: PathOrUrl | None = None
    """Paid support. Linked from the section `support-options` of pages."""
    privacy: PathOrUrl | None = None
    """What the site stores about readers. Linked from forms. Without it, `/privacy` if `pages/privacy.md` exists."""


@dataclass(frozen=True)
class Family:
    """The facts of the whole family."""

    __pydantic_config__ = STRICT_CONFIG

    family: TextLine
    """Name of the family of libraries: `Acme`. In lower case, the name of its search index."""
    owner: TextLine
    """Legal owner of the site, for the footer and the legal pages. Without it, the name of the family."""
    title: TextLine
    """Title of the home page. Without it, the name of the family."""
    description: TextLine
    """Description of the home page for search engines. Without it, `Documentation of` and the name of the family."""
    home: Home
    """Introduction of the home page. Without it, title and description."""
    product: TextLine = "Kinfolk"
    """Name of this software. Posts without authors are signed with it."""
    accounts: bool = True
    """Whether readers can have an account. Without, the site has no sign-in, no dashboard and no questions about docs
    pages, whose answers the dashboard shows, and needs no `KINFOLK_SECRET`."""
    contact: Email | None = None
    """Email address for questions, for the legal pages."""
    blog_description: TextLine | None = None
    """What the posts of the blog are about, for its list and its feeds."""
    keywords: tuple[TextLine, ...] = ()
    """Keywords of the home page for search engines."""
    sponsors_url: HttpsUrl | None = None
    """Page where readers become sponsors. On GitHub, its last part is the account whose sponsors are shown."""
    promo: Promo = Promo()
    """Promotions, ads and tag manager."""
    groups: tuple[Group, ...] = ()
    """Groups of libraries, in the order of the home page. Without any, all libraries are in one group."""
    frameworks: tuple[Framework, ...] = ()
    """Frameworks, in the order of menus."""
    first_framework: Slug | None = None
    """Framework whose code readers see who have not chosen one. Without it, the first of `frameworks`."""
    consultants: tuple[Consultant, ...] = ()
    """People who offer paid support. The first one stays first; the order of the others changes each day."""
    partners: tuple[Partner, ...] = ()
    """Companies that fund libraries."""
    ad_slots: tuple[AdSlot, ...] = ()
    """Slots for ads in the layout."""
    courses: tuple[Course, ...] = ()
    """Courses about the libraries."""
    social: tuple[SocialLink, ...] = ()
    """Links to accounts of the family, in the header."""
    menu: tuple[SiteLink, ...] = ()
    """Links of the main menu."""
    footer: tuple[SiteLink, ...] = ()
    """Links of the footer."""
    announcement: AnnouncementBar | None = None
    """Bar at the top of every page."""
    newsletter: Newsletter | None = None
    """Newsletter form of the home page."""
    brand: Brand = Brand()  # noqa: RUF009 frozen
    """Look of the site. docs/theming.md describes it."""
    texts: Texts = Texts()  # noqa: RUF009 frozen
    """Sentences of pages that fit only some families."""
    components: Mapping[str, Component] = field(default_factory=dict, hash=False)
    """Components of docs pages that no dialect knows, by name: `[components.Sandbox]`."""
    links: SiteLinks = SiteLinks()
    """Pages that pages of the engine link to."""
    link_schemes: tuple[LinkScheme, ...] = ()
    """Schemes of links that pages may have besides `https`, `http`, `mailto` and `tel`, such as `vscode`. A link of any
    other scheme is text."""
    site_hosts: tuple[HostName, ...] = ()
    """Hosts of the family's public site. Links in docs to pages of them become links within this site, as do links to
    the origin."""
