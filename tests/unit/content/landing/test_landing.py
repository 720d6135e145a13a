"""Files of landing pages: logos, drawings, install commands and code samples."""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from kinfolk.config.catalog import Catalog, Framework, load_catalog
from kinfolk.config.settings import Settings
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.landing.landing import (
    Landing,
    LogoSprite,
    landing_snippets,
    load_framework_logos,
    load_partner_marks,
    monogram,
    read_landings,
)

IDS = ("start", "router", "query", "table", "form", "virtual", "pacer", "store", "ranger", "config")
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{}</svg>'


@pytest.fixture(scope="module")
def landings(settings: Settings, catalog: Catalog) -> Mapping[str, Landing]:
    return read_landings(settings.site, catalog)[0]


@pytest.mark.parametrize("id", IDS)
def test_each_framework_has_a_sample_and_install_commands(
    landings: Mapping[str, Landing], catalog: Catalog, id: str
) -> None:
    library = catalog.library(id)
    landing = landings[id].versions[library.latest_version]
    frameworks: set[str | None] = {*library.frameworks} or {None}
    assert {package.framework for package in library.packages} == frameworks
    assert {rendered.sample.framework for rendered in landing.samples} == frameworks
    assert landing.install is not None


@pytest.mark.parametrize("id", IDS)
def test_samples_import_the_installed_package(landings: Mapping[str, Landing], catalog: Catalog, id: str) -> None:
    library = catalog.library(id)
    packages = {package.framework: re.sub(r"(?<=.)@.*", "", package.name) for package in library.packages}
    for rendered in landings[id].versions[library.latest_version].samples:
        imported = re.findall(r"from '(@tanstack/[^'/]+)", rendered.page.code_blocks[0].code)
        assert packages[rendered.sample.framework] in imported, rendered.sample.file


@pytest.mark.parametrize(("version", "package"), [("v5", ""), ("v4", "@4"), ("v3", "react-query@3")])
def test_install_command_names_the_major_version(landings: Mapping[str, Landing], version: str, package: str) -> None:
    install = landings["query"].versions[version].install
    assert install
    first = install.code_blocks[0].code
    assert first.endswith(package or "@tanstack/react-query")


@pytest.mark.parametrize("version", ["v4", "v3"])
def test_samples_of_an_older_version_import_its_package(
    landings: Mapping[str, Landing], catalog: Catalog, version: str
) -> None:
    library = catalog.library("query")
    packages = {each.framework: re.sub(r"(?<=.)@.*", "", each.name) for each in library.version(version).packages}
    samples = landings["query"].versions[version].samples
    assert {rendered.sample.framework for rendered in samples} == set(packages)
    for rendered in samples:
        code = rendered.page.code_blocks[0].code
        assert f"from '{packages[rendered.sample.framework]}'" in code
        assert "isPending" not in code


def test_older_version_without_packages_of_its_own_installs_its_major_version(catalog: Catalog) -> None:
    form = dataclasses.replace(catalog.library("form"), latest_version="v2")
    packages = form.packages_of(form.versions[0])
    assert [package.name for package in packages][:1] == ["@tanstack/react-form@1"]
    assert form.samples_of(form.versions[0]) == ()


@pytest.mark.parametrize("id", IDS)
def test_drawing_is_animated_only_without_reduced_motion(landings: Mapping[str, Landing], id: str) -> None:
    drawing = landings[id].drawing
    assert drawing
    without_animation = re.sub(
        r"@media \(prefers-reduced-motion:\s?no-preference\)\{(?:[^{}]|\{[^{}]*\})*\}", "", drawing
    )
    assert not re.search(r"animation(?!-delay)|<animate", without_animation)


@pytest.mark.parametrize("id", IDS)
def test_animation_of_a_drawing_is_finite(landings: Mapping[str, Landing], id: str) -> None:
    """An endless animation needs a pause button (WCAG 2.2.2) and uses energy."""
    assert "infinite" not in (landings[id].drawing or "")


@pytest.mark.parametrize("id", IDS)
def test_drawing_has_less_than_two_kilobytes(landings: Mapping[str, Landing], id: str) -> None:
    drawing = landings[id].drawing
    assert drawing
    assert len(drawing.encode()) < 2_000


