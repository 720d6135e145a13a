"""Tags of posts of other programs, and redirects of their pages on the old site."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth
from tests.unit.cli.import_site.imported_project import faults_of, import_files, left_out, text_of, toml_of

from kinfolk.cli.import_site.posts.tag_import import OldTag, TagReader, docusaurus_path, kebab_case, names_of
from kinfolk.cli.import_site.site_import import Import
from kinfolk.content.blog.post_tags import MOST_TAGS

DOCUSAURUS = {
    "docusaurus.config.js": "module.exports = { title: 'Gears', presets: [['classic', { docs: {}, blog: {} }]] }",
    "docs/a.md": "# A\n",
    "blog/tags.yml": "news:\n  label: All the news\n  permalink: /what-is-new\nTypeScript:\n  description: x\n",
    "blog/2024-01-05-one.md": """---
tags: [news, TypeScript, Open Source, {label: "C++", permalink: /cpp}]
---

[News](/blog/tags/what-is-new) and [all tags](/blog/tags).
""",
    "blog/2024-01-06-two.md": "---\ntags: [open source, 日本語, 2024]\n---\n\nTwo.\n",
    "blog/2024-01-07-plain.md": "Three.\n",
}
MKDOCS = {
    "mkdocs.yml": "site_name: Springs\nsite_url: https://acme.example/x/\nplugins: [blog]\n",
    "docs/index.md": "# Springs\n",
    "docs/blog/posts/one.md": """---
date: 2024-01-05
categories: [Release Notes, C++]
tags: [api, c++]
---

# One

A.
""",
}
VITEPRESS = {
    ".vitepress/config.js": "export default { title: 'Cogs' }",
    "guide/a.md": "# A\n",
    "blog/one.md": "---\ndate: 2024-01-05\ntags:\n  - Vue\n  - vue\n---\n\n# One\n\nA.\n",
    "blog/two.md": "---\ndate: 2024-01-06\ntags: Vue, Vite\n---\n\n# Two\n\nB.\n",
}
STARLIGHT = {
    "astro.config.mjs": """
import starlight from '@astrojs/starlight'
import starlightBlog from 'starlight-blog'
export default defineConfig({ integrations: [starlight({ title: 'Stars', plugins: [starlightBlog({
  prefix: 'news', authors: { ada: { name: 'Ada Lovelace' } } })] })] })
""",
    "src/content/docs/guides/a.md": "---\ntitle: A\n---\n",
    "src/content/docs/news/one.md": """---
title: One
date: 2024-01-05
authors: [ada]
excerpt: In short.
tags: [Starlight, Release Notes]
---

Text. [Starlight](/news/tags/starlight)
""",
}


def tags_of(found: Import, name: str) -> str:
    return next((line for line in text_of(found, f"blog/{name}.md").splitlines() if line.startswith("tags: ")), "")


def redirected(found: Import) -> dict[str, tuple[str, str]]:
    """Old addresses that lead to the list of posts, each with its target and the tag."""
    rules = toml_of(found, "redirects.toml")["rules"]
    return {
        rule["path"]: (rule["to"], rule.get("params", {}).get("tag", ""))
        for rule in rules
        if rule["to"] == "/blog" and "/docs/" not in rule["path"]
    }


def test_tags_of_docusaurus_are_names_keys_of_a_file_and_labels(tmp_path: Path) -> None:
    found = import_files(tmp_path, DOCUSAURUS)
    assert tags_of(found, "one") == 'tags: ["All the news", "TypeScript", "Open Source", "C++"]'
    assert tags_of(found, "two") == 'tags: ["open source", "日本語", "2024"]'
    assert tags_of(found, "plain") == ""
    assert "[News](/blog?tag=all-the-news) and [all tags](/blog)" in text_of(found, "blog/one.md")
    assert left_out(found) == {}
    assert faults_of(tmp_path, found) == []


def test_pages_of_tags_of_docusaurus_are_redirected(tmp_path: Path) -> None:
    found = import_files(tmp_path, DOCUSAURUS)
    assert redirected(found) == {
        "/blog/tags": ("/blog", ""),
        "/blog/tags/what-is-new": ("/blog", "all-the-news"),
        "/blog/tags/type-script": ("/blog", "typescript"),
        "/blog/tags/open-source": ("/blog", "open-source"),
        "/blog/tags/cpp": ("/blog", "c++"),
        "/blog/tags/%E6%97%A5%E6%9C%AC%E8%AA%9E": ("/blog", "日本語"),
        "/blog/tags/2024": ("/blog", '"2024"'),
    }
    rules = toml_of(found, "redirects.toml")["rules"]
    assert {rule["when"] for rule in rules if rule["path"].startswith("/blog/")} == {"missing"}


def test_categories_and_tags_of_material_are_tags(tmp_path: Path) -> None:
    found = import_files(tmp_path, MKDOCS)
    assert tags_of(found, "one") == 'tags: ["Release Notes", "C++", "api"]'
    assert redirected(found) == {
        "/x/blog": ("/blog", ""),
        "/x/blog/category/release-notes": ("/blog", "release-notes"),
        "/x/blog/category/c": ("/blog", "c++"),
    }
    assert faults_of(tmp_path, found) == []


def test_tags_of_posts_of_vitepress_have_no_pages(tmp_path: Path) -> None:
    found = import_files(tmp_path, VITEPRESS)
    assert [tags_of(found, name) for name in ("one", "two")] == ['tags: ["Vue"]', 'tags: ["Vue", "Vite"]']
    assert not any("tag" in path for path in found.site.redirects)


def test_posts_of_the_blog_of_starlight_have_authors_and_tags(tmp_path: Path) -> None:
    found = import_files(tmp_path, STARLIGHT)
    text = text_of(found, "blog/one.md")
    assert 'description: "In short."\npublished: "2024-01-05"\nauthors: ["Ada Lovelace"]\n' in text
    assert tags_of(found, "one") == 'tags: ["Starlight", "Release Notes"]'
    assert "[Starlight](/blog?tag=starlight)" in text
    assert found.site.redirects["/news/one"] == "/blog/one"
    assert redirected(found)["/news/tags/release-notes"] == ("/blog", "release-notes")
    assert toml_of(found, "libraries/project.toml")["docs_exclude"] == ["news"]
    assert left_out(found) == {}
    assert faults_of(tmp_path, found) == []


def test_starlight_without_the_plug_in_has_no_posts(tmp_path: Path) -> None:
    config = STARLIGHT["astro.config.mjs"].replace("import starlightBlog from 'starlight-blog'", "")
    found = import_files(tmp_path, {**STARLIGHT, "astro.config.mjs": config})
    assert (found.site.posts, found.site.library.excluded) == (0, [])
    assert "plugins" in left_out(found)


def test_hostile_tags_are_text_of_valid_files(tmp_path: Path) -> None:
    post = """---
