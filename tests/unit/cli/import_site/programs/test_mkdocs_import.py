"""What `kinfolk import` takes over of MkDocs besides its pages: the blog, redirects and the footer."""

from __future__ import annotations

from pathlib import Path

from tests.unit.cli.import_site.imported_project import faults_of, import_files, left_out, rules_of, text_of, toml_of

FILES = {
    "mkdocs.yml": """
site_name: Springs
site_url: https://acme.example/springs/
copyright: Copyright &copy; <a href="x">Acme</a>
theme: {name: material, language: de}
hooks: [hook.py]
plugins:
  - blog: {post_url_format: "{slug}", categories_url_format: "c/{slug}"}
  - redirects:
      redirect_maps: {old.md: setup/colors.md#top, 'gone.md': 'https://new.example/x'}
nav:
  - Home: index.md
  - Chat: https://chat.example/x
""",
    "docs/index.md": "# Springs\n\n[Blog](blog/index.md) [Hello](blog/posts/hello.md)\n",
    "docs/setup/colors.md": "# Colors\n",
    "docs/blog/index.md": "# Blog\n",
    "docs/blog/.authors.yml": "authors:\n  ada:\n    name: Ada Lovelace\n",
    "docs/blog/posts/hello.md": """---
date: {created: 2024-01-05}
authors: [ada, unknown-key]
categories: [General]
---

# Hello there

First. ![Logo](../../assets/logo.png)

<!-- more -->

!!! note "Read"
    See [colors](../../setup/colors.md).
""",
    "docs/assets/logo.png": "png",
}


def test_blog_of_material_becomes_posts(tmp_path: Path) -> None:
    found = import_files(tmp_path, FILES)
    text = text_of(found, "blog/hello.md")
    assert text.startswith('---\ntitle: "Hello there"\ndescription: "First."\npublished: "2024-01-05"\n')
    assert 'authors: ["Ada Lovelace", "unknown-key"]' in text
    assert "![Logo](/media/docs/assets/logo.png)" in text
    assert "[colors](/project/latest/docs/setup/colors)" in text
    assert "more -->" not in text
    assert toml_of(found, "libraries/project.toml")["docs_exclude"] == ["blog"]
    assert rules_of(found)["/springs/blog/2024/01/05/hello-there"] == "/blog/hello"
    assert rules_of(found)["/springs/blog"] == "/blog"


def test_redirects_footer_and_what_is_left_out(tmp_path: Path) -> None:
    found = import_files(tmp_path, FILES)
    rules = rules_of(found)
    assert rules["/springs/old"] == "/project/latest/docs/setup/colors#top"
    assert rules["/springs/gone"] == "https://new.example/x"
    assert toml_of(found, "kinfolk.toml")["texts"]["footer_note"] == "Copyright © Acme"
    assert {"hooks", "theme.language", "post_url_format", "categories_url_format"} <= set(left_out(found))


def test_announcement_of_a_template_is_named(tmp_path: Path) -> None:
    config = FILES["mkdocs.yml"].replace("language: de", "custom_dir: theme")
    template = '{% extends "base.html" %}\n{% block announce %}<b>Sale</b>{% endblock %}\n'
    found = import_files(tmp_path, {**FILES, "mkdocs.yml": config, "theme/main.html": template})
    assert left_out(found)["announcement"] == "theme/main.html"


def test_links_of_the_docs_to_the_blog_lead_on(tmp_path: Path) -> None:
    assert faults_of(tmp_path, import_files(tmp_path, FILES)) == []