@pytest.mark.parametrize("id", IDS)
def test_call_to_action_links_to_an_existing_page(catalog: Catalog, bundled: DocsSnapshot, id: str) -> None:
    library = catalog.library(id)
    assert library.call_to_action
    branch_docs = ContentReader(bundled).branch(library.ref(None))
    assert branch_docs.page_file(f"{library.docs_root}/{library.call_to_action.to}")


@pytest.mark.parametrize("id", IDS)
def test_samples_link_to_existing_examples(catalog: Catalog, bundled: DocsSnapshot, id: str) -> None:
    library = catalog.library(id)
    branch_docs = ContentReader(bundled).branch(library.ref(None))
    named = [(sample.framework, sample.example) for sample in library.samples if sample.example]
    assert [pair for pair in named if pair not in branch_docs.examples] == []


def test_install_commands_include_all_package_managers(landings: Mapping[str, Landing]) -> None:
    install = landings["config"].versions["v0"].install
    assert install
    assert [snippet.code for snippet in install.code_blocks] == [
        "npm i -D @tanstack/vite-config",
        "pnpm add -D @tanstack/vite-config",
        "yarn add -D @tanstack/vite-config",
        "bun add -d @tanstack/vite-config",
    ]


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("logo.svg", "", "is empty"),
        ("logo.svg", "<svg", "is not well-formed: unclosed token: line 1, column 0"),
        ("logo.svg", "<html/>", "should be an <svg> with its xmlns and a viewBox"),
        ("logo.svg", SVG.format("<script/>"), "should be a picture only, without <script"),
        ("logo.svg", SVG.format('<path onload="x()"/>'), "should be a picture only, without onload="),
        ("logo.svg", SVG.format('<use href="https://x.example/#a"/>'), "should be a picture only, without href="),
        ("logo.svg", SVG.format("<path/>" * 200), "has 1466 bytes, and should have no more than 1024"),
        ("drawing.svg", SVG.format("<image/>"), "should be a picture only, without <image"),
        ("demo.tsx", "export const Demo = () => null\n" * 21, "has 21 lines, and should have no more than 20"),
        ("demo.tsx", "", "is empty"),
        ("samples/vue.vue", None, "cannot be read: No such file or directory"),
        ("samples/vue.vue", "  \n", "is empty"),
    ],
)
def test_invalid_file_is_reported_with_a_reason(
    tmp_path: Path, settings: Settings, file: str, content: str | None, reason: str
) -> None:
    data = shutil.copytree(settings.site, tmp_path / "data")
    if content is None:
        (data / "libraries/query" / file).unlink()
    else:
        (data / "libraries/query" / file).write_text(content)
    faults = read_landings(data, load_catalog(data))[1]
    assert (f"libraries/query/{file}", reason) in [(fault.file, fault.reason) for fault in faults]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be read: No such file or directory"),
        ("<html/>", "should be an <svg> with its xmlns and a viewBox"),
    ],
)
def test_invalid_framework_logo_is_reported(
    tmp_path: Path, settings: Settings, content: str | None, reason: str
) -> None:
    data = shutil.copytree(settings.site, tmp_path / "data")
    if content is not None:
        (data / "frameworks").mkdir()
        (data / "frameworks/vuex.svg").write_text(content)
    catalog = load_catalog(data)
    vuex = Framework("vuex", "Vuex", "green-500", logo="vuex")
    catalog = dataclasses.replace(catalog, frameworks=(*catalog.frameworks, vuex))
    assert [(fault.file, fault.reason) for fault in read_landings(data, catalog)[1]] == [
        ("frameworks/vuex.svg", reason)
    ]
    assert "vuex" in load_framework_logos(data, catalog).rows


def test_each_listed_framework_but_those_without_a_brand_has_a_logo(settings: Settings, catalog: Catalog) -> None:
    sprite = load_framework_logos(settings.site, catalog)
    rows = {framework.value: sprite.rows.index(framework.logo or "") for framework in catalog.frameworks}
    assert {value for value, row in rows.items() if row == 0} == {"vanilla", "octane"}
    assert sprite.svg.count('<svg y="') == len(sprite.rows) == len(set(rows.values()))


