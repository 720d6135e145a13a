"""What `kinfolk import` takes over of VitePress besides its pages: languages, computed menus, posts and redirects."""

from __future__ import annotations

from pathlib import Path

from tests.unit.cli.import_site.imported_project import (
    faults_of,
    import_files,
    left_out,
    rules_of,
    text_of,
    toml_of,
)

FILES = {
    "packages/docs/.vitepress/config/index.ts": """
import { en } from './en'
import { shared } from './shared'
export default defineConfig({
  ...shared,
  locales: {
    root: { label: 'English', lang: 'en-US', link: '/', ...en },
    zh: { label: '简体中文', lang: 'zh-CN', themeConfig: { nav: [{ text: '指南', link: '/zh/guide/' }] } },
    es: { label: 'Español', link: 'https://es.example/' },
  },
})
""",
    "packages/docs/.vitepress/config/shared.ts": """
export const shared = { title: 'Springs', rewrites: { 'guide/:page.md': 'learn/:page.md' },
  themeConfig: { socialLinks: [{ icon: 'github', link: 'https://github.com/acme/springs' }] } }
""",
    "packages/docs/.vitepress/config/en.ts": """
import { guide } from './sidebar'
export const en = { description: 'Springs that bounce', themeConfig: {
  nav: [{ text: 'Guide', link: '/guide/' }, { text: 'News', link: '/blog/one.html' },
    { text: 'More', items: [{ text: 'Links', items: [{ text: 'Chat', link: 'https://chat.example/x' }] }] }],
  sidebar: { '/guide/': guide(), '/': [{ text: 'Start', items: [{ text: 'Play', link: 'https://play.example/' }] }] },
  footer: { message: 'Released under the <a href="/">MIT License</a>.', copyright: 'Copyright Acme' },
} }
""",
    "packages/docs/.vitepress/config/sidebar.ts": """
export function guide(): DefaultTheme.SidebarItem[] {
  return [{ text: 'Guide', items: [{ text: 'First steps', link: '/guide/first' }] }]
}
""",
    "packages/docs/.vitepress/theme/styles/vars.css": ":root { --vp-c-brand-1: #14b8a6; }\n",
    "packages/docs/index.md": "# Springs\n",
    "packages/docs/guide/index.md": "# Guide\n\n[Post](/blog/one) [中文](/zh/guide/)\n",
    "packages/docs/guide/first.md": "# First\n",
    "packages/docs/zh/guide/index.md": "# 指南\n",
    "packages/docs/blog/one.md": "---\ndate: 2024-01-05\nauthor: Ada\n---\n# One\n\nSee [first](../guide/first.md).\n",
    "packages/docs/public/_redirects": "/start/* /guide/:splat 301!\n/:lang/old /guide/first\n/spa/* /index.html 200\n",
    "netlify.toml": "[[redirects]]\nfrom = '/v1/:page'\nto = '/guide/:page'\n[[redirects]]\nfrom = '/x'\nto = '/y'\n",
    "vercel.json": '{"redirects": [{"source": "/docs/:path*", "destination": "/guide/:path*", "permanent": true}]}',
}


def test_language_of_the_root_is_taken_over_and_others_are_left_out(tmp_path: Path) -> None:
    found = import_files(tmp_path, FILES)
    family, library = toml_of(found, "kinfolk.toml"), toml_of(found, "libraries/project.toml")
    assert family["description"] == "Springs that bounce"
    assert family["menu"] == [
        {"label": "Guide", "to": "/project/latest/docs/guide"},
        {"label": "News", "to": "/blog/one"},
        {"label": "Chat", "to": "https://chat.example/x", "group": "More"},
    ]
    assert family["texts"]["footer_note"] == "Released under the MIT License. Copyright Acme"
    assert (library["docs_root"], library["color"]) == ("packages/docs", "teal")
    assert library["docs_exclude"] == ["zh", "blog"]
    assert found.pages == 3
    assert left_out(found)["languages: zh (简体中文), es (Español)"].startswith(
        "packages/docs/.vitepress/config/index.ts:"
    )


def test_menu_that_a_function_returns_is_read(tmp_path: Path) -> None:
    assert toml_of(import_files(tmp_path, FILES), "libraries/project.toml")["docs_menu"] == [
        {"label": "Start", "pages": [{"label": "Play", "to": "https://play.example/"}]},
        {"label": "Guide", "pages": [{"label": "First steps", "to": "guide/first"}]},
    ]


def test_page_that_lists_the_posts_is_left_out(tmp_path: Path) -> None:
    found = import_files(tmp_path, {**FILES, "packages/docs/blog.md": "# Posts\n\n<BlogIndex />\n"})
    assert found.site.library.excluded == ["zh", "blog", "blog.md"]
    faults = faults_of(tmp_path, found)
    assert not any("redirects.toml" in fault for fault in faults)


def test_files_with_dates_are_posts(tmp_path: Path) -> None:
    text = text_of(import_files(tmp_path, FILES), "blog/one.md")
    assert text.endswith(
        'authors: ["Ada"]\nlibraries: ["project"]\n---\n\nSee [first](/project/latest/docs/guide/first).\n'
    )


def test_patterns_of_redirects_are_translated(tmp_path: Path) -> None:
    found = import_files(tmp_path, FILES)
    rules = rules_of(found)
    assert {path: rules[path] for path in rules if "guide" in rules[path]} == {
        "/learn/{page}": "/project/latest/docs/guide/{page}",
        "/v1/{page}": "/project/latest/docs/guide/{page}",
        "/docs": "/project/latest/docs/guide",
        "/docs/{path...}": "/project/latest/docs/guide/{path}",
        "/start": "/project/latest/docs/guide",
        "/start/{splat...}": "/project/latest/docs/guide/{splat}",
        "/{lang}/old": "/project/latest/docs/guide/first",
        "/guide": "/project/latest/docs/guide",
        "/guide/{page...}": "/project/latest/docs/guide/{page}",
    }
    places = left_out(found)
    assert places["redirect '/spa/*'"] == "packages/docs/public/_redirects:3"
    assert places["redirect '/x'"] == "netlify.toml"


def test_link_to_a_page_of_another_language_is_a_fault_of_the_docs(tmp_path: Path) -> None:
    faults = faults_of(tmp_path, import_files(tmp_path, FILES))
    assert faults == ["_local/project/main/packages/docs/guide/index.md: line 3: the link /zh/guide/ leads nowhere"]


def test_folder_of_a_language_is_the_docs_root_without_a_root_language(tmp_path: Path) -> None:
    config = "export default { locales: { en: { label: 'English' }, fr: { label: 'Français' } } }"
    files = {"docs/.vitepress/config.js": config, "docs/en/a.md": "# A\n", "docs/fr/a.md": "# B\n"}
    found = import_files(tmp_path, files)
    assert toml_of(found, "libraries/project.toml")["docs_root"] == "docs/en"
    assert rules_of(found) == {"/en": "/project/latest/docs", "/en/{page...}": "/project/latest/docs/{page}"}
