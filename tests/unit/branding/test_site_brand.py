"""The look of a site from data: colors with contrast, fonts, marks, icons, the stylesheet."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Literal

import pytest
from PIL import Image, ImageFont
from tests.sites.acme_site import LOGO, write_acme_site

from kinfolk.branding import SiteBrand, brand_errors, load_brand
from kinfolk.branding.app_icons import app_icon
from kinfolk.branding.brand_colors import CODE, DARK, LIGHT
from kinfolk.branding.brand_fonts import LOCAL_MONO, LOCAL_SANS, SAMPLE, BrandFont, fallback_rules, measure
from kinfolk.branding.brand_marks import letter_mark
from kinfolk.branding.palette import contrast, load_palette
from kinfolk.cli.export.file_names import kind_of
from kinfolk.config.catalog import load_catalog
from kinfolk.config.catalog.brand import FontFace
from kinfolk.config.settings import ROOT
from kinfolk.content.landing.landing import read_landings
from kinfolk.content.landing.library_face import draw_faces

TILE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
    '<rect width="64" height="64" rx="9" fill="#336699"/></svg>'
)
FONTS = ROOT / "frontend/src/styles/fonts"
INTER = FONTS / "inter.woff2"
LOCAL_FILES = {"Arial": "LiberationSans", "Roboto": "Roboto", "Menlo": "LiberationMono"}
"""Files of fonts that may be installed, by the first name of the row that has their widths."""


def brand_of(site: Path) -> SiteBrand:
    catalog = load_catalog(site)
    return load_brand(site, catalog, load_palette(site, catalog))


def faults_of(site: Path) -> list[tuple[str, str, str]]:
    catalog = load_catalog(site)
    return [(fault.file, fault.key, fault.reason) for fault in brand_errors(site, catalog, load_palette(site, catalog))]


def test_site_without_a_brand_has_the_look_of_the_engine(tmp_path: Path) -> None:
    brand = brand_of(write_acme_site(tmp_path))
    assert (brand.css, brand.colors.light, brand.colors.dark) == ("", LIGHT, DARK)
    assert brand.fonts.properties == ()
    assert brand.files == {}


def test_colors_of_the_engine_are_those_of_the_tokens() -> None:
    tokens = (ROOT / "frontend/src/styles/tokens.css").read_text()
    for name, light in vars(LIGHT).items():
        found = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\);", tokens)
        assert found, name
        written = found[1] if len(found[1]) > 4 else "#" + "".join(digit * 2 for digit in found[1][1:])
        assert (written, found[2]) == (light, getattr(DARK, name)), name


def test_colors_of_code_of_the_engine_are_those_of_its_stylesheet() -> None:
    style = (ROOT / "frontend/src/styles/markdown/code.css").read_text()
    rows = re.findall(r"--code-(\w+): light-dark\((#\w+), (#\w+)\);", style)
    backgrounds = {"bg", "added", "removed", "marked", "warning"}
    assert {name: (light, dark) for name, light, dark in rows if name not in backgrounds} == CODE


def test_code_is_legible_on_the_surfaces_of_a_brand(tmp_path: Path) -> None:
    brand = brand_of(write_acme_site(tmp_path, brand='[brand.light]\nsurface = "#d8d2c8"\n'))
    raised = brand.colors.light.raised
    assert f"--code-bg:light-dark({raised}," in brand.css
    adjusted = dict(re.findall(r"--code-(\w+):light-dark\((#\w+),", brand.css))
    assert all(contrast(adjusted.get(name, light), raised) >= 4.5 for name, (light, _) in CODE.items())


def test_accent_is_adjusted_until_it_is_legible(tmp_path: Path) -> None:
    brand = brand_of(write_acme_site(tmp_path, brand='[brand]\naccent = "lime-400"\n'))
    assert contrast(brand.colors.light.accent, brand.colors.light.surface) >= 4.5
    assert contrast(brand.colors.dark.accent, brand.colors.dark.surface) >= 4.5
    assert f"--accent:light-dark({brand.colors.light.accent},{brand.colors.dark.accent})" in brand.css


def test_surfaces_determine_lines_borders_and_messages(tmp_path: Path) -> None:
    brand = brand_of(write_acme_site(tmp_path, brand='[brand.dark]\nsurface = "#0b1f1a"\n'))
    dark = brand.colors.dark
    assert dark.line != DARK.line
    assert all(contrast(dark.edge, surface) >= 3 for surface in dark.surfaces)
    assert all(contrast(color, dark.surface) >= 4.5 for color in (dark.good, dark.warn, dark.bad))
    assert brand.colors.light == LIGHT
    assert brand.colors.surfaces.dark == dark.surfaces


def test_text_without_contrast_is_an_error(tmp_path: Path) -> None:
    site = write_acme_site(tmp_path, brand='[brand.light]\nink = "#888888"\n')
    faults = faults_of(site)
    assert ("kinfolk.toml", "brand.light.surface") in [fault[:2] for fault in faults]
    assert "ink (#888888)" in faults[0][2]


def test_unknown_palette_step_is_an_error(tmp_path: Path) -> None:
    site = write_acme_site(tmp_path, brand='[brand]\naccent = "plaid-500"\n')
    assert faults_of(site)[0] == ("kinfolk.toml", "brand.accent", "there is no color plaid-500 in colors.toml")


def test_gradient_replaces_that_of_the_engine(tmp_path: Path) -> None:
    brand = brand_of(write_acme_site(tmp_path, brand='[brand]\ngradient = ["#112233", "rose-500"]\n'))
    assert brand.colors.gradient[0] == "#112233"
    assert brand.has_gradient


def test_corners_set_all_radii(tmp_path: Path) -> None:
    css = brand_of(write_acme_site(tmp_path, brand='[brand]\ncorners = "square"\n')).css
    radii = re.findall(r"--radius-(\w+):", (ROOT / "frontend/src/styles/tokens.css").read_text())
    assert css == f":root{{{';'.join(f'--radius-{name}:0rem' for name in radii)}}}"


@pytest.mark.parametrize(("corners", "radii"), [("square", ("0", "0", "0")), ("default", ("15", "7.5", "6"))])
def test_boxes_of_drawn_marks_have_the_corners_of_the_site(
    tmp_path: Path, corners: str, radii: tuple[str, str, str]
) -> None:
    site = write_acme_site(tmp_path, brand=f'[brand]\ncorners = "{corners}"\n')
    (site / "libraries/tiles/logo.svg").unlink()
    catalog = load_catalog(site)
    landings = read_landings(site, catalog)[0]
    icon = draw_faces(catalog, landings, load_palette(site, catalog)).libraries["routes"].icon.svg
    drawn = (brand_of(site).marks.favicon.content.decode(), icon, landings["tiles"].logo)
    assert tuple(re.findall(r'<rect[^>]* rx="([^"]*)"', svg)[0] for svg in drawn) == radii


def test_system_fonts_need_no_files(tmp_path: Path) -> None:
    fonts = brand_of(write_acme_site(tmp_path, brand='[brand]\nsans = "system"\nmono = "system"\n')).fonts
    assert (fonts.faces, fonts.preload, fonts.uses_engine) == ("", None, False)
    assert [name for name, _ in fonts.properties] == ["--font-sans", "--font-mono"]


def test_font_of_the_site_has_a_fallback_of_its_width(tmp_path: Path) -> None:
    site = write_acme_site(
        tmp_path, brand='[brand]\nsans = "Own"\nfonts = [{ family = "Own", file = "own.woff2", weight = "400 700" }]\n'
    )
    (site / "own.woff2").write_bytes(INTER.read_bytes())
    brand = brand_of(site)
    assert brand.fonts.preload in brand.files
    assert "font-family:'Own';font-weight:400 700;font-display:optional" in brand.fonts.faces
    scale = re.search(r"size-adjust:([\d.]+)%", brand.css)
    assert scale
    assert 105 < float(scale[1]) < 110
    assert brand.fonts.uses_engine


def engine_font(name: str, style: Literal["normal", "italic"], weights: str) -> BrandFont:
    return BrandFont(FontFace("Inter", "font.woff2", weights, style), (FONTS / f"{name}.woff2").read_bytes())


def test_fallbacks_of_the_engine_have_the_widths_of_its_fonts() -> None:
    sans = [engine_font("inter", "normal", "400 750"), engine_font("italic", "italic", "400 750")]
    mono = [engine_font("mono", "normal", "400 700"), engine_font("mono-italic", "italic", "400 700")]
    computed = fallback_rules("Inter", sans, LOCAL_SANS) + fallback_rules("Mono", mono, LOCAL_MONO)
    written = (ROOT / "frontend/src/styles/fonts.css").read_text().partition("*/\n")[2]
    assert written.splitlines() == computed.replace("}@", "}\n@").splitlines()


@pytest.mark.parametrize("family", LOCAL_FILES)
def test_widths_of_local_fonts_are_those_of_their_files(family: str) -> None:
    row = next(row for row in (*LOCAL_SANS, *LOCAL_MONO) if family in row.slants)
    for style, width in zip(("Regular", "Bold", "Italic", "BoldItalic"), row.widths, strict=True):
        try:
            font = ImageFont.truetype(f"{LOCAL_FILES[family]}-{style}.ttf", 1000, layout_engine=ImageFont.Layout.BASIC)
        except OSError:
            pytest.skip(f"{LOCAL_FILES[family]} {style} is not installed")
        # Rows of fonts for code have the mean of several fonts.
        assert font.getlength(SAMPLE) / 1000 == pytest.approx(width, rel=0.005 if row in LOCAL_MONO else 0.0005)


def test_each_weight_and_style_has_a_fallback(tmp_path: Path) -> None:
    site = write_acme_site(
        tmp_path,
        brand="""[brand]
