from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.sites.sample_site import SITE

from kinfolk.config.catalog import Catalog, catalog_errors, load_catalog, resolve_branch
from kinfolk.config.docs_address import Ref
from kinfolk.runtime.errors import Invalid, InvalidSite, NotFound

DATA = SITE


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(DATA)


def faults_after(tmp_path: Path, file: str, old: str, new: str) -> list[tuple[str, str, str]]:
    """The faults of a copy of the site in which `new` replaces `old` in one file."""
    data = shutil.copytree(DATA, tmp_path / "data")
    text = (data / file).read_text()
    assert old in text
    (data / file).write_text(text.replace(old, new, 1))
    return [(fault.file, fault.key, fault.reason) for fault in catalog_errors(data)]


def test_libraries_are_in_catalog_order(catalog: Catalog) -> None:
    assert [library.id for library in catalog.libraries] == [
        "start", "router", "query", "table", "form", "virtual", "pacer", "store", "ranger", "config",
    ]  # fmt: skip


def test_groups_and_members_match_the_specification(catalog: Catalog) -> None:
    assert [(group.id, group.label, group.libraries) for group in catalog.groups] == [
        ("app", "Application Building", ("start", "router")),
        ("state", "Data and State Management", ("query", "store", "pacer")),
        ("headlessUI", "Headless UI", ("table", "form", "virtual", "ranger")),
        ("other", "Other", ("config",)),
    ]


def test_badges_match_the_specification(catalog: Catalog) -> None:
    badges = {library.id: library.badge for library in catalog.libraries if library.badge}
    assert badges == {"form": "new", "start": "beta", "store": "alpha", "pacer": "alpha"}


def test_latest_versions_match_the_specification(catalog: Catalog) -> None:
    assert {library.id: library.latest_version for library in catalog.libraries} == {
        "query": "v5", "form": "v1", "config": "v0", "router": "v1", "start": "v0",
        "table": "v8", "virtual": "v3", "ranger": "v0", "store": "v0", "pacer": "v0",
    }  # fmt: skip


def test_versions_are_newest_first(catalog: Catalog) -> None:
    assert catalog.library("query").version_names == ("v5", "v4", "v3")


@pytest.mark.parametrize(
    ("id", "page"),
    [
        ("query", "framework/react/overview"),
        ("start", "framework/react/overview"),
        ("table", "introduction"),
        ("virtual", "introduction"),
        ("store", "overview"),
        ("pacer", "overview"),
        ("form", "overview"),
    ],
)
def test_default_page_of_a_library(catalog: Catalog, id: str, page: str) -> None:
    assert catalog.library(id).default_docs == page


def test_each_library_has_three_highlights_and_start_has_four(catalog: Catalog) -> None:
    counts = {library.id: len(library.feature_highlights) for library in catalog.libraries}
    assert counts.pop("start") == 4
    assert set(counts.values()) == {3}


def test_error_names_the_unknown_library(catalog: Catalog) -> None:
    with pytest.raises(NotFound) as caught:
        catalog.library("nope")
    assert caught.value.message == 'Library with id "nope" not found'


@pytest.mark.parametrize(
    ("id", "version", "branch"),
    [
        ("query", "latest", "main"),
        ("query", None, "main"),
        ("query", "v5", "main"),
        ("query", "v4", "v4"),
        ("query", "v3", "v3"),
        ("table", "latest", "v8"),
        ("table", "v8", "v8"),
        ("start", "v0", "main"),
    ],
)
def test_version_resolves_to_its_branch(catalog: Catalog, id: str, version: str | None, branch: str) -> None:
    assert resolve_branch(catalog.library(id), version) == branch


@pytest.mark.parametrize("version", ["v2", "main", "", "V5", "../v4"])
def test_unknown_version_is_invalid(catalog: Catalog, version: str) -> None:
    with pytest.raises(Invalid) as caught:
        resolve_branch(catalog.library("query"), version)
    assert caught.value.message == "Could not resolve version for TanStack Query"


def test_version_without_a_library_is_invalid() -> None:
    with pytest.raises(Invalid) as caught:
        resolve_branch(None, "latest")
    assert caught.value.message == "Library is required"


def test_known_versions_are_listed_ones_and_latest(catalog: Catalog) -> None:
    query = catalog.library("query")
    assert [query.is_known_version(version) for version in ("latest", "v3", "v2")] == [True, True, False]


