"""Imports of projects that have docs for VitePress, Docusaurus or MkDocs."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pygit2
import pytest
from click.testing import CliRunner
from tests.sites.sample_site import read_settings
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.cli.check.content_check import check_content
from kinfolk.cli.import_site.facts.imported_site import SOCIAL_ICONS, hue_of_color, page_path
from kinfolk.cli.import_site.project.git_facts import branch_of_edit_url, repo_of_url
from kinfolk.cli.import_site.project.project_files import LARGEST_FILE
from kinfolk.cli.import_site.site_import import Import, import_project
from kinfolk.cli.main import main
from kinfolk.cli.new.new_site import write_site
from kinfolk.config.catalog import load_catalog
from kinfolk.config.icons import unknown_icons
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config
from kinfolk.runtime.errors import Invalid
from kinfolk.site.configuration_check import configuration_faults

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'

VITEPRESS = {
    "docs/.vitepress/config.ts": """
import { defineConfig } from 'vitepress'
import { github } from './meta'
export default defineConfig({
  title: 'Acme "Widgets"',
  description: 'Widgets for all',
  base: '/',
  head: [['link', { rel: 'icon', href: '/icon.svg' }], ['meta', { name: 'theme-color', content: '#14b8a6' }]],
  rewrites: { 'guide/start.md': 'begin.md', 'a/:b.md': ':b.md' },
  transformHead(context) { return [] },
  themeConfig: {
    logo: '/logo.svg',
    editLink: { pattern: 'https://github.com/acme/widgets/edit/next/docs/:path' },
    socialLinks: [{ icon: 'github', link: github }, { icon: { svg: '<svg/>' }, link: 'https://social.example/@acme' }],
    nav: [{ text: 'Guide', link: '/guide/' }, { text: 'More', items: [] }, { text: 'Lost', link: '/lost' }],
    sidebar: {
      '/guide/': [{ text: 'Guide', items: [
        { text: 'Start', link: '/guide/start' }, { text: 'Lost', link: '/guide/lost' },
        { text: 'Deep', items: [{ text: 'Deeper', link: '/guide/deep/one.html' }] },
      ] }],
      '/api/': make(),
    },
  },
})
""",
    "docs/.vitepress/meta.ts": "export const github = 'https://github.com/acme/widgets'\n",
    "docs/index.md": "# Widgets\n",
    "docs/guide/index.md": "# Guide\n",
    "docs/guide/start.md": "# Start\n",
    "docs/guide/deep/one.md": "# One\n",
    "docs/public/logo.svg": SVG,
    "docs/public/icon.svg": SVG,
}
DOCUSAURUS = {
    "website/docusaurus.config.js": """
module.exports = {
  title: 'Gears', tagline: 'Gears that turn', url: 'https://gears.example', baseUrl: '/',
  organizationName: 'acme', projectName: 'gears', favicon: 'img/icon.png',
  presets: [['classic', { docs: {
    path: '../docs', sidebarPath: require.resolve('./sidebars.js'), remarkPlugins: [x] } }]],
  plugins: [['@docusaurus/plugin-client-redirects', { redirects: [
    { from: ['/docs/old', '/older'], to: '/docs/intro' }, { from: '/docs/x', to: '/docs/lost' }] }], './mine'],
  themeConfig: {
    navbar: { logo: { src: 'img/logo.svg' }, items: [
      { type: 'doc', docId: 'intro', label: 'Docs' }, { href: 'https://github.com/acme/gears', label: 'GitHub' },
      { type: 'search' }, { type: 'html', value: '<b>x</b>' }] },
    footer: { links: [{ title: 'Docs', items: [{ label: 'Intro', to: '/docs/intro' }] }], copyright: 'x' },
  },
}
""",
    "website/sidebars.js": """
module.exports = { docs: ['intro', { type: 'category', label: 'Guides', link: { type: 'doc', id: 'guides/index' },
  items: ['guides/first', { type: 'link', label: 'Out', href: 'https://out.example/x' }, 'lost'] }] }
""",
    "website/src/css/custom.css": ":root { --ifm-color-primary: #ff6900; }\n",
    "website/static/img/logo.svg": SVG,
    "website/static/_redirects": "# old\n/legacy/* /docs/:splat\n/intro /docs/intro 301\n/first* /docs/guides/first\n",
    "website/versions.json": '["2.0", "1.0"]',
    "website/blog/post.md": "# Post\n",
    "docs/01-intro.md": "# Intro\n",
    "docs/guides/index.md": "# Guides\n",
    "docs/guides/first.mdx": "# First\n",
}
MKDOCS = {
    "mkdocs.yml": """
