"""The documents agree with the code: settings, metrics, commands, targets, layers, links."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest
from prometheus_client import Counter, Gauge, Histogram
from tests.sites.sample_site import read_settings
from tests.suite.documents import CodeBlock, assignments, code_blocks, commands, documents

from kinfolk.api.all_functions import registry
from kinfolk.cli.check.content_check import check_content
from kinfolk.cli.main import main
from kinfolk.config.catalog import Library
from kinfolk.config.catalog.derived_facts import with_family_facts, with_library_facts
from kinfolk.config.catalog.family import Family
from kinfolk.config.data_files import validate_table
from kinfolk.config.settings import ROOT, SETTINGS
from kinfolk.content.docs import parse_config
from kinfolk.content.redirects import RedirectFile
from kinfolk.runtime import metrics
from kinfolk.runtime.errors import InvalidFile
from kinfolk.site.configuration_check import configuration_faults

README = (ROOT / "README.md").read_text()
OPERATIONS = (ROOT / "docs/operations.md").read_text()
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()
DOCS_SITE = ROOT / "docs-site"
PAGES = {path.relative_to(ROOT / "docs").as_posix(): path.read_text() for path in (ROOT / "docs").rglob("*.md")}
"""The pages of the documentation, which docs-site serves."""
TEXTS = README + "".join(PAGES.values())
MIGRATIONS = [name for name in PAGES if name.startswith("migrating/")]
BUILT = {".whl", ".tgz", ".gz", ".zst", ".zip", ".tar", ".jar", ".so", ".node", ".wasm", ".pyc", ".sqlite"}


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


def test_commands_of_the_documents_have_their_subcommands_and_options() -> None:
    wrong = [f"{each}: {reason}" for each in commands("kinfolk") if (reason := command_fault(each.text))]
    assert wrong == []


def command_fault(text: str) -> str:
    """What is wrong with the arguments of a command; optional ones are in brackets. Nothing is run."""
    arguments = [word for word in re.sub(r"[\[\]…]", "", text).split() if word]
    command: click.Command = main
    while isinstance(command, click.Group):
        context = click.Context(command)
        try:
            _, arguments, _ = command.make_parser(context).parse_args(args=arguments)
        except click.UsageError as error:
            return error.message
        if not arguments or arguments[0] not in command.commands:
            # `kinfolk` alone, its options, and a group that is a command itself.
            return f"no command {arguments[0]}" if arguments else ""
        command, arguments = command.commands[arguments[0]], arguments[1:]
    # Prose names a command without its arguments.
    if not arguments:
        return ""
    try:
        command.make_parser(click.Context(command)).parse_args(args=arguments)
    except click.UsageError as error:
        return error.message
    return ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("serve --port 1 --workers 2", ""),
        ("index push [--as INDEX]", ""),
        ("--version", ""),
        ("serve --nope", "No such option '--nope'."),
        ("index pull", "no command pull"),
        ("nope", "no command nope"),
    ],
)
def test_wrong_commands_are_found(text: str, reason: str) -> None:
    assert command_fault(text) == reason


def test_options_in_prose_exist() -> None:
    """Other pages name custom properties of CSS in the same form."""
    options = {
        option
        for command in all_commands(main)
        for each in command.params
        for option in (*each.opts, *each.secondary_opts)
    }
    for file in ("README.md", *(f"docs/{name}.md" for name in ("start", "concepts", "operations", "deployment"))):
        assert set(re.findall(r"`(--[a-z-]+)", documents()[file])) <= options, file


def all_commands(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from all_commands(each)


def test_settings_of_examples_are_valid() -> None:
    for each in assignments():
        name, _, value = each.text.partition("=")
        # The folder of the site in the image of a container.
        if "…" not in value and each.text != "KINFOLK_SITE=/site":
            read_settings({name: value, "KINFOLK_SECRET": "0" * 32})


def test_make_targets_and_variables_of_the_documents_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    sources = makefile + "".join(path.read_text() for path in (ROOT / "tests/faults").rglob("*.py"))
    wrong = []
    for number, line in ((file, line) for file, text in documents().items() for line in text.splitlines()):
        for before, target, after in re.findall(r"(?:^|`|\()((?:[A-Z_]+=\S+ )*)make ([a-z-]+)((?: [A-Z]+=)?)", line):
            variables = re.findall(r"([A-Z_]+)=", before + after)
            if f"\n{target}:" not in makefile or any(variable not in sources for variable in variables):
                wrong.append(f"{number}: {line}")
    assert wrong == []


def test_json_of_the_documents_can_be_parsed() -> None:
    for block in code_blocks():
        if block.language == "json":
            json.loads(block.text)


def test_make_targets_have_help() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    helped = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert set(phony[1].split()) == helped


def test_architecture_lists_the_enforced_layers() -> None:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    enforced = [{name.strip() for name in layer.split("|")} for layer in contract["layers"] if layer != "__main__"]
    written = ARCHITECTURE.split("The order: ")[1].split(".\n")[0].replace("\n", " ").replace("`", "")
    assert [{name.strip() for name in level.split("|")} for level in written.split(">")] == enforced


def test_architecture_has_a_line_for_each_package_and_is_short() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", ARCHITECTURE.split("## Packages")[1].split("\n## ")[0], re.MULTILINE)
    assert sorted(rows) == sorted(path.parent.name for path in (ROOT / "src/kinfolk").glob("*/__init__.py"))
    assert len(ARCHITECTURE.encode()) <= 12_000


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
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = [Path(line) for line in listed.splitlines()]
    folders = {part for file in files for part in file.parts[:-1]}
    assert not folders & {"node_modules", "dist", "__pycache__", ".venv", "var", "utils", "helpers", "common", "core"}
    assert [str(file) for file in files if file.suffix in BUILT] == []


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


@pytest.mark.parametrize(
    "block", [each for each in code_blocks() if each.language == "toml"], ids=lambda block: f"{block.file}:{block.line}"
)
def test_configuration_in_the_docs_is_valid(block: CodeBlock) -> None:
    faults: list[InvalidFile] = []
    table = tomllib.loads(block.text)
    if block.title == "redirects.toml":
        validate_table(table, block.title, RedirectFile, faults)
    elif set(table) <= {field.name for field in fields(Family)}:
        validate_table(with_family_facts({"family": "Acme"} | table), "kinfolk.toml", Family, faults)
    else:
        table = with_library_facts({"repo": "acme/widgets"} | table, "widgets", 0, "Acme")
        validate_table(table, block.title, Library, faults)
    assert faults == []


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
