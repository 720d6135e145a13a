"""The documents agree with the code: settings, metrics, commands, targets, layers, links."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from prometheus_client import Counter, Gauge, Histogram

from kinfolk import metrics
from kinfolk.api.functions import registry
from kinfolk.cli import main
from kinfolk.settings import ROOT, SETTINGS

README = (ROOT / "README.md").read_text()
OPERATIONS = (ROOT / "docs/operations.md").read_text()
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()


def test_documents_name_only_existing_settings() -> None:
    named = set(re.findall(r"KINFOLK_[A-Z_]+[A-Z]", README + OPERATIONS))
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
    for command in re.findall(r"\bkinfolk ([a-z]+(?: push)?)\b(?= [-\[]|`|$)", README + OPERATIONS, re.MULTILINE):
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
