"""The files of a library's landing page (logo, drawing, demo, install commands, code samples), and other logos.

They are read once, at start, from the folder of the library: `libraries/query/`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

from kinfolk.branding.picture_files import read_picture, read_text
from kinfolk.config.catalog import Catalog, Library, Package, Sample, Version
from kinfolk.config.catalog.brand import CORNER_FACTORS, Corners
from kinfolk.config.package_registries import RegistryName
from kinfolk.content.markdown.front_matter import FrontMatter
from kinfolk.content.markdown.markdown_page import CodeBlock, MarkdownPage
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import ComposedMarkdown
from kinfolk.runtime.errors import InvalidFile

LARGEST_LOGO, LARGEST_DRAWING, LARGEST_SAMPLE = 1_024, 4_096, 4_096
"""Bytes: these files are part of the HTML of pages."""
DEMO = "demo.tsx"
LONGEST_DEMO = 20
"""Lines that fit beside the running demo, where they are shown."""
LARGEST_FRAMEWORK_LOGO = LARGEST_PARTNER_MARK = 2_048
"""Bytes. All logos of frameworks are one file, and all marks of partners are another."""

_FENCE = "~~~~"
_SIDE = 24
"""Width and height of a logo."""
_NEUTRAL_LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="none" stroke="#000" stroke-width="2.2" '
    'stroke-linecap="round" stroke-linejoin="round" d="M7.5 6 1.5 12l6 6m9-12 6 6-6 6m-2.5-14-4 16"/></svg>'
)
"""Angle brackets with a slash, for frameworks without a logo."""
_LONGEST_ACRONYM = 3
_MONOGRAM = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
    '<rect x="1.1" y="1.1" width="21.8" height="21.8" rx="{radius:g}" fill="none" stroke="#000" stroke-width="2.2"/>'
    '<text x="12" y="12" dy=".36em" text-anchor="middle" font-family="Inter,Helvetica,Arial,sans-serif" '
    'font-weight="700" font-size="{size}">{letters}</text></svg>'
)
"""For partners without a drawing."""


@dataclass(frozen=True)
class RenderedSample:
    """A sample as a page, for one framework or for all."""

    sample: Sample
    page: MarkdownPage


@dataclass(frozen=True)
class VersionLanding:
    """What is written for one version. `install` shows the commands of every package manager and framework."""

    install: MarkdownPage | None
    samples: tuple[RenderedSample, ...]


@dataclass(frozen=True)
class Landing:
    """`logo` and `drawing` are SVG; `demo` is the code of the running demo; `versions` are by their names."""

    logo: str
    drawing: str | None
    demo: MarkdownPage | None
    versions: Mapping[str, VersionLanding]

    @property
    def snippets(self) -> Iterator[CodeBlock]:
        """All code blocks of the demo and of the pages of all versions."""
        versions = self.versions.values()
        pages = (page for version in versions for page in (version.install, *(each.page for each in version.samples)))
        for page in (self.demo, *pages):
            if page is not None:
                yield from page.code_blocks


@dataclass(frozen=True)
class LogoSprite:
    """One SVG with many logos as squares below each other: a page with many logos loads one file.

    Between two rows is a gap as high as a row. Where the size of a logo is no whole number of pixels, browsers blend
    pixels at its edge with those that adjoin it in the sprite.
    """

    svg: str
    rows: tuple[str, ...]

    @classmethod
    def of(cls, drawings: Mapping[str, str]) -> LogoSprite:
        logos = (drawing[drawing.index("<svg") :] for drawing in drawings.values())
        side = f'width="{_SIDE}" height="{_SIDE}"'
        drawn = "".join(f'<svg y="{2 * row * _SIDE}" {side}>{logo}</svg>' for row, logo in enumerate(logos))
        height = f'height="{max(2 * len(drawings) - 1, 0) * _SIDE}"'
        return cls(f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIDE}" {height}>{drawn}</svg>', tuple(drawings))

    @property
    def version(self) -> str:
        """A digest that changes when, and only when, a logo does."""
        return hashlib.sha256(self.svg.encode()).hexdigest()[:12]


def read_landings(site: Path, catalog: Catalog) -> tuple[Mapping[str, Landing], list[InvalidFile]]:
    """The landing pages by library id without invalid files, and the faults of all files that they show."""
    faults: list[InvalidFile] = []
    landings = {library.id: _landing(site, library, catalog, faults) for library in catalog.libraries}
    return landings, [*faults, *_read_framework_logos(site, catalog)[1], *_read_partner_marks(site, catalog)[1]]


def load_framework_logos(site: Path, catalog: Catalog) -> LogoSprite:
    """The logos of `frameworks/` by their names, after that of frameworks without one."""
    return LogoSprite.of({"": _NEUTRAL_LOGO, **_read_framework_logos(site, catalog)[0]})


def load_partner_marks(site: Path, catalog: Catalog) -> LogoSprite:
    """The marks of all partners by their ids: `partners/<id>.svg`, else a monogram."""
    return LogoSprite.of(_read_partner_marks(site, catalog)[0])


def partner_marks_address(marks: LogoSprite) -> str:
    return f"/_partners.svg?v={marks.version}"


def _read_partner_marks(site: Path, catalog: Catalog) -> tuple[Mapping[str, str], list[InvalidFile]]:
    faults: list[InvalidFile] = []
    marks = {}
    for partner in catalog.partners:
        file = f"partners/{partner.id}.svg"
        has_mark = (site / file).exists()
        mark = read_picture(site, file, LARGEST_PARTNER_MARK, faults) if has_mark else ""
        marks[partner.id] = mark or monogram(partner.name, catalog.brand.corners)
    return marks, faults


def monogram(name: str, corners: Corners = "default") -> str:
    """A mark for a name: its first word if that is an acronym, else its first letter."""
    first = re.split(r"[\s.-]+", name)[0] or name
    letters = first if first.isupper() and len(first) <= _LONGEST_ACRONYM else first[:1].upper()
    size = 14 if len(letters) == 1 else 11
    return _MONOGRAM.format(letters=escape(letters), size=size, radius=6 * CORNER_FACTORS[corners])


def _read_framework_logos(site: Path, catalog: Catalog) -> tuple[Mapping[str, str], list[InvalidFile]]:
    faults: list[InvalidFile] = []
    names = dict.fromkeys(framework.logo for framework in catalog.frameworks if framework.logo)
    return {
        name: read_picture(site, f"frameworks/{name}.svg", LARGEST_FRAMEWORK_LOGO, faults) or _NEUTRAL_LOGO
        for name in names
    }, faults


def _landing(site: Path, library: Library, catalog: Catalog, faults: list[InvalidFile]) -> Landing:
    folder = f"libraries/{library.id}"
    has_drawing = (site / folder / "drawing.svg").exists()
    has_logo = (site / folder / "logo.svg").exists()
    return Landing(
        logo=(has_logo and read_picture(site, f"{folder}/logo.svg", LARGEST_LOGO, faults))
        or monogram(library.short_name, catalog.brand.corners),
        drawing=(has_drawing and read_picture(site, f"{folder}/drawing.svg", LARGEST_DRAWING, faults)) or None,
        demo=_demo(site, folder, faults) if (site / folder / DEMO).exists() else None,
        versions={
            version.name: VersionLanding(
                _install(library, version, catalog.default_framework), tuple(_samples(site, library, version, faults))
            )
            for version in library.versions
        },
    )


def _demo(site: Path, folder: str, faults: list[InvalidFile]) -> MarkdownPage | None:
    """The code as a page. The frontend's build compiles the same file."""
    file = f"{folder}/{DEMO}"
    if not (site / folder / "drawing.svg").exists():
        faults.append(InvalidFile(file, "", "needs a drawing.svg, which is shown until it runs"))
    code = read_text(site, file, LARGEST_SAMPLE, faults)
    lines = len(code.rstrip().splitlines())
    if lines > LONGEST_DEMO:
        faults.append(InvalidFile(file, "", f"has {lines} lines, and should have no more than {LONGEST_DEMO}"))
    return _page(_fenced("tsx", DEMO, code)) if code else None


