"""A second family with a brand of its own: what its pages and files show, without a build."""

from __future__ import annotations

import io
from collections.abc import Iterator

import httpx
import pytest
from PIL import Image
from tests.servers.serving import LEAN, serving
from tests.sites.acme_site import LOGO, write_acme_site

BRAND = """
[brand]
logo = "brand/logo.svg"
accent = "emerald-600"
gradient = ["#0f766e", "#65a30d"]
sans = "system"
corners = "slight"

[brand.dark]
surface = "#0b1f1a"

[texts]
footer_note = "Acme is a cooperative."

[[footer]]
label = "Chat"
to = "https://chat.example/acme"
group = "Community"
"""
BUTTONS = 'buttons = [{ label = "Source code", to = "https://gitlab.com/acme", icon = "gitlab" }]\n'
PACKAGES = 'packages = [{ name = "acme-tiles", registry = "pypi" }, { name = "acme-tiles", registry = "crates" }]\n'
PAGES = ["/", "/tiles/latest", "/tiles/latest/docs/overview", "/nope"]


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("acme")
    site = write_acme_site(folder / "site", brand=BRAND, home=BUTTONS, tiles=PACKAGES)
    files = {
        "brand/logo.svg": LOGO,
        "theme.css": ".acme-theme { color: red }",
        "public/humans.txt": "Ann and Ben\n",
        "public/.well-known/security.txt": "Contact: mailto:hello@acme.example\n",
        "public/tiles/latest.html": "not a page",
        "public/robots.txt": "User-agent: none\n",
        "public/press/logo.svg": LOGO,
    }
    for name, text in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    environment = LEAN | {"KINFOLK_SITE": str(site), "KINFOLK_MIRROR": "off"}
    with serving(folder, environment=environment) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        yield client


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_the_stylesheet_of_the_brand(acme: httpx.Client, path: str) -> None:
    head = acme.get(path).text.partition("</head>")[0]
    assert ".acme-theme { color: red }" in head
    assert "--radius-sm:0.1875rem" in head
    assert 'content="#0b1f1a" media="(prefers-color-scheme: dark)"' in head


@pytest.mark.parametrize("path", PAGES)
def test_site_in_system_fonts_loads_none_for_text(acme: httpx.Client, path: str) -> None:
    page = acme.get(path).text
    assert 'as="font"' not in page
    assert "data-font=" not in page
    assert "--font-sans:system-ui" in page


def test_footer_shows_groups_of_links_below_their_heading(acme: httpx.Client) -> None:
    footer = acme.get("/").text.partition('<footer class="site-footer">')[2]
    heading, _, links = footer.partition("Community</h2>")
    assert heading.endswith('<section><h2 id="Site-footer-0">')
    assert links.startswith('<ul aria-labelledby="Site-footer-0"><li><a ')


def test_header_shows_the_logo(acme: httpx.Client) -> None:
    page = acme.get("/").text
    address = page.partition('<img src="/_brand/')[2].partition('"')[0]
    answer = acme.get(f"/_brand/{address}")
    assert (answer.status_code, answer.text, answer.headers["content-type"]) == (200, LOGO, "image/svg+xml")
    assert "immutable" in answer.headers["cache-control"]


def test_icons_are_made_of_the_favicon(acme: httpx.Client) -> None:
    assert ">A</text>" in acme.get("/favicon.svg").text
    icon = acme.get("/apple-touch-icon.png")
    assert Image.open(io.BytesIO(icon.content)).size == (180, 180)
    assert (
        acme.get("/icon-192.png", headers={"if-none-match": acme.get("/icon-192.png").headers["etag"]}).status_code
        == 304
    )
    assert Image.open(io.BytesIO(acme.get("/favicon.ico").content)).size == (32, 32)
    assert acme.get("/_brand/nothing.svg").status_code == 404


def test_manifest_has_the_colors_of_the_brand(acme: httpx.Client) -> None:
    manifest = acme.get("/site.webmanifest").json()
    assert manifest["background_color"] == "#0b1f1a"
    assert {icon["src"] for icon in manifest["icons"]} >= {"/favicon.svg", "/icon-maskable.png"}


def test_share_image_has_the_gradient_and_the_logo(acme: httpx.Client) -> None:
    image = Image.open(io.BytesIO(acme.get("/og/site.jpg").content)).convert("RGB")
    assert image.size == (1200, 630)
    left, right = image.getpixel((2, 627)), image.getpixel((1197, 627))
    assert isinstance(left, tuple)
    assert isinstance(right, tuple)
    assert left[1] > left[0]
    assert right[1] > right[2]
    # The logo, which is black on near-black.
    colors = image.crop((80, 70, 136, 126)).getcolors(56 * 56)
    assert colors
    assert (0, 0, 0) in {color for _, color in colors}


def test_home_page_has_the_buttons_and_icons_of_the_data(acme: httpx.Client) -> None:
    page = acme.get("/").text
    assert "Source code" in page
    assert "See the libraries" not in page
    assert "Acme is a cooperative." in page
    assert 'title="Mastodon"' in page


def test_install_commands_are_those_of_the_registries(acme: httpx.Client) -> None:
    page = acme.get("/tiles/latest").text
    assert all(command in page for command in ("pip install acme-tiles", "uv add acme-tiles", "cargo add acme-tiles"))


def test_public_files_are_served_at_the_root(acme: httpx.Client) -> None:
    answer = acme.get("/humans.txt")
    assert (answer.text, answer.headers["content-type"]) == ("Ann and Ben\n", "text/plain; charset=utf-8")
    assert answer.headers["cache-control"] == "public, max-age=86400"
    again = acme.get("/humans.txt", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    assert acme.get("/.well-known/security.txt").status_code == 200
    assert "sandbox" in acme.get("/press/logo.svg").headers["content-security-policy"]


def test_public_files_shadow_no_page_and_no_file_of_the_server(acme: httpx.Client) -> None:
    assert "not a page" not in acme.get("/tiles/latest.html").text
    assert "none" not in acme.get("/robots.txt").text
    assert acme.get("/public/humans.txt").status_code == 404


@pytest.mark.parametrize("path", PAGES[:3])
def test_sentences_fit_any_family(acme: httpx.Client, path: str) -> None:
    body = acme.get(path).text.partition("<body")[2]
    assert not [word for word in ("TanStack", "npm", "JavaScript", "TypeScript", "Discord") if word in body]
