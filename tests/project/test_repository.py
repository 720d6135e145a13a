"""Files that a public repository needs: license, policies, templates and the CI workflow."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from kinfolk.config.settings import ROOT

FORM_ELEMENTS = {"markdown", "input", "textarea", "dropdown", "checkboxes"}
FORMS = sorted(path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")


def load(path: Path) -> dict[Any, Any]:
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


@pytest.mark.parametrize(
    "name",
    [
        ".editorconfig",
        ".github/PULL_REQUEST_TEMPLATE.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CODE_OF_CONDUCT.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "README.md",
        "SECURITY.md",
    ],
)
def test_file_of_the_repository_exists(name: str) -> None:
    assert (ROOT / name).stat().st_size > 0


def test_package_metadata_names_the_license_file() -> None:
    metadata = project()
    assert (metadata["license"], metadata["license-files"]) == ("MIT", ["LICENSE"])
    license = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert license.startswith("MIT License\n\nCopyright (c) 2026 Kinfolk contributors\n")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_issue_form_has_the_fields_that_github_requires(form: Path) -> None:
    content = load(form)
    assert {"name", "description", "body"} <= set(content)
    assert {element["type"] for element in content["body"]} <= FORM_ELEMENTS
    ids = [element["id"] for element in content["body"] if element["type"] != "markdown"]
    assert len(ids) == len(set(ids))


def test_workflow_runs_make_test_on_linux_and_macos() -> None:
    job = load(ROOT / ".github/workflows/test.yml")["jobs"]["test"]
    assert job["strategy"]["matrix"]["os"] == ["ubuntu-latest", "macos-latest"]
    assert "make test" in [step.get("run") for step in job["steps"]]


def test_workflow_tests_each_python_version_of_the_classifiers() -> None:
    job = load(ROOT / ".github/workflows/test.yml")["jobs"]["test"]
    classifiers = " ".join(project()["classifiers"])
    versions = re.findall(r"Python :: (3\.\d+)", classifiers)
    assert job["strategy"]["matrix"]["python"] == versions
    assert project()["requires-python"] == f">={versions[0]}"


def test_make_targets_of_workflow_and_ci_script_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for name in (".github/workflows/test.yml", ".ci/run"):
        called = re.findall(r"(?:run: |exec )make ([a-z-]+)", (ROOT / name).read_text(encoding="utf-8"))
        assert called
        assert set(called) <= targets


IMPORT_AS_SCRIPTS = """
import os, runpy, sys
import kinfolk.cli.main, kinfolk.cli.check.content_check, kinfolk.web.processes.server
for script in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        sys.path[0] = os.path.dirname(script)
        runpy.run_path(script, run_name="imported")
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit(f"{script} does not find its imports")
"""
"""Each script in a process of its own. They share the modules of the site, which take a second to import."""


def test_scripts_of_make_targets_find_their_imports() -> None:
    scripts = re.findall(r"\$\(BIN\)/python (tests/\S+\.py)", (ROOT / "Makefile").read_text())
    assert scripts
    files = [str(ROOT / script) for script in scripts]
    subprocess.run([sys.executable, "-c", IMPORT_AS_SCRIPTS, *files], check=True, timeout=60)


def test_engine_names_no_family() -> None:
    """Imports of its packages are fine: the frontend uses them."""
    word = re.compile(r"TanStack(?!RouterDevtools)")
    files = [file for folder in ("src", "frontend/src") for file in (ROOT / folder).rglob("*")]
    texts = [file for file in files if file.suffix in {".py", ".toml", ".ts", ".tsx", ".css", ".md"}]
    assert [str(file) for file in texts if word.search(file.read_text()) and file.name != "routeTree.gen.ts"] == []


def test_code_outside_of_coverage_folders_is_not_traced() -> None:
    """pytest-cov would trace all tests in workers of pytest-xdist: conftest.py prevents it."""
    assert "coverage" not in repr(sys.gettrace())
