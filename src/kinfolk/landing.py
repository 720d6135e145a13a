"""What a library shows on its own page beside the facts: its logo, a drawing, how to install it, code.

All of it is read once, from the folder beside the library's file: `libraries/query/` beside `libraries/query.toml`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from kinfolk.catalog import Catalog, Library, Sample
from kinfolk.errors import BadFact
from kinfolk.markdown.compose import Composed
from kinfolk.markdown.page import FrontMatter, Page, Snippet
from kinfolk.markdown.render import render

LARGEST_LOGO, LARGEST_DRAWING, LARGEST_SAMPLE = 1_024, 4_096, 4_096
"""Bytes: these stand in pages that should be there at once."""

_SVG = "{http://www.w3.org/2000/svg}svg"
_ACTIVE = re.compile(r"<(?:script|foreignObject|image|a)\b|\son\w+\s*=|href\s*=|@import|url\((?!#)", re.IGNORECASE)
"""What a picture of ours has no use for: it could run something or fetch something."""
_FENCE = "~~~~"
_SIDE = 24
"""What logos are drawn on."""


@dataclass(frozen=True)
class ShownSample:
    """A sample as a page, of one framework or of none."""

    sample: Sample
    page: Page


@dataclass(frozen=True)
class Landing:
    """`logo` and `drawing` are SVG; `install` shows the commands of every package manager and framework."""

    logo: str
    drawing: str | None
    install: Page | None
    samples: tuple[ShownSample, ...]

    @property
    def snippets(self) -> Iterator[Snippet]:
        """All code of the page."""
        for page in (self.install, *(shown.page for shown in self.samples)):
            if page is not None:
                yield from page.snippets


@dataclass(frozen=True)
class Logos:
    """One picture of every library's logo, each a square below the other: pages show many, and fetch one file."""

    svg: str
    rows: tuple[str, ...]

    @classmethod
    def of(cls, landings: Mapping[str, Landing]) -> Logos:
        logos = (landing.logo[landing.logo.index("<svg") :] for landing in landings.values())
        side = f'width="{_SIDE}" height="{_SIDE}"'
        drawn = "".join(f'<svg y="{row * _SIDE}" {side}>{logo}</svg>' for row, logo in enumerate(logos))
        height = f'height="{len(landings) * _SIDE}"'
        return cls(f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIDE}" {height}>{drawn}</svg>', tuple(landings))

    @property
    def version(self) -> str:
        """Differs when, and only when, a logo does."""
        return hashlib.sha256(self.svg.encode()).hexdigest()[:12]


def load_landings(data: Path, catalog: Catalog) -> Mapping[str, Landing]:
    """Every library's, by id. Raises the first BadFact there is; `landing_errors` tells all of them."""
    landings, faults = _read(data, catalog)
    if faults:
        raise faults[0]
    return landings


def landing_errors(data: Path, catalog: Catalog) -> list[BadFact]:
    return _read(data, catalog)[1]


def _read(data: Path, catalog: Catalog) -> tuple[Mapping[str, Landing], list[BadFact]]:
    faults: list[BadFact] = []
    landings = {library.id: _landing(data, library, faults) for library in catalog.libraries}
    return landings, faults


def _landing(data: Path, library: Library, faults: list[BadFact]) -> Landing:
    folder = f"libraries/{library.id}"
    drawn = (data / folder / "drawing.svg").exists()
    shown = []
    for sample in library.samples:
        code = _text(data, f"{folder}/samples/{sample.file}", LARGEST_SAMPLE, faults)
        shown.append(ShownSample(sample, _page(_fenced(sample, code))))
    return Landing(
        logo=_picture(data, f"{folder}/logo.svg", LARGEST_LOGO, faults),
        drawing=_picture(data, f"{folder}/drawing.svg", LARGEST_DRAWING, faults) if drawn else None,
        install=_page(_commands(library)) if library.packages else None,
        samples=tuple(shown),
    )


def _text(data: Path, file: str, largest: int, faults: list[BadFact]) -> str:
    try:
        content = (data / file).read_bytes()
        text = content.decode()
    except OSError as error:
        faults.append(BadFact(file, "", f"cannot be read: {error.strerror}"))
        return ""
    except UnicodeDecodeError as error:
        faults.append(BadFact(file, "", f"is not UTF-8 at byte {error.start}"))
        return ""
    if len(content) > largest:
        faults.append(BadFact(file, "", f"has {len(content)} bytes, and should have no more than {largest}"))
    if not text.strip():
        faults.append(BadFact(file, "", "is empty"))
    return text


def _picture(data: Path, file: str, largest: int, faults: list[BadFact]) -> str:
    text = _text(data, file, largest, faults).strip()
    if not text:
        return ""
    try:
        root = ET.fromstring(text)  # noqa: S314 our own file, and its size is bounded
    except ET.ParseError as error:
        faults.append(BadFact(file, "", f"is not well-formed: {error}"))
        return ""
    if root.tag != _SVG or "viewBox" not in root.attrib:
        faults.append(BadFact(file, "", "should be an <svg> with its xmlns and a viewBox"))
    if active := _ACTIVE.search(text):
        faults.append(BadFact(file, "", f"should be a picture only, without {active[0].strip()}"))
    return text


def section(landings: Mapping[str, Landing]) -> tuple[str, tuple[Snippet, ...]]:
    """All code of all landing pages, under a name that changes with it."""
    snippets = tuple(snippet for landing in landings.values() for snippet in landing.snippets)
    return f"landings {hashlib.sha256(repr(snippets).encode()).hexdigest()[:16]}", snippets


class _NoLinks:
    """Code has none."""

    def link(self, href: str) -> tuple[str, bool]:
        return href, False

    def image(self, src: str) -> str:
        return src


def _page(markdown: str) -> Page:
    return render(Composed(markdown, FrontMatter()), resolve=_NoLinks())


def _fenced(sample: Sample, code: str) -> str:
    return f'{_FENCE}{sample.language} title="{sample.title}"\n{code.rstrip()}\n{_FENCE}\n'


def _commands(library: Library) -> str:
    """In the words of the docs, so that the choice of a package manager is the same one."""
    mode = "dev-install" if library.dev_packages else "install"
    lines = "\n".join(f"{package.framework or 'all'}: {package.name}" for package in library.packages)
    return f'<!-- ::start:tabs variant="package-manager" mode="{mode}" -->\n\n{lines}\n\n<!-- ::end:tabs -->\n'
