"""What landing pages show beside the facts: logos, drawings, commands and code."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from kinfolk.catalog import Catalog, load_catalog
from kinfolk.docs import Docs
from kinfolk.errors import BadFact
from kinfolk.landing import Landing, landing_errors, load_landings, section
from kinfolk.settings import Settings
from kinfolk.sources.snapshot import Ref

IDS = ("start", "router", "query", "table", "form", "virtual", "pacer", "store", "ranger", "config")
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{}</svg>'


@pytest.fixture(scope="module")
def landings(settings: Settings, catalog: Catalog) -> Mapping[str, Landing]:
    return load_landings(settings.data, catalog)


@pytest.mark.parametrize("id", IDS)
def test_code_and_commands_are_there_for_every_framework_of_a_library(
    landings: Mapping[str, Landing], catalog: Catalog, id: str
) -> None:
    library, landing = catalog.library(id), landings[id]
    frameworks: set[str | None] = {*library.frameworks} or {None}
    assert {package.framework for package in library.packages} == frameworks
    assert {shown.sample.framework for shown in landing.samples} == frameworks
    assert landing.install is not None


@pytest.mark.parametrize("id", IDS)
def test_code_imports_the_package_that_one_is_told_to_install(
    landings: Mapping[str, Landing], catalog: Catalog, id: str
) -> None:
    library = catalog.library(id)
    packages = {package.framework: re.sub(r"(?<=.)@.*", "", package.name) for package in library.packages}
    for shown in landings[id].samples:
        imported = re.findall(r"from '(@tanstack/[^'/]+)", shown.page.snippets[0].code)
        assert packages[shown.sample.framework] in imported, shown.sample.file


@pytest.mark.parametrize("id", IDS)
def test_every_library_has_a_drawing_that_moves_only_for_those_who_do_not_mind(
    landings: Mapping[str, Landing], id: str
) -> None:
    drawing = landings[id].drawing
    assert drawing
    still = re.sub(r"@media \(prefers-reduced-motion:\s?no-preference\)\{(?:[^{}]|\{[^{}]*\})*\}", "", drawing)
    assert not re.search(r"animation(?!-delay)|<animate", still)


@pytest.mark.parametrize("id", IDS)
def test_a_drawing_comes_to_rest(landings: Mapping[str, Landing], id: str) -> None:
    """What moves for ever beside a text has to have a button that stops it (WCAG 2.2.2), and costs a battery."""
    assert "infinite" not in (landings[id].drawing or "")


@pytest.mark.parametrize("id", IDS)
def test_a_drawing_weighs_less_than_two_kilobytes(landings: Mapping[str, Landing], id: str) -> None:
    drawing = landings[id].drawing
    assert drawing
    assert len(drawing.encode()) < 2_000


@pytest.mark.parametrize("id", IDS)
def test_a_page_ends_with_a_link_to_docs_that_we_have(catalog: Catalog, bundled: Docs, id: str) -> None:
    library = catalog.library(id)
    assert library.call_to_action
    shelf = bundled.shelf(Ref(*library.ref(None)))
    assert shelf.page_file(f"{library.docs_root}/{library.call_to_action.to}")


@pytest.mark.parametrize("id", IDS)
def test_the_examples_that_code_leads_to_are_among_ours(catalog: Catalog, bundled: Docs, id: str) -> None:
    library = catalog.library(id)
    shelf = bundled.shelf(Ref(*library.ref(None)))
    named = [(sample.framework, sample.example) for sample in library.samples if sample.example]
    assert [pair for pair in named if pair not in shelf.examples] == []


def test_commands_name_every_package_manager(landings: Mapping[str, Landing]) -> None:
    install = landings["config"].install
    assert install
    assert [snippet.code for snippet in install.snippets] == [
        "npm i -D @tanstack/vite-config",
        "pnpm add -D @tanstack/vite-config",
        "yarn add -D @tanstack/vite-config",
        "bun add -d @tanstack/vite-config",
    ]


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("logo.svg", None, "cannot be read: No such file or directory"),
        ("logo.svg", "", "is empty"),
        ("logo.svg", "<svg", "is not well-formed: unclosed token: line 1, column 0"),
        ("logo.svg", "<html/>", "should be an <svg> with its xmlns and a viewBox"),
        ("logo.svg", SVG.format("<script/>"), "should be a picture only, without <script"),
        ("logo.svg", SVG.format('<path onload="x()"/>'), "should be a picture only, without onload="),
        ("logo.svg", SVG.format('<use href="https://x.example/#a"/>'), "should be a picture only, without href="),
        ("logo.svg", SVG.format("<path/>" * 200), "has 1466 bytes, and should have no more than 1024"),
        ("drawing.svg", SVG.format("<image/>"), "should be a picture only, without <image"),
        ("samples/vue.vue", None, "cannot be read: No such file or directory"),
        ("samples/vue.vue", "  \n", "is empty"),
    ],
)
def test_a_file_that_is_wrong_is_named(
    tmp_path: Path, settings: Settings, file: str, content: str | None, reason: str
) -> None:
    data = shutil.copytree(settings.data, tmp_path / "data")
    if content is None:
        (data / "libraries/query" / file).unlink()
    else:
        (data / "libraries/query" / file).write_text(content)
    faults = landing_errors(data, load_catalog(data))
    assert (f"libraries/query/{file}", reason) in [(fault.file, fault.reason) for fault in faults]


def test_all_wrong_files_are_named_at_once_and_loading_stops_at_the_first(tmp_path: Path, settings: Settings) -> None:
    data = shutil.copytree(settings.data, tmp_path / "data")
    for id in ("form", "query"):
        (data / f"libraries/{id}/logo.svg").write_bytes(b"\xff")
    catalog = load_catalog(data)
    assert [fault.file for fault in landing_errors(data, catalog)] == [
        "libraries/query/logo.svg",
        "libraries/form/logo.svg",
    ]
    with pytest.raises(BadFact, match=r"libraries/query/logo\.svg: is not UTF-8 at byte 0"):
        load_landings(data, catalog)


def test_a_drawing_may_be_missing(tmp_path: Path, settings: Settings) -> None:
    data = shutil.copytree(settings.data, tmp_path / "data")
    (data / "libraries/query/drawing.svg").unlink()
    assert load_landings(data, load_catalog(data))["query"].drawing is None


def test_the_name_of_all_code_changes_when_code_does(
    tmp_path: Path, settings: Settings, landings: Mapping[str, Landing]
) -> None:
    data = shutil.copytree(settings.data, tmp_path / "data")
    (data / "libraries/query/samples/vue.vue").write_text("<template>Another</template>")
    changed = section(load_landings(data, load_catalog(data)))
    assert changed[0] != section(landings)[0]
    assert len(changed[1]) == len(section(landings)[1])