def test_ref_has_repository_and_branch(catalog: Catalog) -> None:
    assert catalog.library("table").ref("latest") == Ref("TanStack/table", "v8")


def test_libraries_of_one_repository_share_a_ref(catalog: Catalog) -> None:
    refs = catalog.refs
    assert len(refs) == len(set(refs)) == 11
    assert refs.count(Ref("TanStack/router", "main")) == 1


@pytest.mark.parametrize(
    ("repo", "branch", "path", "home"),
    [
        ("TanStack/router", "main", "docs/router/guide/x.md", ("router", "v1")),
        ("TanStack/router", "main", "docs/start/framework/react/overview.md", ("start", "v0")),
        ("TanStack/router", "main", "docs/router", ("router", "v1")),
        ("TanStack/query", "v3", "docs/framework/react/overview.md", ("query", "v3")),
    ],
)
def test_file_below_a_docs_root_belongs_to_its_library_and_version(
    catalog: Catalog, repo: str, branch: str, path: str, home: tuple[str, str]
) -> None:
    found = catalog.docs_home(Ref(repo, branch), path)
    assert found
    assert (found[0].id, found[1].name) == home


@pytest.mark.parametrize(
    ("repo", "branch", "path"),
    [
        ("TanStack/router", "main", "docs/contributing.md"),
        ("TanStack/router", "main", "docs/routers/x.md"),
        ("TanStack/query", "main", "examples/react/basic/README.md"),
        ("TanStack/table", "main", "docs/overview.md"),
        ("TanStack/nope", "main", "docs/overview.md"),
    ],
)
def test_file_outside_of_docs_roots_has_no_library(catalog: Catalog, repo: str, branch: str, path: str) -> None:
    assert catalog.docs_home(Ref(repo, branch), path) is None


def test_nested_docs_root_wins(tmp_path: Path) -> None:
    data = shutil.copytree(DATA, tmp_path / "data")
    router = data / "libraries/router.toml"
    router.write_text(router.read_text().replace('docs_root = "docs/router"', 'docs_root = "docs"'))
    catalog = load_catalog(data)
    homes = [catalog.docs_home(Ref("TanStack/router", "main"), path) for path in ("docs/start/x.md", "docs/x.md")]
    assert [home[0].id for home in homes if home] == ["start", "router"]


def test_framework_of_the_catalog_has_a_label_and_a_logo(catalog: Catalog) -> None:
    framework = catalog.framework("vue")
    assert (framework.label, framework.logo) == ("Vue", "vue")


def test_unknown_framework_has_its_name_as_label(catalog: Catalog) -> None:
    framework = catalog.framework("web-components")
    assert (framework.value, framework.label, framework.logo) == ("web-components", "Web Components", None)


def test_ad_slots_match_the_specification(catalog: Catalog) -> None:
    assert {slot.id: slot.sizes for slot in catalog.ad_slots} == {
        "leaderboard": ((728, 90),),
        "footer": ((728, 90),),
        "right-rail": ((300, 250),),
        "left-rail": ((300, 250),),
    }
    assert {slot.refresh_interval_ms for slot in catalog.ad_slots} == {45_000}


def test_four_consultants_are_listed(catalog: Catalog) -> None:
    assert len(catalog.consultants) == 4


def test_partner_links_have_no_tracking_parameters(catalog: Catalog) -> None:
    assert not [partner.href for partner in catalog.partners if "?" in partner.href]