def _install(library: Library, version: Version, first_framework: str | None) -> MarkdownPage | None:
    packages = library.packages_of(version)
    return _page(_commands(library, packages), first_framework) if packages else None


def _samples(site: Path, library: Library, version: Version, faults: list[InvalidFile]) -> Iterator[RenderedSample]:
    for sample in library.samples_of(version):
        code = read_text(site, f"libraries/{library.id}/samples/{sample.file}", LARGEST_SAMPLE, faults)
        if code:
            yield RenderedSample(sample, _page(_fenced(sample.language, sample.title, code)))


def landing_snippets(landings: Mapping[str, Landing]) -> tuple[str, tuple[CodeBlock, ...]]:
    """The code blocks of all landing pages, under a name that changes with them."""
    snippets = tuple(snippet for landing in landings.values() for snippet in landing.snippets)
    return f"landings {hashlib.sha256(repr(snippets).encode()).hexdigest()[:16]}", snippets


class _NoLinks:
    """Code samples contain no links."""

    def link(self, href: str) -> tuple[str, bool]:
        return href, False

    def image(self, src: str) -> str:
        return src


@lru_cache(maxsize=256)
def _page(markdown: str, first_framework: str | None = None) -> MarkdownPage:
    """Cached: versions share code, and a start reads all of it twice, to check and to show it."""
    return render(ComposedMarkdown(markdown, FrontMatter()), resolve=_NoLinks(), first_framework=first_framework)


def _fenced(language: str, title: str, code: str) -> str:
    return f'{_FENCE}{language} title="{title}"\n{code.rstrip()}\n{_FENCE}\n'


def _commands(library: Library, packages: Sequence[Package]) -> str:
    """The same Markdown as in docs, so that a chosen package manager applies to both."""
    mode = "dev-install" if library.dev_packages else "install"
    return "\n".join(
        _commands_in(registry, [package for package in packages if package.registry == registry], mode)
        for registry in dict.fromkeys(package.registry for package in packages)
    )


def _commands_in(registry: RegistryName, packages: Sequence[Package], mode: str) -> str:
    lines = "\n".join(f"{package.framework or 'all'}: {package.name}" for package in packages)
    source = "" if registry == "npm" else f' registry="{registry}"'
    start = f'<!-- ::start:tabs variant="package-manager" mode="{mode}"{source} -->'
    return f"{start}\n\n{lines}\n\n<!-- ::end:tabs -->\n"
