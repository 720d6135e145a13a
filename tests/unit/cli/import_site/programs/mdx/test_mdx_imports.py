"""Imports of Starlight, Fumadocs, Nextra and Mintlify."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.sites.sample_site import read_settings
from tests.unit.cli.import_site.imported_project import import_files, left_out, toml_of

from kinfolk.cli.import_site.site_import import Import, import_project
from kinfolk.cli.new.new_site import write_site
from kinfolk.runtime.errors import Invalid
from kinfolk.site.configuration_check import configuration_faults

ASTRO = """
export default defineConfig({
  site: process.env.SITE,
  redirects: { '/old': '/guides/one', '/older': { status: 301, destination: '/gone' }, '/fr/old': '/fr/x' },
  integrations: [starlight({
    title: 'Stars',
    description: 'About stars.',
    favicon: '/icon.svg',
    social: [{ icon: 'github', href: 'https://github.com/acme/stars' }, { icon: 'wat', href: 'https://wat.example' }],
    editLink: { baseUrl: 'https://github.com/acme/stars/edit/main/docs/' },
    locales: { root: { label: 'English' }, fr: { label: 'Français' } },
    customCss: ['./x.css'],
    sidebar: [{ label: 'Guides', items: ['guides/one'] }],
  })],
});
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'
STARLIGHT = {
    "docs/astro.config.mjs": ASTRO,
    "docs/public/icon.svg": SVG,
    "docs/src/content/docs/guides/one.md": "---\ntitle: One\n---\n",
    "docs/src/content/docs/fr/one.md": "---\ntitle: Un\n---\n",
    "docs/src/content/docs/note.mdoc": "---\ntitle: N\n---\n",
}
MINTLIFY = {
    "docs.json": json.dumps(
        {
            "name": "Mint",
            "description": "About mint.",
            "colors": {"primary": "#16A34A"},
            "favicon": "/icon.svg",
            "navbar": {"links": [{"label": "Start", "href": "/index"}]},
            "footer": {"socials": {"github": "https://github.com/acme/mint", "wat": "https://wat.example"}},
            "api": {"openapi": "x.json"},
            "navigation": {
                "languages": [
                    {
                        "language": "en",
                        "tabs": [{"tab": "API", "openapi": "openapi.json"}, {"tab": "A", "pages": ["a"]}],
                    },
                    {"language": "fr", "pages": ["fr/a"]},
                ]
            },
            "redirects": [
                {"source": "/old", "destination": "/guides/one"},
                {"source": "/was/:slug*", "destination": "/guides/:slug*"},
                {"source": "/x/:id", "destination": "/y/:id"},
                {"source": "/fr/old", "destination": "/fr/a"},
            ],
        }
    ),
    "icon.svg": SVG,
    "index.mdx": "# Home\n",
    "a.mdx": "# A\n",
    "guides/one.mdx": "# One\n",
    "fr/a.mdx": "# A\n",
}
FUMADOCS = {
    "site/source.config.ts": "import { defineDocs } from 'fumadocs-mdx/config'\n"
    "export const docs = defineDocs({ dir: 'docs', docs: { schema: x } });",
    "site/docs/index.mdx": "# Home\n",
    "site/app/layout.tsx": "export default function Layout() {}",
}
NEXTRA = {
    "next.config.mjs": "import nextra from 'nextra'\nexport default nextra({})({})",
    "app/layout.tsx": '<Layout docsRepositoryBase="https://github.com/acme/next/tree/main/docs">',
    "content/en/index.mdx": "# Home\n",
    "content/zh/index.mdx": "# Home\n",
}
PROJECTS: dict[str, dict[str, str]] = {
    "starlight": STARLIGHT,
    "mintlify": MINTLIFY,
    "fumadocs": FUMADOCS,
    "nextra": NEXTRA,
}


def imported(tmp_path: Path, program: str, files: dict[str, str] | None = None) -> Import:
    return import_files(tmp_path, files or PROJECTS[program], program)


def library(found: Import) -> dict[str, object]:
    return toml_of(found, f"libraries/{found.site.library.id}.toml")


def test_starlight_project_keeps_names_picture_links_and_redirects(tmp_path: Path) -> None:
    found = imported(tmp_path, "starlight")
    facts = library(found)
    assert (facts["dialect"], facts["docs_root"]) == ("starlight", "docs/src/content/docs")
    assert (facts["repo"], facts["latest_branch"], facts["name"]) == ("acme/stars", "main", "Stars")
    assert [link.icon for link in found.site.social] == ["github"]
    assert "brand/favicon.svg" in found.files
    assert found.site.redirects["/old"] == "/stars/latest/docs/guides/one"
    assert (found.pages, found.site.library.menu) == (1, [])


def test_what_starlight_has_besides_is_listed_with_its_line(tmp_path: Path) -> None:
    assert left_out(imported(tmp_path, "starlight")) == {
        "social link 'wat'": "docs/astro.config.mjs:9",
        "redirect '/older'": "docs/astro.config.mjs:4",
        "customCss": "docs/astro.config.mjs:12",
        "languages fr": "docs/astro.config.mjs:11",
        "1 pages in Markdoc": "docs/src/content/docs/note.mdoc",
    }


