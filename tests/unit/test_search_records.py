"""What a page is cut into, and what its records say."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from kinfolk.blog import Blog
from kinfolk.catalog import Catalog
from kinfolk.docs import Docs
from kinfolk.errors import BadFact
from kinfolk.markdown.compose import compose
from kinfolk.markdown.page import AsWritten, Page
from kinfolk.markdown.render import render
from kinfolk.search.build import Words, groups
from kinfolk.search.query import Record
from kinfolk.search.query_id import kept_text
from kinfolk.search.rules import SearchRules, load_rules, rule_errors
from kinfolk.search.sections import headings_in, names, sections, without_tags, without_unread
from kinfolk.settings import Settings

Write = Callable[[dict[str, str]], Docs]


def page(text: str) -> Page:
    def nothing(path: str) -> str:
        raise AssertionError(path)

    return render(compose(text, nothing), resolve=AsWritten())


@pytest.fixture(scope="session")
def rules(settings: Settings) -> SearchRules:
    return load_rules(settings.data)


@pytest.fixture
def made(shelved: Write, rules: SearchRules) -> Callable[[dict[str, str]], Mapping[str, Record]]:
    """Files of the query library's latest docs -> the records of its pages, by id."""

    def records(files: dict[str, str]) -> Mapping[str, Record]:
        docs = shelved({f"TanStack/query/main/docs/{name}": text for name, text in files.items()})
        several = [record for group in groups(Words(docs, (), rules)) for record in group.make()]
        return {str(record["objectID"]): record for record in several if record["kind"] != "landing"}

    return records


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


def test_a_page_is_cut_at_its_headings_into_text_and_names() -> None:
    found = sections(page(TEXT))
    assert [(section.anchor, [text for _, text in section.path]) for section in found] == [
        ("", []),
        ("arrays", ["Arrays"]),
        ("deeper", ["Arrays", "Deeper"]),
        ("objects", ["Objects"]),
    ]
    assert [section.content for section in found] == ["First code & words.", "Of any length.", "Below.", "Too."]
    assert found[1].code == ("const", "key", "queryClient.getQueryData", "todos")


def test_a_heading_in_one_frameworks_panel_is_about_that_framework() -> None:
    panels = "# React\n\n## Hooks\n\nUse.\n\n# Vue\n\n## Refs\n\nToo."
    text = f"# Keys\n\n<!-- ::start:framework -->\n\n{panels}\n\n<!-- ::end:framework -->\n"
    found = {section.title: section.framework for section in sections(page(text))}
    assert (found.get("Hooks"), found.get("Refs")) == ("react", "vue")


def test_names_are_what_code_is_made_of() -> None:
    assert names("const a = useQuery({ queryKey: ['todos'] }) # ok") == ["const", "useQuery", "queryKey", "todos"]


def test_a_record_says_where_it_is_and_what_it_is_about(made: Callable[[dict[str, str]], Mapping[str, Record]]) -> None:
    record = made({"framework/vue/guides/keys.md": TEXT})["query:latest:framework/vue/guides/keys#deeper"]
    assert record["url"] == "/query/latest/docs/framework/vue/guides/keys#deeper"
    assert record["hierarchy"] == {"lvl0": "TanStack Query", "lvl1": "Keys", "lvl2": "Arrays", "lvl3": "Deeper"}
    assert (record["type"], record["version"], record["framework"]) == ("lvl3", ["latest", "v5"], ["vue"])
    assert (record["kind"], record["group"]) == ("guide", "query:latest:framework/*/guides/keys")


def test_a_page_about_no_framework_is_for_all_of_its_library(
    made: Callable[[dict[str, str]], Mapping[str, Record]], catalog: Catalog
) -> None:
    record = made({"guides/keys.md": TEXT})["query:latest:guides/keys#"]
    assert (record["framework"], record["about"]) == (list(catalog.library("query").frameworks), [])


def test_text_that_frameworks_share_is_one_record_and_what_differs_is_another(
    made: Callable[[dict[str, str]], Mapping[str, Record]],
) -> None:
    other = TEXT.replace("Below.", "Otherwise.")
    records = made({"framework/vue/keys.md": TEXT, "framework/react/keys.md": other, "framework/lit/keys.md": TEXT})
    shared = records["query:latest:framework/react/keys#objects"]
    assert shared["framework"] == ["react", "vue", "lit"]
    assert shared["variants"] == {
        "vue": "/query/latest/docs/framework/vue/keys#objects",
        "lit": "/query/latest/docs/framework/lit/keys#objects",
    }
    assert records["query:latest:framework/react/keys#deeper"]["framework"] == ["react"]
    assert records["query:latest:framework/vue/keys#deeper"]["framework"] == ["vue", "lit"]


GENERATED = "# Interface: QueryOptions\n\nDefined in: [x.ts:1](https://github.com/x)\n\nOptions.\n"