tags:
  - <script>alert(1)</script>
  - "'\\"><img src=x onerror=alert(1)>"
  - "a\\u0000b"
  - "zwnj \\u200c joiner"
  - {label: "x", permalink: "/../../:id"}
  - {label: [1]}
  - {permalink: /nothing}
---

Text.
"""
    found = import_files(tmp_path, {**DOCUSAURUS, "blog/2024-01-06-two.md": post})
    assert tags_of(found, "two").startswith(
        'tags: ["<script>alert(1)</script>", "\'\\"><img src=x onerror=alert(1)>", '
    )
    assert left_out(found) == {"tag 'a\\x00b', and 2 more": "blog/2024-01-06-two.md"}
    assert faults_of(tmp_path, found) == []


@pytest.mark.parametrize("value", [[], "", {}, {"label": "x"}, [["a"]], [{"label": ["x"]}], [""], ["x" * 1_000]])
def test_what_is_no_tag_is_none(value: object) -> None:
    found, _ = TagReader({"tags": docusaurus_path}).read({"tags": value})  # type: ignore[dict-item]
    assert names_of(found) == (["x"] if value == {"label": "x"} else [])


def test_post_keeps_as_many_tags_as_a_post_can_have() -> None:
    found, others = TagReader().read({"tags": [f"tag {at}" for at in range(MOST_TAGS + 3)]})
    assert (len(found), len(others)) == (MOST_TAGS, 3)


def test_two_spellings_of_a_tag_have_two_old_pages() -> None:
    found, _ = TagReader({"tags": docusaurus_path}).read({"tags": ["TypeScript", "typescript"]})
    assert found == [OldTag("TypeScript", "tags/type-script"), OldTag("typescript", "tags/typescript")]
    assert names_of(found) == ["TypeScript"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("TypeScript 5", "type-script-5"),
        ("ES2015", "es-2015"),
        ("Hello, World!", "hello-world"),
        ("don't", "dont"),
        ("XMLHttpRequest", "xml-http-request"),
        ("Café", "cafe"),
        ("C++", "c"),
        ("日本語", "日本語"),
        ("v1.0.0-beta", "v-1-0-0-beta"),
        ("", ""),
    ],
)
def test_tag_in_kebab_case_as_by_lodash(text: str, written: str) -> None:
    assert kebab_case(text) == written


def test_long_lists_of_long_tags_take_linear_time() -> None:
    def read(count: int) -> None:
        TagReader({"tags": docusaurus_path}).read({"tags": ["aB1 'é" * count]})
        TagReader({"tags": docusaurus_path}).read({"tags": "aB, " * count})

    assert cpu_time_growth(read, 2_000) <= MAX_LINEAR_GROWTH