def test_main_language_of_starlight_in_a_folder_is_the_docs_root(tmp_path: Path) -> None:
    config = "starlight({ defaultLocale: 'en', locales: { en: {}, fr: {} } })"
    files = {"astro.config.ts": config, "src/content/docs/en/a.md": "# A\n"}
    assert library(imported(tmp_path, "starlight", files))["docs_root"] == "src/content/docs/en"


@pytest.mark.parametrize("program", list(PROJECTS))
def test_imported_site_opens_without_faults(tmp_path: Path, program: str) -> None:
    write_site(tmp_path / "site", imported(tmp_path, program).files)
    settings = read_settings({"KINFOLK_SITE": str(tmp_path / "site"), "KINFOLK_MIRROR": "off"})
    assert [fault.message for fault in configuration_faults(settings.site, settings.frontend)] == []


def test_mintlify_project_keeps_names_color_links_and_redirects(tmp_path: Path) -> None:
    found = imported(tmp_path, "mintlify")
    assert (library(found)["color"], library(found)["docs_root"]) == ("green", ".")
    assert [(link.label, link.to) for link in found.site.menu] == [
        ("Start", f"/{found.site.library.id}/latest/docs/index")
    ]
    docs = f"/{found.site.library.id}/latest/docs/guides"
    assert found.site.redirects["/old"] == f"{docs}/one"
    assert found.site.redirects["/was/{slug...}"] == f"{docs}/{{slug}}"
    assert found.pages == 3
    assert set(left_out(found)) == {
        "social link 'wat'",
        "api",
        "languages fr",
        "openapi openapi.json",
        "redirect '/x/:id'",
    }


def test_banner_of_mintlify_is_the_announcement(tmp_path: Path) -> None:
    content = "🚀 **Version 2** is out. [Read the `guide`](/guides/one) <Icon icon='x' />"
    keys = {"navigation": {"pages": ["a"]}, "banner": {"content": content, "dismissible": True}}
    config = json.dumps(keys, ensure_ascii=False)
    found = imported(tmp_path, "mintlify", {**MINTLIFY, "docs.json": config})
    assert toml_of(found, "kinfolk.toml")["announcement"] == {
        "text": "🚀 Version 2 is out. Read the guide",
        "href": f"/{found.site.library.id}/latest/docs/guides/one",
    }
    assert left_out(found) == {}


@pytest.mark.parametrize(
    ("layout", "bar"),
    [
        (
            '<Banner storageKey="v4">\n  <a href="https://acme.example/4">Version&nbsp;4 is out</a>\n</Banner>',
            {"text": "Version 4 is out", "href": "https://acme.example/4"},
        ),
        ("<Banner dismissible={false}>Version 4</Banner>", {"text": "Version 4"}),
        ("<Banner>{message}</Banner>", None),
        ("<Banner />", None),
        ("<BannerFrame>Version 4</BannerFrame>", None),
    ],
)
def test_banner_of_a_layout_is_the_announcement(tmp_path: Path, layout: str, bar: dict[str, str] | None) -> None:
    found = imported(tmp_path, "nextra", {**NEXTRA, "app/layout.tsx": f"const banner = {layout}\n"})
    assert toml_of(found, "kinfolk.toml").get("announcement") == bar
    assert ("announcement" in left_out(found)) is ("{message}" in layout)


@pytest.mark.parametrize(("program", "root"), [("fumadocs", "site/docs"), ("nextra", "content/en")])
def test_next_projects_keep_the_docs_root(tmp_path: Path, program: str, root: str) -> None:
    found = imported(tmp_path, program)
    assert (library(found)["docs_root"], found.pages) == (root, 1)
    assert "layout" in left_out(found)


def test_nextra_project_keeps_the_repository_and_names_languages(tmp_path: Path) -> None:
    found = imported(tmp_path, "nextra")
    assert (found.site.repo, found.site.branch) == ("acme/next", "main")
    assert left_out(found)["languages zh"] == "content"


@pytest.mark.parametrize(
    "redirects",
    ["redirects: () => [RULES]", "async redirects() { return [RULES] }", "redirects: async () => { return [RULES] }"],
)
def test_redirects_that_next_js_returns_are_taken_over(tmp_path: Path, redirects: str) -> None:
    rules = """
        { source: '/docs/:name(old|older)', destination: '/docs/guide/:name', permanent: true },
        { source: '/docs/start', destination: '/docs/guide', permanent: true },
        { source: '/me', has: [{ type: 'cookie', key: 'x' }], destination: '/docs/guide', permanent: false },
    """
    files = {
        "next.config.mjs": f"import nextra from 'nextra'\nexport default nextra({{}})({{ {redirects} }})".replace(
            "RULES", rules
        ),
        "app/docs/guide/page.mdx": "# Guide\n",
        "app/docs/guide/old/page.mdx": "# Old\n",
    }
    found = imported(tmp_path, "nextra", files)
    docs = f"/{found.site.library.id}/latest/docs"
    assert found.site.redirects["/docs/{name:old|older}"] == f"{docs}/guide/{{name}}"
    assert found.site.redirects["/docs/start"] == f"{docs}/guide"
    assert left_out(found)["redirect '/me'"].startswith("next.config.mjs:")


@pytest.mark.parametrize("program", list(PROJECTS))
def test_project_without_the_configuration_is_refused(tmp_path: Path, program: str) -> None:
    with pytest.raises(Invalid):
        import_project(program, tmp_path, tmp_path / "site")
