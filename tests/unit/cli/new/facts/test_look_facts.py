"""Colors and logos of repositories."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.new.facts.memory_tree import project

from kinfolk.branding.picture_files import read_picture
from kinfolk.cli.import_site.facts.imported_library import ImportedLibrary
from kinfolk.cli.import_site.facts.imported_site import ImportedSite
from kinfolk.cli.new.facts.logo_drawing import logo_drawing
from kinfolk.cli.new.facts.look_facts import LookFacts, find_look
from kinfolk.content.landing.landing import LARGEST_LOGO
from kinfolk.runtime.errors import InvalidFile

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{}</svg>'
STAR = '<path fill="#db2777" d="M12 2 15 9H22L16 14 18 22 12 17 6 22 8 14 2 9H9Z"/>'


def look(files: dict[str, str | bytes], color: str = "", logo: str = "") -> LookFacts:
    imported = ImportedSite("VitePress", "docs/.vitepress/config.ts", color=color, logo=logo)
    imported.libraries.append(ImportedLibrary("widgets", "Widgets", "docs", "vitepress"))
    return find_look(project(files), imported, "widgets")


def test_logo_keeps_shapes_only() -> None:
    drawn = logo_drawing(
        SVG.format(
            '<script>alert(1)</script><style>@import "x"</style><title>x</title>'
            '<g transform="scale(.5)" onclick="alert(1)"><a href="javascript:x">' + STAR + "</a>" + STAR + "</g>"
            '<image href="https://a.example/x.png"/><foreignObject><p>x</p></foreignObject>'
            '<circle cx="12" cy="12" r="4" fill="url(#g)" style="x" onload="alert(1)"/>'
        )
    )
    shapes = (
        '<path d="M12 2 15 9H22L16 14 18 22 12 17 6 22 8 14 2 9H9Z" transform="scale(.5)"/>'
        '<circle cx="12" cy="12" r="4"/>'
    )
    assert drawn == SVG.format(shapes)


@pytest.mark.parametrize(
    "drawing",
    [
        SVG.format('<rect width="24" height="24"/>'),
        SVG.format('<text y="20">👻</text>'),
        SVG.format('<path d="M0 0"/>'),
        SVG.format('<path d="M0 0h24v24&quot; onload=&quot;alert(1)"/>'),
        SVG.format("".join(f'<path d="M{n} 0h1v24h-1z"/>' for n in range(200))),
        SVG.format("<g>" * 40 + STAR + "</g>" * 40),
        SVG.replace("0 0 24 24", "0 0 200 24").format(STAR),
        SVG.replace("0 0 24 24", "0 0 0 0").format(STAR),
        '<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + SVG.format(STAR),
        "<html/>",
        "<svg",
        "",
    ],
)
def test_drawing_that_is_no_sign_of_one_color_is_no_logo(drawing: str) -> None:
    assert logo_drawing(drawing) == ""


def test_ground_below_the_sign_is_left_out() -> None:
    drawn = logo_drawing(SVG.format('<rect width="24" height="24" fill="#fff"/>' + STAR))
    assert "<rect" not in drawn
    assert "<path" in drawn


def test_logo_is_what_a_library_may_have(tmp_path: Path) -> None:
    precise = SVG.format('<path d="M2.123456 2.123456 ' + "L12.345678 21.987654 " * 40 + 'L20.5 2.5Z"/>')
    (tmp_path / "logo.svg").write_text(logo_drawing(precise))
    faults: list[InvalidFile] = []
    assert read_picture(tmp_path, "logo.svg", LARGEST_LOGO, faults)
    assert faults == []


def test_color_of_the_docs_program_is_first() -> None:
    files: dict[str, str | bytes] = {"logo.svg": SVG.format(STAR)}
    assert look(files, color="teal").hue == "teal"
    assert (look(files).hue, look(files).hue_file, look(files).logo_file) == ("pink", "logo.svg", "logo.svg")
    files["docs/index.html"] = '<meta name="theme-color" content="#14b8a6">'
    assert look(files).hue == "teal"
    files["docs/index.html"] = '<meta name="theme-color" content="#000">'
    assert look(files).hue == "pink"


@pytest.mark.parametrize(
    "path", ["examples/x/logo.svg", "node_modules/a/logo.svg", "docs/public/sponsors/logo.svg", "a/b/c/d/e/f/logo.svg"]
)
def test_pictures_of_others_are_no_logo(path: str) -> None:
    assert look({path: SVG.format(STAR)}) == LookFacts()


def test_logo_of_the_docs_program_is_preferred() -> None:
    files: dict[str, str | bytes] = {"logo.svg": SVG.format(STAR), "docs/public/mark.svg": SVG.format(STAR)}
    assert look(files, logo="docs/public/mark.svg").logo_file == "docs/public/mark.svg"
    files["docs/public/mark.svg"] = b"\xff" * 100
    assert look(files, logo="docs/public/mark.svg").logo_file == "logo.svg"
