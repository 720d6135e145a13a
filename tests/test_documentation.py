"""The documents agree with the code: settings, metrics, commands, targets, layers, links."""

from __future__ import annotations

import re
import subprocess
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner
from prometheus_client import Counter, Gauge, Histogram
from tests.sample_site import read_settings

from kinfolk import metrics
from kinfolk.api.functions import registry
from kinfolk.catalog import Library
from kinfolk.catalog.derived_facts import with_library_facts
from kinfolk.catalog.family import Family
from kinfolk.cli import main
from kinfolk.configuration_check import configuration_faults
from kinfolk.content_check import check_content
from kinfolk.data_files import validate_table
from kinfolk.docs import parse_config
from kinfolk.errors import InvalidFile
from kinfolk.mcp_tools.tools import TOOLS
from kinfolk.redirects import RedirectFile
from kinfolk.settings import ROOT, SETTINGS

README = (ROOT / "README.md").read_text()
OPERATIONS = (ROOT / "docs/operations.md").read_text()
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()
DOCS_SITE = ROOT / "docs-site"
PAGES = {path.relative_to(ROOT / "docs").as_posix(): path.read_text() for path in (ROOT / "docs").rglob("*.md")}
"""The pages of the documentation, which docs-site serves."""
TEXTS = README + "".join(PAGES.values())
MIGRATIONS = [name for name in PAGES if name.startswith("migrating/")]
TOML_FENCE = re.compile(r"^```toml(?: title=\"([^\"]*)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_documents_name_only_existing_settings() -> None:
    named = set(re.findall(r"KINFOLK_[A-Z_]+[A-Z]", TEXTS))
    assert named <= {setting.name for setting in SETTINGS}


def test_operations_guide_lists_every_metric() -> None:
    kinds = Counter | Gauge | Histogram
    described = [next(iter(one.describe())) for one in vars(metrics).values() if isinstance(one, kinds)]
    rows = re.findall(r"^\| `(kinfolk_\w+)` \| (\w+) \|[^|]*\| (.*) \|$", OPERATIONS, re.MULTILINE)
    assert rows == [
        (one.name + ("_total" if one.type == "counter" else ""), one.type, one.documentation) for one in described
    ]


def test_operations_guide_lists_every_command() -> None:
    listed = re.findall(r"^kinfolk ([a-z]+)", OPERATIONS.split("## Commands")[1].split("\n## ")[0], re.MULTILINE)
    assert set(listed) == set(main.commands)


def test_commands_of_the_documents_exist() -> None:
    for command in re.findall(r"\bkinfolk ([a-z]+(?: push)?)\b(?= [-\[]|`|$)", TEXTS, re.MULTILINE):
        assert CliRunner().invoke(main, [*command.split(), "--help"]).exit_code == 0, command


def test_make_targets_have_help() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    helped = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert set(phony[1].split()) == helped


def test_architecture_lists_the_enforced_layers() -> None:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    enforced = [{name.strip() for name in layer.split("|")} for layer in contract["layers"] if layer != "__main__"]
    drawn = ARCHITECTURE.split("## Layers")[1].split("```")[1].strip().splitlines()
    words = [re.split(r"\s{2,}", line)[0] for line in drawn]
    assert [{name.strip() for name in line.split("|")} for line in words] == enforced


def test_function_ids_have_two_words() -> None:
    assert all(re.fullmatch(r"[a-z]+\.[a-z]+", id) for id in registry.functions)


def test_lock_files_have_hashes_and_no_addresses() -> None:
    for name in ("requirements.lock", "requirements-dev.lock", "frontend/package-lock.json"):
        text = (ROOT / name).read_text()
        assert not re.search(r'"resolved"|\.tgz|\.whl|index-url|find-links', text), name
    assert "--hash=sha256:" in (ROOT / "requirements.lock").read_text()


def test_built_and_fetched_files_are_not_committed() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a git checkout")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )
    folders = {part for path in listed for part in Path(path).parts[:-1]}
    assert not folders & {"node_modules", "dist", "__pycache__", ".venv", "var", "utils", "helpers", "common", "core"}


def test_menu_of_the_docs_lists_every_page() -> None:
    config = parse_config("config.json", (ROOT / "docs/config.json").read_bytes())
    listed = [link.to for link in config.links()]
    assert sorted(listed) == sorted(name.removesuffix(".md") for name in PAGES)


def test_docs_site_has_no_faults() -> None:
    settings = read_settings({"KINFOLK_SITE": str(DOCS_SITE), "KINFOLK_MIRROR": "off"})
    assert [fault.message for fault in configuration_faults(settings.site, settings.frontend)] == []
    report = check_content(settings, settings.content)
    assert [fault.message for fault in report.faults] == []
    assert report.pages >= len(PAGES)


@pytest.mark.parametrize("page", ["start.md", "concepts.md", *MIGRATIONS])
def test_configuration_in_the_docs_is_valid(page: str) -> None:
    for title, text in TOML_FENCE.findall(PAGES[page]):
        faults: list[InvalidFile] = []
        table = tomllib.loads(text)
        if title == "redirects.toml":
            validate_table(table, title, RedirectFile, faults)
        else:
            validate_table(
                with_library_facts({"repo": "acme/widgets"} | table, "widgets", 0, "Acme"), title, Library, faults
            )
        assert faults == [], page


@pytest.mark.parametrize("page", MIGRATIONS)
def test_keys_that_an_import_writes_exist(page: str) -> None:
    """The last column of the table names keys of this site."""
    rows = re.findall(
        r"^\| .* \| (.*) \|$", PAGES[page].split("## What is taken over")[1].split("\n## ")[0], re.MULTILINE
    )
    words = {word.strip("[]") for row in rows for word in re.findall(r"`([a-z_\[\]]+)`", row)}
    keys = {field.name for model in (Library, Family) for field in fields(model)}
    assert words - keys <= {"vitepress", "docusaurus", "mkdocs"}
    assert {"docs_root", "repo", "latest_branch", "color"} <= words


def test_interfaces_in_the_docs_answer() -> None:
    functions = re.findall(r"/_server/([a-z]+\.[a-z]+)", PAGES["protocol.md"])
    tools = re.findall(r"`([a-z]+_[a-z]+)`", PAGES["protocol.md"].split("## MCP")[1].split("\n## ")[0])
    assert set(functions) <= set(registry.functions)
    assert set(tools) <= set(TOOLS)