QUERY = "libraries/query.toml"
SOLID_PACKAGE = '[[packages]]\nframework = "solid"'
INVALID_FACTS = [
    (QUERY, 'id = "query"', 'id = "qwery"', "id", "is qwery, so the file should be called qwery.toml"),
    (QUERY, 'to = "/query"', 'to = "/qwery"', "to", "should be /query"),
    (QUERY, 'repo = "TanStack/query"\n', "", "repo", "is missing"),
    (QUERY, "order = 3", 'order = 3\nzip = "x"', "zip", "is not a known key"),
    (QUERY, "order = 3", "order = 2", "order", "is the same as in query.toml"),
    (QUERY, "order = 3", 'order = "3"', "order", "should be a valid integer"),
    (QUERY, "order = 3", 'order = 3\nbadge = "soon"', "badge", "should be 'new', 'beta' or 'alpha'"),
    (QUERY, 'branch = "v4"', "branch = 4", "versions[1].branch", "should be a valid string"),
    (QUERY, 'branch = "v4"', 'branch = "v4"\nnote = "old"', "versions[1].note", "is not a known key"),
    (QUERY, 'name = "v4"', 'name = "v5"', "versions", "v5 is there twice"),
    (QUERY, 'name = "v4"', 'name = "latest"', "versions",
     "latest is the site's own word for the latest version"),
    (QUERY, 'name = "v4"', 'name = "../v4"', "versions[1].name", "should look like right-rail"),
    (QUERY, 'branch = "v4"', 'branch = "--v4"', "versions[1].branch", "should look like main"),
    (QUERY, 'latest_version = "v5"', 'latest_version = "v6"', "latest_version",
     "v6 is not among the versions"),
    (QUERY, 'latest_branch = "main"', 'latest_branch = "v5"', "latest_branch", "should be main, where v5 is"),
    (QUERY, '"vue", "svelte"', '"vue", "sevlte"', "frameworks[3]", "sevlte is not a framework of kinfolk.toml"),
    (QUERY, '"/query/latest/docs/framework/react/overview"', '"//evil.example/x"', "menu[1].to",
     "should be a path on this site or an https:// address"),
    (QUERY, '"/query/latest/docs/framework/react/overview"', '"/form/latest"', "menu[1].to",
     "should be below /query/ or be https://github.com/TanStack/query"),
    (QUERY, 'color_from = "red-500"', 'color_from = "reddish"', "color_from",
     "should look like red-500"),
    (QUERY, "trusted_by = [", 'docs_root = "../docs"\ntrusted_by = [', "docs_root",
     "should be a plain path within the repository, such as docs/router"),
    (QUERY, SOLID_PACKAGE, '[[packages]]\nframework = "lit"', "packages[1].framework",
     "lit is not among the frameworks"),
    (QUERY, SOLID_PACKAGE, '[[packages]]\nframework = "react"', "packages", "react is there twice"),
    (QUERY, SOLID_PACKAGE, "[[packages]]", "packages[1]", "should name its framework, because there are several"),
    (QUERY, f"versions.{SOLID_PACKAGE[2:]}", 'versions.packages]]\nframework = "lit"',
     "versions[1].packages[1].framework", "lit is not among the frameworks"),
    (QUERY, 'name = "@tanstack/solid-query"', 'name = "x && rm -rf"', "packages[1].name",
     "should be a package, such as `@acme/tiles` or `acme-tiles@4`"),
    (QUERY, 'file = "solid.tsx"', 'file = "../solid.tsx"', "samples[1].file", "should look like react.tsx"),
    (QUERY, '[[samples]]\nframework = "solid"', '[[samples]]\nframework = "qwik"', "samples[1].framework",
     "qwik is not among the frameworks"),
    (QUERY, "[call_to_action]", '[call_to_action]\nicon = "x"', "call_to_action.icon", "is not a known key"),
    (QUERY, "order = 3", 'order = 3\nbuilds_on = ["router", "db"]', "builds_on[1]", "there is no library db"),
    (QUERY, "order = 3", 'order = 3\nbuilds_on = ["query"]', "builds_on[0]", "is the library itself"),
    (QUERY, "order = 3", 'order = 3\nbuilds_on = ["form", "form"]', "builds_on", "form is there twice"),
    (QUERY, "order = 3", 'order = 3\ngroup = "nowhere"', "group", "nowhere is not a group of kinfolk.toml"),
    (QUERY, "order = 3", 'order = 3\ngroup = "other"', "groups", "query should be in one group, not in 2"),
    ("kinfolk.toml", 'libraries = ["config"]', "libraries = []", "groups",
     "config should be in one group, not in 0"),
    ("kinfolk.toml", 'libraries = ["config"]', 'libraries = ["config", "db"]', "groups[3].libraries[1]",
     "there is no library db"),
    ("kinfolk.toml", 'href = "https://clerk.com"', 'href = "http://clerk.com"', "partners[0].href",
     "should be an https:// address"),
    ("kinfolk.toml", "rotation_ms = 300_000", "rotation_ms = 0", "promo.rotation_ms",
     "should be greater than 0"),
    ("kinfolk.toml", 'emphasis = "in the open"', 'emphasis = "in the dark"', "home.emphasis",
     "should be words of the claim"),
    ("kinfolk.toml", 'library = "query"', 'library = "db"', "courses[0].library",
     "there is no library db"),
    ("kinfolk.toml", "https://bytes.dev/api/bytes-optin-cors", "https://bytes.dev/api; script-src *",
     "newsletter.action", "should look like https://ads.example/tag.js"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "key", "reason"), INVALID_FACTS)
