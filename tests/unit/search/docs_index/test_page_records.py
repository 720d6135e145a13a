"""Pages are split into sections, and sections become search records."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.config.catalog import Catalog
from kinfolk.config.settings import Settings
from kinfolk.config.site_folder import DEFAULTS
from kinfolk.content.blog import Blog
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose
from kinfolk.content.open_content import open_pages
from kinfolk.search.analytics.query_id import logged_text
from kinfolk.search.docs_index.index_build import SearchableContent, groups
from kinfolk.search.docs_index.meanings import Meanings, meaning_errors
from kinfolk.search.docs_index.page_records import named_section, post_records
from kinfolk.search.docs_index.page_sections import headings_in, names, sections, without_excluded, without_tags
from kinfolk.search.docs_index.site_index import SiteIndex
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.filters import Record
from kinfolk.search.query import SearchQuery
from kinfolk.search.ranking_config import RankingConfig, load_ranking_config, ranking_config_errors

Write = Callable[[dict[str, str]], DocsSnapshot]


def page(text: str) -> MarkdownPage:
    def nothing(path: str) -> str:
        raise AssertionError(path)

    return render(compose(text, nothing), resolve=UnchangedLinks())


@pytest.fixture(scope="session")
def ranking(settings: Settings) -> RankingConfig:
    return load_ranking_config(settings.site)


@pytest.fixture
def records_of(docs_from_files: Write, ranking: RankingConfig) -> Callable[[dict[str, str]], Mapping[str, Record]]:
    """Returns the records of these files of the latest Query docs, by id."""

    def records(files: dict[str, str]) -> Mapping[str, Record]:
        docs = docs_from_files({f"TanStack/query/main/docs/{name}": text for name, text in files.items()})
        several = [record for group in groups(SearchableContent(docs, (), ranking)) for record in group.make()]
        return {str(record["objectID"]): record for record in several if record["kind"] != "landing"}

    return records


def test_section_is_found_by_the_words_of_its_emoji_codes(
    records_of: Callable[[dict[str, str]], Mapping[str, Record]],
) -> None:
    text = "# Start\n\nFirst :tada: and `:rocket:`\n\n## Go :rocket:\n\nDone :white_check_mark: :nothing:\n"
    found = records_of({"a.md": text})
    assert found["query:latest:a#"]["content"] == "First 🎉 and :rocket:"
    assert found["query:latest:a#"]["code"] == ["tada"]
    assert found["query:latest:a#go-rocket"]["code"] == ["rocket", "white check mark"]


def test_records_of_what_is_deprecated_say_so(records_of: Callable[[dict[str, str]], Mapping[str, Record]]) -> None:
    section = "# Keys\n\nText.\n\n## `old`\n\n#### Deprecated\n\nUse `new` instead.\n\n## `new`\n\nMore.\n"
    found = records_of(
        {"keys.md": section, "gone.md": "# Gone\n\n**Deprecated**: use keys instead\n\n## More\n\nText.\n"}
    )
    lines = {id: (one.get("deprecated_page"), one.get("deprecated")) for id, one in found.items()}
    assert lines["query:latest:keys#old"] == (None, "Deprecated. Use new instead.")
    assert lines["query:latest:keys#new"] == lines["query:latest:keys#"] == (None, None)
    assert lines["query:latest:gone#more"] == ("Deprecated. Use keys instead", None)
    assert "deprecated" not in found["query:latest:keys#new"]


def test_emoji_without_codes_add_no_words() -> None:
    text = "# Start 🚀\n\nÜber 🎉 — ok\n"
    assert [one.code for one in sections(page(text))] == [()]


def test_emoji_codes_of_another_dialect_are_words_of_its_file() -> None:
    source = "# A\n\nText :rocket:\n"
    translated = page(source.replace(":rocket:", "🚀"))
    assert [one.code for one in sections(translated, source)] == [("rocket",)]


TEXT = """# Keys

First `code` & words.

## Arrays

Of <em>any</em> length.

```ts
// not this comment
const key = queryClient.getQueryData(todos)
```

### Deeper

Below.

## Objects