def test_a_guide_is_worth_more_than_a_reference_and_a_type_comes_last(
    made: Callable[[dict[str, str]], Mapping[str, Record]],
) -> None:
    records = made(
        {"guides/keys.md": TEXT, "reference/useKeys.md": TEXT, "reference/interfaces/QueryOptions.md": GENERATED}
    )

    def worth(place: str) -> object:
        weight = records[f"query:latest:{place}#"]["weight"]
        assert isinstance(weight, Mapping)
        return weight["pageRank"]

    ranks = [worth("guides/keys"), worth("reference/useKeys"), worth("reference/interfaces/QueryOptions")]
    assert ranks == sorted(ranks, reverse=True)  # type: ignore[type-var]
    technical = records["query:latest:reference/interfaces/QueryOptions#"]
    assert (technical["technical"], technical["content"]) == (True, "Options.")


def test_where_an_introduction_begins_is_worth_more_than_a_guide_and_its_sections_are_not(
    made: Callable[[dict[str, str]], Mapping[str, Record]],
) -> None:
    records = made({"overview.md": TEXT, "installation.md": TEXT, "guides/keys.md": TEXT})

    def worth(id: str) -> object:
        weight = records[f"query:latest:{id}"]["weight"]
        assert isinstance(weight, Mapping)
        return weight["pageRank"]

    assert worth("overview#") > worth("installation#") > worth("guides/keys#")  # type: ignore[operator]
    assert worth("overview#arrays") == worth("guides/keys#arrays")


def test_posts_and_the_libraries_own_pages_are_found_too(
    bundled: Docs, rules: SearchRules, settings: Settings, catalog: Catalog
) -> None:
    blog = Blog(settings.words / "blog", [library.id for library in catalog.libraries])
    made = {group.name: group for group in groups(Words(bundled, blog.published, rules))}
    (landing,) = made["landing:query"].make()
    assert (landing["url"], landing["version"]) == ("/query/latest", ["latest", "v5", "v4", "v3"])
    post = blog.published[0]
    first = next(iter(made[f"blog:{post.slug}"].make()))
    assert (first["url"], first["version"]) == (f"/blog/{post.slug}", ["latest"])


@pytest.mark.parametrize(
    ("written", "instead", "key"),
    [
        ("distinct = 1", 'distinct = "one"', "index.distinct"),
        ("desc(weight.level)", "most(weight.level)", "index"),
        ('attribute = "library"', 'attribute = "colour"', "index.named[0].attribute"),
        ("landing = 110, ", "", "worth.kinds"),
        ('["abort", "cancel"]', '["abort"]', "synonyms.alike[0]"),
        ("one_typo_from = 4", "one_tpyo_from = 4", "index.one_tpyo_from"),
    ],
)
def test_a_wrong_rule_is_named_by_its_key(
    written: str, instead: str, key: str, settings: Settings, tmp_path: Path
) -> None:
    text = (settings.data / "search.toml").read_text(encoding="utf-8")
    assert written in text
    (tmp_path / "search.toml").write_text(text.replace(written, instead, 1), encoding="utf-8")
    assert [fault.key for fault in rule_errors(tmp_path)] == [key]
    with pytest.raises(BadFact):
        load_rules(tmp_path)


@pytest.mark.parametrize(
    ("read", "part"),
    [
        (headings_in, '<h2 id="x">'),
        (headings_in, '<h2 id="'),
        (headings_in, '<h3 id="a"></h2>'),
        (without_tags, "<"),
        (without_tags, "<a "),
        (without_tags, "</b"),
        (without_unread, "<legend>"),
        (without_unread, "<p>Defined in: "),
        (names, "\n"),
        (names, " \n\t"),
        (names, "a."),
        (kept_text, "a@"),
        (kept_text, "1 - "),
    ],
)
def test_what_is_never_closed_is_read_in_linear_time(read: Callable[[str], Iterable[object]], part: str) -> None:
    began = time.process_time()
    for _ in read(part * 200_000):
        pass
    # Quadratic, the shortest of these takes minutes.
    assert time.process_time() - began < 5


def test_tags_within_a_sentence_leave_no_space() -> None:
    html = '<p>of <code>useQuery</code>s and <a\nhref="x">links</a><br/>1 < 2, <abbr>x</abbr></p>'
    assert without_tags(html) == " of useQuerys and links 1  x  "
    assert without_tags("a < b") == "a < b"


def test_legends_and_places_of_definitions_are_not_part_of_the_text() -> None:
    html = '<legend class="a">Choose</legend>one<p>Defined in: <a>x.ts</a></p>two<legend>three'
    assert without_unread(html) == " one two<legend>three"


def test_headings_are_found_with_their_closing_tags() -> None:
    html = '<h2 id="a&amp;b" class="x">A</h2> b <h3 id="c">C</h2> <h2 id="d">D</h2>'
    assert [(one.id, html[one.start : one.end]) for one in headings_in(html)] == [
        ("a&b", '<h2 id="a&amp;b" class="x">A</h2>'),
        ("d", '<h2 id="d">D</h2>'),
    ]
