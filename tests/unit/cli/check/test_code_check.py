"""`kinfolk check --code` checks the code blocks of versions, and names file and line of what is wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.inputs.word_checks import word_check
from tests.sites.other_sites import page, write_site

from kinfolk.cli.check.code_check import chosen_versions, findings_of, summaries
from kinfolk.cli.main import main
from kinfolk.config.catalog import load_catalog
from kinfolk.content.code_checks.check_report import ReportBuilder, VersionReport
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.pages.checked_text import checked_text
from kinfolk.content.docs.snapshots.version_docs import VersionDocs
from kinfolk.content.redirects import load_redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.runtime.errors import Invalid, NotFound

CODE = "```ts\nimport { spinn } from '@acme/gears'\n\nspinn()\n```"
FILES = {
    "kinfolk.toml": 'family = "Acme"\n',
    "libraries/gears.toml": 'repo = "acme/gears"\nlatest_version = "v2"\n'
    '[[versions]]\nname = "v2"\nbranch = "main"\n[[versions]]\nname = "v1"\nbranch = "v1"\n',
    "repos/acme/gears/main/docs/usage.md": page("Usage", f"Text.\n\n{CODE}\n\n```sh\nnpm i\n```\n\n```ts\nspin()\n```"),
    "repos/acme/gears/main/docs/again.md": "---\ntitle: Again\nref: docs/usage.md\n---\n",
    "repos/acme/gears/main/docs/other.md": "---\nref: docs/usage.md\nreplace: { spinn: turnn }\n---\n",
    "repos/acme/gears/v1/docs/usage.md": page("Usage", "```ts\nspin()\n\x1b[2J\u202e\n```"),
}
CHECKS = {"v2": {"spinn": "spin", "turnn": "turn"}, "v1": {"\x1b[2J\u202e": "spinn"}}
FILE = "acme/gears/main/docs/usage.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(tmp_path_factory.mktemp("checked"), FILES)


@pytest.fixture(scope="module")
def docs(folder: Path) -> ContentReader:
    catalog = load_catalog(folder)
    snapshot = DirectorySource(folder / "repos", catalog.refs, "folders").open()
    return ContentReader(DocsSnapshot(catalog, load_redirects(folder), snapshot))


def check(version: VersionDocs) -> VersionReport:
    builder = ReportBuilder(version.library.id, version.version.name)
    for path, file in version.pages().items():
        page = version.docs.page(version.locate(file))
        blocks = page.page.code_blocks
        text = checked_text(version.branch, path, page.title, file=page.page.ref_path or file, blocks=blocks)
        builder.add(text, word_check(blocks, CHECKS[version.version.name]))
    return builder.report(finished="2026-11-29T10:00:00")


def test_findings_have_the_line_of_the_file_and_each_is_listed_once(docs: ContentReader) -> None:
    (version,) = chosen_versions(docs, "gears", "v2")
    found = [fault.message for fault in findings_of(version, check(version))]
    # A page that replaces words shows lines that its file does not have.
    assert sorted(found) == [
        f"{FILE}: `turnn` is no export. The nearest name is `turn`. In: import {{ turnn }} from '@acme/gears'",
        f"{FILE}: `turnn` is no export. The nearest name is `turn`. In: turnn()",
        f"{FILE}: line 10: `spinn` is no export. The nearest name is `spin`.",
        f"{FILE}: line 8: `spinn` is no export. The nearest name is `spin`.",
    ]


def test_summary_counts_the_blocks_of_a_library(docs: ContentReader) -> None:
    reports = [check(version) for version in chosen_versions(docs, None, None)]
    assert list(summaries(docs.catalog, reports)) == [
        "Gears: 7 code blocks, 7 checked, 3 right, 4 wrong (4 missing export), 0 not checkable, 0 ignored"
    ]


def test_control_characters_of_code_do_not_reach_the_terminal(docs: ContentReader) -> None:
    (version,) = chosen_versions(docs, "gears", "v1")
    (fault,) = findings_of(version, check(version))
    assert fault.message.isprintable()
    assert fault.message.startswith("acme/gears/v1/docs/usage.md: line 7: ")


def test_versions_are_chosen_by_their_names(docs: ContentReader) -> None:
    def names(library: str | None, version: str | None) -> list[str]:
        return [each.version.name for each in chosen_versions(docs, library, version)]

    assert names(None, None) == ["v2", "v1"]
    assert names("gears", "latest") == names(None, "v2") == ["v2"]
    with pytest.raises(NotFound, match="nope"):
        names("nope", None)
    with pytest.raises(Invalid, match="Gears has no version v9: it has v2, v1"):
        names("gears", "v9")


@pytest.fixture
def run(
    folder: Path, docs: ContentReader, tmp_path: Path, built: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    """Runs the command on the site, whose version 2 was checked before. There are no types to check it again."""
    store = CheckStore(tmp_path / "code_checks.sqlite")
    store.put_report(
        dataclasses.replace(check(chosen_versions(docs, "gears", "v2")[0]), problems=("react is missing",))
    )
    store.close()
    variables = {"SITE": folder, "CONTENT": folder / "repos", "VAR": tmp_path, "FRONTEND": built, "MIRROR": "off"}
    for name, value in (variables | {"NPM_REGISTRY": ""}).items():
        monkeypatch.setenv(f"KINFOLK_{name}", str(value))
    return lambda *arguments: CliRunner().invoke(main, ["check", *arguments])


def test_command_prints_findings_and_numbers(run: Callable[..., Result]) -> None:
    found = run("--code", "--version", "v2")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert "repos/acme/gears/main/docs/usage.md: line 8: `spinn` is no export. The nearest name is `spin`." in lines
    assert lines[-1].startswith("Gears: 6 code blocks, 6 checked, ")
    assert "warning: Gears v2: react is missing" in found.stderr


def test_strict_command_fails_with_findings(run: Callable[..., Result]) -> None:
    found = run("--code", "--library", "gears", "--strict")
    assert (found.exit_code, found.stderr.splitlines()[-1]) == (1, "Error: 4 findings")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--library", "gears"), "--library, --version and --strict need --code"),
        (("--code", "--library", "nope"), "nope"),
        (("--code", "--version", "v1"), "Gears v1: there are no types of its packages. Set KINFOLK_NPM_REGISTRY"),
    ],
)
def test_command_says_what_is_missing(run: Callable[..., Result], arguments: tuple[str, ...], message: str) -> None:
    found = run(*arguments)
    assert found.exit_code != 0
    assert message in found.stderr


def test_missing_checker_is_named(run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINFOLK_FRONTEND", str(tmp_path))
    assert "run `make build`" in run("--code").stderr