@pytest.mark.parametrize("count", [1, 2, 40])
def test_rows_of_a_sprite_have_a_row_between_them(count: int) -> None:
    sprite = LogoSprite.of({str(row): "<svg/>" for row in range(count)})
    tops = [int(top) for top in re.findall(r'<svg y="(\d+)" width="24" height="24">', sprite.svg)]
    assert tops == [48 * row for row in range(count)]
    assert f'height="{48 * count - 24}">' in sprite.svg


def test_partner_without_a_drawing_has_a_monogram(tmp_path: Path, settings: Settings) -> None:
    data = shutil.copytree(settings.site, tmp_path / "data")
    catalog = load_catalog(data)
    sprite = load_partner_marks(data, catalog)
    assert sprite.rows == tuple(partner.id for partner in catalog.partners)
    assert [name for name in ("AG", "S", "U", "UI", "N", "C") if f">{name}</text>" in sprite.svg] == [
        "AG",
        "S",
        "U",
        "UI",
        "N",
    ]
    (data / "partners/clerk.svg").write_text("<html/>")
    assert [fault.file for fault in read_landings(data, catalog)[1]] == ["partners/clerk.svg"]
    assert ">C</text>" in load_partner_marks(data, catalog).svg


@pytest.mark.parametrize(
    ("name", "letters"), [("AG Grid", "AG"), ("UI.dev", "UI"), ("neon", "N"), ("NASDAQ", "N"), ("& Co", "&amp;")]
)
def test_monogram_is_an_acronym_or_the_first_letter(name: str, letters: str) -> None:
    assert f">{letters}</text>" in monogram(name)


def test_invalid_files_are_reported_and_replaced(tmp_path: Path, settings: Settings) -> None:
    data = shutil.copytree(settings.site, tmp_path / "data")
    for id in ("form", "query"):
        (data / f"libraries/{id}/logo.svg").write_bytes(b"\xff")
    catalog = load_catalog(data)
    assert [fault.file for fault in read_landings(data, catalog)[1]] == [
        "libraries/query/logo.svg",
        "libraries/form/logo.svg",
    ]
    assert ">Q</text>" in read_landings(data, catalog)[0]["query"].logo


def test_drawing_is_optional(tmp_path: Path, settings: Settings) -> None:
    data = shutil.copytree(settings.site, tmp_path / "data")
    for file in ("drawing.svg", "demo.tsx"):
        (data / "libraries/query" / file).unlink()
    assert read_landings(data, load_catalog(data))[0]["query"].drawing is None


def test_demo_needs_the_drawing_that_is_shown_until_it_runs(tmp_path: Path, settings: Settings) -> None:
    data = shutil.copytree(settings.site, tmp_path / "data")
    (data / "libraries/query/drawing.svg").unlink()
    faults = read_landings(data, load_catalog(data))[1]
    assert [(fault.file, fault.reason) for fault in faults] == [
        ("libraries/query/demo.tsx", "needs a drawing.svg, which is shown until it runs")
    ]


def test_demo_is_optional_and_imports_the_library(landings: Mapping[str, Landing], catalog: Catalog) -> None:
    demos = {id: landing.demo for id, landing in landings.items()}
    assert [id for id, demo in demos.items() if demo is None] == ["start", "config"]
    for id, demo in demos.items():
        [package] = [each.name for each in catalog.library(id).packages if each.framework == "react"] or [""]
        assert demo is None or f"from '{re.sub(r'(?<=.)@.*', '', package)}'" in demo.code_blocks[0].code


def test_name_of_landing_snippets_changes_with_the_code(
    tmp_path: Path, settings: Settings, landings: Mapping[str, Landing]
) -> None:
    data = shutil.copytree(settings.site, tmp_path / "data")
    (data / "libraries/query/samples/vue.vue").write_text("<template>Another</template>")
    changed = landing_snippets(read_landings(data, load_catalog(data))[0])
    assert changed[0] != landing_snippets(landings)[0]
    assert len(changed[1]) == len(landing_snippets(landings)[1])