def test_invalid_fact_is_reported_with_key_and_reason(
    tmp_path: Path, *, file: str, old: str, new: str, key: str, reason: str
) -> None:
    faults = faults_after(tmp_path, file, old, new)
    assert (key, reason) in [fault[1:] for fault in faults]


def test_library_joins_a_group_by_its_own_file(tmp_path: Path) -> None:
    data = shutil.copytree(DATA, tmp_path / "data")
    for file, old, new in (
        ("kinfolk.toml", 'libraries = ["query", "store", "pacer"]', 'libraries = ["query"]'),
        ("libraries/store.toml", 'id = "store"\n', 'id = "store"\ngroup = "state"\n'),
        ("libraries/pacer.toml", 'id = "pacer"\n', 'id = "pacer"\ngroup = "state"\n'),
    ):
        text = (data / file).read_text()
        assert old in text
        (data / file).write_text(text.replace(old, new, 1))
    groups = {group.id: group.libraries for group in load_catalog(data).groups}
    assert groups["state"] == ("query", "pacer", "store")


def test_two_spellings_of_a_repository_are_reported(tmp_path: Path) -> None:
    faults = faults_after(tmp_path, "libraries/start.toml", 'repo = "TanStack', 'repo = "tanstack')
    assert ("libraries/start.toml", "repo", "is spelled TanStack/router elsewhere") in faults


def test_all_invalid_facts_are_reported(tmp_path: Path) -> None:
    data = shutil.copytree(DATA, tmp_path / "data")
    (data / "libraries/form.toml").write_text("id = ")
    (data / "libraries/store.toml").write_bytes(b'id = "\xff"')
    (data / "kinfolk.toml").unlink()
    assert {fault.file for fault in catalog_errors(data)} == {
        "kinfolk.toml",
        "libraries/form.toml",
        "libraries/store.toml",
    }


def test_invalid_library_is_left_out_with_references_to_it(tmp_path: Path) -> None:
    data = shutil.copytree(DATA, tmp_path / "data")
    (data / "libraries/query.toml").write_text("id = ")
    start = (data / "libraries/start.toml").read_text()
    assert "builds_on" in start
    (data / "libraries/start.toml").write_text(
        start.replace('builds_on = ["router"]', 'builds_on = ["query", "router"]')
    )
    catalog = load_catalog(data)
    assert len(catalog.libraries) == 9
    assert catalog.library("start").builds_on == ("router",)
    assert "query" not in {id for group in catalog.groups for id in group.libraries}
    assert "query" not in {id for partner in catalog.partners for id in partner.libraries}
    assert [course for course in catalog.courses if course.library == "query"] == []


def test_site_without_a_valid_library_is_refused_with_every_fault(tmp_path: Path) -> None:
    (tmp_path / "libraries").mkdir()
    for name in ("one", "two"):
        (tmp_path / f"libraries/{name}.toml").write_text("zip = 1")
    (tmp_path / "kinfolk.toml").write_text('family = "Acme"\nzip = 1\n')
    with pytest.raises(InvalidSite) as refused:
        load_catalog(tmp_path)
    assert {fault.file for fault in refused.value.faults} == {
        "kinfolk.toml",
        "libraries/one.toml",
        "libraries/two.toml",
    }
    assert refused.value.message.count("\n") == len(refused.value.faults) - 1


def test_directory_without_libraries_is_reported(tmp_path: Path) -> None:
    assert [fault.file for fault in catalog_errors(tmp_path)][:1] == ["kinfolk.toml"]
    assert "libraries" in [fault.file for fault in catalog_errors(tmp_path)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = " + "[" * 5000, "is nested too deep"),
        (f"a = {'9' * 5000}", "is not valid TOML: "),
        ('a = "\\ud800"', "is not valid TOML: "),
        ("# " + "x" * (1 << 20), "is larger than 1048576 bytes"),
    ],
)
def test_invalid_toml_values_are_reported_with_a_reason(tmp_path: Path, text: str, reason: str) -> None:
    data = shutil.copytree(DATA, tmp_path / "data")
    (data / "kinfolk.toml").write_text(text)
    assert any(fault.message.startswith(f"kinfolk.toml: {reason}") for fault in catalog_errors(data))
