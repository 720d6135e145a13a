"""How docs are replaced while they are being read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kinfolk.catalog import Catalog
from kinfolk.docs import Docs, parse_config
from kinfolk.errors import BadFact, Invalid, Unavailable
from kinfolk.redirects import Redirects
from kinfolk.settings import SETTINGS, Settings, read_settings
from kinfolk.site import Editions, family_refs, open_site
from kinfolk.sources.directory import DirectorySource
from kinfolk.sources.layered import LayeredSource
from kinfolk.sources.snapshot import Ref, Snapshot

QUERY = Ref("TanStack/query", "main")


class Family:
    """A directory of docs that tests write to."""

    def __init__(self, root: Path, catalog: Catalog, redirects: Redirects) -> None:
        self.root = root
        self.source = DirectorySource(root, family_refs(catalog), "made here")
        self.write("docs/a.md", "# A\n\n[b](./b.md)")
        self.write("docs/b.md", "# B")
        self.editions = Editions(Docs(catalog, redirects, self.source.open()), self.source)

    def write(self, path: str, text: str) -> None:
        file = self.root / "TanStack/query/main" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


@pytest.fixture
def family(tmp_path: Path, catalog: Catalog, redirects: Redirects) -> Family:
    return Family(tmp_path, catalog, redirects)


def test_a_refresh_says_which_tags_are_stale(family: Family) -> None:
    family.write("docs/b.md", "# B, again")
    assert family.editions.refresh() == {"TanStack/query@main:docs/b.md", "TanStack/query@main#fronts"}


def test_a_new_file_makes_stale_whatever_depends_on_which_files_there_are(family: Family) -> None:
    family.write("docs/c.md", "# C")
    assert family.editions.refresh() == {
        "TanStack/query@main:docs/c.md",
        "TanStack/query@main#files",
        "TanStack/query@main#fronts",
    }


def test_nothing_new_makes_nothing_stale_and_keeps_the_edition(family: Family) -> None:
    before = family.editions.docs
    assert family.editions.refresh() == frozenset()
    assert family.editions.docs is before


def test_only_what_changed_is_rendered_again(family: Family) -> None:
    before = family.editions.docs
    a, b = (before.page(QUERY, f"docs/{name}.md", None, set()).page for name in "ab")
    family.write("docs/b.md", "# B, again")
    family.editions.refresh()
    after = family.editions.docs
    assert after.page(QUERY, "docs/a.md", None, set()).page is a
    assert after.page(QUERY, "docs/b.md", None, set()).page is not b


def test_a_page_whose_link_comes_to_life_is_rendered_again(family: Family) -> None:
    family.write("docs/a.md", "[c](./c.md)")
    family.editions.refresh()
    assert family.editions.docs.page(QUERY, "docs/a.md", None, set()).page.links[0].broken
    family.write("docs/c.md", "# C")
    family.editions.refresh()
    assert not family.editions.docs.page(QUERY, "docs/a.md", None, set()).page.links[0].broken


def test_an_edition_that_is_being_read_does_not_change(family: Family) -> None:
    before = family.editions.docs
    family.write("docs/b.md", "# B, again")
    family.editions.refresh()
    assert "again" not in before.page(QUERY, "docs/b.md", None, set()).page.text


def test_listeners_hear_of_a_change_after_the_switch(family: Family) -> None:
    heard: list[tuple[frozenset[str], str]] = []

    def listen(tags: frozenset[str]) -> None:
        heard.append((tags, family.editions.docs.page(QUERY, "docs/b.md", None, set()).page.text))

    family.editions.on_purge(listen)
    family.write("docs/b.md", "new")
    family.editions.refresh()
    assert heard == [(frozenset({"TanStack/query@main:docs/b.md", "TanStack/query@main#fronts"}), "new")]


class Fixed:
    """A source that has what it is given, or nothing at all."""

    def __init__(self, description: str, trees: Snapshot | None) -> None:
        self.description = description
        self.trees = trees

    def open(self) -> Snapshot:
        if self.trees is None:
            raise Unavailable("nothing")
        return self.trees

    def refresh(self, refs: object = None) -> Snapshot:
        del refs
        return self.open()

    def look_back(self, refs: object = None) -> Snapshot:
        return self.refresh(refs)

    def tidy(self) -> None:
        pass

    def stop(self) -> None:
        pass


def test_the_mirror_wins_branch_by_branch(family: Family, catalog: Catalog, settings: Settings) -> None:
    bundled = DirectorySource(settings.content, family_refs(catalog), "the bundled docs")
    layered = LayeredSource(Fixed("the mirror", family.source.open()), bundled, lambda: True)
    trees = layered.open().trees
    assert trees[QUERY] is family.source.open().trees[QUERY]
    assert len(trees) == len(bundled.open().trees)
    assert layered.description.startswith("the mirror, the bundled docs for ")


def test_without_a_mirror_the_bundled_docs_are_served(settings: Settings, catalog: Catalog) -> None:
    bundled = DirectorySource(settings.content, family_refs(catalog), "the bundled docs")
    layered = LayeredSource(Fixed("the mirror", None), bundled, lambda: False)
    assert layered.open().trees == bundled.open().trees
    assert layered.description == "the bundled docs"


def test_with_no_docs_at_all_the_site_does_not_open(tmp_path: Path, settings: Settings) -> None:
    empty = read_settings({"KINFOLK_CONTENT": str(tmp_path), "KINFOLK_MIRROR": "off"})
    with pytest.raises(Unavailable, match=str(tmp_path)):
        open_site(empty)


def test_a_wrong_fact_keeps_the_site_from_opening_and_says_where(tmp_path: Path) -> None:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "site.toml").write_text("product = 5")
    with pytest.raises(BadFact, match=r"site\.toml"):
        open_site(read_settings({"KINFOLK_DATA": str(tmp_path)}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KINFOLK_REFRESH_S", "soon"),
        ("KINFOLK_RENDERERS", "0"),
        ("KINFOLK_ORIGIN", "kinfolk.example"),
        ("KINFOLK_LOG", "xml"),
        ("KINFOLK_REFRESH_S", "nan"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(name: str, value: str) -> None:
    with pytest.raises(Invalid, match=name):
        read_settings({name: value})


def test_every_setting_has_a_default_that_is_valid_and_a_sentence_that_explains_it() -> None:
    read_settings({})
    assert all(setting.help and setting.name.startswith("KINFOLK_") for setting in SETTINGS)


def test_a_picture_that_changed_changes_the_pages_that_show_it(family: Family) -> None:
    family.write("docs/pic.svg", "<svg/>")
    family.write("docs/a.md", "![A](./pic.svg)")
    family.editions.refresh()
    seen: set[str] = set()
    before = family.editions.docs.page(QUERY, "docs/a.md", None, seen).html
    family.write("docs/pic.svg", "<svg></svg>")
    assert family.editions.refresh() & seen
    assert family.editions.docs.page(QUERY, "docs/a.md", None, set()).html != before


@pytest.mark.parametrize("config", ["[" * 100_000, '{"sections": [{"label": "A\\ud800B"}]}', '{"sections": 5}', "\xff"])
def test_a_config_that_only_looks_like_json_is_refused_by_name(config: str) -> None:
    with pytest.raises(BadFact, match=r"docs/config\.json"):
        parse_config("docs/config.json", config.encode("latin-1"))


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        ({"sections": [{"label": "x"}] * 201}, "sections: has 201 sections, 200 are allowed"),
        (
            {"sections": [{"label": "x", "children": [{"label": "x", "to": "x"}] * 5001}]},
            "sections: has 5001 links in all, 5000 are allowed",
        ),
        (
            {"sections": [{"label": "x", "frameworks": [{"label": "x"}] * 51}]},
            "sections.0.frameworks: has 51 frameworks, 50 are allowed",
        ),
        ({"sections": [{"label": "x" * 301}]}, "sections.0.label: has 301 characters, 300 are allowed"),
        (
            {"sections": [{"label": "x", "children": [{"label": "x", "to": "x" * 1001}]}]},
            "sections.0.children.0.to: has 1001 characters, 1000 are allowed",
        ),
        (
            {
                "sections": [
                    {"label": "x", "frameworks": [{"label": "x", "children": [{"label": "x" * 301, "to": "x"}]}]}
                ]
            },
            "sections.0.frameworks.0.children.0.label: has 301 characters, 300 are allowed",
        ),
        ({"sections": [], "users": ["x"] * 1001}, "users: has 1001 users, 1000 are allowed"),
        ({"sections": [], "other": "x" * (2 << 20)}, "is larger than 2097152 bytes"),
    ],
)
def test_a_navigation_that_no_page_could_show_is_refused(config: object, complaint: str) -> None:
    with pytest.raises(BadFact) as refused:
        parse_config("docs/config.json", json.dumps(config).encode())
    assert refused.value.message == f"docs/config.json: {complaint}"
