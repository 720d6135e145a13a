"""What the documents promise is what the project does."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from prometheus_client import Counter, Gauge, Histogram

from kinfolk import metrics
from kinfolk.cli import main
from kinfolk.functions import registry
from kinfolk.settings import ROOT, SETTINGS, Setting

README = (ROOT / "README.md").read_text()
OPERATIONS = (ROOT / "docs/operations.md").read_text()
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_is_in_the_readme_with_its_default_and_its_sentence(setting: Setting) -> None:
    name, default, words = setting.name, setting.default, setting.help
    shown = f"`{default}`" if default else ""
    row = f"| `{name}` | {shown} | {words} |".replace("|  |", "| |")
    assert row in README


def test_the_readme_names_no_setting_that_does_not_exist() -> None:
    assert set(re.findall(r"KINFOLK_[A-Z_]+", README)) == {setting.name for setting in SETTINGS}


def test_metrics_of_the_operations_guide_are_those_that_exist() -> None:
    kinds = Counter | Gauge | Histogram
    described = [next(iter(one.describe())) for one in vars(metrics).values() if isinstance(one, kinds)]
    rows = re.findall(r"^\| `(kinfolk_\w+)` \| (\w+) \|[^|]*\| (.*) \|$", OPERATIONS, re.MULTILINE)
    assert rows == [
        (one.name + ("_total" if one.type == "counter" else ""), one.type, one.documentation) for one in described
    ]


def test_every_command_of_the_readme_exists() -> None:
    for command in set(re.findall(r"^kinfolk ([a-z]+)", README, re.MULTILINE)):
        assert CliRunner().invoke(main, [command, "--help"]).exit_code == 0


def test_every_make_target_has_a_line_of_help() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    helped = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert set(phony[1].split()) == helped


def test_the_layers_of_the_architecture_are_the_layers_that_are_enforced() -> None:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    enforced = [{name.strip() for name in layer.split("|")} for layer in contract["layers"] if layer != "__main__"]
    drawn = ARCHITECTURE.split("## Layers")[1].split("```")[1].strip().splitlines()
    words = [re.split(r"\s{2,}", line)[0] for line in drawn]
    assert [{name.strip() for name in line.split("|")} for line in words] == enforced


def test_every_picture_and_file_that_the_documents_link_to_exists() -> None:
    for document in ROOT.glob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
            assert target.startswith("https://") or (ROOT / target).exists(), f"{document.name}: {target}"


def test_every_function_has_a_name_of_two_words() -> None:
    assert all(re.fullmatch(r"[a-z]+\.[a-z]+", id) for id in registry.functions)


def test_lock_files_pin_with_hashes_and_without_addresses() -> None:
    for name in ("requirements.lock", "requirements-dev.lock", "frontend/package-lock.json"):
        text = (ROOT / name).read_text()
        assert not re.search(r'"resolved"|\.tgz|\.whl|index-url|find-links', text), name
    assert "--hash=sha256:" in (ROOT / "requirements.lock").read_text()


def test_nothing_that_is_built_or_fetched_is_committed() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a git checkout")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )
    folders = {part for path in listed for part in Path(path).parts[:-1]}
    assert not folders & {"node_modules", "dist", "__pycache__", ".venv", "var", "utils", "helpers", "common", "core"}