sans = "Own"
mono = "Own Mono"
fonts = [
  { family = "Own", file = "own.woff2", weight = "400 700" },
  { family = "Own", file = "italic.woff2", weight = "400 700", style = "italic" },
  { family = "Own Mono", file = "mono.woff2" },
]
""",
    )
    for name, source in (("own", "inter"), ("italic", "italic"), ("mono", "mono")):
        (site / f"{name}.woff2").write_bytes((FONTS / f"{source}.woff2").read_bytes())
    css = brand_of(site).css
    for family, local in (("Own", "Arial"), ("Own Mono", "Consolas")):
        rules = re.findall(rf"@font-face{{font-family:'{family} Fallback';src:local\({local}([^)]*)\)[^}}]*?}}", css)
        assert rules == ["", " Bold", " Italic", " Bold Italic"]
        assert f"'{family}','{family} Fallback'," in css
    # The file of the style is measured, at the weight.
    sizes = re.findall(r"local\(Arial[^}]*size-adjust:([\d.]+)%", css)
    assert sizes == ["107.6", "102.2", "108.4", "103.0"]


def test_font_without_a_file_is_an_error(tmp_path: Path) -> None:
    site = write_acme_site(tmp_path, brand='[brand]\nsans = "Own"\nfonts = [{ family = "Own", file = "own.woff2" }]\n')
    assert faults_of(site)[0][1] == "brand.fonts[0].file"
    (site / "own.woff2").write_bytes(b"no font")
    assert "is no WOFF2 font" in faults_of(site)[0][2]
    site = write_acme_site(tmp_path, brand='[brand]\nsans = "Other"\n')
    assert faults_of(site)[0][1] == "brand.sans"


def test_unreadable_font_has_no_metrics() -> None:
    assert measure(b"wOF2 and nothing else") is None


def test_favicon_without_a_file_is_the_first_letter_on_the_accent(tmp_path: Path) -> None:
    brand = brand_of(write_acme_site(tmp_path, brand='[brand]\naccent = "#b91c1c"\n'))
    favicon = brand.marks.favicon.content.decode()
    assert ">A</text>" in favicon
    assert brand.colors.light.accent in favicon
    assert brand.favicon_path == "/favicon.svg"


def test_marks_are_files_at_addresses_with_their_digests(tmp_path: Path) -> None:
    site = write_acme_site(tmp_path, brand='[brand]\nlogo = "logo.svg"\nlogo_dark = "dark.svg"\n')
    (site / "logo.svg").write_text(LOGO)
    (site / "dark.svg").write_text(LOGO.replace("M4 4", "M5 4"))
    brand = brand_of(site)
    assert len(brand.files) == 2
    assert ".on-dark" in brand.css


def test_pictures_with_active_content_are_errors(tmp_path: Path) -> None:
    site = write_acme_site(tmp_path, brand='[brand]\nlogo = "logo.svg"\n')
    (site / "logo.svg").write_text(LOGO.replace("<path", "<script/><path"))
    assert "without <script" in faults_of(site)[0][2]


def test_favicon_should_be_square(tmp_path: Path) -> None:
    site = write_acme_site(tmp_path, brand='[brand]\nfavicon = "wide.svg"\n')
    (site / "wide.svg").write_text(TILE.replace("0 0 64 64", "0 0 128 64"))
    assert faults_of(site) == [("kinfolk.toml", "brand.favicon", "should be square")]


def test_png_favicon_is_served_as_png(tmp_path: Path, fonts: Path) -> None:
    site = write_acme_site(tmp_path, brand='[brand]\nfavicon = "icon.png"\n')
    Image.new("RGBA", (100, 100), (10, 120, 60, 255)).save(site / "icon.png")
    brand = brand_of(site)
    assert brand.favicon_path == "/favicon.png"
    icon = Image.open(io.BytesIO(app_icon("icon-192.png", brand.marks.favicon, "#ffffff", fonts)))
    assert (icon.size, icon.getpixel((96, 96))) == ((192, 192), (10, 120, 60, 255))


def test_theme_is_the_end_of_the_stylesheet(tmp_path: Path) -> None:
    site = write_acme_site(tmp_path, brand='[brand]\ncorners = "round"\n')
    (site / "theme.css").write_text(":root { --shadow-md: none }\n")
    brand = brand_of(site)
    assert brand.css.endswith("}:root { --shadow-md: none }")
    assert brand.is_inlined


def test_long_theme_is_a_file_whose_address_changes_with_it(tmp_path: Path) -> None:
    site = write_acme_site(tmp_path)
    (site / "theme.css").write_text("/*" + "a" * 5000 + "*/")
    first = brand_of(site)
    (site / "theme.css").write_text("/*" + "b" * 5000 + "*/")
    assert not first.is_inlined
    assert first.css_address != brand_of(site).css_address


@pytest.mark.parametrize("text", ["a</style><script>", "@import url(x.css);"])
def test_theme_that_ends_its_element_or_imports_is_an_error(tmp_path: Path, text: str) -> None:
    site = write_acme_site(tmp_path)
    (site / "theme.css").write_text(text)
    assert faults_of(site)[0][0] == "theme.css"


def test_home_screen_icon_extends_the_color_of_a_tile(fonts: Path, tmp_path: Path) -> None:
    site = write_acme_site(tmp_path, brand='[brand]\nfavicon = "tile.svg"\n')
    (site / "tile.svg").write_text(TILE)
    icon = Image.open(
        io.BytesIO(app_icon("apple-touch-icon.png", brand_of(site).marks.favicon, "#ffffff", fonts))
    ).convert("RGB")
    assert (icon.size, icon.getpixel((0, 0))) == ((180, 180), (0x33, 0x66, 0x99))


def test_home_screen_icon_of_a_transparent_favicon_has_the_background_of_pages(fonts: Path, tmp_path: Path) -> None:
    site = write_acme_site(tmp_path, brand='[brand]\nfavicon = "logo.svg"\n')
    (site / "logo.svg").write_text(LOGO)
    icon = Image.open(io.BytesIO(app_icon("icon-maskable.png", brand_of(site).marks.favicon, "#fedcba", fonts)))
    assert icon.convert("RGB").getpixel((0, 0)) == (0xFE, 0xDC, 0xBA)


def test_letter_is_drawn_in_the_color_with_more_contrast() -> None:
    assert 'fill="#171410">A' in letter_mark("Acme", "#fde68a").content.decode()
    assert 'fill="#ffffff">&amp;' in letter_mark("& Co", "#1e3a8a").content.decode()


def test_invalid_parts_have_the_look_of_the_engine(tmp_path: Path) -> None:
    site = write_acme_site(
        tmp_path,
        brand='[brand]\naccent = "plaid-500"\nsans = "Nothing"\nfavicon = "missing.svg"\ncorners = "square"\n',
    )
    (site / "theme.css").write_text("@import url(x.css);")
    brand = brand_of(site)
    assert len(faults_of(site)) == 4
    assert (brand.colors.light, brand.fonts.properties) == (LIGHT, ())
    assert ">A</text>" in brand.marks.favicon.content.decode()
    assert brand.css.startswith(":root{--radius-xs:0rem")
    assert "@import" not in brand.css


@pytest.mark.parametrize("address", ["/_brand/0123456789ab.woff2", "/_theme.css", "/favicon.png", "/favicon.ico"])
def test_files_of_a_brand_are_part_of_an_export(address: str) -> None:
    assert kind_of(address) == "file"
