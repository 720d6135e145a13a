"""Records of the search as files of an export."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from kinfolk.cli.export.search_files import search_files
from kinfolk.config.settings import Settings
from kinfolk.content.blog import Blog
from kinfolk.content.docs import DocsSnapshot
from kinfolk.search.docs_index.index_build import SearchableContent
from kinfolk.search.ranking_config import load_ranking_config


def test_tags_of_posts_are_searched_in_exports(
    docs_from_files: Callable[[dict[str, str]], DocsSnapshot], settings: Settings, tmp_path: Path
) -> None:
    front = "---\ntitle: Tides\ndescription: About them.\npublished: 2026-11-21\nauthors: []\n{}---\n\nText.\n"
    (tmp_path / "plain.md").write_text(front.format(""))
    (tmp_path / "tagged.md").write_text(front.format("tags: [Sea, C++]\n"))
    posts = Blog(tmp_path, ()).posts
    docs = docs_from_files({"TanStack/query/main/docs/overview.md": "# Overview\n"})
    content = SearchableContent(docs, posts, load_ranking_config(settings.site))
    records = json.loads(search_files(content).files["_search/site.json"])
    contexts = {record["url"]: record.get("context") for record in records if record["kind"] == "blog"}
    assert contexts == {"/blog/plain": "Blog", "/blog/tagged": "Blog · Sea · C++"}
