"""The color and the logo of a library, from the files of its repository."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kinfolk.cli.import_site.facts.imported_site import ImportedSite, hue_of_color
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.new.facts.logo_drawing import LARGEST_DRAWING, colors_of, logo_drawing

MOST_PICTURES = 24
DEEPEST_PICTURE = 5
_NAMES = re.compile(r"(?:logo|icon|favicon|logomark|mark)(?:[-_.](?:light|dark|mark|icon|small|black|white))?\.svg")
_OTHER_FOLDERS = re.compile(
    r"(?:^|/)(?:node_modules|\.git|tests?|__tests__|e2e|playgrounds?|examples?|templates?|fixtures?|benchmarks?|bench"
    r"|sponsors?|partners?|vendor|blog|dist|create-[^/]*)(?:/|$)"
)
_THEME_COLOR = re.compile(
    r"""name=["']?theme-color["']?\s{1,9}content=["']?(#[0-9a-fA-F]{3,6})|["']theme_color["']\s{0,9}:\s{0,9}["'](#[0-9a-fA-F]{3,6})|"""
    r"""["']theme-color["']\s{0,9},\s{0,9}content\s{0,9}:\s{0,9}["'](#[0-9a-fA-F]{3,6})"""
)
_PAGES = ("index.html", "public/index.html", "public/manifest.json", "public/site.webmanifest", "static/manifest.json")


@dataclass(frozen=True)
class LookFacts:
    """`hue` is one of the palette, or empty; `logo` is an SVG of one color, or empty. Each with its file."""

    hue: str = ""
    hue_file: str = ""
    logo: str = ""
    logo_file: str = ""


def find_look(files: ProjectFiles, site: ImportedSite, repository: str) -> LookFacts:
    """What the docs' program, pages and pictures of the repository have."""
    pictures = [(path, text) for path in _pictures(files, site, repository) if (text := _drawing(files, path))]
    hue, hue_file = _hue(files, site, pictures)
    for path, text in pictures:
        if logo := logo_drawing(text):
            return LookFacts(hue, hue_file, logo, path)
    return LookFacts(hue, hue_file)


def _hue(files: ProjectFiles, site: ImportedSite, pictures: Iterable[tuple[str, str]]) -> tuple[str, str]:
    if site.color:
        return site.color, site.config_file
    for path in _theme_files(files, site):
        found = _THEME_COLOR.search(files.text(path) or "")
        hue = hue_of_color(next(filter(None, found.groups()), "")) if found else ""
        if hue not in ("", "gray"):
            return hue, path
    for path, text in pictures:
        hues = Counter(hue for color in colors_of(text) if (hue := hue_of_color(color)) not in ("", "gray"))
        if hues:
            return hues.most_common(1)[0][0], path
    return "", ""


def _theme_files(files: ProjectFiles, site: ImportedSite) -> Iterator[str]:
    home = posixpath.dirname(site.config_file)
    yield from filter(files.is_file, [site.config_file] if site.config_file else [])
    for folder in dict.fromkeys((home, "website", "docs", "site", "")):
        yield from filter(files.is_file, (posixpath.join(folder, page) for page in _PAGES))


def _pictures(files: ProjectFiles, site: ImportedSite, repository: str) -> Iterator[str]:
    """Drawings that may be the logo, the likeliest first."""
    own = {f"{repository.lower()}.svg", f"{repository.lower()}-logo.svg", f"logo-{repository.lower()}.svg"}
    home = posixpath.dirname(site.config_file) or site.library.docs_root
    found = [
        path
        for path in files.files_below("", lambda name: _OTHER_FOLDERS.search(name) is not None)
        if path.endswith(".svg") and path.count("/") <= DEEPEST_PICTURE and not _OTHER_FOLDERS.search(path)
    ]
    likely = [path for path in found if (name := posixpath.basename(path).lower()) in own or _NAMES.fullmatch(name)]
    likely.sort(key=lambda path: (not path.startswith(f"{home}/"), path.count("/"), "favicon" in path, path))
    first = [path for path in (site.logo, site.favicon) if path.endswith(".svg")]
    yield from list(dict.fromkeys([*first, *likely]))[:MOST_PICTURES]


def _drawing(files: ProjectFiles, path: str) -> str:
    content = files.content(path, LARGEST_DRAWING)
    try:
        return (content or b"").decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""