Too.
"""


def test_page_is_split_into_sections_at_headings() -> None:
    found = sections(page(TEXT))
    assert [(section.anchor, [text for _, text in section.path]) for section in found] == [
        ("", []),
        ("arrays", ["Arrays"]),
        ("deeper", ["Arrays", "Deeper"]),
        ("objects", ["Objects"]),
    ]
    assert [section.content for section in found] == ["First code & words.", "Of any length.", "Below.", "Too."]
    assert found[1].code == ("const", "key", "queryClient.getQueryData", "todos")


def test_heading_in_a_panel_belongs_to_its_framework() -> None:
    panels = "# React\n\n## Hooks\n\nUse.\n\n# Vue\n\n## Refs\n\nToo."
    text = f"# Keys\n\n<!-- ::start:framework -->\n\n{panels}\n\n<!-- ::end:framework -->\n"
    found = {section.title: section.framework for section in sections(page(text))}
    assert (found.get("Hooks"), found.get("Refs")) == ("react", "vue")


def test_heading_in_tabs_has_a_section_and_what_follows_the_tabs_has_not_its_own() -> None:
    inner = "<!-- ::start:tabs -->\n\n### C\n\n##### Inmost\n\nIn.\n\n<!-- ::end:tabs -->\n\nStill two."
    tabs = f"### A\n\nOne.\n\n### B\n\n#### Inside\n\nTwo.\n\n{inner}"
    outer = f"<!-- ::start:tabs -->\n\n{tabs}\n\n<!-- ::end:tabs -->"
    text = f"# Page\n\n## Top\n\nBefore.\n\n{outer}\n\nAfter.\n\n##### Deep\n"
    found = {section.anchor: section for section in sections(page(text))}
    assert list(found) == ["", "top", "inside", "inmost", "deep"]
    assert found["top"].content == "Before. A One. B After."
    assert (found["inside"].content, found["inmost"].content) == ("Two. C Still two.", "In.")
    assert [title for _, title in found["inside"].path] == ["Top", "Inside"]
    assert [title for _, title in found["deep"].path] == ["Top", "Deep"]


def test_names_are_extracted_from_code() -> None:
    assert names("const a = useQuery({ queryKey: ['todos'] }) # ok") == ["const", "useQuery", "queryKey", "todos"]


def test_record_has_url_hierarchy_and_facets(records_of: Callable[[dict[str, str]], Mapping[str, Record]]) -> None:
    record = records_of({"framework/vue/guides/keys.md": TEXT})["query:latest:framework/vue/guides/keys#deeper"]
    assert record["url"] == "/query/latest/docs/framework/vue/guides/keys#deeper"
    assert record["hierarchy"] == {"lvl0": "TanStack Query", "lvl1": "Keys", "lvl2": "Arrays", "lvl3": "Deeper"}
    assert (record["type"], record["version"], record["framework"]) == ("lvl3", ["latest", "v5"], ["vue"])
    assert (record["kind"], record["group"]) == ("guide", "query:latest:framework/*/guides/keys")


def test_page_without_framework_is_for_all_frameworks(
    records_of: Callable[[dict[str, str]], Mapping[str, Record]], catalog: Catalog
) -> None:
    record = records_of({"guides/keys.md": TEXT})["query:latest:guides/keys#"]
    assert (record["framework"], record["about"]) == (
        list(catalog.sort_frameworks(catalog.library("query").frameworks)),
        [],
    )


def test_shared_text_is_one_record(
    records_of: Callable[[dict[str, str]], Mapping[str, Record]],
) -> None:
    changed = TEXT.replace("Below.", "Otherwise.")
    records = records_of(
        {"framework/vue/keys.md": TEXT, "framework/react/keys.md": changed, "framework/lit/keys.md": TEXT}
    )
    shared = records["query:latest:framework/react/keys#objects"]
    assert shared["framework"] == ["react", "vue", "lit"]
    assert shared["variants"] == {
        "vue": "/query/latest/docs/framework/vue/keys#objects",
        "lit": "/query/latest/docs/framework/lit/keys#objects",
    }
    assert records["query:latest:framework/react/keys#deeper"]["framework"] == ["react"]
    assert records["query:latest:framework/vue/keys#deeper"]["framework"] == ["vue", "lit"]


GENERATED = "# Interface: QueryOptions\n\nDefined in: [x.ts:1](https://github.com/x)\n\nOptions.\n"


def page_rank(record: Record) -> float:
    weight = record["weight"]
    assert isinstance(weight, Mapping)
    rank = weight["pageRank"]
    assert isinstance(rank, int | float)
    return float(rank)


def test_guides_weigh_more_than_references_and_types(
    records_of: Callable[[dict[str, str]], Mapping[str, Record]],
) -> None:
    records = records_of(
        {"guides/keys.md": TEXT, "reference/useKeys.md": TEXT, "reference/interfaces/QueryOptions.md": GENERATED}
    )

    def worth(place: str) -> float:
        return page_rank(records[f"query:latest:{place}#"])

    ranks = [worth("guides/keys"), worth("reference/useKeys"), worth("reference/interfaces/QueryOptions")]
    assert ranks == sorted(ranks, reverse=True)
    technical = records["query:latest:reference/interfaces/QueryOptions#"]
    assert (technical["technical"], technical["content"]) == (True, "Options.")


def test_only_the_first_section_of_an_introduction_has_a_bonus(
    records_of: Callable[[dict[str, str]], Mapping[str, Record]],
) -> None:
    records = records_of({"overview.md": TEXT, "installation.md": TEXT, "guides/keys.md": TEXT})

    def worth(id: str) -> int:
        """Without the place in the navigation, which is worth less than a point."""
        return math.ceil(page_rank(records[f"query:latest:{id}"]))

    assert worth("overview#") > worth("installation#") > worth("guides/keys#")
    assert worth("overview#arrays") == worth("guides/keys#arrays")


def test_of_equal_pages_the_one_that_the_navigation_lists_first_weighs_more(
    records_of: Callable[[dict[str, str]], Mapping[str, Record]],
) -> None:
    entries = [{"label": name, "to": f"guides/{name}"} for name in ("zebra", "apple")]
    config = json.dumps({"sections": [{"label": "Guides", "children": entries}]})
    records = records_of({"guides/apple.md": TEXT, "guides/zebra.md": TEXT, "config.json": config})
    first, second = (page_rank(records[f"query:latest:guides/{name}#"]) for name in ("zebra", "apple"))
    assert 0 < first - second < 1


def test_posts_and_landing_pages_are_indexed(
    bundled: DocsSnapshot, ranking: RankingConfig, settings: Settings, catalog: Catalog
) -> None:
    blog = Blog(settings.site / "blog", [library.id for library in catalog.libraries])
    records_of = {group.name: group for group in groups(SearchableContent(bundled, blog.published, ranking))}
    (landing,) = records_of["landing:query"].make()
    assert (landing["url"], landing["version"]) == ("/query/latest", ["latest", "v5", "v4", "v3"])
    post = blog.published[0]
    first = next(iter(records_of[f"blog:{post.slug}"].make()))
    assert (first["url"], first["version"]) == (f"/blog/{post.slug}", ["latest"])


def test_tags_are_keywords_of_the_first_section_of_a_post(tmp_path: Path, ranking: RankingConfig) -> None:
    front = "---\ntitle: On tides\ndescription: About them.\npublished: 2026-11-21\nauthors: []\n{tags}---\n"
    (tmp_path / "tides.md").write_text(front.format(tags="tags: [Sea, C++]\n") + "One.\n\n## Two\n\nThree.\n")
    (tmp_path / "plain.md").write_text(front.format(tags="") + "One.\n")
    posts = {post.slug: list(post_records(post, ranking.weights)) for post in Blog(tmp_path, ()).posts}
    assert [record.get("keywords") for record in posts["tides"]] == [["Sea", "C++"], None]
    assert ["keywords" in record for record in posts["plain"]] == [False]
    found = TantivyIndex.create(tmp_path / "index", ranking.settings, [*posts["tides"], *posts["plain"]])
    assert [hit.id for hit in found.search(SearchQuery("sea")).hits] == ["blog:tides#"]


def test_own_pages_are_indexed_by_section_without_a_library(
    docs_from_files: Callable[[dict[str, str]], DocsSnapshot],
    ranking: RankingConfig,
    settings: Settings,
    catalog: Catalog,
) -> None:
    docs = docs_from_files({"TanStack/query/main/docs/overview.md": "# Overview\n"})
    content = SearchableContent(docs, (), ranking, tuple(open_pages(settings, catalog).valid_pages))
    found = [record for group in groups(content) for record in group.make() if record["kind"] == "site"]
    urls = [str(record["url"]) for record in found]
    assert {"/privacy", "/support", "/ethos", "/learn", "/terms", "/dedicated-support"} <= set(urls)
    assert {page.to for page in ranking.pages} <= set(urls)
    assert any(url.startswith("/privacy#") for url in urls)
    assert all((record["version"], record["library"], record["framework"]) == (["latest"], [], []) for record in found)


def test_guide_is_also_named_without_the_name_of_its_library(
    records_of: Callable[[dict[str, str]], Mapping[str, Record]],
) -> None:
    records = records_of({"guides/a.md": "# Query Retries\n", "guides/b.md": "# Querying\n"})
    assert records["query:latest:guides/a#"]["heading"] == ["Query Retries", "a", "Retries"]
    assert records["query:latest:guides/b#"]["heading"] == ["Querying", "b"]


def test_sections_have_their_phrases_in_every_framework(
    docs_from_files: Write, ranking: RankingConfig, tmp_path: Path
) -> None:
    (tmp_path / "meanings").mkdir()
    lines = [
        "meanings = [",
        '{ page = "query/guides/keys", says = ["cache key"], why = "A key names an entry of the cache." },',
        '{ page = "query/guides/keys#deeper", says = ["nested key", "deep key"], why = "It is about depth." },',
        '{ page = "query/guides/keys", says = ["cache key", "rtk tag"], why = "Tags are keys." },',
        "]",
    ]
    (tmp_path / "meanings" / "query.toml").write_text("\n".join(lines), encoding="utf-8")
    names = [f"TanStack/query/main/docs/framework/{name}/guides/keys.md" for name in ("react", "vue")]
    docs = docs_from_files({names[0]: TEXT, names[1]: TEXT.replace("First", "Vue's first")})
    content = SearchableContent(docs, (), ranking, meanings=Meanings(tmp_path))
    found = {str(record["objectID"]): record.get("phrases") for group in groups(content) for record in group.make()}
    assert found["query:latest:framework/react/guides/keys#"] == ["cache key", "rtk tag"]
    assert found["query:latest:framework/vue/guides/keys#"] == ["cache key", "rtk tag"]
    assert found["query:latest:framework/react/guides/keys#deeper"] == ["nested key", "deep key"]
    assert found["query:latest:framework/react/guides/keys#arrays"] == []
    assert content.form != SearchableContent(docs, (), ranking).form


@pytest.mark.parametrize(
    ("id", "section"),
    [
        ("query:latest:framework/react/guides/keys#deeper", "query/guides/keys#deeper"),
        ("query:v4:guides/keys#", "query/guides/keys"),
    ],
)
def test_record_is_named_as_in_meanings(id: str, section: str) -> None:
    assert named_section(id) == section


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('page = "caching", says = ["cache"], why = "It is."', "meanings[0].page"),
        ('page = "query/a b", says = ["cache"], why = "It is."', "meanings[0].page"),
        ('page = "query/caching", says = [], why = "It is."', "meanings[0].says"),
        ('page = "query/caching", says = ["cache"]', "meanings[0].why"),
        ('page = "query/caching", says = ["cache"], why = "It is.", text = "x"', "meanings[0].text"),
    ],
)
def test_invalid_meaning_is_reported_and_left_out(line: str, key: str, tmp_path: Path) -> None:
    (tmp_path / "meanings").mkdir()
    (tmp_path / "meanings" / "query.toml").write_text(f"meanings = [{{ {line} }}]", encoding="utf-8")
    assert [(fault.file, fault.key) for fault in meaning_errors(tmp_path)] == [("meanings/query.toml", key)]
    assert Meanings(tmp_path).phrases == {}


@pytest.mark.parametrize(
    ("written", "instead", "key"),
    [
        ("distinct = 1", 'distinct = "one"', "index.distinct"),
        ("desc(weight.level)", "most(weight.level)", "index"),
        ('attribute = "library"', 'attribute = "color"', "index.facet_boosts[0].attribute"),
        ('attribute = "purpose"', 'attribute = "color"', "index.intents[0].attribute"),
        ('["abort", "cancel"]', '["abort"]', "synonyms.equivalent[0]"),
        ("one_typo_from = 4", "one_tpyo_from = 4", "index.one_tpyo_from"),
        ('to = "/blog"', 'to = "/blogs"', "pages[0].to"),
    ],
)
def test_invalid_ranking_config_names_its_key(
    written: str, instead: str, key: str, settings: Settings, tmp_path: Path
) -> None:
    text = next(
        text
        for folder in (settings.site, DEFAULTS)
        if written in (text := (folder / "search.toml").read_text(encoding="utf-8"))
    )
    (tmp_path / "search.toml").write_text(text.replace(written, instead, 1), encoding="utf-8")
    assert [fault.key for fault in ranking_config_errors(tmp_path)] == [key]
    assert load_ranking_config(tmp_path) == load_ranking_config(DEFAULTS)


@pytest.mark.parametrize(
    ("read", "part"),
    [
        (headings_in, '<h2 id="x">'),
        (headings_in, '<h2 id="'),
        (headings_in, '<h3 id="a"></h2>'),
        (without_tags, "<"),
        (without_tags, "<a "),
        (without_tags, "</b"),
        (without_excluded, "<legend>"),
        (without_excluded, "<p>Defined in: "),
        (names, "\n"),
        (names, " \n\t"),
        (names, "a."),
        (logged_text, "a@"),
        (logged_text, "1 - "),
    ],
)
def test_unclosed_markup_is_read_in_linear_time(read: Callable[[str], Iterable[object]], part: str) -> None:
    assert cpu_time_growth(lambda size: list(read(part * size)), 5_000) < MAX_LINEAR_GROWTH


def test_inline_tags_leave_no_space() -> None:
    html = '<p>of <code>useQuery</code>s and <a\nhref="x">links</a><br/>1 < 2, <abbr>x</abbr></p>'
    assert without_tags(html) == " of useQuerys and links 1  x  "
    assert without_tags("a < b") == "a < b"


def test_legends_and_source_references_are_excluded() -> None:
    html = '<legend class="a">Choose</legend>one<p>Defined in: <a>x.ts</a></p>two<legend>three'
    assert without_excluded(html) == " one two<legend>three"


def test_headings_are_found_with_their_closing_tags() -> None:
    html = '<h2 id="a&amp;b" class="x">A</h2> b <h3 id="c">C</h2> <h2 id="d">D</h2>'
    assert [(one.id, html[one.start : one.end]) for one in headings_in(html)] == [
        ("a&b", '<h2 id="a&amp;b" class="x">A</h2>'),
        ("d", '<h2 id="d">D</h2>'),
    ]


EXCERPTS = """# Options