site_name: Springs
site_url: https://acme.github.io/springs/
site_description: Springs that
  bounce
repo_url: https://github.com/acme/springs
edit_uri: edit/trunk/docs/
theme:
  name: material
  palette:
    - {scheme: default, primary: deep purple}
  favicon: img/icon.png
  logo: img/logo.svg
extra:
  social:
    - {icon: fontawesome/brands/x-twitter, link: https://x.com/acme}
  version: {provider: mike}
  analytics: !ENV KEY
plugins:
  - search
  - redirects:
      redirect_maps: {old.md: setup/colors.md, lost.md: none.md}
  - mkdocstrings: {}
markdown_extensions: [admonition, pymdownx.arithmatex]
hooks: [hook.py]
nav:
  - Home: index.md
  - Setup: [setup/colors.md]
""",
    "docs/index.md": "# Springs\n",
    "docs/setup/colors.md": "# Colors\n",
    "docs/img/logo.svg": SVG,
}
PROJECTS = {"vitepress": VITEPRESS, "docusaurus": DOCUSAURUS, "mkdocs": MKDOCS}
PROGRAMS = tuple(PROJECTS)


def project(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def imported(tmp_path: Path, program: str, files: dict[str, str] | None = None) -> Import:
    folder = project(tmp_path / "project", PROJECTS[program] if files is None else files)
    return import_project(program, folder, tmp_path / "site")


def toml(found: Import, name: str) -> dict[str, Any]:
    text = found.files[name]
    assert isinstance(text, str)
    return tomllib.loads(text)


def left(found: Import) -> dict[str, str]:
    return {one.what: one.place for one in found.site.left}


@pytest.mark.parametrize("program", PROGRAMS)
def test_imported_site_opens_without_faults(tmp_path: Path, program: str) -> None:
    found = imported(tmp_path, program)
    write_site(tmp_path / "site", found.files)
    settings = read_settings({"KINFOLK_SITE": str(tmp_path / "site"), "KINFOLK_MIRROR": "off"})
    assert [fault.message for fault in configuration_faults(settings.site, settings.frontend)] == []
    (library,) = load_catalog(settings.site).libraries
    assert (library.dialect, library.docs_root) == (program, "docs")
    report = check_content(settings, settings.content)
    assert report.pages >= found.pages > 1
    assert [fault.message for fault in report.faults] == []


def test_vitepress_project_keeps_names_links_menu_and_redirects(tmp_path: Path) -> None:
    found = imported(tmp_path, "vitepress")
    family, library = toml(found, "kinfolk.toml"), toml(found, "libraries/widgets.toml")
    assert (family["family"], family["description"]) == ('Acme "Widgets"', "Widgets for all")
    assert family["menu"] == [{"label": "Guide", "to": "/widgets/latest/docs/guide"}]
    assert family["social"] == [{"label": "GitHub", "to": "https://github.com/acme/widgets", "icon": "github"}]
    assert (library["repo"], library["latest_branch"], library["color"]) == ("acme/widgets", "next", "teal")
    assert library["folder"] == "../project"
    assert library["docs_menu"] == [
        {"label": "Guide", "pages": ["guide/start"]},
        {"label": "Guide: Deep", "pages": [{"label": "Deeper", "to": "guide/deep/one"}]},
    ]
    rules = {rule["path"]: rule["to"] for rule in toml(found, "redirects.toml")["rules"]}
    assert rules["/begin"] == "/widgets/latest/docs/guide/start"
    assert rules["/guide/{page...}"] == "/widgets/latest/docs/guide/{page}"


def test_pictures_of_the_project_are_copied(tmp_path: Path) -> None:
    found = imported(tmp_path, "vitepress")
    assert found.files["brand/logo.svg"] == found.files["brand/favicon.svg"] == SVG.encode()
    assert toml(found, "kinfolk.toml")["brand"] == {"logo": "brand/logo.svg", "favicon": "brand/favicon.svg"}


def test_what_vitepress_computes_is_listed_with_its_line(tmp_path: Path) -> None:
    found = imported(tmp_path, "vitepress")
    config = "docs/.vitepress/config.ts"
    assert left(found) == {
        "social link 'https://social.example/@acme'": f"{config}:14",
        "link 'Lost'": f"{config}:15",
        "menu entry 'Lost'": f"{config}:18",
        "sidebar '/api/'": f"{config}:21",
        "rewrite 'a/:b.md'": f"{config}:9",
        "transformHead": f"{config}:10",
    }
    report = found.files["IMPORT.md"]
    assert isinstance(report, str)
    assert f"- `{config}:10`: transformHead: " in report


def test_docusaurus_project_keeps_names_links_menu_and_redirects(tmp_path: Path) -> None:
    found = imported(tmp_path, "docusaurus")
    family, library = toml(found, "kinfolk.toml"), toml(found, "libraries/gears.toml")
    assert family["menu"] == [{"label": "Docs", "to": "/gears/latest/docs/intro"}]
    assert [one["icon"] for one in family["social"]] == ["github"]
    assert (library["repo"], library["color"], library["default_docs"]) == ("acme/gears", "orange", "intro")
    assert library["docs_menu"] == [
        {"label": "Overview", "pages": ["intro"]},
        {"label": "Guides", "pages": ["guides", "guides/first", {"label": "Out", "to": "https://out.example/x"}]},
    ]
    rules = {rule["path"]: rule["to"] for rule in toml(found, "redirects.toml")["rules"]}
    assert rules == {
        "/legacy": "/gears/latest/docs",
        "/legacy/{splat...}": "/gears/latest/docs/{splat}",
        "/first{splat}": "/gears/latest/docs/guides/first",
        "/docs/old": "/gears/latest/docs/intro",
        "/older": "/gears/latest/docs/intro",
        "/intro": "/gears/latest/docs/intro",
        "/first": "/gears/latest/docs/guides/first",
        "/docs": "/gears/latest/docs",
        "/docs/{page...}": "/gears/latest/docs/{page}",
    }


def test_what_docusaurus_computes_is_listed(tmp_path: Path) -> None:
    places = left(imported(tmp_path, "docusaurus"))
    assert {
        "remarkPlugins",
        "redirect '/docs/x'",
        "version '2.0'",
        "post",
        "menu entry 'lost'",
    } <= set(places)
    assert places["menu entry 'lost'"] == "website/sidebars.js:3"
    assert places["post"] == "website/blog/post.md"


def test_versions_of_docusaurus_that_are_branches_are_taken_over(tmp_path: Path) -> None:
    folder = project(tmp_path / "project", DOCUSAURUS)
    repository = pygit2.init_repository(str(folder), initial_head="main")
    author = pygit2.Signature("A", "a@example.com")
    commit = repository.create_commit("HEAD", author, author, "First", repository.index.write_tree(), [])
    repository.create_reference("refs/heads/v2.0", commit)
    found = import_project("docusaurus", folder / "website", tmp_path / "site")
    assert toml(found, "libraries/gears.toml")["versions"] == [
        {"name": "main", "branch": "main"},
        {"name": "v2-0", "label": "2.0", "branch": "v2.0"},
    ]
    assert "version '1.0'" in left(found)


def test_mkdocs_project_keeps_names_color_and_redirects(tmp_path: Path) -> None:
    found = imported(tmp_path, "mkdocs")
    library = toml(found, "libraries/springs.toml")
    assert toml(found, "kinfolk.toml")["description"] == "Springs that bounce"
    assert (library["repo"], library["latest_branch"], library["color"]) == ("acme/springs", "trunk", "violet")
    assert "docs_menu" not in library
    rules = {rule["path"]: rule["to"] for rule in toml(found, "redirects.toml")["rules"]}
    assert rules["/springs/old"] == "/springs/latest/docs/setup/colors"
    places = left(found)
    assert places["plug-in 'mkdocstrings'"] == "mkdocs.yml:23"
    assert {"versions of mike", "extra.analytics", "hooks", "extension 'pymdownx.arithmatex'"} <= set(places)


def test_docs_below_the_path_of_the_library_are_redirected_by_folder(tmp_path: Path) -> None:
    files = {"mkdocs.yml": "site_name: Springs\nsite_url: https://acme.example/springs/\n", "docs/setup/a.md": "# A\n"}
    folder = project(tmp_path / "springs", files | {"docs/docs/b.md": "# B\n"})
    rules = toml(import_project("mkdocs", folder, tmp_path / "site"), "redirects.toml")["rules"]
    assert {rule["path"]: rule["to"] for rule in rules} == {
        "/springs/setup": "/springs/latest/docs/setup",
        "/springs/setup/{page...}": "/springs/latest/docs/setup/{page}",
    }


def test_address_of_the_engine_is_redirected_only_without_a_page(tmp_path: Path) -> None:
    files = {"mkdocs.yml": "site_name: Springs\n", "docs/blog/a.md": "# A\n", "docs/setup/a.md": "# A\n"}
    rules = toml(imported(tmp_path, "mkdocs", files), "redirects.toml")["rules"]
    assert {rule["path"]: rule.get("when") for rule in rules if "{" in rule["path"]} == {
        "/blog/{page...}": "missing",
        "/setup/{page...}": None,
    }


def test_picture_that_the_site_refuses_is_left_out(tmp_path: Path) -> None:
    wide = SVG.replace("0 0 8 8", "0 0 9 8")
    found = imported(tmp_path, "vitepress", VITEPRESS | {"docs/public/icon.svg": wide})
    assert "brand/favicon.svg" not in found.files
    assert left(found)["favicon"] == "docs/public/icon.svg"


def test_command_writes_the_folder_and_prints_what_is_left_out(tmp_path: Path) -> None:
    source, folder = project(tmp_path / "project", VITEPRESS), tmp_path / "site"
    result = CliRunner().invoke(main, ["import", "vitepress", str(source), "--to", str(folder)])
    assert result.exit_code == 0, result.output
    assert "docs/.vitepress/config.ts:10: transformHead" in result.output
    assert (folder / "IMPORT.md").is_file()
    again = CliRunner().invoke(main, ["import", "vitepress", str(source), "--to", str(folder)])
    assert again.exit_code == 1
    assert "has a site already" in again.output


def test_command_finds_the_program_and_counts_whole_pages(tmp_path: Path) -> None:
    source, folder = (
        project(tmp_path / "project", MKDOCS | {"docs/setup/x.md": "# X\n\n[y](y.md)\n"}),
        tmp_path / "site",
    )
    result = CliRunner().invoke(main, ["import", str(source), "--to", str(folder)])
    assert result.exit_code == 0, result.output
    assert "Found MkDocs in mkdocs.yml\n" in result.output
    assert "  Pages      3 in docs\n" in result.output
    assert "setup/x.md: line 3: the link y.md leads nowhere" in result.output
    assert "Checked: 2 of 3 pages are whole, with 1 links\n" in result.output


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nope", "."], 2, "'nope' is none of vitepress"),
        (["{project}/gone"], 2, "is no folder"),
        (["mkdocs", ".", "."], 2, "One folder"),
        (["--program", "mdbook", "{project}"], 1, "There is no book.toml in the folder"),
        (["{project}"], 1, "There are no Markdown files in the folder"),
    ],
)
def test_wrong_use_of_the_command_is_named(tmp_path: Path, words: list[str], code: int, message: str) -> None:
    result = CliRunner().invoke(main, ["import", *(word.format(project=tmp_path) for word in words)])
    assert (result.exit_code, message in result.output) == (code, True), result.output


@pytest.mark.parametrize("program", PROGRAMS)
def test_project_without_the_configuration_is_refused(tmp_path: Path, program: str) -> None:
    with pytest.raises(Invalid, match="There is no"):
        imported(tmp_path, program, {"README.md": "# Hello\n"})


HOSTILE_DOCS = {"docs/index.md": "# Docs\n", "index.md": "# Docs\n", "versions.json": '["../x", 1, "a\\n", "2"]'}
HOSTILE: dict[str, tuple[str, str, str]] = {
    "docs outside": ("mkdocs", "mkdocs.yml", "docs_dir: ../../../etc\nsite_name: X\n"),
    "absolute docs": ("mkdocs", "mkdocs.yml", "docs_dir: /etc\nsite_name: X\n"),
    "name that is a path": ("mkdocs", "mkdocs.yml", "site_name: ../../x\nrepo_url: https://github.com/a/..\n"),
    "name with quotes": ("mkdocs", "mkdocs.yml", 'site_name: "a\\u007f\\u2028\\"]\\nkey = 1"\n'),
    "name without letters": ("mkdocs", "mkdocs.yml", "site_name: '…'\n"),
    "picture outside": ("mkdocs", "mkdocs.yml", "theme: {logo: ../../secret.svg, favicon: ../../../secret.png}\n"),
    "aliases": ("mkdocs", "mkdocs.yml", "a: &a [1]\nb: &b [*a, *a]\nnav: *b\nplugins: *a\n"),
    "deep": ("mkdocs", "mkdocs.yml", "nav: " + "[" * 5_000),
    "no YAML": ("mkdocs", "mkdocs.yml", "\0\t: ]["),
    "wrong types": ("mkdocs", "mkdocs.yml", "theme: []\nextra: x\nplugins: {a: 1}\nnav: 3\nsite_url: 'http://['\n"),
    "wrong types in JavaScript": (
        "vitepress",
        ".vitepress/config.js",
        "export default { title: [], head: 'x', base: {}, rewrites: 1, themeConfig: { nav: 'x', sidebar: 'y' } }",
    ),
    "base outside": ("vitepress", ".vitepress/config.js", "export default { base: '/../..//x', srcDir: '../../..' }"),
    "odd presets": (
        "docusaurus",
        "docusaurus.config.js",
        "module.exports = { presets: [[]], plugins: [1] }",
    ),
    "unfinished": ("docusaurus", "docusaurus.config.js", "module.exports = { title: 'X', presets: [['classic', {"),
    "import in a circle": (
        "vitepress",
        ".vitepress/config.js",
        "import { a } from './config.js'\nexport const b = a\nexport default { title: a, themeConfig: { nav: b() } }",
    ),
    "versions outside": (
        "docusaurus",
        "docusaurus.config.js",
        "module.exports = { presets: [['classic', { docs: { versions: { '../x': 1 } }, blog: { path: '../..' } }]] }",
    ),
    "blog outside": ("mkdocs", "mkdocs.yml", "plugins:\n  - blog: {blog_dir: ../../.., post_dir: ../../..}\n"),
    "large": ("docusaurus", "docusaurus.config.js", "module.exports = {}" + " " * LARGEST_FILE),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_configuration_gives_a_site_that_opens(tmp_path: Path, name: str) -> None:
    program, file, text = HOSTILE[name]
    (tmp_path / "secret.svg").write_text(SVG)
    found = imported(tmp_path, program, HOSTILE_DOCS | {file: text})
    folder = tmp_path / "site"
    write_site(folder, found.files)
    assert all(path.resolve().is_relative_to(folder) for path in map(folder.joinpath, found.files))
    assert not any(name.startswith("brand/") for name in found.files)
    settings = read_settings({"KINFOLK_SITE": str(folder)})
    assert [fault.message for fault in configuration_faults(folder, settings.frontend)] == []


def test_social_icons_exist() -> None:
    assert unknown_icons(read_settings({}).frontend, SOCIAL_ICONS) == {}


def test_links_of_the_project_are_not_followed_outside(tmp_path: Path) -> None:
    (tmp_path / "secret.yml").write_text("site_name: Secret\n")
    folder = project(tmp_path / "project", {"docs/index.md": "# Docs\n"})
    (folder / "mkdocs.yml").symlink_to(tmp_path / "secret.yml")
    with pytest.raises(Invalid, match="There is no"):
        import_project("mkdocs", folder, tmp_path / "site")


@pytest.mark.parametrize("part", ["- [", "a: {", "&a ", "!!x ", "? ", "- ", "'", "a: b\n", "- a:\n  "])
def test_hostile_yaml_takes_linear_time(part: str) -> None:
    assert cpu_time_growth(lambda length: read_yaml_config(part * (length // len(part))), 4_000) < MAX_LINEAR_GROWTH


@pytest.mark.parametrize(
    ("color", "hue"), [("#14b8a6", "teal"), ("#f60", "orange"), ("#808080", "gray"), ("teal", ""), ("#12", "")]
)
def test_color_maps_to_the_nearest_hue(color: str, hue: str) -> None:
    assert hue_of_color(color) == hue


@pytest.mark.parametrize(
    ("url", "repo"),
    [
        ("https://github.com/acme/query.git", "acme/query"),
        ("git@github.com:acme/query.git", "acme/query"),
        ("https://github.com/acme/query/edit/main/docs", "acme/query"),
        ("https://gitlab.com/acme/query", ""),
        ("https://github.com/acme/..", ""),
    ],
)
def test_repository_of_an_address(url: str, repo: str) -> None:
    assert repo_of_url(url) == repo


def test_branch_of_an_edit_link() -> None:
    assert branch_of_edit_url("https://github.com/acme/query/edit/main/docs/:path") == "main"
    assert branch_of_edit_url("https://github.com/acme/query/edit/-x/docs/:path") == ""


@pytest.mark.parametrize(
    ("link", "path"),
    [("/guide/", "guide"), ("/a/index.html#x", "a"), ("a.md?q", "a"), ("../../x", ""), ("/", ""), ("a\nb", "")],
)
def test_page_of_a_link(link: str, path: str) -> None:
    assert page_path(link) == path