Options are set once. They are read later.

- One item
- Another *item*

| Name | Meaning |
| --- | --- |
| gcTime | The time |

Set it like this:

```ts
  const options = {
    gcTime: 5,
  }
```

```mermaid
graph TD
```

After the code.

## Empty

### Below

1. An item

The first paragraph below. It has two sentences.
"""


def test_section_has_the_ends_of_its_blocks_and_its_short_code() -> None:
    first, empty, below = sections(page(EXCERPTS))
    edges = zip((0, *(end + 1 for end in first.breaks)), (*first.breaks, len(first.content)), strict=True)
    assert [first.content[start:end] for start, end in edges] == [
        "Options are set once. They are read later.",
        "One item",
        "Another item",
        "Name Meaning",
        "gcTime The time",
        "Set it like this:",
        "After the code.",
    ]
    ((end, code),) = first.code_blocks
    assert first.content[:end].endswith("Set it like this:")
    assert code == "const options = {\n  gcTime: 5,\n}"
    assert (empty.content, empty.lead) == ("", "The first paragraph below. It has two sentences.")
    assert below.lead == ""


def test_long_code_is_no_part_of_an_excerpt() -> None:
    lines = "\n".join(f"line{at}()" for at in range(9))
    (section,) = sections(page(f"# Code\n\n```ts\n{lines}\n```\n\n```ts\n{'x' * 700}\n```\n"))
    assert section.code_blocks == ()
    assert section.code[0] == "line0"


def test_control_characters_of_an_author_are_no_marks() -> None:
    (section,) = sections(page("# Text\n\nOne\x1ftwo\x1e three.\n\n```ts\nfour()\n```\n"))
    assert section.code_blocks == ((len(section.content), "four()"),)
    assert section.content.split() == ["One", "two", "three."]


def test_excerpt_of_a_record_is_on_its_hits_only(
    records_of: Callable[[dict[str, str]], Mapping[str, Record]], ranking: RankingConfig, tmp_path: Path
) -> None:
    records = records_of({"guide.md": EXCERPTS})
    index = SiteIndex(TantivyIndex.create(tmp_path, ranking.settings, records.values()), "1")
    result = index.search(SearchQuery("gcTime", length=1))
    (hit,) = result.hits
    assert hit.excerpt is not None
    assert hit.excerpt.code[0][1].startswith("const options")
    assert str(hit.record["content"])[: hit.excerpt.breaks[0]] == "Options are set once. They are read later."
    assert "_excerpt" in records[hit.id]
    assert "_excerpt" not in hit.record
    (read,) = index.get([hit.id])
    browsed, _ = index.browse(None, SearchQuery(), limit=10)
    assert read is not None
    assert not any("_excerpt" in record for record in (read, *browsed))
